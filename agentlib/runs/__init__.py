"""One run of the agent: played and measured, kept and opened again."""
