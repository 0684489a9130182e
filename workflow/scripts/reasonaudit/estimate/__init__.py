"""What a study will cost before it runs, and what it did cost."""
