"""A learner's `read_file`: the package's reads first, and what it refuses stays refused.

What `play` and the program my_agent promise alike is tried through both doors.
"""

import os
from pathlib import Path

import pytest
from support.blocks import text, use
from support.loop import scripted

from agentlib import Workspace, call_tool
from agentlib.terminal import Project
from lesson import play
from lesson.common.solutions import SOLUTIONS
from lesson.runs import adapters
from lesson.runs.adapters import list_tools

SECRET = "the secret"
DOORS = {"tools": list_tools}  # of the door that is tested, from a workspace and a function
both_doors = pytest.mark.usefixtures("door")


@pytest.fixture(params=["play", "my_agent"])
def door(request, workspace, monkeypatch):
    """Let `call` go through this door."""
    if request.param == "my_agent":
        monkeypatch.chdir(workspace.root)  # where the program is started
        project = Project(str(SOLUTIONS / "frame.py"))
        monkeypatch.setitem(DOORS, "tools", lambda _, function: [as_tool(project, function)])


def as_tool(project, function):
    return project.follow(project.make_read_file(function))


@pytest.fixture
def workspace(tmp_path):
    """Return a workspace with a few files, and a secret beside its folder."""
    (tmp_path / "secret.txt").write_text(SECRET)
    root = tmp_path / "work"
    (root / "src").mkdir(parents=True)
    (root / "notes.txt").write_text("one\ntwo\n")
    (root / "out.txt").symlink_to("../secret.txt")
    (root / "large.txt").write_text(SECRET + "x" * 11 * 2**20)
    (root / "binary").write_bytes(b"\0" + SECRET.encode())
    os.mkfifo(root / "pipe")
    return Workspace(root)


def call(workspace, read_file, **fields):
    tools = DOORS["tools"](workspace, read_file)
    return call_tool({tool.name: tool for tool in tools}, "read_file", fields)


def read_all(folder, path):
    return (folder / path).read_text(errors="replace")


def read_or_say_so(folder, path):
    try:
        return (folder / path).read_text()
    except OSError:
        return "nothing"


def read_with_os(folder, path):
    return os.read(os.open(folder / path, os.O_RDONLY), 100).decode()


REFUSED = ["../secret.txt", "/etc/passwd", "out.txt", "pipe", "large.txt", "binary", "/dev/zero"]


@both_doors
@pytest.mark.parametrize("read_file", [read_all, read_or_say_so, read_with_os])
@pytest.mark.parametrize("path", [*REFUSED, "~/x", "src", 5, None, "a\0b"])
def test_what_the_packages_read_file_refuses_stays_refused(workspace, read_file, path):
    answered = call(workspace, read_file, path=path)
    assert not answered.ok and answered.output.startswith("Error: ")
    assert SECRET not in answered.output and str(workspace.root) not in answered.output
    assert call(workspace, read_file, path="notes.txt").output == "one\ntwo\n"


@both_doors
def test_learners_function_is_not_called_for_what_is_refused(workspace):
    called = []
    (workspace.root / "zero").symlink_to("/dev/zero")
    (workspace.root / ".git").mkdir()
    git = (".git", ".git/", "./.GIT/", ".git/config", "src/../.git/none")
    outside = ("../none.txt", "../", "/etc/", "/", "~/x", "out.txt", "../secret.txt", "a\0b", "")
    for path in ("pipe", "zero", "/dev/zero", "large.txt", "binary", *git, *outside):
        assert not call(workspace, lambda folder, path: called.append(path), path=path).ok
    assert called == []


@both_doors
def test_of_a_learners_error_the_model_gets_the_beginning_on_one_line(workspace):
    def says_all(folder, path):
        raise ValueError("no\n" * 100 + SECRET)

    def says_nothing(folder, path):
        raise KeyError

    output = call(workspace, says_all, path="none.txt").output
    assert output.startswith("Error: no no ") and output.endswith(" …") and len(output) <= 207
    assert call(workspace, says_nothing, path="none").output == "Error: KeyError"


@both_doors
def test_model_gets_the_learners_error_or_else_the_packages(workspace):
    def says_no(folder, path):
        if not (folder / path).is_file():
            raise ValueError(f"{path}: never! There are {sorted(os.listdir(folder))[-2:]}")
        return (folder / path).read_text()

    for path in ("none.txt", "src", "src/"):
        output = call(workspace, says_no, path=path).output
        assert output == f"Error: {path}: never! There are ['pipe', 'src']"
    ours = call(workspace, says_no, path="../secret.txt").output
    assert ours.startswith("Error: ../secret.txt escapes the workspace")
    ours = call(workspace, lambda folder, path: "made up", path="../secret.txt").output
    assert ours.startswith("Error: ../secret.txt escapes the workspace")
    assert "is a folder" in call(workspace, read_all, path="src").output
    assert "does not exist" in call(workspace, read_all, path="nope.txt").output


@both_doors
def test_text_is_the_learners_and_the_lines_are_the_programs(workspace):
    def numbered(folder, path):
        lines = (folder / path).read_text().splitlines()
        return "\n".join(f"{number} {line}" for number, line in enumerate(lines, 1))

    assert call(workspace, numbered, path="notes.txt").output == "1 one\n2 two"
    assert call(workspace, numbered, path="notes.txt", limit=1).output.startswith("1 one\n... (")
    assert call(workspace, numbered, path="notes.txt", start_line=2).output == "2 two"
    assert len(call(workspace, lambda folder, path: "x" * 10**6, path="notes.txt").output) < 51_000


@both_doors
@pytest.mark.parametrize("path", ["notes.txt", "none.txt", "src"])
def test_error_of_a_learner_shows_no_path_of_this_machine(workspace, path):
    class Odd(Exception):
        def __str__(self):
            raise LookupError

    def raise_it(problem):
        raise problem

    place = workspace.root / "src"
    errors = {
        RuntimeError(f"Symlink loop from '{place}'"): "Symlink loop from 'src'",
        ValueError(f"not here: {workspace.root}"): "not here: .",
        OSError(2, "No such file", str(place)): f"{path} ",
        Odd(): "Odd",
    }
    for problem, words in errors.items():
        answered = call(workspace, lambda folder, path, error=problem: raise_it(error), path=path)
        assert answered.output.startswith(f"Error: {words}") and not answered.ok
        assert str(workspace.root.parent) not in answered.output


def test_what_is_no_text_or_does_not_end_is_an_error(workspace, monkeypatch):
    def endless(folder, path):
        while True:
            pass

    monkeypatch.setattr(adapters, "READ_SECONDS", 0.1)
    none = call(workspace, lambda folder, path: None, path="notes.txt")
    assert none.output == "Error: read_file returned NoneType, and no string"
    for path in ("notes.txt", "none.txt"):
        assert "Error: read_file does not end" in call(workspace, endless, path=path).output


def test_tool_has_the_packages_definition_and_asks_nobody(workspace):
    ours, own = list_tools(workspace)[1], list_tools(workspace, read_all)[1]
    assert own.spec == ours.spec and own.asks is False


def test_run_reads_with_the_function_that_play_was_given():
    read = []

    def note(folder, path):
        read.append((folder, path))
        return Path(folder, path).read_text()

    run = play("hello", todo=None, read_file=note)
    assert read == [(run.workspace.root, "hello.py")] and not run.problem
    model = scripted([use("read_file", path="../secret.txt")], [text("Done.")])
    output = play("hello", todo=None, model=model, read_file=note).rounds[0].calls[0].output
    assert output.startswith("Error: ../secret.txt escapes the workspace")
