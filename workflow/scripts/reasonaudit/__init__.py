"""reasonaudit: what the numbers of a reasoning evaluation can carry."""
