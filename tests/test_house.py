"""The house: which module is in which room, who may know whom, and how much there is to read."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import agentlib

HOUSE = Path(agentlib.__file__).parent
READING_ORDER = ("tools", "loop", "workspace", "todo", "nag")

AGENT = {*READING_ORDER, "history", "prompts", "escape", "notebook", "readonly", "samples"}
# Each room, its modules, and what it may know besides itself. "agentlib" is what the package
# itself exports. A module that is not listed here fails a test, and so does one that is missing.
ROOMS = {
    "machine": ("changes files lookup passages paths processes repositories sandbox shell", set()),
    "samples": ("", {"machine"}),
    "practice": ("model", set()),
    "practice/api": (
        "cache conversation errors memory models reply request rules stream tokens wire",
        set(),
    ),
    "practice/mind": ("attention learners_tool mind plan reminders steps tasks", set()),
    "live": (
        "answers approval client connect errors events limits retries transport words",
        {"tools", "escape", "notebook", "machine", "practice"},
    ),
    "runs": (
        "bill measured messages prices saved sessions step store trace trial",
        AGENT | {"live", "practice"},
    ),
    "exercises": (
        "brief catalogue kept loop_by_hand order own_agent own_nag own_tool priority priority_nag "
        "scene timed todo_rules ways",
        AGENT | {"agentlib", "live", "practice", "runs"},
    ),
    "exercises/checking": (
        "blank check expected fixtures hints result rule state timeout",
        AGENT | {"agentlib"},
    ),
    "exercises/grading": (
        "bets kernel notebooks worker",
        AGENT | {"agentlib", "practice", "runs"},
    ),
    "widgets": (
        "approval background base board page player run_state runs runs_picture "
        "runs_text summaries todo_state walkthrough",
        AGENT | {"agentlib", "live", "machine", "practice", "runs"},
    ),
    "terminal": (
        "agent arguments display keyboard lesson open_run screen",
        AGENT | {"live", "machine", "practice", "runs"},
    ),
}
TOP = {
    "__init__": {"live", "loop", "nag", "practice", "prompts", "todo", "tools", "workspace"},
    "__main__": AGENT | {"live", "machine", "practice", "runs", "terminal"},
    "escape": set(),
    "history": set(),
    "loop": {"tools", "history"},
    "nag": {"tools", "todo"},
    "notebook": set(),
    "prompts": set(),
    "readonly": set(),
    "todo": {"readonly", "tools"},
    "tools": set(),
    "workspace": {"tools", "machine", "samples"},
}
# Why: a page is made of the widgets. It is imported late, for this command alone.
EXCEPTIONS = {"terminal/open_run": {"widgets"}}
# The same thing in two rooms: the question and the widget that puts it; the errors of a room.
NAMED_TWICE = {"approval", "errors", "__init__", "__main__"}


def listed_modules():
    """The modules that the lists above name."""
    found = set(TOP)
    for room, (names, _) in ROOMS.items():
        found |= {f"{room}/{name}" for name in ("__init__", *names.split())}
    return found | {"exercises/__main__"}


def modules():
    """The modules that there are, as paths below the package without their suffix."""
    paths = (path.relative_to(HOUSE) for path in HOUSE.rglob("*.py"))
    return {path.with_suffix("").as_posix() for path in paths if "project" not in path.parts}


def known(module):
    """The rooms and top modules of ours that a module imports, by a statement or by a string."""
    path = HOUSE / f"{module}.py"
    package = path.relative_to(HOUSE.parent).with_suffix("").parts[:-1]
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            start = ".".join((*base, *(node.module or "").split("."))).strip(".")
            found |= {room_of(f"{start}.{alias.name}") for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {room_of(alias.name) for alias in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if re.fullmatch(r"agentlib(\.\w+)+", node.value):
                found.add(room_of(node.value))
    return found - {None}


def room_of(name):
    """The room or top module of a dotted name; "agentlib" for what the package exports."""
    top, _, rest = name.partition(".")
    if top != "agentlib":
        return None
    first = rest.partition(".")[0]
    return first if (HOUSE / first).is_dir() or f"{first}" in TOP else "agentlib"


def test_every_module_is_listed_and_every_listed_one_is_there():
    assert modules() == listed_modules()


def test_no_name_stands_for_two_things():
    names = [module.rpartition("/")[2] for module in modules()]
    twice = {name for name in names if names.count(name) > 1}
    assert twice <= NAMED_TWICE


@pytest.mark.parametrize("module", sorted(modules() - {"exercises/__main__"}))
def test_a_module_knows_only_whom_it_may_know(module):
    room, _, name = module.rpartition("/")
    allowed = ROOMS[room][1] if room else TOP[name]
    own = room.partition("/")[0] or name
    assert known(module) - {own} <= allowed | EXCEPTIONS.get(module, set())


def test_the_five_parts_that_a_beginner_reads_stay_under_500_lines():
    lines = {name: len((HOUSE / f"{name}.py").read_text().splitlines()) for name in READING_ORDER}
    assert sum(lines.values()) < 500, lines


def test_they_are_counted_as_the_formatter_leaves_them():
    paths = [str(HOUSE / f"{name}.py") for name in READING_ORDER]
    ruff = [sys.executable, "-m", "ruff", "format", "--check", *paths]
    assert subprocess.run(ruff, capture_output=True).returncode == 0


def test_importing_agentlib_brings_in_neither_the_sdk_nor_a_notebook():
    script = (
        "import sys, agentlib; "
        "print([m for m in ('anthropic', 'httpx2', 'pydantic', 'IPython', 'ipywidgets', "
        "'jsonschema_rs') if m in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.stdout == "[]\n", result.stderr
