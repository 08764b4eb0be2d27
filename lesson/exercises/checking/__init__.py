"""How a learner's code is checked: rules, the trial of each, and the words about it."""
