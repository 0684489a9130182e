"""Edits to chains, and judges that read them."""
