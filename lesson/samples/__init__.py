"""The sample projects, the jobs in them, and their judges."""
