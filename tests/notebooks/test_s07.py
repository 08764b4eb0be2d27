"""What s07 says of its tables: for who has their own parts, and for who has none."""

import json
import re

import pytest
from support.notebook import CELLS, write_file

from agentlib.todo import TodoManager
from lesson import claude_runs, evaluate
from lesson.common.solutions import NOTEBOOKS
from lesson.program.my_agent import my_agent
from lesson.tables import evaluate as module
from lesson.tables.evaluate import MODELS

SOURCE = {
    cell["id"]: "".join(cell["source"])
    for cell in json.loads((NOTEBOOKS / "s07_is_mine_any_good.ipynb").read_text("utf-8"))["cells"]
}
LINES = re.findall(r"(?s)```python\n +(.*?)\n```", SOURCE["good-07"])
FEW = ("the script", "believes")
SHOWN = "<reminder>Update your todos.\n{}</reminder>"


@pytest.fixture(params=["skipped", "own"])
def agents(request, notebook_of, monkeypatch):
    """Return the agents of the notebook, of a learner who has their own parts, or none."""
    notebook_of()
    if request.param == "own":
        write_file(**CELLS)
    else:  # tests/practice/test_faults.py plays ours with all models
        monkeypatch.setattr(module, "MODELS", {name: MODELS[name] for name in FEW})
    names = {}
    exec(SOURCE["good-02"].partition("table =")[0] + "agents = [words, mine, asked]", names)
    return names["agents"]


def make_nag(line="shown = self.todo.render()"):
    """Return the nag of the free task, with this line."""
    cell = SOURCE["good-04"].partition("agents =")[0]
    names = {}
    exec(cell.replace("shown = self.todo.render()", line), names)
    todo = TodoManager()
    todo.update(
        [
            {"text": "One", "status": "in_progress"},
            {"text": "Two", "status": "pending"},
            {"text": "Three", "status": "completed"},
        ]
    )
    return names["BetterNag"](todo, 1), todo


def test_table_has_the_sentence_of_each_model():
    rows = dict(re.findall(r"(?m)^\| (\w+) \| (.+) \|$", SOURCE["good-01"]))
    assert {**rows, "the script": None} == {
        name: None if name == "the script" else says.removesuffix(".")
        for name, says in MODELS.items()
    } | {"model": "what it does"}


@pytest.mark.release
@pytest.mark.parametrize("job", ["ten_steps", "style"])
def test_who_asks_the_files_and_reminds_nobody_gets_all_steps_from_each_model(job):
    names = {"evaluate": lambda agents, job: agents, "agents": {}}
    exec(SOURCE["good-06"], names)
    table = evaluate({"files": names["files"]}, job=job)
    assert re.search(r"\n  files +7 of 7\n", repr(table))
    assert "With the agent `files`, all seven models do all steps on both jobs" in SOURCE["good-07"]


def test_experiment_whose_result_is_told_names_its_threshold(agents):
    assert [agent["after"] for agent in agents] == [3, 3, 3]


def test_what_is_said_of_the_claude_model_is_true_of_each_condition_that_is_printed():
    printed = {"listed": 4, "plantext": 4, "reminder": 0, "nolist": 0}
    for condition, count in printed.items():
        assert condition in SOURCE["good-08"]
        assert sum(run.steps_done == 10 for run in claude_runs(condition=condition)) == count
    said = "in all four runs with the list, and in all four with the plan as text."
    assert said in SOURCE["good-09"]


def test_last_cell_works_without_a_key_and_says_that_nothing_was_sent(capsys, notebook_of):
    notebook_of()
    exec(
        SOURCE["good-10"],
        {"evaluate": evaluate, "words": {"nag": "plain"}, "mine": {"nag": "MyNag"}},
    )
    printed = capsys.readouterr().out
    assert "10 runs of ten_steps, after 7 rounds" in printed
    assert "Nothing was sent. With a key" in printed


@pytest.mark.release
def test_numbers_of_the_first_answer_are_those_of_own_parts_and_of_ours(agents):
    table = evaluate(dict(zip(("words", "list", "asked"), agents, strict=True)))
    numbers = re.findall(r"  \w+ +(\d) of \d\n", repr(table))
    assert numbers == (["3", "4", "6"] if len(table.models) == 7 else ["2", "1", "1"])
    said = "three do all steps with plain words, four with the list, and six if the program"
    assert said in SOURCE["good-03"]
    steps = [table["believes", agent].steps_done for agent in table.agents]
    assert steps == [10, 1, 1] and "ten steps with plain words, and one" in SOURCE["good-03"]


def test_cell_of_the_free_task_shows_the_list_and_each_answer_what_it_says(agents):
    (nag, todo), unmarked, pending = map(make_nag, ("shown = self.todo.render()", *LINES))
    assert nag([]) == SHOWN.format(todo.render())
    assert unmarked[0]([]) == SHOWN.format(todo.render().replace("[>]", "[ ]")) != nag([])
    assert pending[0]([]) == SHOWN.format("Two")
    assert isinstance(nag, my_agent.MyNag)
