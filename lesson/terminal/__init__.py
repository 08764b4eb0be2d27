"""The same agent in a terminal: what a person types there, what they see, and what is kept."""
