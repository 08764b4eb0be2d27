"""agentlib: a coding agent that plans before it acts, small enough to read in one sitting.

Read `tools`, `loop`, `workspace`, `todo` and `nag`, in this order: that is the agent. The rest is
what lets a class watch it without a key: a practice model, widgets, exercises.
"""

from .live.connect import ConnectError, Connection, connect
from .live.words import aloud
from .loop import Round, rounds, run
from .nag import Nag
from .practice.model import PracticeModel
from .prompts import carry_on, first_message, system_prompt
from .todo import TodoManager
from .tools import Call, Tool
from .workspace import Workspace

__all__ = [
    "Call",
    "ConnectError",
    "Connection",
    "Nag",
    "PracticeModel",
    "Round",
    "TodoManager",
    "Tool",
    "Workspace",
    "aloud",
    "carry_on",
    "connect",
    "first_message",
    "rounds",
    "run",
    "system_prompt",
]
