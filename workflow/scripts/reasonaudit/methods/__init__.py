"""Test-time methods, one generator a module.

A method module holds, besides its generator (named like the module):

    PROMPTS                       the prompt steps it says, read without importing it
    DEFAULTS                      its own settings and their defaults, read likewise
    CHOICES, RANGES, SEED_NEUTRAL optional literals, see ``declarations``
    replies_in_longest_prompt     how many whole replies its longest prompt can hold

Seeds: the offset of a call is the number of calls that the method asked for before it on the same
question, so offsets are distinct within a method, and sample i of a pool has offset i whatever the
size of the pool. (Best-of-N's permuted variant shows the same samples in another order.)
"""
