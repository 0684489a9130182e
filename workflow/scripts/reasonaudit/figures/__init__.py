"""Drawing, one figure a module, from analysis tables only."""
