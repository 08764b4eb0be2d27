"""keep(): what passes its check is saved in my_agent.py, and the file runs in a terminal."""

import runpy
import subprocess
import sys

import pytest
from exercises.attempts import facts, rules

from lesson import LOOP_SOLUTION, OWN_AGENT, keep
from lesson.my_agent import collect

SOURCES = {
    "agent_loop": "from agentlib import call_tool, run\n" + LOOP_SOLUTION,
    "MyTodo": rules.PLAIN,
    "MyNag": facts.PLAIN,
    "agent": OWN_AGENT,
}


def keep_part(name, folder):
    names = {}
    exec(SOURCES[name], names)
    return keep(name, names[name], folder, [SOURCES[name]])


PROMPT = "Refactor hello.py: add type hints, docstrings."


def test_saved_file_runs_in_an_empty_folder(tmp_path):
    for name in SOURCES:
        keep_part(name, tmp_path)
    command = [sys.executable, "my_agent.py", PROMPT]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) >= 8
    assert "def " in (tmp_path / "hello" / "hello.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "parts, rounds", [(["agent_loop"], 7), (["agent_loop", "MyTodo", "MyNag"], 8)]
)
def test_file_with_some_of_the_parts_runs(tmp_path, monkeypatch, capsys, parts, rounds):
    for name in parts:
        keep_part(name, tmp_path)
    capsys.readouterr()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["my_agent.py", PROMPT])
    runpy.run_path("my_agent.py", run_name="__main__")
    assert len(capsys.readouterr().out.splitlines()) >= rounds
    assert "def " in (tmp_path / "hello" / "hello.py").read_text(encoding="utf-8")


def test_keeping_a_part_again_replaces_it(tmp_path):
    keep_part("agent_loop", tmp_path)
    before = (tmp_path / "my_agent.py").read_text(encoding="utf-8")
    keep_part("agent_loop", tmp_path)
    assert (tmp_path / "my_agent.py").read_text(encoding="utf-8") == before


def test_part_that_fails_its_check_is_replaced_by_the_package_and_not_saved(tmp_path, capsys):
    assert keep("MyTodo", object, tmp_path)().update([]) == "No todos."
    assert "does not pass its check yet" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_collect_follows_names_to_their_last_definition():
    cells = ["A = 1\nimport json, sys", "def used():\n    return A", "%magic", "A = 2",
             "def wanted():\n    return used(), json"]  # fmt: skip
    assert list(collect("wanted", cells)) == ["import json", "A = 2", cells[1], cells[4]]
