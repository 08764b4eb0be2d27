"""The numbers and words of the parts, for code that compares with them.

The parts have them as a learner writes them. A test compares the two.
"""

# The nag's threshold in rounds. It is low, so that learners see the reminder;
# docs/what-agents-do.md lists the values of other harnesses.
AFTER = 3
REMINDER = "Update your todos."
MAX_ITEMS = 20  # of a list, as in the course learn-claude-code
MAX_QUESTIONS = 10  # when the model stops
