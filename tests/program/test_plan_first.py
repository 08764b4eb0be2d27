"""`--plan`: the first list is shown and asked before anything is changed."""

import runpy
from pathlib import Path

import pytest
from support.notebook import CELLS

from agentlib.tools import Tool
from agentlib.workspace import Workspace
from lesson.program import frame
from lesson.program.file import FILE, stamp, write_program
from lesson.samples.jobs import load_job
from safetylib import approval

HELLO, SHOP = load_job("hello").prompt, load_job("ten_steps").prompt
LAST = "Bring README.md up to date"


@pytest.fixture
def play(monkeypatch, tmp_path, capsys):
    """Return a function that runs my_agent.py with --plan and these answers and prompts."""
    monkeypatch.chdir(tmp_path)
    Path(FILE).write_text(write_program({name: stamp(text) for name, text in CELLS.items()}))

    def run(answers, prompts, *options):
        asked, answers, (first, *rest) = [], iter(answers), prompts
        later = iter([*rest, ""])
        monkeypatch.setattr(frame, "is_user_there", lambda: True)
        monkeypatch.setattr(frame, "ask_prompt", lambda said="": next(later))
        monkeypatch.setattr(approval, "someone_can_answer", lambda: True)

        def answer(prompt, text=""):
            asked.append(text + prompt)
            return next(answers)

        monkeypatch.setattr(approval, "read_line", answer)
        monkeypatch.setattr("sys.argv", [FILE, "--plan", *options, first])
        runpy.run_path(FILE, run_name="__main__")
        return asked, capsys.readouterr().out

    return run


def changed(name):
    """Return whether the files of a sample are no longer the sample's."""
    folder = load_job(name).folder
    return any(
        path.read_text() != (folder / path.name).read_text() for path in Path(name).glob("*.py")
    )


@pytest.mark.parametrize("no", [[], ["n"], ["first: " + LAST], ["Begin with 10, the README."]])
def test_after_at_most_one_no_the_plan_is_done(play, no):
    asked, said = play([*no, "y"], [SHOP])
    assert "The model wants to work by this plan" in asked[0] and "[ ] #2: " in asked[0]
    assert len(asked) == len(no) + 1
    assert "The files show 10 of 10 steps." in said


def test_a_no_with_the_name_of_a_step_gets_a_list_that_begins_with_it(play):
    asked, _ = play([f"First {LAST}, please.", "y"], [SHOP])
    assert f"[>] #1: {LAST}" in asked[1] and asked[0] != asked[1]


def test_after_two_noes_it_stops_and_nothing_has_changed(play):
    asked, said = play(["n", "no"], [SHOP])
    assert len(asked) == 2 and "You have refused my list twice" in said
    assert not changed("ten_steps") and "edit_file" not in said


def test_the_next_prompt_answers_which_step_comes_first(play):
    asked, said = play(["n", "n", "y"], [SHOP, f"The first step is {LAST}."])
    assert len(asked) == 3 and f"[>] #1: {LAST}" in asked[2]
    assert "The files show 10 of 10 steps." in said


def test_three_noes_and_a_fourth_question_at_the_next_prompt(play):
    asked, said = play(["n", "n", "n", "y"], [SHOP, "Continue with the steps."])
    assert len(asked) == 4 and "The files show 10 of 10 steps." in said


def test_the_words_of_a_no_survive_a_cut(play):
    words = f"First {LAST}, and use no tabs."
    asked, said = play([words, "y"], [SHOP], "--context", "4000")
    assert "The conversation was too long" in said and "The files show 10 of 10 steps." in said
    [path] = Path("sessions").glob("*.jsonl")
    _, _, messages = frame.read_session(path)
    assert words in str(messages[0]) and messages[0]["role"] == "user"


def test_until_the_plan_is_approved_only_reading_is_possible(tmp_path):
    ran = []
    tools = {tool.name: tool for tool in Workspace(tmp_path).tools()}

    def make_tool(todo):
        return Tool("todo", "", {}, lambda items: str(todo.extend(items) or todo))

    todo = []
    plan = frame.Plan(todo, make_tool, ran.append)
    runs = {
        name: plan.ask_first(name, lambda **given: ran.append(given))
        for name in (*tools, "todo", "anything")
    }
    runs["read_file"](path="a")
    for name in ("bash", "write_file", "edit_file", "anything"):
        with pytest.raises(PermissionError, match="until the user has approved"):
            runs[name](path="a")
    runs["todo"](items=["x"])
    runs["bash"](command="ls")
    runs["todo"](items=["y"])
    assert ran == [{"path": "a"}, "['x']", {"items": ["x"]}, {"command": "ls"}, {"items": ["y"]}]
    assert not todo  # what is shown is made with a copy


def test_without_a_user_the_plan_is_refused(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    Path(FILE).write_text(write_program({}))
    monkeypatch.setattr("sys.argv", [FILE, "--plan", HELLO])
    runpy.run_path(FILE, run_name="__main__")
    assert "no one is available to approve it" in capsys.readouterr().out
    assert not changed("hello")
