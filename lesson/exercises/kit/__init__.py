"""What the exercises share: the engine that tries rules, causes, feedback, and what is put back."""
