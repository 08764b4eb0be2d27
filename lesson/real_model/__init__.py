"""Connect to a real model: spending limits, retries, error messages."""
