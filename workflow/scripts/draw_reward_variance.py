"""Draws the shares of groups without reward variance."""

from reasonaudit.figures.reward_variance import draw_reward_variance
from reasonaudit.logs import start_log

start_log(snakemake.log)
draw_reward_variance(variance=snakemake.input.variance, paths=list(snakemake.output))
