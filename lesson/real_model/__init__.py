"""Connect to a real model: retries, streaming, spending limits, error messages, approval."""
