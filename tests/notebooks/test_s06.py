"""What s06 says of its three runs, played by its own cells with our solutions."""

import json
import re

import pytest

from lesson.common.message_blocks import WINDOW
from lesson.common.solutions import NOTEBOOKS, read_first_loop
from lesson.practice.practice_model import PracticeModel
from lesson.program.my_agent import load_solutions
from lesson.runs.run import Run

CELLS = json.loads((NOTEBOOKS / "s06_what_took_its_place.ipynb").read_text("utf-8"))["cells"]
SOURCE = {cell["id"]: "".join(cell["source"]) for cell in CELLS}


def add_the_lines(loop):
    """Return the text of a loop with the lines of the notebook's answer."""
    [answer] = re.findall(r"(?s)```python\n(.*?)```", SOURCE["places-06"])
    request, call = answer.rstrip().split("\n\n")
    loop = re.sub(r"(?m)^ +reply = .*$", lambda _: request, loop)
    return re.sub(r"(?m)^ +results\.append\(.*$", lambda found: f"{found[0]}\n{call}", loop)


@pytest.fixture(scope="module", params=[False, True], ids=["script", "thinks"])
def runs(request):
    """Return the three runs, of the script as it is and of one whose thinking is bound."""
    played = {"model": PracticeModel(thinks=True), "window": WINDOW} if request.param else {}
    ours, names = load_solutions(), {}
    exec(add_the_lines(read_first_loop()), names)
    listed = Run("ten_steps", todo=ours.MyTodo, nag=ours.MyNag, **played).play()
    filed = Run("ten_steps", loop=names["agent_loop"], todo=ours.MyTodo, nag=None, **played).play()
    cell = {"listed": listed}
    exec(SOURCE["places-07"].partition("alone =")[0], cell)
    alone = Run("ten_steps", loop=cell["one_by_one"], todo=None, nag=None, **played).play()
    return listed, filed, alone


def test_all_three_do_the_job_and_the_plan_is_a_file_in_the_second(runs):
    assert [run.steps_done for run in runs] == [10, 10, 10]
    listed, filed, alone = runs
    plan = filed.workspace.read_file("PLAN.md")
    assert plan.count("[x]") == 10
    assert "PLAN.md" not in listed.diff() + alone.diff() and alone.tokens < filed.tokens


def test_cell_below_prints_the_plan_of_the_file_once_and_none_without_the_lines(runs, capsys):
    plain = Run("ten_steps", nag=None).play()
    for run, plans in ((runs[1], 1), (plain, 0)):
        exec(SOURCE["places-11"], {"filed": run})
        said = capsys.readouterr().out
        assert said.count("Add a main guard") == plans and "Refactor this bookshop" in said
        assert ("[x]" in said) == bool(plans)  # what the file said then, and not the first list


def test_in_round_20_the_model_reads_a_newer_list_than_the_first(runs):
    sent = str(runs[0].request(20).sent["messages"])
    assert "[x] #1" in sent


def test_a_conversation_that_ends_after_its_step_is_no_stop_with_steps_undone(runs):
    assert runs[2].letters.count("n") == 9
