"""My coding agent. In the folder of a project: `python PATH/my_agent "what to do"`.

It needs the package anthropic, a key in ANTHROPIC_API_KEY, a model's name in MODEL_ID and, for
another server than Anthropic's, its address in ANTHROPIC_BASE_URL. Each part is in its own file,
and frame.py is around them. It asks before each command and each change of a file.
"""

import os
import pkgutil
import sys


def show_end(kind, *problem):
    """Show why the program has ended. After Ctrl-C, which may come early, that is no traceback."""
    if kind is KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
    else:
        sys.__excepthook__(kind, *problem)


sys.excepthook = show_end
file = os.path.realpath(__file__) if os.path.islink(__file__) else os.path.abspath(__file__)
here = sys.path[0] = os.path.dirname(file)  # with -m, it was the project's folder
own = {one.name: one.name + ("/" if one.ispkg else ".py") for one in pkgutil.iter_modules([here])}
HIDES = "Rename {} of this program: it hides a module of {}."
if hiding := own.keys() & sys.stdlib_module_names:
    sys.exit(HIDES.format(own[min(hiding)], "Python"))

import shlex
from importlib import import_module
from importlib.machinery import PathFinder

MISSING = """{} is missing: this is a copy without the packages that the program needs.
Where the lesson is, `planning-agent take-away FOLDER` writes a program that has them."""
NO_SDK = """This Python has no package anthropic: {}
To install it: {} -m pip install anthropic"""


def explain(problem):
    """Return why a package cannot be imported, as a sentence; "" if Python's error says it."""
    found = getattr(problem, "name", "") if isinstance(problem, ImportError) else ""
    found = (found or getattr(getattr(problem, "obj", None), "__name__", "")).partition(".")[0]
    if found in own and PathFinder.find_spec(found, sys.path[1:]):
        return HIDES.format(own[found], "another package")
    if found in ("agentlib", "safetylib"):  # also if others have packages of these names
        return MISSING.format(found)
    return (
        NO_SDK.format(sys.executable, shlex.quote(sys.executable)) if found == "anthropic" else ""
    )


try:
    for name in ("safetylib.wire.server", "agentlib.terminal", "anthropic.types"):
        import_module(name)
except (ImportError, AttributeError) as problem:
    sys.exit(explain(problem) or f"{type(problem).__name__}: {problem}")

if sys.platform == "emscripten":  # the lesson in a browser: no process, no address
    from lesson.program.in_browser import main
else:
    from frame import main

from loop import agent_loop
from next_task import PriorityNag
from read_file import read_file
from room import make_room
from stop import ask_at_the_stop
from times import TimedTodo

main(agent_loop, TimedTodo, PriorityNag, ask_at_the_stop, make_room, read_file)
