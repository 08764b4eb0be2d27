"""Benchmark: the CPU time of our agent and of others, and the cost of the lesson: `make bench`."""
