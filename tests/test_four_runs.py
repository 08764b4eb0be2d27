"""The four runs of one job: the second one is played with the parts of my_agent.py."""

from dataclasses import replace

import pytest
from exercises.cells import SOLUTIONS
from support.notebook import write_program

from agentlib.nag import Nag
from agentlib.todo import TodoManager
from lesson import FourRuns
from lesson.program.my_parts import PACKAGE
from lesson.program.play_my_parts import play_my_parts
from lesson.runs.claude_runs import claude_runs

NAG = SOLUTIONS["nag"]
LOOP = SOLUTIONS["remind"]
LIST = SOLUTIONS["rules"]


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def play(**parts):
    """Write my_agent.py, and return the row of the lesson's agent."""
    write_program(**parts)
    return FourRuns().rows[1]


def test_without_a_file_the_packages_parts_are_played():
    runs = FourRuns()
    script, agent, lost, listed = runs.rows
    assert (script["count"], agent["count"]) == ("3 of 10", "10 of 10")
    assert agent["note"].endswith("the loop, the list and the nag are the package's.")
    assert sum(map(int, agent["steps"])) == 10
    assert lost["count"] == "7 of the plan's 10" and "7, 8, 7, 7 of the plan's 10" in lost["note"]
    assert listed["is_finished"] and "in 4 of 4 runs" in listed["note"]
    # Seven rounds are the script's, and the model reads the reminder in the first one of its own.
    assert {len(row["cells"]) - row["begins"] for row in (lost, listed)} == {
        len(claude_runs(condition=one)[0].rounds) for one in ("reminder", "listed")
    }
    assert [row["cells"][row["begins"] - 1].isupper() for row in (lost, listed)] == [True, True]
    assert "The same model is done without a list, in 6 rounds instead of 14" in repr(runs)
    # What the rows of the Claude model do not show is beside them, as large as their numbers.
    html = runs._repr_html_()
    assert [row.count("<li>") for row in html.split("<section")[1:]] == [0, 0, 2, 2]


def test_parts_become_the_learners_one_by_one_and_are_played():
    row = play(MyTodo=LIST)
    assert (
        row["note"] == "Played now: the loop the package's, the list yours, the nag the package's."
    )
    row = play(MyTodo=LIST, MyNag=NAG, agent_loop=LOOP)
    assert row["note"] == "Played now: the loop, the list and the nag are yours."
    assert row["count"] == "10 of 10"


def play_with(part, made):
    """Play the package's parts with another one in place of one of them."""
    return play_my_parts(PACKAGE | {part: replace(PACKAGE[part], made=made)})


def test_nag_that_comes_too_late_is_played_and_shows_what_came_out():
    class MyNag(Nag):
        def __init__(self, after):
            super().__init__(TodoManager(), after=after + 5)

    run, problem = play_with("nag", MyNag)
    assert (run.steps_done, problem) == (3, "")


def wait(*_, **__):
    while True:
        pass


def fail(*_, **__):
    raise KeyError("mine")


def ask_again(client, messages, tools, remind, **settings):
    while True:
        client.messages.create(messages=messages, **settings)


@pytest.mark.parametrize(
    "loop, said",
    [
        (wait, "It was stopped: nothing within"),
        (fail, "It raised KeyError: 'mine'."),
        (ask_again, "It was stopped"),
    ],
)
def test_loop_that_fails_or_never_ends_is_stopped(loop, said, monkeypatch):
    monkeypatch.setattr("lesson.program.play_my_parts.SECONDS", 0.5)
    run, problem = play_with("loop", loop)
    assert problem.startswith(said) and run.steps_done == 0
