"""Loaders, one format a module, and seeded nested sampling."""
