"""Play a hidden first run, if none was played: a kernel's first run takes twice as long."""

from ..practice.practice_model import calls_made
from .run import Run

if not calls_made:
    Run("hello", after=2).play()
    calls_made.clear()  # the learner is asked about these calls as before
