"""keep() and my_agent.py: what a learner has built runs in a terminal."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from exercises.attempts import facts, rules
from exercises.cells import define

from lesson import LOOP_SOLUTION, OWN_AGENT, keep

PROMPT = "Refactor hello.py: add type hints, docstrings and a main guard, then run it."


def run_file(path, *arguments):
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    environment.pop("MODEL_ID", None)
    return subprocess.run(
        [sys.executable, path.name, *arguments],
        cwd=path.parent,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_kept_loop_grows_into_an_agent_with_list_and_nag(tmp_path):
    path = keep(define(LOOP_SOLUTION, "agent_loop"), file=tmp_path / "my_agent.py")
    done = run_file(path, PROMPT)
    assert done.returncode == 0, done.stderr
    assert "read_file" in done.stdout and "main guard" in done.stdout.lower()
    keep(define(rules.PLAIN, "MyTodo"), file=path)
    keep(define(facts.PLAIN, "MyNag"), file=path)
    keep(define(LOOP_SOLUTION, "agent_loop"), file=path)
    source = path.read_text()
    assert source.count("# --- agent_loop ---") == source.count("if __name__ ==") == 1
    done = run_file(path, PROMPT)
    assert done.returncode == 0 and "todo" in done.stdout, done.stderr


def test_kept_agent_has_its_helpers(tmp_path):
    path = keep(define(OWN_AGENT, "agent"), file=tmp_path / "my_agent.py")
    done = run_file(path, PROMPT)
    assert done.returncode == 0 and "todo" in done.stdout, done.stderr


def test_keep_writes_imports_and_base_classes_of_other_cells(tmp_path):
    source = "import math\n\nclass Base(TodoManager):\n    def n(self):\n        return 1\n"
    source += "\nclass MyTodo(Base):\n    def size(self):\n        return math.inf\n"
    path = keep(define(source, "MyTodo"), file=tmp_path / "kept.py")
    names = {"__name__": "kept"}
    exec(path.read_text(), names)
    assert names["MyTodo"]().update([]) == "No todos."


def test_keep_rejects_what_no_cell_defines(tmp_path):
    with pytest.raises(ValueError, match="a function or a class"):
        keep(len, file=tmp_path / "kept.py")
