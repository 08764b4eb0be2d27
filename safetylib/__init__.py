"""What stands between the agent and the machine: the user's approval, one folder, a sandbox."""
