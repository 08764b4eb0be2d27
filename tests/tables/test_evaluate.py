"""`evaluate`: what it checks before it plays, what ends a run, whose the parts are, its table."""

import gc
import re
import weakref

import pytest
from support.notebook import CELLS, write_file

from agentlib import Nag
from agentlib.tools import call_tool
from lesson import evaluate
from lesson.drawing.run_picture import describe_size
from lesson.tables import evaluate as module


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
    "a job alone": ("analyze", "ten_steps", TypeError, "evaluate got 'analyze'. It takes agents"),
    "a number": (
        {2: {}},
        "ten_steps",
        TypeError,
        "evaluate got {2: {}}. It takes agents by a name",
    ),
    "no agent": ({}, "ten_steps", ValueError, "evaluate got no agent"),
    "settings alone": ({"nag": None}, "ten_steps", TypeError, "'nag' is not an agent"),
    "a setting": (FINE | {"b": {"afer": 1}}, "ten_steps", TypeError, "'b' has the setting 'afer'"),
    "a model": (FINE | {"b": {"model": "ticks"}}, "ten_steps", TypeError, "the setting 'model'"),
    "a name": (FINE | {"b": {"nag": "MyNagg"}}, "ten_steps", LookupError, "nag is 'yours'"),
    "a window": (FINE | {"b": {"window": 3}}, "ten_steps", ValueError, "window must be 4"),
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
        ({"loop": writes_large, "nag": None}, "large.py"),
    ],
)
def test_an_error_takes_no_other_row_and_its_agent_is_played_twice(agent, says, monkeypatch):
    models = dict(list(module.MODELS.items())[:3])
    monkeypatch.setattr(module, "MODELS", models)
    evaluated = evaluate({"a": {}, "b": agent, "c": {}}, job="analyze")
    first, second, third = models
    assert [*evaluated.results] == [(name, one) for name in models for one in "abc"][:-2] + [
        (third, "c")
    ]
    assert re.search(r"\n  a  ([123]) of 3\n  b  0 of 3\n  c  \1 of 3\n", repr(evaluated))
    assert [*evaluated.ended] == [(name, "b") for name in models]
    assert says in evaluated.ended[first, "b"] == evaluated.ended[second, "b"]
    for table in repr(evaluated), evaluated.draw().replace("&#x27;", "'"):
        assert table.count(says) == 2 and table.count("b: not played, because") == 1


STEP = [("Greet", "hello.txt", "Hi\n"), ("Part", "bye.txt", "Bye\n")]


def test_mine_is_ours_without_a_part_of_my_own_and_the_head_says_so():
    ours = evaluate({"mine": {}, "without": {"nag": None}}, job=STEP)
    assert ours.agents == ["agentlib", "without"] and "mine" not in repr(ours) + ours.draw()
    assert "agentlib  agentlib's: loop, list, nag." in repr(ours)
    write_file(MyTodo=CELLS["MyTodo"])
    mine = evaluate({"mine": {}}, job=STEP)
    assert mine.agents == ["mine"] and "Yours: list. agentlib's: loop" in repr(mine)
    assert "Model: ticks" in mine["ticks", "mine"].whose
    with pytest.raises(KeyError, match="The models are the script, forgets, .*agents are mine"):
        mine["tiks", "mine"]
    with pytest.raises(KeyError, match="no run of 'ticks': name a model and an agent"):
        mine["ticks"]


def test_table_has_a_square_for_each_step_and_the_same_as_text(monkeypatch):
    few = {name: module.MODELS[name] for name in ("the script", "ticks", "stops")}
    monkeypatch.setattr(module, "MODELS", few)
    evaluated = evaluate(
        {"often": {"after": 1, "nag": "MyNag"}, "<b>": {"nag": None}}, job="analyze"
    )
    drawn = evaluated.draw()
    cells = re.findall(r"<td>.*?(?=<td>|<tr>|</table>)", drawn)
    assert len(cells) == 6 and all(cell.count("<rect") == 4 for cell in cells)
    for sign, state in (("■", "done"), ("✓", "claimed"), ("·", "open")):
        lines = [line for line in repr(evaluated).splitlines() if "rounds" in line]
        assert sum(line.split()[1].count(sign) for line in lines) == sum(
            cell.count(f"class='lp-{state}'") for cell in cells
        )
    assert repr(evaluated).count("✓") > 2
    compared = describe_size(evaluated["the script", "often"])  # "12 rounds, 19k tokens sent"
    assert f", {compared.removesuffix(' tokens sent')}, " in repr(evaluated)
    assert "<b>" not in re.sub(r"<b class='lp-(good|bad)'>", "", drawn) and "&lt;b&gt;" in drawn


def test_rows_are_shown_as_they_are_played_with_what_is_left_also_before_the_first(monkeypatch):
    shown, draw = [], module.Evaluation.draw
    monkeypatch.setattr(module, "MODELS", {"the script": "works.", "stops": "stops."})
    monkeypatch.setattr(
        module.Evaluation, "draw", lambda self: shown.append((len(self.results), draw(self))) or ""
    )
    evaluate({"a": {}, "b": {}}, job=STEP)
    assert [size for size, _ in shown] == [0, 1, 2, 3, 4]
    assert "4 runs left: &#x27;a&#x27; plays with &#x27;the script&#x27; …" in shown[0][1]
    assert "1 run left: &#x27;b&#x27; plays with &#x27;stops&#x27; …" in shown[3][1]


def test_a_job_that_tells_nothing_apart_says_so_and_its_runs_are_kept_as_lines_only(monkeypatch):
    monkeypatch.setattr(module, "MODELS", {"the script": "works."})
    played, play = [], module.PlayedRun.play
    monkeypatch.setattr(
        module.PlayedRun, "play", lambda self: played.append(weakref.ref(self)) or play(self)
    )
    evaluated = evaluate({"a": {}}, job=STEP)
    assert "this job tells nothing apart" in repr(evaluated) and "+ and -" not in repr(evaluated)
    gc.collect()
    assert [one() for one in played] == [None]
    assert str(evaluated["the script", "a"]).endswith("(new) +1, hello.txt (new) +1.")
