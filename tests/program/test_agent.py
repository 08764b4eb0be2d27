"""`agent.py` in an environment with only the SDK, in a git repository, as a user starts it."""

import os
import re
import signal
import subprocess
import sys
import venv
from importlib import metadata
from pathlib import Path
from threading import Thread
from time import sleep

import pytest
from loopback import SILENCE, error, message
from loopback import Server as Loopback
from packaging.requirements import Requirement
from support.blocks import text, use
from support.notebook import CELLS
from support.processes import gone, started
from support.terminal import Screen

from agentlib.nag import AFTER
from lesson import session
from lesson.common.solutions import SOLUTIONS
from lesson.practice.run_program import Server
from lesson.program.file import stamp, write_program
from lesson.program.frame import read_session
from lesson.program.take_away import AGENT, write_agent
from lesson.samples.copies import copy_sample
from lesson.samples.jobs import load_job
from lesson.samples.own_job import make_job

HELLO = load_job("hello").prompt
TWO = make_job([("Write it", "a.txt", "Hello!"), ("Sign it", "b.txt", "Ada")]).prompt
NEXT, QUESTION = b"Your next prompt", b"or what instead]"
OURS = SOLUTIONS.read_text(encoding="utf-8")
LEARNERS = {
    "solutions": OURS,
    "three": write_program(
        {name: stamp(CELLS[name]) for name in ("agent_loop", "read_file", "MyNag")}
    ),
    "none": "",
}


@pytest.fixture(scope="session")
def python(tmp_path_factory):
    """Return a Python that has the SDK and what it requires, and no other package."""
    folder = tmp_path_factory.mktemp("only_anthropic")
    venv.create(folder, with_pip=False)
    [site] = folder.glob("[Ll]ib/**/site-packages")
    wanted = ["anthropic"]
    for name in wanted:
        try:
            found = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        for file in {Path(file).parts[0] for file in found.files} - {"..", "__pycache__"}:
            if not (site / file).exists():
                (site / file).symlink_to(found.locate_file(file))
        needs = [Requirement(line) for line in found.requires or ()]
        wanted += [r.name for r in needs if not r.marker or r.marker.evaluate({"extra": ""})]
    return str(folder / "bin" / "python")


@pytest.fixture
def repository(tmp_path):
    """Return a folder of the learner's with a small git repository."""
    folder = tmp_path / "mine"
    copy_sample("hello", folder)
    subprocess.run(["git", "init", "-q", folder], check=True)
    return folder


@pytest.fixture
def practice():
    """Return the variables with which a program finds the served practice model."""
    with Server() as server:
        Thread(target=server.serve_forever, args=[0.02], daemon=True).start()
        yield environment(server.url)
        server.shutdown()


def environment(url):
    return {"ANTHROPIC_API_KEY": "k-e-y", "MODEL_ID": "practice", "ANTHROPIC_BASE_URL": url}


def write(folder, mine=OURS):
    text = write_agent(mine)[0].replace("timeout=60", "timeout=3")
    (folder.parent / AGENT).write_text(text)


def start(python, folder, env, *arguments, said="y\n" * 200):
    """Run the program with answers from a pipe."""
    command = [python, str(folder.parent / AGENT), *arguments]
    return subprocess.run(
        command, cwd=folder, env=os.environ | env, input=said, capture_output=True, text=True
    )


def say_yes(screen, until):
    """Answer each question with yes, until the screen shows these words."""
    while until not in screen.seen:
        before, found, after = screen.seen.rpartition(QUESTION)
        if found:
            screen.seen = after
            screen.type(b"y\n")
        screen.seen += screen.process.read_nonblocking(1024, 60)


@pytest.mark.parametrize("learner", LEARNERS)
def test_two_prompts_in_a_git_repository(python, repository, practice, monkeypatch, learner):
    write(repository, LEARNERS[learner])
    monkeypatch.setattr(sys, "executable", python)
    screen = Screen("../" + AGENT, HELLO, cwd=repository, **practice)
    say_yes(screen, NEXT)
    assert "def main()" in (repository / "hello.py").read_text()
    screen.seen = b""
    screen.type(HELLO.encode() + b"\n")
    say_yes(screen, NEXT)
    screen.type(b"\x04")
    assert screen.end() == 0
    [path] = (repository.parent / "sessions").glob("*.jsonl")
    first, prompts, messages = read_session(path)
    assert first["folder"] == str(repository) and prompts == [HELLO, HELLO]
    assert path.stat().st_mode & 0o777 == 0o600 and len(messages) > 8
    assert "k-e-y" not in path.read_text()
    drawn = str(session(path))
    assert "Open at the end: nothing." in drawn and HELLO not in drawn


@pytest.mark.parametrize(
    "check, code, said",
    [
        ("test -e done || ! touch done", 0, "passes"),
        ("echo no; false", 1, "The model was told, and has called no tool"),
        ("sleep 30", 1, "It has not ended after 60 seconds."),
        ("echo '(exit code 0)'; exit 7", 1, "(exit code 7)"),
        ("python3 -m unittest -q", 1, "No test ran."),
    ],
)
def test_a_check_is_asked_at_each_stop(python, repository, practice, check, code, said):
    write(repository)
    done = start(python, repository, practice, "--no-session", "--check", check, HELLO)
    assert done.returncode == code, done.stdout + done.stderr
    assert said in done.stdout + done.stderr and "Nobody has judged" not in done.stdout
    assert not re.search(r"(?m)^\d+$", done.stderr)  # the status is said once, in words


def test_without_a_check_nobody_has_judged_the_files(python, repository, practice):
    write(repository)
    done = start(python, repository, practice, "--no-session", HELLO)
    assert done.returncode == 0 and "Nobody has judged the files" in done.stdout
    assert not (repository.parent / "sessions").exists()


@pytest.mark.parametrize(
    "env, arguments, said",
    [
        ({"ANTHROPIC_API_KEY": ""}, [], "Set ANTHROPIC_API_KEY and MODEL_ID: the first lines of"),
        ({"MODEL_ID": ""}, ["Go"], "Set ANTHROPIC_API_KEY and MODEL_ID: the first lines of"),
        ({}, [], "Give a prompt."),
    ],
)
def test_what_is_missing_is_said(python, repository, env, arguments, said):
    write(repository)
    done = start(python, repository, environment("http://127.0.0.1:9") | env, *arguments)
    assert done.returncode == 1 and done.stderr.startswith(said)


def test_a_tool_of_ones_own_and_another_number_of_rounds(python, repository):
    """The head of `agent.py` names both places."""
    text = write_agent(OURS)[0]
    own = 'def count(path):\n    """Count the lines of a file."""\n    return "eleven"\n'
    for old, new in {
        "class MyNag": f"{own}\n\nclass MyNag",
        "    runs = {": '    runs = {"count": count, ',
        f"todo, after={AFTER})": "todo, after=1)",
    }.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    (repository.parent / AGENT).write_text(text)
    with Loopback(message(use("count", "t", path="hello.py"))) as server:
        done = start(python, repository, environment(server.url), "--no-session", "Go")
    assert done.returncode == 0, done.stderr
    first, second = server.requests
    [tool] = [one for one in first["tools"] if one["name"] == "count"]
    assert tool["description"] == "Count the lines of a file."
    assert tool["input_schema"]["required"] == ["path"]
    [result] = second["messages"][-1]["content"]
    assert result["content"].startswith("eleven\n\n<reminder>Update your todos.")


@pytest.mark.parametrize("noes", [0, 1, 2, 3])
def test_the_plan_is_asked_first(python, repository, practice, noes):
    write(repository)
    said = "First: Sign it\n" * noes + "y\n" * 20
    done = start(python, repository, practice, "--plan", "--no-session", TWO, said=said)
    asked = re.findall(r"the plan\n\[>\] (.*?) \(", done.stdout)
    assert asked == ["Write it", "Sign it"][: min(noes, 1) + 1]
    assert (repository / "a.txt").exists() is (noes < 2)
    assert ("You have refused my list twice" in done.stdout) is (noes >= 2)


def test_ctrl_c_ends_the_run_and_continue_goes_on(python, repository, monkeypatch):
    write(repository)
    monkeypatch.setattr(sys, "executable", python)
    command = f"sleep 73.{os.getpid()}"
    call = message(use("bash", "t1", command=command))
    with Loopback(call, message(text("Two.")), message(text("Three."))) as server:
        screen = Screen("../" + AGENT, "First", cwd=repository, **environment(server.url))
        screen.wait_for(QUESTION)
        screen.type(b"y\n")
        assert started(command)
        screen.signal(signal.SIGINT)
        screen.wait_for(NEXT)
        assert gone(command)
        screen.seen = b""
        screen.type(b"Second\n")
        screen.wait_for(NEXT)
        screen.type(b"exit\n")
        assert screen.end() == 0
        done = start(python, repository, environment(server.url), "--continue", "Third")
    assert done.returncode == 0 and ": First" in done.stdout, done.stderr
    second, third = [request["messages"] for request in server.requests[1:]]
    assert [one["role"] for one in second] == ["user", "assistant", "user", "user"]
    assert second == third[:4] and third[-1]["content"] == "Third"
    (other := repository.with_name("other")).mkdir()
    nothing = start(python, other, environment("http://127.0.0.1:9"), "--continue", "Go")
    assert nothing.returncode == 1 and "There is no session of" in nothing.stderr


def test_a_closed_terminal_ends_the_program_and_its_command(python, repository, monkeypatch):
    write(repository)
    monkeypatch.setattr(sys, "executable", python)
    command = f"sleep 74.{os.getpid()}"
    with Loopback(message(use("bash", "t1", command=command))) as server:
        screen = Screen("../" + AGENT, "Go", cwd=repository, **environment(server.url))
        screen.wait_for(QUESTION)
        screen.type(b"y\n")
        assert started(command)
        screen.signal(signal.SIGHUP)
        screen.end()
    assert gone(command) and len(server.requests) == 1


HALF = use("write_file", "h", path="half.txt", content="half of")
THINKING = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
ODD = {
    "thinking": ([message(THINKING, text("Done."))], 0, "Done."),
    "parallel calls": (
        [message(use("bash", "a", command="ls"), use("bash", "b", command="ls"))],
        0,
        "Done.",
    ),
    "text after a call": ([message(use("bash", "a", command="ls"), text("Then."))], 0, "Then."),
    "half a call": ([message(HALF, stop_reason="max_tokens")], 1, "Nothing of the last reply"),
    "half a call, whole by its words": ([message(HALF, tokens=(9, 8000))], 1, "Nothing of the"),
    "an empty reply": ([message()], 0, "Nobody has judged"),
    "no content": ([message(content=None)], 0, "Nobody has judged"),
    "overloaded": ([error(529, "Overloaded")] * 3, 1, "Overloaded"),
    "overloaded once": ([error(529, "Overloaded")], 0, "Done."),
    "a key in an error": ([error(401, "no key k-e-y")], 1, "no key (your key)"),
    "endless": ([message(use("bash", "a", command="ls"))] * 70, 1, "Stopped after 60 rounds."),
    "no such tool": ([message(use("fly", "a"))], 0, "Done."),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_replies_reach_a_learners_loop_only_if_it_can_use_them(python, repository, name):
    write(repository, LEARNERS["three"])
    answers, code, said = ODD[name]
    with Loopback(*answers) as server:
        done = start(python, repository, environment(server.url), "--no-session", "Go")
    assert done.returncode == code, done.stdout + done.stderr
    assert said in done.stdout + done.stderr and not (repository / "half.txt").exists()
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("said", ["", None])
def test_closed_input_is_a_no(python, repository, said):
    write(repository)
    command = [python, str(repository.parent / AGENT), "--no-session", "Go"]
    with Loopback(message(use("write_file", "t", path="a.txt", content="x"))) as server:
        env = os.environ | environment(server.url)
        if said is None:
            command = ["bash", "-c", '"$@" <&-', "bash", *command]
        done = subprocess.run(
            command, cwd=repository, env=env, input=said, capture_output=True, text=True
        )
    assert done.returncode == 0, done.stderr
    assert not (repository / "a.txt").exists()


def test_a_killed_session_can_go_on(python, repository, monkeypatch):
    write(repository)
    monkeypatch.setattr(sys, "executable", python)
    with Loopback(message(use("read_file", "t", path="hello.py")), SILENCE) as server:
        screen = Screen("../" + AGENT, "First", cwd=repository, **environment(server.url))
        while len(server.requests) < 2:
            sleep(0.01)
        screen.signal(signal.SIGKILL)
        screen.end()
    with Loopback() as server:
        done = start(python, repository, environment(server.url), "--continue", "Second")
    assert done.returncode == 0, done.stderr
    assert len(server.requests[0]["messages"]) == 4
