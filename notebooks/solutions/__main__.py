"""My coding agent. In the folder of a project: `python PATH/my_agent "what to do"`.

It needs the package anthropic, a key in ANTHROPIC_API_KEY, a model's name in MODEL_ID and, for
another server than Anthropic's, its address in ANTHROPIC_BASE_URL. Each part is in its own file,
and frame.py is around them. It asks before each command and each change of a file.
"""

import os
import sys
from importlib.util import find_spec

file = os.path.realpath(__file__) if os.path.islink(__file__) else os.path.abspath(__file__)
sys.path[0] = os.path.dirname(file)  # with -m, it was the project's folder
if find_spec("anthropic") is None:
    sys.exit(f"To install the package anthropic: {sys.executable} -m pip install anthropic")

try:
    from loop import agent_loop
    from next_task import PriorityNag
    from read_file import read_file
    from trim import trim_messages
    from stop import ask_at_the_stop
    from times import TimedTodo

    if sys.platform == "emscripten":  # the lesson in a browser: no process, no address
        from lesson.program.in_browser import main
    else:
        from frame import main
    main(agent_loop, TimedTodo, PriorityNag, ask_at_the_stop, trim_messages, read_file)
except KeyboardInterrupt:
    sys.exit("Stopped.")
