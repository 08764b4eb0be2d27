"""A table of runs: each agent plays a job with each model, or several times with a real one."""
