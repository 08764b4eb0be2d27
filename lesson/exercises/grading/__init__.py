"""Check saved notebooks outside Jupyter."""
