"""What a learner uses in a terminal: a copy of the lesson, and the line that runs a program."""
