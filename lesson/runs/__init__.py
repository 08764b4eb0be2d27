"""Runs of an agent: played, watched at the client, and recorded runs of a real model."""
