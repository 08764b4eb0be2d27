"""Forgets: it sees only the last 12 messages, and without its plan it begins again.

Its plan leaves that window after six rounds; then it rereads the first file, writes some notes and
reports that the work is complete.

Reports of plans that a model lost in a long conversation:
https://github.com/anthropics/claude-code/issues/10749 (no memory of the second phase) and
https://github.com/anthropics/claude-code/issues/85417 (open items forgotten). There the context was
compacted; the short window imitates the effect. Nothing is known about how often it happens.
"""

from ..policy.practice_policy import WINDOW, PracticePolicy

forgets = PracticePolicy(window=WINDOW)
