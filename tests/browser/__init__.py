"""Tests in a real browser: they share one JupyterLab."""
