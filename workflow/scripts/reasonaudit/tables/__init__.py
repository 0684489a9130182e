"""One typed schema a module, and the one reader and writer."""
