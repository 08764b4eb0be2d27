"""What decides the practice model's replies, from a request and nothing else."""
