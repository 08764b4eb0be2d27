"""Connect to a real model: retries, spending limits, redaction, error messages."""
