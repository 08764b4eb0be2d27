"""What is between an agent and the rest: guard protects the user, wire mends what is sent."""
