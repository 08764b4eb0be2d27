"""The door of a terminal: what is between the parts of `my_agent`, the user and a server.

A program makes a Project, and an Agent for it, as `notebooks/solutions/frame.py` does. Read
`agent`, `model` and `project`, in this order. What protects is safetylib, as in a notebook.
"""

from safetylib.wire.server.limits import Limits

from .agent import Agent
from .project import Project
from .screen import say

__all__ = ["Agent", "Limits", "Project", "say"]
