"""Repair what servers and models send, so that any loop can use it, and save it in a file."""
