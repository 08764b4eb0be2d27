"""How fast the agent is, beside others, and what the lesson costs a computer: `make bench`."""
