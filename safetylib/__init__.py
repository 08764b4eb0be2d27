"""Protect the user (guard), and repair the messages of an agent and a server (wire)."""
