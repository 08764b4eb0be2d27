"""Widgets that show an agent at work. An agent needs no code to be shown."""
