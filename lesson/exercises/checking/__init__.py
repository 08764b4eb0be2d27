"""Check a learner's code: the rules, their trials and the feedback."""
