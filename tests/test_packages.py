"""The two packages: what they import, and the messages for names of version 1.0."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import agentlib

AGENTLIB = Path(agentlib.__file__).parent


def test_agentlib_imports_nothing_from_lesson():
    for path in AGENTLIB.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [
                alias.name for alias in getattr(node, "names", []) if isinstance(node, ast.Import)
            ]
            names.append(getattr(node, "module", None) or "")
            assert not any(name.split(".")[0] == "lesson" for name in names), path


def test_importing_agentlib_loads_neither_the_sdk_nor_a_notebook():
    script = (
        "import sys, agentlib; "
        "print([m for m in ('anthropic', 'httpx2', 'pydantic', 'IPython', 'ipywidgets', 'lesson') "
        "if m in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.stdout == "[]\n", result.stderr


@pytest.mark.parametrize(
    "statement",
    [
        "from agentlib import connect",
        "from agentlib import PracticeModel, Tool",
        "from agentlib.widgets import Board",
        "import agentlib.practice.mind.tasks",
    ],
)
def test_import_of_version_1_0_says_what_to_write(statement):
    with pytest.raises(ImportError, match="from lesson import"):
        exec(statement, {})


def test_unknown_module_and_name_keep_their_usual_errors():
    with pytest.raises(ModuleNotFoundError, match="No module named 'agentlib.unknown'"):
        exec("import agentlib.unknown", {})
    with pytest.raises(ImportError, match="cannot import name 'unknown'"):
        exec("from agentlib import unknown", {})
