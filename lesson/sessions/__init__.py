"""Recorded sessions of real agents: one reader for each format, and the picture of a session."""
