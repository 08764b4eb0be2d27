"""my_agent.py as a file: what is at its place is not replaced without a word."""

import os
import re
import threading
import time
from functools import partial

import pytest
from support.notebook import CELLS

from lesson.exercises import rules
from lesson.program import file
from lesson.program.file import FILE

unix = pytest.mark.skipif(os.name == "nt", reason="modes, links and pipes are Unix's")


@pytest.fixture(autouse=True)
def path(monkeypatch, tmp_path):
    """Return the path of the program, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(file, "path", tmp_path / FILE)
    return tmp_path / FILE


def save():
    return file.save_section("MyNag", CELLS["MyNag"], "")


@unix
def test_file_that_is_read_only_is_not_written_and_that_is_said(path):
    path.write_text("# by hand\n")
    path.chmod(0o444)
    saved = save()
    assert not saved.is_saved and saved.said.startswith("The file is read-only. You may not write")
    assert path.read_text() == "# by hand\n" and [*path.parent.iterdir()] == [path]


@unix
def test_symlink_stays_one_and_its_file_is_written(path, tmp_path):
    (tmp_path / "mine").mkdir()
    target = tmp_path / "mine" / "agent.py"
    target.touch()
    path.symlink_to(target)
    assert save().is_saved
    assert path.is_symlink() and "class MyNag" in target.read_text()


def test_part_that_an_editor_has_saved_over_is_named_once(path):
    save()
    older = path.read_text()
    file.save_section("MyTodo", CELLS["MyTodo"], "")
    assert "class MyTodo" in path.read_text()
    path.write_text(older)  # an editor with an older copy: "Overwrite"
    said = file.save_section("agent_loop", CELLS["agent_loop"], "").said
    assert " MyTodo is the package's in my_agent.py now, and was yours before: perhaps an" in said
    assert "yours before" not in save().said
    file.save_section("MyTodo", CELLS["MyTodo"], "")
    assert "class MyTodo" in path.read_text()
    path.write_text(older)
    said = save().said  # a check that changes nothing says it as well
    assert " agent_loop and MyTodo are the package's in" in said


def test_part_that_another_notebook_saves_while_this_one_compares_is_not_lost(path):
    theirs = file.write_program({"MyTodo": file.stamp(CELLS["MyTodo"])})
    begun = threading.Event()

    def save_theirs():
        with file.exclusive():
            begun.set()
            time.sleep(0.5)
            path.write_text(theirs)

    other = threading.Thread(target=save_theirs)
    other.start()
    assert begun.wait(60) and save().is_saved
    other.join()
    assert file.list_own(file.read_program(path.read_text()).sections) == ["MyTodo", "MyNag"]
    assert [*path.parent.iterdir()] == [path]


def test_lock_of_a_notebook_that_was_killed_is_removed(path, monkeypatch):
    monkeypatch.setattr(file, "LOCK_SECONDS", 0.1)
    path.with_name(f".{FILE}.lock").touch()
    assert save().is_saved and [*path.parent.iterdir()] == [path]


def test_lock_of_a_killed_notebook_lets_one_in_at_a_time(path, monkeypatch):
    """Of three that wait, none takes away the lock that another one has just made."""
    monkeypatch.setattr(file, "LOCK_SECONDS", 1.0)
    path.with_name(f".{FILE}.lock").touch()
    inside, most, turn = [0], [0], threading.Lock()

    def enter():
        with file.exclusive():
            with turn:
                inside[0] += 1
                most[0] = max(most[0], inside[0])
            time.sleep(0.5)
            with turn:
                inside[0] -= 1

    notebooks = [threading.Thread(target=enter) for _ in range(3)]
    for one in notebooks:
        one.start()
    for one in notebooks:
        one.join()
    assert most == [1] and not path.with_name(f".{FILE}.lock").exists()


def test_lock_that_was_taken_away_is_not_deleted_in_its_place(path):
    lock = path.with_name(f".{FILE}.lock")
    with file.exclusive():
        lock.unlink()
        lock.write_text("another notebook's")
        os.utime(lock, ns=(1, 1))
    assert lock.read_text() == "another notebook's"


def test_first_program_does_not_replace_one_that_was_saved_in_the_meantime(path, monkeypatch):
    path.write_text("theirs")
    monkeypatch.setattr(os.path, "lexists", lambda path: False)  # as it was when this began
    monkeypatch.setattr(type(path), "exists", lambda path: False)
    file.create_file()
    assert path.read_text() == "theirs" and len(os.listdir(path.parent)) == 1


@pytest.mark.parametrize("change", ["", r"  \g<0>"], ids=["deleted", "indented"])
def test_part_whose_mark_was_deleted_is_named(path, change):
    mine = {name: file.stamp(CELLS[name]) for name in ("MyTodo", "MyNag")}
    path.write_text(re.sub("# --- MyNag ---.*\n", change, file.write_program(mine)))
    said = file.save_section("MyTodo", CELLS["MyTodo"] + "\n    more = 1\n", "").said
    assert "MyNag, defined there, is the package's now" in said
    assert (
        "run its check again" in said
        and "class MyNag" in (path.parent / "my_agent_1.py").read_text()
    )


def test_section_that_an_older_lesson_began_in_another_way_is_no_text_of_the_learners(path):
    [(old, new)] = file.MOVED.items()
    now = file.write_program({"MyTodo": file.stamp(CELLS["MyTodo"])})
    path.write_text(
        now.replace(f"{file.hash_section(new)}\n{new}", f"{file.hash_section(old)}\n{old}")
    )
    assert old in path.read_text()
    assert file.load(path.read_text()).ask_at_the_stop  # it still runs
    saved = save()
    assert saved.is_saved and "changed by hand" not in saved.said
    assert old not in path.read_text() and new in path.read_text()
    own = file.list_own(file.read_program(path.read_text()).sections)
    assert own == ["MyTodo", "MyNag"]


def test_program_of_an_older_lesson_keeps_its_parts_and_gets_the_new_one(path):
    old_main = file.MAIN.replace(", read_file", "")
    sections = {"MyTodo": file.stamp(CELLS["MyTodo"]), "main": file.stamp(old_main)}
    new_section = re.compile("# --- read_file --- .*\n.*\n\n\n")
    path.write_text(new_section.sub("", file.write_program(sections)))
    assert save().said == "It is in my_agent.py, and yours."
    text = path.read_text()
    assert "class MyTodo" in text and "import read_file\n" in text and file.MAIN in text
    assert [*path.parent.iterdir()] == [path]  # no copy: nothing was changed by hand


@unix
def test_pipe_of_this_name_does_not_block(path):
    os.mkfifo(path)
    saved = save()
    assert not saved.is_saved
    assert re.fullmatch("Not a regular file. A pipe .* has this name: rename it.", saved.said)


def test_function_is_tried_again_in_the_file_only_if_a_name_of_it_is_another_object_there():
    def define(text, **names):
        exec(text, names)
        return names["part"]

    plain = "def part(x):\n    return [len(one) for one in x]\n"
    one, other = define(plain), define(plain)
    assert file.is_same_function(one, other, ["len"])
    assert not file.is_same_function(one, define(plain, len=str.upper), ["len"])
    assert not file.is_same_function(one, define("def part(x):\n    return x"), [])
    keeps = "log = []\ndef part(x):\n    log.append(x)\n"
    assert not file.is_same_function(define(keeps), define(keeps), ["log"])
    reads = "def part(x):\n    return eval(x)\n"
    assert not file.is_same_function(define(reads), define(reads), ["eval"])
    calls_itself = "def part(x):\n    return x and part(x[1:])\n"
    assert not file.is_same_function(define(calls_itself), define(calls_itself), ["part"])
    wrapped = (
        "from reprlib import recursive_repr\n@recursive_repr()\ndef part(x):\n    return f(x)\n"
    )
    assert not file.is_same_function(define(wrapped, f=len), define(wrapped, f=str), ["f"])
    assert not file.is_same_function(int, int, [])  # a class is tried: it has other bases there
    assert not file.is_same_function(None, one, ["len"])


def test_loop_that_passes_in_its_cell_is_played_once_more_only_if_it_needs_it(path, monkeypatch):
    tried = []
    monkeypatch.setattr(file, "try_part", lambda *of: tried.append(of) or rules.try_part(*of))
    cell = CELLS["agent_loop"]
    names = {}
    exec(cell, names)
    assert file.save_section("agent_loop", cell, "", names["agent_loop"]).is_saved
    assert not tried
    names["call_tool"] = partial(names["call_tool"])
    assert file.save_section("agent_loop", f"{cell}\nx = 1\n", "", names["agent_loop"]).is_saved
    assert tried
