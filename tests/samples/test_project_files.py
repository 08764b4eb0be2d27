"""A folder may contain anything, and what is read of it has limits."""

import ast
import os

import pytest
from steps_done.states import after

from lesson import find_missing, sample
from lesson.samples.jobs import find_verdict, load_job
from lesson.samples.project_files import (
    MAX_BYTES,
    MAX_FILES,
    NotJudgedError,
    ProjectFiles,
    parse_program,
    read_files,
)

pytestmark = pytest.mark.slow
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
    "an import from its own folder": b"from . import load\n",
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
    files = read_files(workspace.root)
    with pytest.raises(NotJudgedError, match=r"^not judged: README.md is over a limit"):
        find_missing(workspace)
    (workspace.root / "README.md").unlink()
    with pytest.raises(NotJudgedError, match=r"^not judged: books.py is over a limit"):
        find_missing(workspace)
    (workspace.root / "books.py").unlink()
    assert len(find_missing(workspace)) == len(STEPS)  # no step needs the large text
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
    assert len(files.contents) <= MAX_FILES
    with pytest.raises(NotJudgedError, match="not judged: the folder has more than 1,000 files"):
        find_missing(workspace)


def test_programs_over_the_limit_of_all_bytes_are_not_judged_and_data_are_left_out():
    workspace = sample("ten_steps")
    for number in range(12):  # read after the programs, and no step needs them
        (workspace.root / f"a{number}.csv").write_text("1\n" * 45_000)
    assert len(find_missing(workspace)) == len(STEPS)
    (workspace.root / "lib").mkdir()
    for number in range(12):
        (workspace.root / "lib" / f"m{number}.py").write_text("x = 1\n" * 15_000)
    assert "books.py" in read_files(workspace.root).texts
    with pytest.raises(NotJudgedError, match="1,000,000 for all of them"):
        find_missing(workspace)


def test_files_that_take_too_much_processor_time_are_not_judged(monkeypatch):
    monkeypatch.setattr("lesson.samples.project_files.MAX_SECONDS", -1.0)
    workspace = sample("ten_steps")
    (workspace.root / "other.py").write_text("x = 1")
    with pytest.raises(NotJudgedError, match="of processor time"):
        find_missing(workspace)


def test_deep_expression_is_read(tmp_path):
    """Python accepts it, so a judge does not end with an error of its own."""
    workspace = sample("ten_steps")
    (workspace.root / "shop.py").write_text(f"if {'a + ' * 900}a: pass\n")
    (workspace.root / "test_all.py").write_text(f"assert {'a + ' * 900}a\n")
    assert len(find_missing(workspace)) == len(STEPS)


def test_name_of_a_file_is_no_pattern():
    """A redirection without quotes makes a file called `*.py`."""
    project = after("ten_steps") | {"*.py": "x = 1\n", "shop (1).py": "x = 1\n"}
    [*others, readme] = [step.done for step in STEPS]
    assert all(done(ProjectFiles(tuple(project.items()))) for done in others)
    assert not readme(ProjectFiles(tuple(project.items())))
    project["README.md"] += "\nTwo copies: `*.py` and shop (1).py.\n"
    assert readme(ProjectFiles(tuple(project.items())))


def test_equal_files_in_two_folders_are_judged_once():
    first, second = sample("ten_steps"), sample("ten_steps")
    find_verdict.cache_clear()
    assert find_missing(first) == find_missing(second)
    assert find_verdict.cache_info().misses == 1


def test_warning_about_a_model_s_program_is_not_shown(recwarn):
    assert isinstance(parse_program(r'x = "\d"'), ast.Module)
    assert not recwarn.list
