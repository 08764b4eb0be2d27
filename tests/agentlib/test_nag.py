"""Nag: in which rounds it reminds, and with which text."""

from pathlib import Path

import pytest

import agentlib
from agentlib import Call, Nag, TodoManager
from agentlib.defaults import REMINDER

ROOT = Path(agentlib.__file__).parents[1]
WORK = [Call("bash", {"command": "ls"}, "hello.py", ok=True)]
PLAN = [Call("todo", {"items": []}, "No todos.", ok=True)]
REJECTED = [Call("todo", {"items": 3}, "Error: items must be a list", ok=False)]


def test_code_has_the_words_of_the_reminder_in_one_place():
    """The words that were sent to Claude stay, and two exercises quote them to a learner."""
    lesson = ROOT / "lesson"
    quotes = {"runs/claude_runs.py", "exercises/my_nag.py", "exercises/priority_nag.py"}
    quotes = {lesson / name for name in quotes}
    folders = [ROOT / name for name in ("agentlib", "lesson")]
    files = [file for folder in folders for file in folder.rglob("*.*")]
    words = REMINDER.rstrip(".").casefold()
    code = [file for file in files if file.suffix in (".py", ".js")]
    copies = [file for file in code if words in file.read_text("utf-8").casefold()]
    assert sorted(file for file in copies if file not in quotes) == [
        ROOT / "agentlib" / name for name in ("defaults.py", "nag.py")
    ]


def test_a_picture_and_each_pattern_of_a_page_name_the_reminder_whole():
    """A search finds each place only then: a pattern with some of the words would match nothing."""
    assert REMINDER in (ROOT / "notebooks" / "agent.svg").read_text("utf-8")
    patterns = (ROOT / "lesson" / "exercises" / "my_nag.txt").read_text("utf-8").replace("\\", "")
    last = REMINDER.split()[-1]
    lines = [line for line in patterns.splitlines() if last in line]
    assert lines and [line for line in lines if line.count(last) != line.count(REMINDER)] == []


def reminded_in(nag, *rounds):
    """Return the numbers of the rounds in which the nag reminds, counted from 1."""
    return [number for number, calls in enumerate(rounds, 1) if nag(calls)]


def test_after_3_reminds_in_the_third_round_and_each_one_after():
    assert reminded_in(Nag(TodoManager(), 3), WORK, WORK, WORK, WORK) == [3, 4]


@pytest.mark.parametrize("call", [PLAN, REJECTED], ids=["accepted", "rejected"])
def test_todo_call_resets_the_counter(call):
    assert reminded_in(Nag(TodoManager(), 3), WORK, WORK, call, WORK, WORK, WORK) == [6]


def test_parallel_calls_count_as_one_round():
    nag = Nag(TodoManager(), 2)
    assert reminded_in(nag, WORK * 4, WORK) == [2]
    assert reminded_in(nag, WORK + PLAN + WORK, WORK) == []


@pytest.mark.parametrize("items", [[], [{"text": "Read", "status": "completed"}]], ids=str)
def test_reminds_also_if_nothing_is_open(items):
    todo = TodoManager()
    todo.update(items)
    assert reminded_in(Nag(todo, 2), WORK, WORK, WORK) == [2, 3]


def test_threshold_can_change_during_a_run():
    nag = Nag(TodoManager(), 5)
    assert reminded_in(nag, WORK, WORK) == []
    nag.after = 3
    assert nag(WORK) == f"<reminder>{REMINDER}\nNo todos.</reminder>"


def test_only_a_call_of_todo_resets_the_counter_as_e4_says():
    todo = TodoManager()
    todo.name = "plan"
    written = [Call("plan", {"items": []}, "No todos.", ok=True)]
    assert reminded_in(Nag(todo, 3), WORK, WORK, written) == [3]
    assert reminded_in(Nag(todo, 3), WORK, WORK, PLAN) == []
