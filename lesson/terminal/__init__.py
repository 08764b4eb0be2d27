"""The same agent in a terminal: prompts, output, saved runs."""
