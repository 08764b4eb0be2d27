"""The learner's program: in a folder beside a project, and a Python that has only the SDK."""

import importlib
import os
import shutil
import subprocess
import sys
import venv
from importlib import metadata
from pathlib import Path
from threading import Thread

import pytest
from loopback import KEY
from packaging.requirements import Requirement

from lesson.common.parts import PARTS
from lesson.common.solutions import SOLUTIONS
from lesson.kernel import deferred_imports
from lesson.practice.run_program import PracticeServer
from lesson.program.take_away import read_packages, write_files

ORDER = "agent_loop TimedTodo PriorityNag ask_at_the_stop trim_messages read_file".split()
NAMES = ("frame", *(part.file for part in PARTS.values()))


@pytest.fixture(scope="session")
def sdk_python(tmp_path_factory):
    """Return a Python that has the SDK and what it requires, and no other package.

    It imports the SDK with a third of its modules, as the lesson does, in half of the time. With
    LESSON_DEFER_IMPORTS=0 in its environment, it imports all of it.
    """
    folder = tmp_path_factory.mktemp("only_anthropic")
    venv.create(folder, with_pip=False)
    [site] = folder.glob("[Ll]ib/**/site-packages")
    shutil.copy(deferred_imports.__file__, site)
    (site / "deferred.pth").write_text("import deferred_imports; deferred_imports.install()\n")
    wanted = ["anthropic"]
    for name in wanted:
        try:
            package = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        for file in {Path(file).parts[0] for file in package.files} - {"..", "__pycache__"}:
            if not (site / file).exists():
                (site / file).symlink_to(package.locate_file(file))
        needs = [Requirement(line) for line in package.requires or ()]
        wanted += [r.name for r in needs if not r.marker or r.marker.evaluate({"extra": ""})]
    return str(folder / "bin" / "python")


class Program:
    """A folder `my_agent` with our solutions, and a folder `project` beside it."""

    def __init__(self, place, python):
        self.path, self.project, self.python = place / "my_agent", place / "project", python
        self.project.mkdir(parents=True)
        shutil.copytree(SOLUTIONS, self.path, ignore=shutil.ignore_patterns("__pycache__"))
        write_files(self.path, read_packages())

    def start(self, url, *arguments, program=None, cwd=None, **env):
        """Run it with yes to all from a pipe, as in `python ../my_agent "…"`."""
        return subprocess.run(
            [self.python, str(program or self.path), *arguments],
            cwd=cwd or self.project,
            env=os.environ | variables(url) | env,
            input="y\n" * 200,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )


def variables(url):
    return {"ANTHROPIC_API_KEY": KEY, "MODEL_ID": "practice", "ANTHROPIC_BASE_URL": url}


@pytest.fixture
def program(tmp_path, sdk_python):
    return Program(tmp_path.resolve(), sdk_python)


@pytest.fixture
def practice():
    """Return the address of a served practice model."""
    with PracticeServer() as server:
        Thread(target=server.serve_forever, args=[0.02], daemon=True).start()
        yield server.url
        server.shutdown()


@pytest.fixture
def frame(program, monkeypatch):
    """Return frame.py of a program, as a module in this process.

    Its project is `frame.project.root`, and each question is answered with yes.
    """
    monkeypatch.chdir(program.project)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setattr(sys, "path", [str(program.path), *filter(None, sys.path)])
    monkeypatch.setattr(sys, "argv", [str(program.path), "Go"])
    for name in NAMES:
        monkeypatch.delitem(sys.modules, name, raising=False)
    module = importlib.import_module("frame")
    answer(monkeypatch, "y")
    yield module
    for name in NAMES:
        sys.modules.pop(name, None)


@pytest.fixture
def project(frame):
    """Return the project of the program."""
    return frame.project


def answer(monkeypatch, *answers):
    """Answer each question with the next of these answers, and then with the last one.

    Return the list of the questions, which grows.
    """
    left, questions = [*answers], []

    def say(question):
        questions.append(question)
        return left.pop(0) if len(left) > 1 else left[0]

    monkeypatch.setattr("builtins.input", say)
    return questions


def play_connected(monkeypatch, url, **env):
    """Call `main` with our parts and its own client, in this environment. Return how it ends."""
    for name, value in (variables(url) | env).items():
        monkeypatch.setenv(name, value)
    return play(importlib.reload(sys.modules["frame"]), None)  # it reads the key


def load_parts():
    """Return the parts of the program, in the order in which `main` takes them."""
    return [getattr(importlib.import_module(PARTS[name].file), name) for name in ORDER]


def play(frame, server, client=None, **parts):
    """Call `main` with our parts and a client, or one for this server. Return how it ends.

    `loop` and `stop` are used in the place of ours.
    """
    given = load_parts()
    given[0], given[3] = parts.get("loop", given[0]), parts.get("stop", given[3])
    try:
        with pytest.MonkeyPatch.context() as patch:
            for name, value in variables(server.url).items() if server else ():
                patch.setenv(name, value)
            frame.main(*given, client=client)
    except SystemExit as ended:
        return str(ended.code)
    return ""
