"""What the parts use of the lesson, for a computer without it: Tool, call_tool and Shown.

There, `from agentlib import Tool` and `from lesson import Shown` import from this file, also if the
computer has other packages of these names.
"""

import sys
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from types import SimpleNamespace

MARKS = {"pending": "[ ]", "in_progress": "[>]", "completed": "[x]"}
SHOWN = ("id", "text", "status", "activeForm")  # any other field of an item is shown by name
MISSING = """{}.py uses {} of the lesson, which is not here, so it seems to be not written yet.
Where the lesson is, `planning-agent take-away FOLDER` copies the program with our solution."""


def has_lesson():
    """Return whether this Python has the lesson: then its packages are used, with their sandbox."""
    lesson = find_spec("lesson")
    return bool(lesson and lesson.origin and Path(lesson.origin).with_name("program").is_dir())


def use():
    """Let this file be `agentlib` and `lesson`, unless the lesson is here."""
    if not HAS_LESSON:
        sys.modules["agentlib"] = sys.modules["lesson"] = sys.modules[__name__]


def __getattr__(name):
    """End the program at an import of what only the lesson has: Python calls this for it."""
    if name.startswith("__"):
        raise AttributeError(name)
    sys.exit(MISSING.format(sys._getframe(1).f_globals["__name__"], name))


class Tool:
    """What the model can call: `spec` is what it reads."""

    def __init__(self, name, description, input_schema, run, **more):
        self.name, self.run = name, run
        self.spec = {"name": name, "description": description, "input_schema": input_schema}


def call_tool(dispatch, name, tool_input):
    """Run a tool and return its result. An error is also a result: the model reads it."""
    try:
        if name not in dispatch:
            raise LookupError(f"there is no tool {name!r:.60}, only {', '.join(dispatch)}")
        signature(dispatch[name].run).bind(**tool_input)  # an error names the wrong field
        output, ok = str(dispatch[name].run(**tool_input)), True
    except Exception as problem:
        output, ok = f"Error: {problem or type(problem).__name__}", False
    return SimpleNamespace(name=name, input=tool_input, output=output or "(no output)", ok=ok)


class Shown:
    """The base of a list: it shows its items."""

    def __init__(self):
        self.items = []

    def render(self):
        """Return the list as text: a line for each item, and how many are completed."""
        lines = []
        for item in self.items:
            more = ", ".join(f"{one}: {item[one]}" for one in item if one not in SHOWN)
            lines.append(f"{MARKS.get(item['status'])} {item['text']}{more and f' ({more})'}")
        done = sum(item["status"] == "completed" for item in self.items)
        return "\n".join([*lines, f"({done}/{len(lines)} completed)"])


HAS_LESSON = has_lesson()
