"""Checks saved notebooks, outside Jupyter."""
