"""The program around an agent in a terminal: it talks to the user, the model and the files.

A program makes a Project, and an Agent for it, as `notebooks/solutions/frame.py` does. Read
`agent`, `model` and `project`, in this order. `safetylib` protects the user, as in a notebook.
"""

from safetylib.wire.server.limits import Limits

from .agent import Agent
from .project import Project
from .screen import say

__all__ = ["Agent", "Limits", "Project", "say"]
