"""The numbers and words of the parts, for code that compares with them.

The parts have them as a learner writes them. A test compares the two.
"""

MAX_QUESTIONS = 10  # at the stop
