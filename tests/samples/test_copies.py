"""Copies of samples: each is new, is whole or not there, and is removed with its workspace."""

import gc
import os
import shutil
import subprocess
import sys

import pytest

from agentlib.workspace import Workspace
from lesson import find_missing, play, sample
from lesson.samples.copies import MARK, copy_project
from lesson.samples.jobs import load_job


def test_sample_is_a_new_copy_in_a_folder_of_its_name():
    first, second = sample("hello"), sample("hello")
    assert (first.name, first.root.name) == ("hello", "hello") and first.root != second.root
    first.write_file("hello.py", "changed")
    assert second.read_file("hello.py") != "changed"
    assert sample("hello").read_file("hello.py") == second.read_file("hello.py")


def test_sample_is_deleted_with_its_workspace():
    workspace = sample("hello")
    root = workspace.root
    assert root.is_dir()
    del workspace
    gc.collect()
    assert not root.parent.exists()


def test_copies_are_deleted_at_the_end_of_their_process(tmp_path):
    code = "from lesson import sample; one = sample('hello'); print(one.root.is_dir())"
    env = os.environ | {"TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert done.stdout == "True\n" and not [*tmp_path.iterdir()]


@pytest.mark.parametrize("open_it", [sample, load_job, play])
def test_unknown_sample_raises_an_error_with_the_known_names(open_it):
    for name in ("helo", "", "../samples/hello"):
        with pytest.raises(FileNotFoundError, match="There is no sample .* only .*hello"):
            open_it(name)


def test_copy_of_a_sample_is_whole_or_not_there(tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(shutil, "copyfile", interrupted)
    with pytest.raises(KeyboardInterrupt):
        copy_project(load_job("hello"), tmp_path / "hello")
    assert not [*tmp_path.iterdir()]


def test_folder_with_the_name_of_a_sample_is_not_its_job(tmp_path):
    (tmp_path / "ten_steps").mkdir()
    assert find_missing(Workspace(tmp_path / "ten_steps")) == []
    copy_project(load_job("ten_steps"), tmp_path / "mine")
    assert len(find_missing(Workspace(tmp_path / "mine"))) == len(load_job("ten_steps").steps)
    with open(tmp_path / "mine" / MARK, "r+b") as mark:
        mark.truncate(2**40)  # a sparse file of a terabyte
    assert find_missing(Workspace(tmp_path / "mine")) == []
