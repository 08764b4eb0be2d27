"""The copies of a process that is gone are removed by the next one, and those of no other one."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from lesson.samples import temporary

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such locks")
COPY = "from lesson import sample; one = sample('hello'); print(one.root, flush=True); "


@pytest.fixture
def start(tmp_path):
    """Start a Python with its own temporary folder, and return it and the path of its copy."""
    started = []

    def start(code):
        process = subprocess.Popen(
            [sys.executable, "-c", COPY + code],
            env=os.environ | {"TMPDIR": str(tmp_path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process, Path(process.stdout.readline().strip())

    yield start
    for process in started:
        process.kill()
        process.wait()


def test_copies_of_a_process_that_is_gone_are_removed_at_the_next_start(start, tmp_path):
    gone, left = start("import os; os._exit(0)")  # as a kernel ends whose server has ended
    gone.wait()
    lives, copy = start("input()")
    assert not left.exists() and copy.is_dir()
    ended, last = start("")
    ended.communicate()
    assert not last.exists() and copy.is_dir()  # that of a process that lives
    lives.kill()
    lives.wait()
    ended, _ = start("")
    ended.communicate()
    assert [*tmp_path.iterdir()] == []


def test_what_only_has_such_a_name_is_left_alone(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "agentlib-old").mkdir()  # of an older lesson, or in the making
    (tmp_path / "agentlib-file").touch()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "lock").touch()
    (tmp_path / "agentlib-link").symlink_to(tmp_path / "other")
    temporary.remove_leftovers()
    assert len([*tmp_path.iterdir()]) == 4


def test_forked_process_has_its_own_folder():
    own = temporary.own_folder()
    assert temporary.own_folder() == own
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        os.write(writing, str(temporary.own_folder()).encode())
        os._exit(0)
    os.waitpid(process, 0)
    theirs = Path(os.read(reading, 1_000).decode())
    assert theirs != own and theirs.is_dir()
    temporary.remove_leftovers()
    assert not theirs.exists() and own.is_dir()
