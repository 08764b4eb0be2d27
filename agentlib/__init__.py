"""agentlib: a small coding agent that plans before it acts.

Read `tools`, then what a learner builds: `loop`, `todo`, `nag`, `trim`, `stop` and `read_file`.
They have no types, because they are the solutions of the exercises. Around them, `list_tool` reads
what real models send, `window` leaves out messages, `workspace` has the tools, and `terminal` is a
program. `rendered_list` shows the items of a list, and `tasks` is another kind of list. `defaults`,
`prompts` and `signatures` have what several use.

The package `safetylib` protects the user and repairs messages: it asks the user before a call,
keeps files and commands in one folder, and corrects what servers and models send. The package
`lesson` is the classroom around the agent: the practice model, real models, widgets and exercises.
"""

from types import MappingProxyType

from safetylib.wire.client import CheckedClient
from safetylib.wire.ends import CutOffError, NoMessageError, RunEndedError

from .list_tool import list_tool
from .loop import agent_loop
from .nag import Nag
from .prompts import first_message, system_prompt
from .read_file import read_file
from .rendered_list import RenderedList
from .stop import ask_at_the_stop
from .tasks import Tasks
from .todo import TodoManager
from .tools import Call, Tool, call_tool
from .trim import trim_messages
from .workspace import Workspace

# Read-only, because all lists share it: `TodoManager.fields | {…}` makes a longer dict.
TodoManager.fields = MappingProxyType(TodoManager.fields)  # type: ignore[assignment]

__all__ = [
    "Call",
    "CheckedClient",
    "CutOffError",
    "Nag",
    "NoMessageError",
    "RunEndedError",
    "RenderedList",
    "Tasks",
    "TodoManager",
    "Tool",
    "Workspace",
    "agent_loop",
    "ask_at_the_stop",
    "call_tool",
    "first_message",
    "list_tool",
    "trim_messages",
    "read_file",
    "system_prompt",
]
