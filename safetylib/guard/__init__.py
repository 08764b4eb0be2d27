"""What protects the user: paths and files, questions, the sandbox, keys, and typed lines."""
