"""The rules that a learner's part is tried with, and what the learner reads if one fails."""
