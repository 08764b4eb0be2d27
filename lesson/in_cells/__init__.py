"""What a learner calls in a cell: check, play, open_run, edit_loop and reveal."""
