"""A class: the record of a learner, the files of a class, the board, and two configurations."""
