"""A learner's `read_file`: the package's reads first, and what it refuses stays unread.

What `play` and the program my_agent promise alike is tried through both doors.
"""

import _thread
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from urllib.parse import unquote

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
    return project.show(project.make_read_file(function))


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


def call(workspace, read_file, **given):
    tools = DOORS["tools"](workspace, read_file)
    return call_tool({tool.name: tool for tool in tools}, "read_file", given)


def read_all(folder, path):
    return (folder / path).read_text(errors="replace")


def read_or_say_so(folder, path):
    try:
        return (folder / path).read_text()
    except OSError:
        return "nothing"


def say_the_text(folder, path):
    raise ValueError((folder / path).read_bytes().decode(errors="replace"))


def read_with_os(folder, path):
    return os.read(os.open(folder / path, os.O_RDONLY), 100).decode()


def run_cat(folder, path):
    return subprocess.run(["cat", folder / path], capture_output=True, text=True).stdout


def list_beside(folder, path):
    raise ValueError(f"only {os.listdir((folder / path).parent)}")


@both_doors
@pytest.mark.parametrize(
    "read_file", [read_all, read_or_say_so, say_the_text, read_with_os, run_cat, list_beside]
)
def test_function_that_returns_whatever_is_asked_for_reads_nothing_outside(workspace, read_file):
    outside = str(workspace.root.parent / "secret.txt")
    paths = ["../secret.txt", outside, "out.txt", "pipe", "large.txt", "binary", "/dev/zero", "~/x"]
    for path in paths:
        answered = call(workspace, read_file, path=path)
        assert not answered.ok and "secret" not in answered.output.replace(path, ""), path
    assert call(workspace, read_all, path="notes.txt").output == "one\ntwo\n"


def strips(folder, path):
    return (folder / path.strip()).read_bytes().decode()


def expands_variables(folder, path):
    return (folder / os.path.expandvars(path)).read_bytes().decode()


def unquotes(folder, path):
    return (folder / unquote(path)).read_bytes().decode()


def expands_the_home(folder, path):
    return (folder / Path(path).expanduser()).read_bytes().decode()


def reads_first(folder, path):
    data = (folder / path.strip()).read_bytes().decode()
    if not (folder / path).resolve().is_relative_to(folder):
        raise ValueError("no")
    return data


def starts_cat(folder, path):
    return subprocess.run(["cat", path.strip()], capture_output=True, text=True).stdout


def starts_a_bare_thread(folder, path):
    read = SimpleQueue()
    _thread.start_new_thread(lambda: read.put(Path(path.strip()).read_bytes().decode()), ())
    return read.get(timeout=1)


def asks_a_pool(folder, path):
    with ThreadPoolExecutor() as pool:
        return pool.submit(lambda: (folder / path.strip()).read_bytes().decode()).result()


def links_it(folder, path):
    os.unlink(folder / path)
    os.link(path.strip(), folder / path)
    return (folder / path).read_bytes().decode()


@both_doors
@pytest.mark.parametrize(
    "read_file",
    [
        *(strips, expands_variables, unquotes, expands_the_home, reads_first, starts_cat, links_it),
        *(starts_a_bare_thread, asks_a_pool),
    ],
)
def test_function_that_changes_the_path_reads_nothing_but_the_file_that_was_named(
    workspace, read_file, monkeypatch
):
    """The file of the odd name is there: one yes to a harmless looking write_file makes it."""
    parent = workspace.root.parent
    (parent / "cookies").write_bytes(b"\xff" + SECRET.encode())  # its repr is in the error
    monkeypatch.setenv("AROUND", str(parent))
    monkeypatch.setenv("HOME", str(parent))
    odd = [
        f"{before}{name}"
        for name in ("secret.txt", "cookies")
        for before in ("$AROUND/", "%2e%2e/", "~/", f" {parent}/")
    ]
    for path in odd:
        file = workspace.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("mine")
        answered = call(workspace, read_file, path=path)
        assert "secret" not in answered.output.replace(path, ""), path
        assert "mine" in answered.output or not answered.ok, path


WRITES = {
    "w": lambda file: file.open("w"),
    "a": lambda file: file.open("a"),
    "r+": lambda file: file.open("r+"),
    "a new file": lambda file: file.with_name("cache").write_text("new"),
    "x": lambda file: file.with_name("cache").open("x"),
    "touch": lambda file: file.with_name("cache").touch(),
    "flags": lambda file: os.open(file, os.O_WRONLY | os.O_TRUNC),
    "truncate": lambda file: os.truncate(file, 0),
    "unlink": lambda file: file.unlink(),
    "chmod": lambda file: file.chmod(0o777),
    "utime": lambda file: os.utime(file),
    "mkdir": lambda file: file.with_name("cache").mkdir(),
    "rmdir": lambda file: file.with_name("empty").rmdir(),
    "tempfile": lambda file: tempfile.TemporaryFile(dir=file.parent),
}


@both_doors
@pytest.mark.parametrize("name", WRITES)
def test_function_writes_nothing(workspace, name):
    """Nobody is asked about a call of read_file, so it changes neither the file nor the folder."""
    (workspace.root / "empty").mkdir()

    def look():
        return [(one.name, one.stat().st_mode) for one in sorted(workspace.root.iterdir())]

    before = look()
    function = WRITES[name]
    answered = call(workspace, lambda folder, path: function(folder / path), path="notes.txt")
    assert "write nothing, and start no program or thread" in answered.output
    assert look() == before and (workspace.root / "notes.txt").read_text() == "one\ntwo\n"


@both_doors
def test_function_may_import_and_list_and_open_the_file_in_each_way(workspace):
    def imports(folder, path):
        import sndhdr_of_nobody_else as module

        return (folder / path).read_text() + module.WORD

    def tries_all(folder, path):
        os.listdir(folder), [*os.scandir(folder / "src")]
        handle = os.open(folder / path, os.O_RDONLY)
        with open(handle) as file:
            text = file.read()
        os.chdir(folder)
        return text + Path(path).read_text() + open(bytes(folder / path), "rb").read().decode()

    module = workspace.root.parent / "sndhdr_of_nobody_else.py"
    module.write_text("WORD = 'imported'")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(module.parent))
        assert call(workspace, imports, path="notes.txt").output == "one\ntwo\nimported"
    folder = os.getcwd()
    try:
        assert call(workspace, tries_all, path="notes.txt").output == "one\ntwo\n" * 3
    finally:
        os.chdir(folder)


@both_doors
def test_other_threads_and_later_calls_open_what_they_like(workspace):
    """A kernel starts threads of its own while a part reads."""
    begun, outside = SimpleQueue(), workspace.root.parent / "secret.txt"

    def start_another():
        begun.get()
        with ThreadPoolExecutor() as others:
            return others.submit(outside.read_text).result()

    with ThreadPoolExecutor() as pool:
        other = pool.submit(start_another)
        waits = call(workspace, lambda *given: begun.put(1) or other.result(), path="notes.txt")
    call(workspace, read_all, path="../secret.txt")
    assert waits.output == outside.read_text() == SECRET


@both_doors
def test_model_gets_the_learners_error_or_else_the_packages(workspace):
    def says_no(folder, path):
        if not (folder / path).resolve().is_relative_to(folder):
            raise ValueError(f"{path}: never! There are {sorted(os.listdir(folder))[-2:]}")
        return (folder / path).read_text()

    said = call(workspace, says_no, path="../secret.txt").output
    assert said == "Error: ../secret.txt: never! There are ['pipe', 'src']"
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


def test_what_is_no_text_or_does_not_end_is_an_error(workspace, monkeypatch):
    def endless(folder, path):
        while True:
            pass

    monkeypatch.setattr(adapters, "READ_SECONDS", 0.1)
    none = call(workspace, lambda folder, path: None, path="notes.txt")
    assert none.output == "Error: read_file returned NoneType, and no string"
    for path in ("notes.txt", "../secret.txt"):
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
    said = play("hello", todo=None, model=model, read_file=note).rounds[0].calls[0].output
    assert said.startswith("Error: ../secret.txt escapes the workspace")
