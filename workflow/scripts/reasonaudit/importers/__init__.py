"""Logs of other tools -> the calls table, one format a module."""
