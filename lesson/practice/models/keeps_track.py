"""Keeps track: it sees the whole conversation, does one step after the other and finishes.

It needs no help from the harness, so it shows what each part of a harness costs. It imitates no
report: it is made up, as the comparison for the other six. Nothing is known about how often a real
model works like this.
"""

from ..policy.practice_policy import MAX_MESSAGES, PracticePolicy

keeps_track = PracticePolicy(window=MAX_MESSAGES)
