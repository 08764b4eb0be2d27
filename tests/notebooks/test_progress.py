"""What `check` and `said` keep beside my_agent: no code, no text, no name."""

import json
import os
import re
import stat
import sys
from datetime import date
from pathlib import Path
from threading import Thread

import pytest
from support.notebook import CELLS, FIRST

import lesson
from exerciselib.page import PAGES
from lesson.classroom import progress
from lesson.common.guesses import GUESSES
from lesson.common.solutions import read_first_loop, read_given
from lesson.exercises.rules import list_rules
from lesson.in_cells.learner_predictions import find_variables
from lesson.program import folder
from lesson.program.newest import RAN
from lesson.widgets.how_soon import HowSoon

WRONG = CELLS["MyNag"].replace(">=", ">")
NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


@pytest.fixture
def page(notebook, monkeypatch):
    """Return a notebook on a page, as a learner's is, and not under pytest."""
    monkeypatch.setattr(progress, "is_watched", lambda: True)
    for name in (*progress.NO_LEARNER, progress.CLASS):
        monkeypatch.delenv(name, raising=False)
    return notebook


def kept():
    return json.loads(folder.path.with_name(progress.FILE).read_text())


def is_kept():
    return folder.path.with_name(progress.FILE).exists()


def test_a_rule_and_then_a_pass_are_kept_and_a_later_mistake_takes_nothing_away(page):
    page.check("MyNag", WRONG)
    [(exercise, first)] = kept()["exercises"].items()
    rules = [one.name for one in list_rules("MyNag")]
    assert exercise == "E4" and first["rule"] in rules
    assert first["day"] == date.today().isoformat()
    page.check("MyNag", FIRST["MyNag"])
    passes = {"E4": {"rule": "", "sentence": "", "day": first["day"]}}
    assert kept()["exercises"] == passes
    page.check("MyNag", WRONG)
    assert kept()["exercises"] == passes


def test_the_sentence_is_one_of_the_page_and_no_text_of_the_learner_is_kept(page):
    secret = "zebra_41"
    wrong = WRONG.replace(
        "def __init__", f"{secret} = 'zebra text'  # zebra\n\n    def __init__", 1
    )
    page.check("MyNag", wrong)
    page.run(f"from lesson import said\n{secret} = 'zebra'\nsaid({secret}, right=3)")
    [told] = kept()["exercises"].values()
    assert told["sentence"] in {progress.digest(one) for one in PAGES["MyNag"].sentences}
    assert "zebra" not in json.dumps(kept())
    assert set(kept()) == {"exercises", "guesses", "copy_name"}


def test_a_part_that_is_not_written_yet_is_no_try(page):
    page.check("MyNag", "class MyNag:\n    pass")
    page.run("def agent_loop(client, messages, tools):\n    ...", "check(agent_loop)")
    assert kept()["exercises"] == {}


def test_given_code_that_was_only_run_is_no_try(page):
    """ "Run All" checks each exercise. Who has not begun one stands at none of its rules."""
    page.check("MyTodo", read_given("MyTodo"))
    page.run('check(MyTodo, "tool")')
    assert kept()["exercises"] == {}  # but the learner is there
    page.check(
        "MyTodo", "# mine\n" + read_given("MyTodo").replace("checked = []", "checked = []\n")
    )
    page.check("agent_loop", read_first_loop(), level="remind")
    page.check("agent_loop", FIRST["agent_loop"])
    page.run('check(agent_loop, "remind")')  # its cell is still that of E1
    page.check("MyNag", FIRST["MyNag"])
    page.run('check(MyNag, "shows the list")')
    assert kept()["exercises"].keys() == {"E1", "E4"}
    page.check("agent_loop", FIRST["agent_loop"] + "\n    # nothing\n    pass", level="remind")
    assert kept()["exercises"]["E5"]["rule"]


def test_rule_of_an_earlier_exercise_is_a_try_of_that_one_until_it_passes(page):
    begun = CELLS["MyTodo"].replace('"in_progress") > 1', '"in_progress") > 2')
    assert begun != CELLS["MyTodo"]
    page.check("MyTodo", begun, level="tool")
    [(exercise, tried)] = kept()["exercises"].items()
    assert exercise == "E2" and tried["rule"] in {one.name for one in list_rules("MyTodo")}
    page.check("MyTodo", FIRST["MyTodo"])
    page.check("MyTodo", begun, level="tool")
    assert kept()["exercises"]["E2"]["rule"] == "" and kept()["exercises"]["E3"]["rule"]


@pytest.mark.parametrize(
    "cell, error",
    [
        (FIRST["MyNag"] + "(", "SyntaxError"),
        (FIRST["MyNag"].replace("    def __init__", "   def __init__"), "IndentationError"),
    ],
    ids=["syntax", "indentation"],
)
def test_error_of_a_cell_is_kept_by_its_name_until_the_exercise_passes(page, capsys, cell, error):
    page.run(cell, 'check("MyNag")')
    assert "forget_progress()" in capsys.readouterr().out
    assert kept()["exercises"]["E4"] | {"day": ""} == {"rule": error, "sentence": "", "day": ""}
    page.check("MyNag", FIRST["MyNag"])
    page.run(cell, 'check("MyNag")')
    assert kept()["exercises"]["E4"]["rule"] == ""


def test_folder_that_somebody_else_has_worked_in_begins_a_file_of_its_own(
    page, monkeypatch, tmp_path, capsys
):
    """Otherwise its second learner would be the first one, whose file they cannot replace."""
    (tmp_path / "class").mkdir()
    monkeypatch.setenv(progress.CLASS, str(tmp_path / "class"))
    page.check("MyNag", FIRST["MyNag"])
    first, name = [*(tmp_path / "class").iterdir()], kept()["copy_name"]
    before = first[0].read_text()
    write = progress.write_atomically

    def refuse(path, *given, **named):
        if path == first[0]:
            raise PermissionError(1, "Operation not permitted")
        write(path, *given, **named)

    monkeypatch.setattr(progress, "write_atomically", refuse)
    assert progress.keep_guess("read_it", 7) == ""  # the folder of the class was closed
    assert kept()["copy_name"] == name
    monkeypatch.setattr(os, "geteuid", lambda: 4321)
    said = progress.keep_guess("reminder", 8)
    assert "somebody else" in said and "forget_progress()" in said
    assert kept()["copy_name"] != name and kept()["exercises"] == {}
    assert first[0].read_text() == before and len([*(tmp_path / "class").iterdir()]) == 2
    assert progress.keep_guess("did_not", 1) == ""
    assert kept()["guesses"].keys() == {"reminder", "did_not"}


def test_own_file_is_deleted_also_if_its_copy_is_somebody_elses(
    page, monkeypatch, tmp_path, capsys
):
    (tmp_path / "class").mkdir()
    monkeypatch.setenv(progress.CLASS, str(tmp_path / "class"))
    page.check("MyNag", FIRST["MyNag"])
    unlink = Path.unlink

    def refuse(path, *given, **named):
        if path.parent.name == "class":
            raise PermissionError(1, "Operation not permitted")
        unlink(path, *given, **named)

    monkeypatch.setattr(Path, "unlink", refuse)
    progress.forget_progress()
    assert not is_kept() and "No copy of it was found" in capsys.readouterr().out


def test_the_first_answer_to_a_guess_stays(page):
    page.run("from lesson import said\ndid_not, read_it = 6, None")
    cell = "said(did_not, read_it, right=[0, 8], names=['a', 'b'])"
    page.run(cell, "did_not, read_it = 0, ' 8 '", cell)
    found = {name: one["value"] for name, one in kept()["guesses"].items()}
    assert found == {"did_not": 6, "read_it": 8}


@pytest.mark.parametrize("value", ["'seven'", "-1", "2.5", "[7]", "True", "'1' * 40", "'٣'"])
def test_what_is_no_number_is_not_kept(page, value):
    page.run(f"from lesson import said\nwithout_rules = {value}", "said(without_rules, right=4)")
    assert not is_kept()


def test_it_is_said_once_and_one_word_ends_it(page, capsys):
    page.check("MyNag", WRONG)
    said = capsys.readouterr().out
    assert "forget_progress()" in said and "no code, no text, no name" in said
    page.check("MyNag", WRONG + "\n")
    assert "forget_progress" not in capsys.readouterr().out
    forgets = Thread(target=lesson.forget_progress)  # in another notebook, while this one writes
    progress.change(lambda known: forgets.start() or forgets.join(0.2) or known.exercises.clear())
    forgets.join()
    assert not is_kept() and f"{progress.FILE} is deleted" in capsys.readouterr().out
    page.check("MyNag", FIRST["MyNag"])
    page.run("from lesson import said\nwithout_rules = 4", "said(without_rules, right=4)")
    assert not is_kept() and "forget" not in capsys.readouterr().out
    folder.path.with_name(progress.ENDED).unlink()
    page.check("MyNag", FIRST["MyNag"])
    assert is_kept()


@pytest.mark.parametrize("name", progress.NO_LEARNER)
def test_who_grades_or_tests_keeps_nothing(page, monkeypatch, name):
    monkeypatch.setenv(name, "autograde")
    try:
        page.check("MyNag", FIRST["MyNag"])
    finally:
        assert not is_kept()


def test_without_a_page_and_in_the_browser_nothing_is_kept(page, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(progress, "is_watched", lambda: False)  # nbval, nbclient, a script
        page.check("MyNag", WRONG)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "platform", "emscripten")
        assert progress.keep_guess("without_rules", 4) == ""
    assert not is_kept()
    page.check("MyNag", WRONG + "\n")
    assert is_kept()


@pytest.mark.parametrize("umask", [0o077, 0o022, 0o000])
def test_the_file_is_private_and_the_copy_of_the_class_is_its_groups(
    page, monkeypatch, tmp_path, capsys, umask
):
    folder = tmp_path / "class"
    folder.mkdir()
    folder.chmod(0o3773)
    monkeypatch.setenv(progress.CLASS, str(folder))
    before = os.umask(umask)
    try:
        page.check("MyNag", WRONG)
    finally:
        os.umask(before)
    assert "sees the name of your account" in capsys.readouterr().out
    [copy] = folder.iterdir()
    modes = [stat.S_IMODE(one.stat().st_mode) for one in (copy, tmp_path / progress.FILE)]
    assert modes == [0o640, 0o600]
    assert copy.stat().st_gid == folder.stat().st_gid
    assert json.loads(copy.read_text()) == kept()
    page.run("from lesson import forget_progress\nforget_progress()")
    assert not [*folder.iterdir()]


@pytest.mark.parametrize("what", ["kept", "broken", "deleted before", "another class"])
def test_copy_that_is_not_found_is_said(page, monkeypatch, tmp_path, capsys, what):
    """Its name is only in the file: without that, or in another folder, nobody else can find it."""
    (tmp_path / "class").mkdir()
    monkeypatch.setenv(progress.CLASS, str(tmp_path / "class"))
    page.check("MyNag", WRONG)
    file = tmp_path / progress.FILE
    {
        "kept": lambda: None,
        "broken": lambda: file.write_text("[broken"),
        "deleted before": file.unlink,
        "another class": lambda: monkeypatch.setenv(progress.CLASS, str(tmp_path)),
    }[what]()
    capsys.readouterr()
    page.run("from lesson import forget_progress\nforget_progress()")
    said = capsys.readouterr().out
    assert f"{progress.FILE} is deleted" in said and not is_kept()
    copies = [*(tmp_path / "class").iterdir()]
    assert bool(copies) == (what != "kept")
    assert ("No copy of it was found in the folder of the class." in said) == (what != "kept")


def test_a_full_or_read_only_disk_disturbs_nobody(page, monkeypatch, capsys, tmp_path):
    def refuse(*given, **named):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(progress, "write_atomically", refuse)
    assert page.check("MyNag", WRONG)
    assert progress.FILE not in capsys.readouterr().out
    monkeypatch.undo()


def test_a_folder_of_the_class_that_is_made_later_is_said_once(page, monkeypatch, tmp_path, capsys):
    monkeypatch.setenv(progress.CLASS, str(tmp_path / "class"))
    page.check("MyNag", WRONG)
    assert "no name" in (said := capsys.readouterr().out) and "teacher" not in said
    (tmp_path / "class").mkdir()
    page.check("MyNag", WRONG + "\n")
    assert "sees the name of your account" in capsys.readouterr().out
    page.check("MyNag", WRONG + "\n\n")
    assert "teacher" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "broken", ["", "{", "[]", '{"exercises": 3}', "[" * 100_000, "x" * 30_000_000, "\0" * 50]
)
def test_a_broken_file_is_begun_again(page, broken):
    folder.path.with_name(progress.FILE).write_text(broken)
    page.check("MyNag", WRONG)
    assert [*kept()["exercises"]] == ["E4"]


def test_a_link_in_its_place_is_replaced_and_not_followed(page, tmp_path):
    other = tmp_path / "other.txt"
    other.write_text("mine")
    folder.path.with_name(progress.FILE).symlink_to(other)
    page.check("MyNag", WRONG)
    assert other.read_text() == "mine" and not folder.path.with_name(progress.FILE).is_symlink()


def test_every_guess_of_the_notebooks_is_in_the_table():
    asked = set()
    for path in NOTEBOOKS.glob("*.ipynb"):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        code = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
        for words in re.findall(r"^ *said\((.*?), right=", code, re.M):
            asked |= {*words.split(", ")}
        asked |= {"reminder"} if "HowSoon(guess=" in code else set()
    assert asked == GUESSES.keys()


def test_the_slider_keeps_the_first_guess_and_none_of_who_makes_none(page, capsys):
    HowSoon(guess=None)
    assert not is_kept()
    HowSoon(guess=8)
    assert "forget_progress" in capsys.readouterr().out
    HowSoon(guess=5)
    assert kept()["guesses"]["reminder"]["value"] == 8


@pytest.mark.slow
@pytest.mark.parametrize("name", ["s03a_todo_write", "s03b_nag_reminder", "s04b_who_says_no"])
def test_what_is_right_is_what_the_notebook_computes(notebook, monkeypatch, name):
    found = {}

    def note(*_, right, names=()):
        values = right if isinstance(right, list) else [right]
        found.update(zip(find_variables(RAN[-1]), values, strict=True))

    monkeypatch.setitem(lesson.__dict__, "said", note)
    cells = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text("utf-8"))["cells"]
    notebook.run(*("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"))
    assert found == {
        one: guess.right
        for one, guess in GUESSES.items()
        if name.startswith(guess.notebook) and one != "reminder"
    }
