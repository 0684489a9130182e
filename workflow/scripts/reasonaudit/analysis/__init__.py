"""Statistics over stored tables; pure functions."""
