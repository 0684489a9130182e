"""From a reply to a canonical answer, and votes over answers."""
