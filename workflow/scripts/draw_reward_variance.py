"""Draws the shares of groups without reward variance."""

from reasonaudit.figures.reward_variance import draw_reward_variance

draw_reward_variance(variance=snakemake.input.variance, paths=list(snakemake.output))
