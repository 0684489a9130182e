"""The configuration of a study: typed models, checks, messages, schema.

Only the Snakefile's side imports this package; scripts (jobs) get plain values through params, so
that a new key in the configuration re-runs nothing.
"""
