"""What is between an agent and the rest: approval, one folder, a sandbox, what a server sends."""
