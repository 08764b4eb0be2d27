"""check(): the newest cell of a part is tried, the feedback is shown, and what passes is saved."""

import errno
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from html import escape
from inspect import getsource
from pathlib import Path
from typing import NamedTuple

import pytest
from judge_rules import find_page, read_mistake
from loopback import KEY, Server, message
from support.blocks import use
from support.kernel import running_kernel
from support.notebook import CELLS, FIRST, write_file

from agentlib import TodoManager
from exerciselib.engine import RULES, Rule
from lesson.common.parts import PARTS, read_cell
from lesson.common.solutions import IN_AGENTLIB, NOTEBOOKS, read_given, read_level
from lesson.exercises.rules import load_rules, try_part
from lesson.in_cells import check_part
from lesson.in_cells.last_cell import warn_if_misnamed, warn_if_not_yours
from lesson.program import folder
from lesson.program.folder import OURS, find_file, show_file, write_part
from lesson.program.my_agent import PartError, Parts, load_solutions, my_agent, store
from lesson.program.newest import RAN, find_newest, note
from lesson.program.save_part import load_cell
from lesson.program.your_parts import choose
from safetylib.guard import hide_keys

pytestmark = pytest.mark.slow
FOLDER = Path("my_agent")
HAND = "    # HAND: a line that was written into the file\n"
NAG, INSIDE = CELLS["MyNag"], "    def __init__(self, todo"


def read(name="MyNag"):
    return find_file(name).read_text(encoding="utf-8")


def read_all():
    return {path.name: path.read_bytes() for path in FOLDER.iterdir()}


def own():
    return store.list_own()


def write(*names):
    """Write the finished parts of these names, as an editor does."""
    write_file(**{name: CELLS[name] for name in names})


def test_each_finished_part_is_saved_unchanged_on_top_of_the_others(notebook, capsys):
    for name, part in PARTS.items():
        assert notebook.check(name, level=part.levels[-1].name) == name
        output = capsys.readouterr().out
        exercise = part.levels[-1].exercise
        assert (
            f"{name} passes {exercise}. Your program has it now, in {show_file(name)}.\n" in output
        )
        assert read(name) == write_part(name, CELLS[name]) and read_cell(read(name)) == CELLS[name]
    assert own() == [*PARTS]
    before = read_all()
    assert "MyNag passes E4. my_agent/nag.py has it already." in notebook.tell("MyNag")
    assert read_all() == before and [*Path().iterdir()] == [FOLDER]
    parts = {f"{part.file}.py" for part in PARTS.values()}
    assert before.keys() == parts | {one.name for one in OURS} | {folder.HASHES}


def test_a_check_that_passes_says_which_exercise_comes_next(notebook, capsys):
    assert "\n1 of 12 exercises pass. Next: E2, in s03a_todo_write.\n" in notebook.tell(
        "agent_loop"
    )
    assert "\n2 of 12 exercises pass. Next: E3.\n" in notebook.tell("MyTodo")
    last = "TimedTodo"
    assert "\n3 of 12 exercises pass. Next: E3, in s03a_todo_write.\n" in notebook.tell(last)
    for name, part in PARTS.items():
        notebook.check(name, level=part.levels[-1].name)
    capsys.readouterr()
    assert "\n12 of 12 exercises pass.\n" in notebook.tell(last)


def test_cell_with_all_parts_is_judged_and_nothing_is_saved(notebook, capsys):
    """On another day: neither what the evening has written nor its progress may change."""
    write("agent_loop", "MyTodo", "MyNag")
    cells = json.loads((NOTEBOOKS / "s08_again.ipynb").read_text(encoding="utf-8"))["cells"]
    again, before = "".join(cells[-1]["source"]), read_all()
    capsys.readouterr()
    notebook.run(again)  # the file of the evening is not an answer
    assert capsys.readouterr().out.count("was not run") == 3
    parts = "\n\n".join(CELLS[name] for name in ("agent_loop", "MyTodo", "MyNag"))
    play = '\n\n\nfrom lesson import play\nplay("hello", loop=agent_loop)'
    for cell, passes in ((parts + play, 3), (parts.replace('"enum"', '"enom"'), 2)):
        notebook.run(cell)
        notebook.run(again)
        output = capsys.readouterr().out
        assert output.count("Your my_agent is unchanged.") == 3 and "another cell" not in output
        assert len(re.findall(r"passes E[345]\.", output)) == passes
    assert read_all() == before and [*Path().iterdir()] == [FOLDER]  # and no progress


@pytest.mark.parametrize("thing", ["list", "7", "None", "'MyNog'", "MyNag(None)", "my_agent.MyNag"])
def test_what_is_no_part_is_an_error_that_names_the_parts(notebook, thing):
    notebook.run(NAG)
    with pytest.raises(LookupError, match="agent_loop, read_file, MyTodo, MyNag, ask_at_the_stop"):
        notebook.shell.run_cell(f"check({thing})").raise_error()


def test_a_check_in_a_subshell_which_nothing_could_end_is_refused(notebook):
    notebook.run(NAG)
    with ThreadPoolExecutor() as other, pytest.raises(RuntimeError, match="In a subshell"):
        other.submit(check_part.check, notebook["MyNag"]).result()


def test_feedback_shows_only_the_two_texts_that_a_list_takes_for_equal(notebook):
    """And not all that were tried, with texts of 400 letters among them."""
    same_letters = CELLS["MyTodo"].replace('= [item["text"]', '= [item["text"].lower()')
    output = notebook.tell("MyTodo", same_letters)
    assert "with their capitals" in output and output.count("todo.update(") == 1
    assert "todo.update([{'text': ' Fix\\n'}, {'text': ' fix\\n'}])" in output


def test_python_without_asserts_is_told(tmp_path):
    code = "from lesson.exercises.rules import *; load_rules('MyTodo')"
    env = os.environ | {"PYTHONOPTIMIZE": "1"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 1
    assert "a check would pass what is wrong: run it without -O" in done.stderr


def test_a_failed_check_raises_while_nbgrader_grades(notebook, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    notebook.run("class MyNag: pass")
    with pytest.raises(AssertionError, match="MyNag: .*not written"):
        notebook.shell.run_cell("check(MyNag)").raise_error()
    assert notebook.check("MyNag") == "MyNag" and own() == ["MyNag"]
    notebook.run("class MyNag：")
    with pytest.raises(AssertionError, match=r"`class MyNag：` has ： \(U\+FF1A\): type `:`"):
        notebook.shell.run_cell("check('MyNag')").raise_error()
    notebook.run("class MyNag(:")
    with pytest.raises(AssertionError, match="MyNag was not tried: line 1 of its cell: "):
        notebook.shell.run_cell("check('MyNag')").raise_error()
    notebook.run("del MyNag")
    RAN.clear()  # the learner has deleted the cell, and a file is not an answer
    with pytest.raises(AssertionError, match="The cell of E4 was not run"):
        notebook.shell.run_cell("check('MyNag')").raise_error()


ONLY_FIELDS = CELLS["PriorityTodo"].partition("    def update")[0]
OF_THE_PACKAGE = {
    # a kind of cell that is right only below the package's list or nag, and words of its cause
    "the fields are not checked": ("PriorityTodo", ONLY_FIELDS, 'Store "medium" in each copy'),
    "an item has no id": (
        "PriorityTodo",
        CELLS["PriorityTodo"] + "\n    def line(self, item):\n"
        "        return f\"{super().line(item)} {item['id']}\"\n",
        "'id'",
    ),
    "the nag has no such method": (
        "PriorityNag",
        CELLS["PriorityNag"]
        .replace("def __call__(self, calls)", "def reminder(self)")
        .replace("super().__call__(calls)", "super().reminder()"),
        "Nothing is added",
    ),
    "the times are kept by id": (
        "TimedTodo",
        CELLS["TimedTodo"].replace(
            'self.begun.setdefault(item["text"]',
            'item["id"]; self.begun.setdefault(item["text"]',
        ),
        "Models leave out fields",
    ),
}


@pytest.mark.parametrize("kind", OF_THE_PACKAGE)
def test_cell_that_is_right_only_below_another_list_is_told_so(notebook, kind):
    name, text, cause = OF_THE_PACKAGE[kind]
    notebook.run("MyTodo, MyNag = my_agent.MyTodo, my_agent.MyNag")
    notebook.run("PriorityTodo = my_agent.PriorityTodo")
    output = notebook.tell(name, text)
    assert cause in output and f"{name} passes" not in output


def test_check_of_a_part_whose_cell_was_not_run_says_so(notebook, capsys):
    notebook.run("MyTodo = my_agent.MyTodo", "check('PriorityTodo')")
    message = "The cell of E8 was not run: no cell defines PriorityTodo. Run that cell, then this"
    assert message in capsys.readouterr().out
    notebook.run("from agentlib import ask_at_the_stop", "check(ask_at_the_stop)")
    message = "The cell of E10 was not run: this ask_at_the_stop is agentlib's ask_at_the_stop."
    assert message in capsys.readouterr().out
    text = CELLS["ask_at_the_stop"].replace("def ask_at_the_stop", "def ask_at_stop")
    notebook.run(text, "check(ask_at_the_stop)")
    assert "defines ask_at_stop: if that is your new ask_at_the_stop" in capsys.readouterr().out
    write("MyTodo")
    notebook.run("MyTodo = my_agent.MyTodo", "check('MyTodo')")
    output = capsys.readouterr().out
    assert "No cell that ran here defines MyTodo, so my_agent/todo.py is tried." in output
    assert "MyTodo passes E2. my_agent/todo.py has it already." in output
    assert own() == ["MyTodo"] and not store.unsaved


CALLED = {
    "agent_loop": "client, messages, tools, remind=None, **settings",
    "read_file": "folder, path",
    "ask_at_the_stop": "run, messages, missing",
    "trim_messages": "messages, todo",
}
BORROWED = {
    # by the part, cells in which agentlib does the exercise
    **{
        name: [
            f"import agentlib\n\n\ndef {name}({takes}):\n    return agentlib.{name}({gives})",
            f"def {name}({takes}):\n    from agentlib import {name} as theirs\n\n"
            f"    return theirs({gives})",
            f"from agentlib import {name} as theirs\n\n\ndef help(*args, **more):\n"
            f"    return theirs(*args, **more)\n\n\n"
            f"def {name}({takes}):\n    return help({gives})",
        ]
        for name, takes in CALLED.items()
        if (gives := takes.replace("=None", ""))
    },
    **{
        name: [
            f"from agentlib import {theirs}\n\n\nclass {name}({theirs}):\n    more = 1",
            f"from agentlib import {theirs}\n\n\nclass {name}({theirs}):\n"
            f"    def {method}(self, it):\n        return super().{method}(it)",
            f"from agentlib import {theirs}\n\n\nclass {name}:\n"
            f"    def __init__(self, *args):\n        self.own = {theirs}(*args)\n\n"
            f"    def __getattr__(self, name):\n        return getattr(self.own, name)\n\n"
            f"    def {method}(self, it):\n        return self.own.{method}(it)",
        ]
        for name, theirs, method in (
            ("MyTodo", "TodoManager", "update"),
            ("MyNag", "Nag", "__call__"),
        )
    },
}


@pytest.mark.parametrize("form", range(3))
@pytest.mark.parametrize("name", BORROWED)
def test_a_part_that_is_agentlibs_in_other_words_is_told_so_and_not_saved(notebook, name, form):
    for level in PARTS[name].levels:
        output = notebook.tell(name, BORROWED[name][form], level=level.name)
        assert f"This {name} is agentlib's {IN_AGENTLIB[name]}, and nothing that you" in output
        assert f"is the solution of {level.exercise}: write your own" in output
        assert f"{name} passes" not in output and own() == []


def test_what_extends_shown_or_agentlibs_list_in_a_later_exercise_is_the_learners(notebook):
    assert my_agent.MyTodo is TodoManager
    assert "PriorityTodo passes E8" in notebook.tell(
        "PriorityTodo", "MyTodo = my_agent.MyTodo", CELLS["PriorityTodo"]
    )
    assert "MyTodo passes E2" in notebook.tell("MyTodo")
    assert own() == ["MyTodo", "PriorityTodo"]


@pytest.mark.parametrize("name", IN_AGENTLIB)
def test_after_a_pass_agentlibs_part_can_be_opened_in_the_form_of_this_exercise(
    notebook, name, monkeypatch
):
    shown = []
    monkeypatch.setattr("lesson.in_cells.check_part.show_feedback", shown.append)
    for number, level in enumerate(PARTS[name].levels):
        shown.clear()
        notebook.tell(name, level=level.name)
        verdict, comparison = shown
        html = comparison._repr_html_()
        cell = read_level(name, level.name)
        assert verdict.ok and "<summary>Compare with agentlib&#x27;s</summary>" in html
        assert escape(cell.strip()) in html
        is_last = number == len(PARTS[name].levels) - 1
        assert (cell == CELLS[name]) == is_last
        part = getattr(Parts({name: f"{cell}\n"}), name)
        # No later exercise is given away.
        assert [try_part(name, part, each.name).ok for each in PARTS[name].levels] == [
            at <= number for at, _ in enumerate(PARTS[name].levels)
        ]


def test_nothing_is_compared_while_nbgrader_grades_or_after_a_failure(notebook, monkeypatch):
    shown = []
    monkeypatch.setattr("lesson.in_cells.check_part.show_feedback", shown.append)
    notebook.tell("MyNag", NAG.replace("self.rounds += 1", "pass"))
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    notebook.tell("MyNag")
    assert [getattr(one, "ok", None) for one in shown] == [False, True]


MISNAMED = {
    "the same parameters": ("agent_loop", "def agent_loop(", "def run_loop("),
    "nearly the same name": ("MyTodo", "class MyTodo", "class Mytodo"),
    "the same base": ("PriorityTodo", "class PriorityTodo", "class Sorted"),
}


@pytest.mark.parametrize("kind", MISNAMED)
def test_part_that_a_later_cell_defines_under_another_name_is_told_first(notebook, kind):
    name, head, other = MISNAMED[kind]
    wrong = CELLS[name].replace("return", "return None #").replace("while True", "while None")
    notebook.run("MyTodo = my_agent.MyTodo", wrong, "print(1)")
    right = CELLS[name].replace(head, other)
    output = notebook.tell(name, right, "print(2)")
    named = other.split()[-1].strip("(")
    assert f"This is still the {name} of an earlier cell. The cell that you" in output
    assert f"defines {named}: if that is your new {name}, name it {name}" in output
    assert "This is still" not in notebook.tell(name, CELLS[name])


def test_helper_prints_and_other_parts_are_no_part_under_another_name(notebook):
    wrong = CELLS["agent_loop"].replace("    while True:", "    helper(1)\n    while True:", 1)
    helper = "def helper(messages, tools, **more):\n    raise ValueError"
    output = notebook.tell(
        "agent_loop", wrong, helper, CELLS["MyNag"], "print(agent_loop)", "%%time\n1"
    )
    assert "This is still" not in output and "Likely cause" in output


def test_class_below_that_does_not_pass_its_own_exercise_is_named_first(notebook):
    wrong = CELLS["PriorityTodo"] + "\n        return None"
    wrong = wrong.replace("        return super().update(items)\n        ret", "        ret")
    write_file(PriorityTodo=wrong)
    output = notebook.tell("TimedTodo")
    assert "Likely cause: Your PriorityTodo, which this class extends, does not pass E8" in output
    write("PriorityTodo")
    output = notebook.tell("TimedTodo", CELLS["TimedTodo"].replace("return shown", "return None"))
    assert "does not pass E8" not in output


BELOW = "\n\n\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{NAG}{BELOW}class MyNag(MyNag):\n    more = 1",
        f"from agentlib import *\n{NAG}",
        f"{NAG}{BELOW}def same(cls):\n    return cls\n\n\nMyNag = same(MyNag)",
        f"n: int = 0\nn += 1\n{NAG}\n    more = 1 / n",
        f"from dataclasses import dataclass, field\nfrom typing import Any\n\n\n@dataclass\n{NAG}",
        NAG.replace("class MyNag", "class Own") + f"{BELOW}MyNag = type('MyNag', (Own,), {{}})",
        f"def make():\n    n = 0\n\n    {NAG.partition('class ')[2] and 'class MyNag:'}\n"
        + "\n".join(f"    {line}" for line in NAG.partition("class MyNag:\n")[2].splitlines())
        + "\n\n    return MyNag\n\n\nMyNag = make()",
    ],
)
def test_cell_is_saved_in_any_style_and_the_program_starts(notebook, text):
    assert "Your program has it now, in my_agent/nag.py." in notebook.tell("MyNag", text)
    assert read() == f"{text}\n"
    assert my_agent.MyNag(None).rounds == 0


@pytest.mark.parametrize("key", ["sk-ant-api03-0123456789", "0123abcd4567ef89.AbCdEfGh12"])
def test_cell_with_what_looks_like_a_key_passes_and_is_not_saved(notebook, key, monkeypatch):
    monkeypatch.setattr(hide_keys, "_secrets", set())
    monkeypatch.setenv("ANTHROPIC_API_KEY", "0123abcd4567ef89.AbCdEfGh12")
    write("MyTodo")
    before = read_all()
    output = notebook.tell("MyNag", f"# It is '{key}'.\n{NAG}")
    assert "MyNag passes E4, and this notebook plays it. It was not saved: its cell" in output
    assert "what looks like a key" in output and read_all() == before


def test_name_that_another_part_uses_for_something_else_is_its_own(notebook):
    todo = FIRST["MyTodo"].replace("    fields", "    limit = 20\n    fields")
    todo = f"WORDS = 'items must be a list'\n{todo}".replace('"items must be a list"', "WORDS")
    notebook.check("MyTodo", todo)
    output = notebook.tell("MyNag", f"WORDS = 7\nlen = None\n{NAG}")
    assert "Your program has it now, in my_agent/nag.py." in output
    assert try_part("MyTodo", my_agent.MyTodo).ok


def test_part_below_that_now_fails_is_saved_and_named(notebook):
    nag = FIRST["MyNag"].replace("    def __init__", '    words = "Update"\n\n    def __init__')
    uses = CELLS["PriorityNag"].replace(
        "return reminder\n", "return reminder and self.words and reminder\n"
    )
    write_file(MyNag=nag, PriorityNag=uses)
    output = notebook.tell("MyNag", FIRST["MyNag"])
    assert "my_agent/nag.py. PriorityNag, which uses it, fails now: " in output
    assert own() == ["MyNag", "PriorityNag"]


def by_hand(text):
    assert INSIDE in text
    return text.replace(INSIDE, HAND + INSIDE)


# What somebody has done to a file with MyNag.
HANDS = {
    "a line in it": by_hand,
    "above it": lambda t: "# HAND\n" + t,
    "CRLF": lambda t: by_hand(t).replace("\n", "\r\n"),
    "UTF-16": lambda t: by_hand(t).encode("utf-16"),
    "half of it": lambda t: by_hand(t)[: t.index("class MyNag") + 300],
    "syntax error": lambda t: by_hand(t).replace("class MyNag:", "class MyNag"),
    "cp1252": lambda t: by_hand(t).encode() + b"# caf\xe9\n",
}


@pytest.mark.parametrize("hand", HANDS)
def test_file_that_was_changed_by_hand_is_kept_before_it_is_replaced(notebook, hand):
    notebook.check("MyTodo", level="tool")
    notebook.check("MyNag")
    changed = HANDS[hand](read())
    before = changed if isinstance(changed, bytes) else changed.encode()
    find_file("MyNag").write_bytes(before)
    output = notebook.tell("MyNag", f"{NAG}\n    more = 1")
    assert "What was changed by hand is in my_agent/nag_1.txt now." in output
    assert [one.read_bytes() for one in FOLDER.glob("*.txt")] == [before]
    assert my_agent.MyNag.more == 1 and own() == ["MyTodo", "MyNag"]


def test_part_that_cannot_be_written_is_used_in_this_notebook(notebook, monkeypatch, capsys):
    def fail(*_, **__):
        raise OSError(errno.ENOSPC, "No way")

    with monkeypatch.context() as patch:
        patch.setattr(folder, "write_atomically", fail)
        for _ in range(2):
            notebook.check("MyNag")
            assert "MyNag passes E4; not saved: No way" in capsys.readouterr().out
    assert notebook.run("my_agent.MyNag").__module__ == "my_agent.nag"
    assert not find_file("MyNag").exists()
    assert "Your program has it now, in my_agent/nag.py." in notebook.tell("MyNag")


def test_part_that_no_cell_of_ipython_has_defined_is_tried(notebook, monkeypatch, capsys):
    """Such as in otter-grader, or in a file that Python runs."""
    monkeypatch.setattr(check_part, "find_shell", lambda: None)
    notebook.run(NAG)
    RAN.clear()
    notebook.run("check(MyNag)")
    assert "MyNag passes E4. Your program has it now" in capsys.readouterr().out


def test_my_agent_is_one_object_that_follows_the_files(notebook, capsys):
    my_agent = notebook["my_agent"]
    assert my_agent.MyNag.__module__ == "agentlib.nag" and {*dir(my_agent)} == {*PARTS}
    write("MyNag", "MyTodo")
    assert my_agent.MyNag.__module__ == "my_agent.nag"
    assert own() == ["MyTodo", "MyNag"]
    notebook.check("ask_at_the_stop")
    assert my_agent.ask_at_the_stop.__module__ == "my_agent.stop"
    assert issubclass(my_agent.TimedTodo, my_agent.MyTodo)
    with pytest.raises(AttributeError, match="has no MyNog. Its parts are agent_loop"):
        my_agent.MyNog  # noqa: B018
    assert not capsys.readouterr().err


@pytest.mark.parametrize(
    "text, message",
    [
        ("x = 1\nclass (", "line 2 of my_agent/nag.py: SyntaxError: invalid syntax\n"),
        ("x = 1\n\n1 / 0", "line 3 of my_agent/nag.py: ZeroDivisionError"),
        (
            "x = '\0'",
            "line 1 of my_agent/nag.py: SyntaxError: a NUL, or a byte that is not UTF-8\n",
        ),
        ("x = display", "line 1 of my_agent/nag.py: NameError"),
        ("raise SystemExit(3)", "line 1 of my_agent/nag.py: SystemExit: 3"),
        ("MyNagg = 1", "line 1 of my_agent/nag.py: this file defines no MyNag"),
        (
            "from todo import MyTodoo",
            "line 1 of my_agent/nag.py: ImportError: cannot import name 'MyTodoo' from",
        ),
    ],
)
def test_file_that_does_not_run_gives_the_part_of_the_package_and_one_line(
    notebook, capsys, text, message
):
    write("MyTodo", "MyNag")
    find_file("MyNag").write_text(text)
    assert notebook["my_agent"].MyNag.__module__ == "agentlib.nag" and own() == ["MyTodo"]
    printed = capsys.readouterr().out
    assert printed.startswith("agentlib's MyNag is used, because of ")
    assert message in printed and printed.count("\n") == 1
    assert "Your program has it now, in my_agent/stop.py." in notebook.tell("ask_at_the_stop")
    find_file("MyNag").unlink()
    find_file("MyNag").mkdir()
    assert notebook["my_agent"].MyNag.__module__ == "agentlib.nag"
    assert "agentlib's MyNag is used: " in capsys.readouterr().out


def test_file_may_import_another_part_and_a_helper_of_the_folder(notebook, capsys):
    write("MyTodo")
    FOLDER.joinpath("my_helper.py").write_text("WORDS = 7\n")
    hand = f"import todo\nfrom my_helper import WORDS\n\n\n{NAG}\n    of = todo.MyTodo, WORDS\n"
    find_file("MyNag").write_text(hand)
    assert my_agent.MyNag.of == (my_agent.MyTodo, 7)
    assert "todo" not in sys.modules and str(folder.path) not in sys.path
    assert not capsys.readouterr().out


def test_files_that_import_each_other_are_said(notebook, capsys):
    write_file(MyTodo=f"from nag import MyNag\n{CELLS['MyTodo']}", MyNag=f"import todo\n{NAG}")
    find_file("MyNag").write_text(f"from todo import MyTodo\n{NAG}")
    assert own() == ["MyNag"]
    assert "import each other" in capsys.readouterr().out


def test_program_in_sys_modules_is_the_learners_and_no_other_that_was_loaded(notebook):
    before = sys.modules["my_agent"]
    with pytest.raises(PartError):
        Parts({"MyNag": "1 / 0"}).MyNag  # noqa: B018
    load_solutions.cache_clear()
    assert load_solutions().MyNag.__module__ == "agentlib.nag"
    assert sys.modules["my_agent"] is before
    notebook.run(NAG, "check(MyNag)", "import my_agent as plain")
    assert notebook["plain"].MyNag is notebook["my_agent"].MyNag
    assert getsource(my_agent.MyNag) == f"class {NAG.partition('class ')[2]}\n"


ODD = {
    "cached": "from functools import cache\n\n\n@cache\n{}",
    "partial": "from functools import partial\n\n\n{}\n\n\nread_file = partial(read_file)",
    "object": "class Reads:\n    def __call__(self, *given):\n        return read(*given)"
    "\n\n\n{}\n\n\nread_file = Reads()",
}


@pytest.mark.parametrize("kind", ODD)
def test_part_without_code_of_its_own_is_told_what_is_wrong_with_it(notebook, kind):
    """And not that a cell ended with an error, which is the sentence about older code."""
    right = CELLS["read_file"]
    if kind == "object":
        right = right.replace("def read_file", "def read")
    wrong = right.replace("return file.read_text(", "return 1 and repr(")
    for text in (wrong, right):
        output = notebook.tell(
            "read_file", ODD[kind].format(text.replace(', encoding="utf-8"', ""))
        )
        assert "ended with an error" not in output and "This is still" not in output
        is_right = text == right and kind != "cached"  # a cached one does not read a file again
        assert ("read_file passes E11. Your program has it now" in output) == is_right
        assert ("Likely cause" in output) != is_right, output


@pytest.mark.release
@pytest.mark.parametrize("part", PARTS)
def test_mistakes_of_a_page_are_told_by_check_as_the_rules_tell_them(notebook, part):
    """No layer above the rules takes a mistake for older code, another name or no part."""
    told = set()
    if base := PARTS[part].base:
        notebook.run(f"{base} = my_agent.{base}")
    page = find_page(part)
    for wrong in [read_mistake(page, mistake) for mistake in page.list_mistakes()]:
        notebook.run(wrong.source)
        text, later = find_newest(part)
        assert text == wrong.source.strip() or text == wrong.source, wrong.source
        try:
            made = load_cell(part, text, notebook.shell.user_ns)
        except PartError as problem:  # as of `|=` on the package's fields, which nobody may change
            assert "mappingproxy" in str(problem)
            continue
        output = warn_if_misnamed(part, text, later) or warn_if_not_yours(part, made, "E0")
        assert not output, (wrong.source, output)
        if wrong.rule not in told:
            told.add(wrong.rule)
            assert wrong.words in notebook.tell(
                part, wrong.source, level=PARTS[part].levels[-1].name
            ), wrong


def test_two_messages_that_lack_a_word_are_told_at_once(notebook):
    three = "must be one of {', '.join(allowed)}"
    bare = FIRST["MyTodo"].replace(three, "is unknown")
    assert bare != FIRST["MyTodo"]
    assert "rule 3 does not" not in notebook.tell("MyTodo", bare)
    bare, n = re.subn(r'f"at most[^"]*"', '"too many items"', bare)
    assert n == 1
    output = notebook.tell("MyTodo", bare)
    assert "does not contain `pending`" in output and "rule 3 does not contain `20`" in output


def list_sections(path):
    """Yield the heading of each section of a notebook, and its code cells, each with its tags."""
    sections = {"": []}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "code":
            [*sections.values()][-1].append((text, cell["metadata"].get("tags", [])))
        elif heading := re.search(r"^## (.+)", text, re.MULTILINE):
            sections[heading[1]] = []
    yield from ((heading, cells) for heading, cells in sections.items() if cells)


def list_checks():
    """Yield the part, the level, and the code cells of its section for each check of a notebook.

    These are the cells from the text of the exercise to the check, with the cell of the part from
    above, if this is a later exercise of it.
    """
    for path in sorted(NOTEBOOKS.glob("s0*.ipynb")):
        written = {}
        for _, section in list_sections(path):
            for place, (text, tags) in enumerate(section, 1):
                if tags[:1] == ["exercise"]:
                    written[tags[1]] = (text, tags)
                if tags[:1] == ["check"]:
                    _, part, *level = tags
                    above = [] if written[part] in section else [written[part]]
                    yield part, "".join(level), [*above, *section[:place]]


CHECKS = [pytest.param(*one, id=f"{one[0]}-{one[1]}") for one in list_checks()]


@pytest.mark.parametrize("part, level, section", CHECKS)
def test_exercise_and_its_check_are_the_first_cells_of_a_new_kernel(
    notebook, capsys, part, level, section
):
    notebook.run("%reset -f")
    notebook.run(*(text for text, _ in section))
    output = capsys.readouterr().out
    assert "Traceback" not in output and " passes E" not in output
    done = [CELLS[part] if tags[:1] == ["exercise"] else text for text, tags in section]
    notebook.run("%reset -f")
    notebook.run(*done)
    assert f"{part} passes " in capsys.readouterr().out and own() == [part]
    assert getattr(my_agent, part).__name__ == part
    assert section[-1][0].startswith("from lesson import check\n\n")


@pytest.mark.parametrize(
    "heading, cells",
    [one for path in sorted(NOTEBOOKS.glob("s04*.ipynb")) for one in list_sections(path)],
)
def test_each_section_of_s04_runs_in_a_new_kernel_without_the_cells_above_it(
    notebook, capsys, heading, cells
):
    notebook.run("%reset -f")
    notebook.run(*(text for text, _ in cells))
    assert "Traceback" not in capsys.readouterr().out, heading


WRONG_NAG = NAG.replace("self.rounds += 1", "self.rounds += 2")
BROKEN = NAG.replace("self.rounds = 0", "self.rounds = = 0", 1)
LENT = "LIMIT = 3", f"{NAG}\n\n    def more(self):\n        return LIMIT"
LAST = "Yours: nag (as it passed last)"


class Situation(NamedTuple):
    """Cells, words of what the check then says, whether it saves the last one, and whose plays."""

    cells: Sequence[str]
    said: str
    is_saved: bool = False
    whose: str = "agentlib's: nag (yours needs E4)"
    runs: str = "check('MyNag')"


SITUATIONS = {
    "a SyntaxError in the first cell": Situation(
        [BROKEN], "MyNag was not tried: line 9 of its cell: invalid syntax."
    ),
    "an f-string in which the same quotes end a string too early": Situation(
        [f'{NAG}\n    more = f"{{1"'],
        "before Python 3.12, a string inside of its braces needs other",
    ),
    "a SyntaxError after a version that passed": Situation(
        [NAG, "check(MyNag)", BROKEN],
        "MyNag was not tried: line 9 of its cell: invalid syntax.",
        whose=LAST,
        runs="check(MyNag)",
    ),
    "a NameError in the body of the class": Situation(
        [f"{NAG}\n    more = LIMIT"],
        "MyNag was not tried: line 22 of its cell: NameError: name 'LIMIT' is not defined.",
    ),
    "a name of another cell": Situation(
        LENT, "It was not saved: it uses LIMIT, which its cell does not define.", whose="Yours: nag"
    ),
    "an import in another cell": Situation(
        ["import time", f"BEGIN = time.time()\n{NAG}"],
        "It was not saved: it uses time, which its cell does not define.",
        whose="Yours: nag",
    ),
    "not saved, and then another text": Situation(
        [*LENT, "check(MyNag)", "class MyNag: pass"], "Likely cause", whose=LAST
    ),
    "split over two cells": Situation(
        [NAG, "class MyNag(MyNag):\n    more = 1"],
        "MyNag was not tried: a file has one MyNag, which cannot extend itself: paste what is new",
    ),
    "a method that another cell attaches": Situation(
        [NAG, "MyNag.__call__ = lambda self, calls: None"],
        "Your program has it now, in my_agent/nag.py.",
        is_saved=True,
        whose="Yours: nag",
    ),
    "the cell runs something as well": Situation(
        [f"{NAG}\nprint(MyNag)"],
        "It was not saved: line 22 of its cell, `print(MyNag)`, would run in the program",
        whose="Yours: nag",
    ),
    "the cell has the check as well": Situation(
        [f"{NAG}\nnag = check(MyNag)"], "would run in the program", whose="Yours: nag"
    ),
    "the cell begins with %%time": Situation(
        [f"%%time\n{NAG}"],
        "MyNag was not tried: line 1 of its cell, `%%time`, would run in the program",
    ),
    "a class that a function makes": Situation(
        [f"{NAG}\nmake = lambda: MyNag\nMyNag = make()"],
        "has it now",
        is_saved=True,
        whose="Yours: nag",
    ),
    "edited and not run": Situation(
        [WRONG_NAG, "check(MyNag)"], "MyNag has not changed since its last check."
    ),
    "changed between two checks": Situation(
        [NAG, "check(MyNag)", f"{NAG}\n    more = 1"],
        "Your program has it now, in my_agent/nag.py.",
        is_saved=True,
        whose="Yours: nag",
    ),
    "changed by hand between two checks": Situation(
        [NAG, "check(MyNag)", "change_file()", f"{NAG}\n    more = 1"],
        "What was changed by hand is in my_agent/nag_1.txt now.",
        is_saved=True,
        whose="Yours: nag",
    ),
    "the cell of an earlier exercise": Situation(
        [NAG, "check(MyNag, 'shows the list')", FIRST["MyNag"]],
        "my_agent/nag.py keeps your later one, which passes more.",
        whose=LAST,
    ),
    "two notebooks": Situation(
        [FIRST["MyNag"], "check(MyNag)", "save_elsewhere()"],
        "my_agent/nag.py keeps your later one, which passes more.",
        whose=LAST,
    ),
    "edited after it passed, and not checked": Situation(
        [NAG, "check(MyNag)", WRONG_NAG], "", whose=LAST, runs="1"
    ),
    "read again, with the given cell": Situation(
        [NAG, "check(MyNag)", read_given("MyNag")], "my_agent/nag.py is unchanged.", whose=LAST
    ),
    "not written": Situation([read_given("MyNag")], "not written yet"),
}


@pytest.mark.parametrize("kind", SITUATIONS)
def test_check_and_play_take_the_same_part(notebook, capsys, kind):
    cells, words, is_saved, whose, runs = SITUATIONS[kind]
    notebook.shell.user_ns["change_file"] = lambda: find_file("MyNag").write_text(f"# 1\n{read()}")
    notebook.shell.user_ns["save_elsewhere"] = lambda: write("MyNag")
    notebook.run(*cells)
    capsys.readouterr()
    before = read() if find_file("MyNag").exists() else ""
    notebook.run(runs)
    output = capsys.readouterr().out
    assert words in output and "Traceback" not in output
    assert ("MyNag passes" in output) == ("plays it" in output or "passes E4. " in output)
    after = read() if find_file("MyNag").exists() else ""
    assert after == (f"{find_newest('MyNag')[0].rstrip()}\n" if is_saved else before)
    assert len([*FOLDER.glob("*.txt")]) == words.count("changed by hand")
    part, owner = choose("nag", "MyNag")
    assert owner == whose
    assert part.__module__.startswith("my_agent") == whose.startswith("Yours")


@pytest.mark.parametrize("history", [True, False], ids=["history", "no history"])
def test_cells_that_ran_before_the_lesson_was_imported_are_found(notebook_of, history, capsys):
    """The first cell of a kernel can be that of an exercise, also a broken one."""
    notebook = notebook_of(history)
    notebook.shell.events.unregister("pre_run_cell", note)
    notebook.run(NAG if not history else BROKEN)
    notebook.run("from lesson.program import newest\nnewest.start(get_ipython())\ncheck('MyNag')")
    message = "MyNag was not tried: line 9" if history else "MyNag passes E4."
    assert message in capsys.readouterr().out


UNCHANGED = "MyNag has not changed since its last check. Did you run its cell, and is it still"


def test_part_that_has_not_changed_is_said_above_its_feedback_and_run_again_it_is_not(notebook):
    feedback = notebook.tell("MyNag", WRONG_NAG).partition("Out[")[0]
    assert "Likely cause" in feedback
    # The cell was not run, or its class has another name now.
    for cell in ("x = 1", NAG.replace("class MyNag", "class MyNagg")):
        output = notebook.tell("MyNag", cell)
        assert output.startswith(UNCHANGED if cell == "x = 1" else "This is still the MyNag of")
        assert "Likely cause" in output
    assert notebook.tell("MyNag", WRONG_NAG).partition("Out[")[0] == feedback


def test_later_level_of_code_that_passed_says_that_it_has_not_changed_and_what_is_missing(notebook):
    assert "passes E4." in notebook.tell("MyNag", FIRST["MyNag"])
    after = notebook.tell("MyNag", "1", level="shows the list").partition(UNCHANGED)[2]
    assert "does not pass yet" in after and "Likely cause" in after


def test_rule_of_an_earlier_exercise_is_told_as_one_of_it(notebook):
    told = notebook.tell("MyNag", WRONG_NAG, level="shows the list")
    assert "MyNag: rule 1 of E4 does not pass yet." in told
    told = notebook.tell("MyNag", WRONG_NAG.replace("2", "3"))
    assert "MyNag: rule 1 does not pass yet.\nRule 1: " in told


load_rules("MyNag")  # so that they are registered


def test_failure_of_the_check_itself_is_not_told_as_the_learners(notebook, monkeypatch, capsys):
    def reminds(MyNag):
        MyNag(TodoManager().update([{"text": " "}]))

    monkeypatch.setitem(RULES, "MyNag", [Rule("reminds", reminds, "It reminds.")])
    notebook.check("MyNag")
    output = capsys.readouterr().out
    assert "Likely cause: The check itself has failed, not your code" in output
    assert "report these lines" in output and "ValueError: each item must be a dict" in output
    assert "pass yet" not in output


def test_error_that_our_solution_does_not_have_is_the_learners(notebook):
    output = notebook.tell("MyNag", "class MyNag:\n    def __init__(self, todo):\n        pass")
    assert "The check itself" not in output and "called as `__init__(self, todo, after=" in output


WORDS = '{"type": "string", "enum": ["high", "medium", "low"]}'
MORE = f'MyTodo.fields = MyTodo.fields | {{"priority": {WORDS}}}'
# (a line above the class, a line in its body)
CHANGES = [("", f'MyTodo.fields["priority"] = {WORDS}'), (f"{MORE}\n", "fields = MyTodo.fields")]


@pytest.mark.parametrize("above, inside", CHANGES)
def test_change_of_the_fields_of_the_learners_list_fails_no_right_list(notebook, above, inside):
    write("MyTodo")
    notebook.run("MyTodo = my_agent.MyTodo")
    update = CELLS["PriorityTodo"].partition("    def update")[2]
    notebook.run(f"{above}class PriorityTodo(MyTodo):\n    {inside}\n\n    def update{update}")
    assert "PriorityTodo passes E8." in notebook.tell("PriorityTodo")


def test_cell_whose_first_line_is_indented_is_saved_without_the_indent(notebook):
    output = notebook.tell("MyNag", "".join(f"  {line}" for line in NAG.splitlines(keepends=True)))
    assert "Your program has it now, in my_agent/nag.py." in output
    assert read() == f"{NAG}\n"


def test_list_that_uses_what_only_the_learners_own_has_passes(notebook):
    write("MyTodo")
    notebook.run("MyTodo = my_agent.MyTodo")
    own = CELLS["MyTodo"].replace("    def tool(", "    own = 1\n\n    def tool(")
    write_file(MyTodo=own)
    notebook.run("MyTodo = my_agent.MyTodo")
    uses = CELLS["PriorityTodo"].replace(
        "    def update", "    mine = MyTodo.own\n\n    def update"
    )
    assert "PriorityTodo passes E8." in notebook.tell("PriorityTodo", uses)


ENDS_AND_ASKS = """
class MyNag:
    def __init__(self, todo, after=3):
        self.rounds = 0

    def __call__(self, calls):
        {}("Go on? ")
"""
# The stories of E1 have no `edit_file` beside a text that is replaced.
ASKS_ONCE = CELLS["agent_loop"].replace(
    "            output = call_tool",
    '            if "old_text" in use.input and len(messages) > 3:\n'
    '                input("Edit? ")\n'
    "            output = call_tool",
)


def test_in_a_kernel_a_part_asks_nobody_and_ends_nothing_and_approval_is_asked(
    tmp_path, monkeypatch
):
    """JupyterLab refuses each further cell until an input box is answered."""
    asked, shown = [], []

    def answer(request):
        asked.append(request["content"]["prompt"])
        kernel.client.input("y")

    def show(output):
        content = output["content"]
        shown.append(content.get("text", content.get("data", {}).get("text/plain", "")))

    monkeypatch.chdir(tmp_path)
    edits = [
        message(use("edit_file", path="hello.py", old_text=old, new_text=new))
        for old, new in (("Ada", "Ida"), ("Ida", "Ada"))
    ]
    with Server(*edits) as server, running_kernel() as kernel:
        env = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": KEY}
        for cell, words in (
            ("from lesson import check, connect, play", ""),
            *(
                (f"{ENDS_AND_ASKS.format(name)}\ncheck('MyNag')", cause)
                for name, cause in (
                    ("input", "have nobody to answer them"),
                    ("breakpoint", "have nobody to answer them"),
                    ("__import__('getpass').getpass", "have nobody to answer them"),
                    ("exit", "Your code ends Python here"),
                    ("quit", "Your code ends Python here"),
                )
            ),
            (f"from agentlib import call_tool\n{ASKS_ONCE}\ncheck('agent_loop')", "passes E1"),
            (f"model = connect('m', env={env!r})", ""),
            ("play('hello', model=model, todo=None)", "input('Edit? ') has nobody to answer"),
        ):
            shown.clear()
            kernel.client.execute_interactive(
                cell, output_hook=show, stdin_hook=answer, timeout=90, allow_stdin=True
            )
            assert words in "".join(shown), "".join(shown)
    assert len(asked) == 1 and "hello.py" in asked[0], asked
