"""What a learner calls in a cell: check, yours, play and said."""
