"""My coding agent. In the folder of a project: `python PATH/my_agent "what to do"`.

It needs the package anthropic, a key in ANTHROPIC_API_KEY, a model's name in MODEL_ID and, for
another server than Anthropic's, its address in ANTHROPIC_BASE_URL. Each part is in its own file,
and frame.py is around them: it asks before each command and each change of a file.
"""

import os
import pkgutil
import sys

sys.path[0] = os.path.dirname(os.path.abspath(__file__))  # with -m, it was the project's folder
hiding = {one.name for one in pkgutil.iter_modules(sys.path[:1])} & sys.stdlib_module_names
if hiding:
    sys.exit(f"Rename {min(hiding)}.py of this program: it hides a module of Python.")

import basics

basics.use()  # the parts import from `agentlib` and `lesson`
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
