"""`evaluate`: what it checks before it plays, what ends it, whose the parts are, and its table."""

import re

import pytest
from support.notebook import CELLS, write_file
from support.rounds import UNJUDGED

from agentlib import Nag
from agentlib.tools import call_tool
from lesson import evaluate
from lesson.drawing.run_picture import describe_size
from lesson.notebook import evaluate as module


@pytest.fixture(autouse=True)
def own_folder(notebook_of):
    notebook_of()


class Broken(Nag):
    def __call__(self, calls):
        return self.todo.item


class ReturnsList(Nag):
    def __call__(self, calls):
        return ["Update your todos."]


def writes_large(client, messages, tools, **settings):
    """A loop whose agent makes a file that is too large for the judges."""
    call_tool({tool.name: tool for tool in tools}, "write_file", LARGE)
    client.messages.create(messages=messages, **settings)


LARGE = {"path": "large.py", "content": "x = 1\n" * 20_000}
FINE = {"a": {}}
WRONG = {
    "no agent": ({}, "ten_steps", ValueError, "evaluate got no agent"),
    "settings alone": ({"nag": None}, "ten_steps", TypeError, "'nag' is no agent"),
    "a setting": (FINE | {"b": {"afer": 1}}, "ten_steps", TypeError, "'b' has the setting 'afer'"),
    "a model": (FINE | {"b": {"model": "ticks"}}, "ten_steps", TypeError, "the setting 'model'"),
    "a name": (FINE | {"b": {"nag": "MyNagg"}}, "ten_steps", LookupError, "nag is 'yours'"),
    "a window": (FINE | {"b": {"window": 3}}, "ten_steps", ValueError, "window must be 4"),
    "a job": (FINE, UNJUDGED, ValueError, "Nobody judges the files of the job 'hello'"),
}


@pytest.mark.parametrize("agents, job, kind, says", WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said_before_anything_is_played(agents, job, kind, says, monkeypatch):
    monkeypatch.setattr(module.PlayedRun, "play", None)
    with pytest.raises(kind, match=re.escape(says)):
        evaluate(agents, job=job)


@pytest.mark.parametrize(
    "agent, says",
    [
        ({"nag": Broken}, "AttributeError: 'TodoManager'"),
        ({"nag": ReturnsList}, "TypeError"),
        ({"loop": writes_large}, "large.py"),
    ],
)
def test_the_first_run_that_ends_with_an_error_or_is_not_judged_is_the_last(agent, says):
    found = evaluate({"a": {}, "b": agent, "c": {}}, job="analyze")
    assert "b  0 of 1\n" in repr(found) and "0 of 0" not in repr(found)
    assert [*found.runs] == [("the script", "a"), ("the script", "b")]
    assert found.problem.startswith("The evaluation ended with this run of 'the script' and 'b'")
    assert says in repr(found) and says in found.draw().replace("&#x27;", "'")


STEP = [("Greet", "hello.txt", "Hi\n"), ("Part", "bye.txt", "Bye\n")]


def test_mine_is_ours_without_a_part_of_my_own_and_the_head_says_so():
    ours = evaluate({"mine": {}, "without": {"nag": None}}, job=STEP)
    assert ours.agents == ["ours", "without"] and "mine" not in repr(ours) + ours.draw()
    assert "ours     Ours: loop (E5), list (E2), nag (E4)." in repr(ours)
    write_file(MyTodo=CELLS["MyTodo"])
    mine = evaluate({"mine": {}}, job=STEP)
    assert mine.agents == ["mine"] and "Yours: list. Ours: loop" in repr(mine)
    assert (
        mine.runs["ticks", "mine"] is mine["ticks", "mine"]
        and "Model: ticks" in mine["ticks", "mine"].whose
    )
    with pytest.raises(KeyError, match="The models are the script, forgets, .*agents are mine"):
        mine["tiks", "mine"]
    with pytest.raises(KeyError, match="no run of 'ticks': name a model and an agent"):
        mine["ticks"]


def test_table_has_a_square_for_each_step_and_the_same_as_text():
    found = evaluate({"often": {"after": 1, "nag": "MyNag"}, "<b>": {"nag": None}}, job="analyze")
    drawn = found.draw()
    cells = re.findall(r"<td>.*?(?=<td>|<tr>|</table>)", drawn)
    assert len(cells) == 14 and all(cell.count("<rect") == 4 for cell in cells)
    for sign, state in (("■", "done"), ("✓", "claimed"), ("·", "open")):
        lines = [line for line in repr(found).splitlines() if "rounds" in line]
        assert sum(line.split()[1].count(sign) for line in lines) == sum(
            cell.count(f"class='lp-{state}'") for cell in cells
        )
    assert repr(found).count("✓") > 2
    compared = describe_size(found["the script", "often"])  # "12 rounds, 19k tokens sent"
    assert f", {compared.removesuffix(' tokens sent')}, " in repr(found)
    assert "<b>" not in re.sub(r"<b class='lp-(good|bad)'>", "", drawn) and "&lt;b&gt;" in drawn


def test_rows_are_shown_as_they_are_played(monkeypatch):
    shown = []
    monkeypatch.setattr(module, "MODELS", {"the script": "works.", "stops": "stops."})
    monkeypatch.setattr(module.Evaluation, "draw", lambda self: shown.append(len(self.runs)) or "")
    evaluate({"a": {}, "b": {}}, job=STEP)
    assert shown == [1, 1, 2, 2, 3, 3, 4, 4]
