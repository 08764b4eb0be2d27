"""my_agent.py as a file: what is at its place is not replaced without a word."""

import os
import re

import pytest
from support.notebook import CELLS

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


@unix
def test_pipe_of_this_name_does_not_block(path):
    os.mkfifo(path)
    saved = save()
    assert not saved.is_saved
    assert re.fullmatch("Not a regular file. A pipe .* has this name: rename it.", saved.said)
