"""What a learner calls in a cell: check, play, evaluate, open_run, edit_loop and said."""
