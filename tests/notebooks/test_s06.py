"""What s06 says of its three runs, played by its own cells with our solutions."""

import re
from pathlib import Path

import pytest
from by_number import FORMS, WINDOWS, load_nags, play, read_cells
from support.notebook import CELLS, write_file

from agentlib import Tasks, call_tool
from lesson.common.message_blocks import WINDOW
from lesson.common.solutions import NOTEBOOKS, read_first_loop
from lesson.practice.practice_model import PracticeModel
from lesson.program import folder
from lesson.program.my_agent import load_solutions
from lesson.runs.run import Run

SOURCE = read_cells()
PICTURE = (NOTEBOOKS / "lesson_pictures/by_number.svg").read_text("utf-8")


def add_the_lines(loop, right="", wrong=""):
    """Return the text of a loop with the lines of the notebook's answer, or with a slip in them."""
    [answer] = re.findall(r"(?s)```python\n(.*?)```", SOURCE["places-06"])
    assert right in answer
    answer = answer.replace(right, wrong)
    request, call = answer.rstrip().split("\n\n")
    loop = re.sub(r"(?m)^ +reply = .*$", lambda _: request, loop)
    return re.sub(r"(?m)^ +results\.append\(.*$", lambda match: f"{match[0]}\n{call}", loop)


@pytest.fixture(scope="module", params=[False, True], ids=["script", "thinks"])
def runs(request):
    """Return the three runs, of the script as it is and of one whose thinking is bound."""
    settings = {"model": PracticeModel(thinks=True), "window": WINDOW} if request.param else {}
    solutions, names = load_solutions(), {}
    exec(add_the_lines(read_first_loop()), names)
    MyTodo, loop = solutions.MyTodo, names["agent_loop"]
    listed = Run("ten_steps", todo=MyTodo, nag=solutions.MyNag, **settings).play()
    filed = Run("ten_steps", loop=loop, todo=MyTodo, nag=None, **settings).play()
    cell = {"listed": listed}
    exec(SOURCE["places-07"].partition("alone =")[0], cell)
    alone = Run("ten_steps", loop=cell["one_by_one"], todo=None, nag=None, **settings).play()
    return listed, filed, alone


def test_all_three_do_the_job_and_the_plan_is_a_file_in_the_second(runs):
    assert [run.steps_done for run in runs] == [10, 10, 10]
    listed, filed, alone = runs
    plan = filed.workspace.read_file("PLAN.md")
    assert plan.count("[x]") == 10
    assert "PLAN.md" not in listed.diff() + alone.diff() and alone.tokens < filed.tokens


WRITE = '{"path": "PLAN.md", "content": output}'
READ = """        read = call_tool(dispatch, "read_file", {"path": "PLAN.md"})
"""
NO_FILE = "There is no PLAN.md."
SLIPS = {  # how often round 2 and round 10 have the prompt and the list, and what PLAN.md has
    ("[first, *messages[1:]]", "[first] + messages"): ("2 1 2 1", "/10 completed)"),
    ('messages[0]["content"] + plan', 'messages[0]["content"].__iadd__(plan)'): (
        "1 1 1 9",
        "/10 completed)",
    ),
    ("messages=sent", "messages=messages"): ("1 0 1 0", "(0/10 completed)"),
    # The file is read once, before the loop.
    (READ, '        read = read_once(dispatch, "read_file", {"path": "PLAN.md"})\n'): (
        "1 0 1 0",
        "(0/10 completed)",
    ),
    ('if use.name == "todo":', "if True:"): ("1 1 1 0", "Wrote 77 bytes to NOTES.md"),
    (f'call_tool(dispatch, "write_file", {WRITE})', "Path('PLAN.md').write_text(output)"): (
        "1 0 1 0",
        NO_FILE,
    ),
    (WRITE, WRITE.replace("content", "text")): ("1 0 1 0", NO_FILE),
    (WRITE, WRITE.replace("output", "str(use.input)")): ("1 0 1 0", "{'items': "),
    (): ("1 1 1 1", "(10/10 completed)"),
}


@pytest.mark.parametrize("slip", SLIPS, ids=str)
def test_cell_below_tells_each_slip(slip, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"Path": Path, "read_once": lambda *_: call_tool({}, "read_file", {})}
    exec(add_the_lines(read_first_loop(), *slip), names)
    run = Run("ten_steps", loop=names["agent_loop"], todo=load_solutions().MyTodo, nag=None).play()
    exec(SOURCE["places-11"], {"filed": run})
    printed = capsys.readouterr().out
    numbers, file = SLIPS[slip]
    assert " ".join(re.findall(r"(?m) (\d+)$", printed)[:4]) == numbers and file in printed


def test_in_round_20_the_model_reads_a_newer_list_than_the_first(runs):
    sent = str(runs[0].request(20).sent["messages"])
    assert "[x] #1" in sent


def test_end_of_a_conversation_of_one_step_is_not_drawn_as_a_stop(runs):
    assert runs[2].letters.count("n") == 9


def test_a_ticked_list_needs_no_reminder_and_tasks_by_number_need_one_that_counts_looks():
    listed, uses, looks = (
        Run(model="diligent", after=5, **settings).play()
        for settings in ({"nag": None}, *({"todo": Tasks, "nag": nag} for nag in load_nags()))
    )
    assert [run.steps_done for run in (listed, uses, looks)] == [10, 3, 10]
    assert not any(round_.reminder for round_ in uses.rounds)
    assert SOURCE["number-03"].count("No. Each tick sends all ten tasks") == 1
    assert "Three. The plan left" in SOURCE["number-05"]
    assert all("/10 completed)" in str(request) for request in listed.requests[1:])
    ticked = [item["status"] == "completed" for item in uses.items]
    assert (sum(ticked), len(ticked)) == (3, 10) and "They said 3 of 10." in SOURCE["number-07"]
    open_tasks = [item["text"] for item in uses.items if item["status"] != "completed"]
    sent = str(uses.request(9).sent["messages"])
    assert "[>] #3" in sent and not any(text in sent for text in open_tasks)


SEEN = re.findall(r"aria-label='.*?: ([\d, ]+)'", PICTURE)
TABLE = [[int(number) for number in row.split(", ")] for row in SEEN]


@pytest.mark.parametrize("window", [8, 40])
def test_two_windows_of_the_cell_are_those_of_the_picture(window):
    place = WINDOWS.index(window)
    assert "for window in (8, 40)" in SOURCE["number-06"]
    assert [row[place] for row in TABLE] == [play(form, window).steps_done for form in FORMS]


@pytest.mark.release
def test_stored_picture_has_the_numbers_of_the_experiment():
    assert [[play(form, window).steps_done for window in WINDOWS] for form in FORMS] == TABLE


def test_section_works_alone_with_own_parts_and_changes_none_of_them(notebook_of):
    notebook = notebook_of()
    write_file(**CELLS)
    before = {file.name: file.read_bytes() for file in folder.path.glob("*.py")}
    notebook.run(*(SOURCE[name] for name in ("number-02", "number-04", "number-06")))
    assert notebook["ticked"].whose.startswith("Yours: loop, list")
    assert "nag (ByNumber)" in notebook["numbered"].whose and notebook["numbered"].steps_done == 3
    notebook.run('own = play(model="diligent", todo=Tasks, nag="MyNag", after=3)')
    reminded = [bool(round_.reminder) for round_ in notebook["own"].rounds]
    assert reminded[:3] == [False, False, True] and all(reminded[2:-1])
    assert before == {file.name: file.read_bytes() for file in folder.path.glob("*.py")} != {}
