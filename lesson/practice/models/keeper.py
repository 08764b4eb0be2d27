"""Keeper keeps track: it sees the whole conversation, does one step after the other and finishes.

It needs no help from the harness, so it shows what each part of a harness costs. It is the
comparison for the other models, and imitates no report. Nothing is known about how often a real
model works like this.
"""

from ..policy.next_reply import MAX_MESSAGES, PracticePolicy
from ..scripted_model import ScriptedModel

keeper = PracticePolicy(window=MAX_MESSAGES)

MODEL = ScriptedModel("Keeper", keeper, "sees everything, and does step after step")
