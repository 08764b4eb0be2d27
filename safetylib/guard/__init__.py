"""Protect the user: check paths, ask before a call, run commands in a sandbox, and hide keys."""
