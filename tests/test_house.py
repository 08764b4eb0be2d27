"""The house: who may know whom, and how much there is to read."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import agentlib

HOUSE = Path(agentlib.__file__).parent
ALLOWED = {
    "tools": set(),
    "loop": {"tools", "history"},
    "todo": {"tools"},
    "workspace": {"tools", "machine", "samples"},
    "history": set(),
    "nag": {"tools", "todo"},
    "prompts": set(),
    "escape": set(),
}
READING_ORDER = ("tools", "loop", "workspace", "todo", "nag")


def imports(path):
    """The modules and packages of ours that a file imports, by their top name."""
    package = path.relative_to(HOUSE.parent).with_suffix("").parts[:-1]
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            start = ".".join((*base, *(node.module or "").split("."))).strip(".")
            names = [f"{start}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("agentlib.")}
    return found


@pytest.mark.parametrize("module", ALLOWED)
def test_a_part_knows_only_whom_it_may_know(module):
    assert imports(HOUSE / f"{module}.py") <= ALLOWED[module]


@pytest.mark.parametrize("path", sorted((HOUSE / "practice").glob("*.py")), ids=lambda p: p.stem)
def test_the_practice_model_knows_nothing_of_the_agent(path):
    assert imports(path) <= {"practice"}


def test_only_the_notebooks_know_the_widgets():
    knowing = [
        path
        for path in HOUSE.rglob("*.py")
        if "widgets" in imports(path) and "widgets" not in path.parts
    ]
    assert knowing == []


def test_the_five_parts_that_a_beginner_reads_stay_under_500_lines():
    lines = {name: len((HOUSE / f"{name}.py").read_text().splitlines()) for name in READING_ORDER}
    assert sum(lines.values()) < 500, lines


def test_importing_agentlib_brings_in_neither_the_sdk_nor_a_notebook():
    script = (
        "import sys, agentlib; "
        "print([m for m in ('anthropic', 'httpx2', 'pydantic', 'IPython', 'ipywidgets') "
        "if m in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.stdout == "[]\n", result.stderr
