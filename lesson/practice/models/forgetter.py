"""Forgetter sees only the last 12 messages, and without its plan it begins again.

Its plan leaves that window after six rounds; then it rereads the first file, writes some notes and
reports that the work is complete. In the reports the context was compacted; the short window
imitates the effect.
"""

from ..policy.next_reply import WINDOW, PracticePolicy
from ..scripted_model import ScriptedModel

forgetter = PracticePolicy(window=WINDOW)

MODEL = ScriptedModel(
    "Forgetter",
    forgetter,
    "sees only its last 12 messages; without its plan it drifts and stops",
    rescued_by="+ the nag",
    imitates="a model has no memory of the second phase, or forgets open items",
    reports=(
        "https://github.com/anthropics/claude-code/issues/10749",
        "https://github.com/anthropics/claude-code/issues/85417",
    ),
)
