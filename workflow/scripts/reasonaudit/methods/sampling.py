"""The two ways in which the methods sample, as keyword arguments of an Ask."""

from collections.abc import Mapping


def greedy(settings: Mapping) -> dict:
    """Temperature 0: what the equal-cost study uses for methods that need no diversity."""
    return {"temperature": 0.0, "max_tokens": settings["max_tokens"], "top_p": 1.0}


def sampled(settings: Mapping) -> dict:
    """The study's sampling temperature: for methods that live on differences between replies."""
    return {
        "temperature": settings["temperature"],
        "max_tokens": settings["max_tokens"],
        "top_p": settings.get("top_p", 1.0),
    }
