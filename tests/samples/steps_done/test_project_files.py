"""A folder may contain anything, and what is read of it has limits."""

import ast
import os
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from steps_done.accepted import ten_steps
from steps_done.states import after

from lesson import find_missing, sample
from lesson.samples.jobs import files_show, load_job
from lesson.samples.project_files import MAX_BYTES, ProjectFiles, parse_program, read_files

STEPS = load_job("ten_steps").steps
STRANGE = {
    "a null byte": b"def load(path):\0 return {}\n",
    "10,000 brackets": b"(" * 10_000 + b")" * 10_000,
    "10,000 brackets of a call": b"x = " + b"f(" * 10_000 + b")" * 10_000,
    "a sum of 20,000 numbers": b"x = 1" + b" + 1" * 20_000,
    "20,000 dots": b"x = a" + b".a" * 20_000,
    "20,000 minus signs": b"x = " + b"-" * 20_000 + b"1",
    "5,000 branches": b"if x: pass\n" + b"elif x: pass\n" * 5_000,
    "95 blocks in each other": b"".join(b" " * n + b"if x:\n" for n in range(95))
    + b" " * 95
    + b"y",
    "no UTF-8": b"caf\xe9 = 1\n",
    "a surrogate": b"x = '\\ud800'\n",
    "half a line": b"def load(",
    "an encoding that does not exist": b"# coding: nothing\nx = 1\n",
    "nothing": b"",
}


@pytest.mark.parametrize("content", STRANGE.values(), ids=STRANGE.keys())
def test_strange_file_is_not_done_and_raises_nothing(content):
    workspace = sample("ten_steps")
    for file in workspace.root.iterdir():
        if file.suffix in (".py", ".md"):
            file.write_bytes(content)
    (workspace.root / "test_all.py").write_bytes(content)
    assert find_missing(workspace) == [step.text for step in STEPS]


def test_file_of_a_gigabyte_is_not_read():
    workspace = sample("ten_steps")
    for name in ("books.py", "README.md", "large.txt"):
        with (workspace.root / name).open("wb") as file:
            file.truncate(2**30)  # a file with a hole, which is read as a gigabyte of null bytes
    started = time.process_time()
    files = read_files(workspace.root)
    assert len(find_missing(workspace)) == len(STEPS)
    assert time.process_time() - started < 5
    assert "books.py" in files.names and "books.py" not in files.texts
    assert all(len(text) <= MAX_BYTES for text in files.texts.values())


def test_pipe_link_and_unreadable_entry_are_left_out(tmp_path):
    (tmp_path / "real.py").write_text("x = 1")
    (tmp_path / "link.py").symlink_to(tmp_path / "real.py")
    (tmp_path / "again").symlink_to(tmp_path)
    (tmp_path / "zero.py").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.py")  # to open it would wait for ever
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "in.py").write_text("x = 1")
    (tmp_path / "env").mkdir()
    (tmp_path / "env" / "pyvenv.cfg").write_text("")
    (tmp_path / "env" / "installed.py").write_text("x = 1")
    assert read_files(tmp_path).names == {"real.py"}
    assert read_files(tmp_path / "nowhere").names == frozenset()


def test_own_files_are_read_before_a_thousand_in_other_folders():
    workspace = sample("ten_steps")
    for number in range(1000):
        (workspace.root / f"a{number % 10}").mkdir(exist_ok=True)
        (workspace.root / f"a{number % 10}" / f"m{number}.py").write_text("x = 1")
    files = read_files(workspace.root)
    assert {"books.py", "shop.py", "README.md"} <= files.texts.keys()
    assert len(files.contents) <= 200


def test_equal_files_in_two_folders_are_judged_once():
    first, second = sample("ten_steps"), sample("ten_steps")
    files_show.cache_clear()
    assert find_missing(first) == find_missing(second)
    assert files_show.cache_info().misses == len(STEPS)


def test_warning_about_a_model_s_program_is_not_shown(recwarn):
    assert isinstance(parse_program(r'x = "\d"'), ast.Module)
    assert not recwarn.list


TEXTS = [
    text
    for files in (after("ten_steps"), *ten_steps.ACCEPTED.values())
    for name, text in files.items()
    if name.endswith(".py")
]


@given(st.sampled_from(TEXTS), st.data())
def test_no_program_makes_a_function_raise(text, data):
    """Each program is put in the place of every file, with lines and words exchanged."""
    lines = text.split("\n")
    for _ in range(data.draw(st.integers(0, 4))):
        place = data.draw(st.integers(0, len(lines) - 1))
        other = data.draw(st.sampled_from(TEXTS)).split("\n")
        change = data.draw(st.sampled_from(["drop", "copy", "swap"]))
        if change == "drop" and len(lines) > 1:
            del lines[place]
        elif change == "copy":
            lines.insert(place, data.draw(st.sampled_from(other)))
        else:
            words = lines[place].split(" ")
            words.reverse()
            lines[place] = " ".join(words)
    program = "\n".join(lines)
    done = after("ten_steps").items()
    files = {file: program if file.endswith(".py") else text for file, text in done}
    project = ProjectFiles(tuple(files.items()))
    for step in STEPS:
        assert files_show(step.done, project) in (True, False)
