"""Record the lines that run in a few rounds of a run, for the walk."""
