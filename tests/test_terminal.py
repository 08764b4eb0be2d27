"""The agent in a terminal: prompts, approval, output, interrupts, saved runs, the lesson."""

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest
from loopback import KEY, SILENCE, Server, message
from support.blocks import text, use
from support.processes import gone, started
from support.terminal import PROMPT, Screen

from lesson.__main__ import main
from lesson.runs.trace import Trace
from lesson.terminal.command_line import command_line
from lesson.terminal.copy_lesson import lesson_notebooks
from lesson.terminal.screen import say, say_output

HELLO = "Refactor hello.py: add type hints, docstrings and a main guard."
COMMAND = [sys.executable, "-m", "lesson"]


@pytest.fixture
def agent(capsys, monkeypatch, tmp_path):
    """Run the command in this process. Return its exit status, its output and its errors."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        try:
            status = main(list(arguments))
        except SystemExit as end:
            status = end.code
        return (status, *capsys.readouterr())

    return run


def test_prompt_is_run_in_a_copy_of_the_sample_and_the_cost_is_printed(tmp_path):
    env = os.environ | {"PYTHONIOENCODING": "ascii"}  # so that some characters are replaced
    command = [*COMMAND, HELLO]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=env)
    assert done.returncode == 0
    said = done.stderr.splitlines()
    assert said[0].startswith("The practice model answers: a program on this machine.")
    assert re.fullmatch(
        r"10 rounds: \d\d,\d{3} input tokens \(.*\), \d{3} output tokens\.", said[1]
    )
    assert done.stdout.startswith("The agent works in the folder hello.\n")
    for part in (
        "[>] #1: Add type hints",
        "<- Adding type hints?",
        "(0/3 completed)",
        "edit_file hello.py",
        "<reminder>Update your todos.</reminder>",
        "(3/3 completed)",
        "  bash python hello.py\n    Hello, Ada!\n",
    ):
        assert part in done.stdout
    assert "\x1b" not in done.stdout + done.stderr
    assert "main()" in (tmp_path / "hello" / "hello.py").read_text()


def test_piped_input_is_a_conversation_and_first_prompt_chooses_the_sample(agent, monkeypatch):
    prompts = "Review all Python files and fix style issues.\nWrite me a poem\nquit\nWrite more"
    monkeypatch.setattr("sys.stdin", io.StringIO(prompts))
    status, printed, _ = agent()
    assert "What should the agent do?" in printed
    assert "works in the folder style" in printed
    assert "(5/5 completed)" in printed
    assert printed.count("I am a practice model") == 1
    assert status == 0


@pytest.mark.parametrize(
    "arguments, problem",
    [
        (["--workspace", "no-such-folder"], "is not a folder: create it first"),
        (["--workspace", "work", "--save", "work/run.json"], "a file outside of the agent's"),
        (["--save", "old.json"], "--save old.json: name a new file in a folder that exists"),
        (["--save", "no-such-folder/run.json"], "name a new file in a folder that exists"),
    ],
)
def test_unusable_option_is_an_error(agent, tmp_path, arguments, problem):
    (tmp_path / "work").mkdir()
    (tmp_path / "old.json").write_text("mine")
    status, printed, errors = agent("x", *arguments)
    assert status and problem in errors and "(0/" not in printed
    assert (tmp_path / "old.json").read_text() == "mine"


def test_control_characters_are_escaped_and_keys_redacted(capsys, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    say(f"a \x1b[2J b\r\n\tc \u202ed {KEY}")
    assert capsys.readouterr().out == "a \ufffd[2J b\ufffd\n\tc \\u202ed [your key]\n"
    say_output("x" * 190 + KEY)
    assert KEY[:10] not in capsys.readouterr().out


# Prompts, approval and interrupts


@contextmanager
def conversation(tmp_path, *answers, arguments=("Go",), **env):
    """Run the program in a terminal and in `tmp_path`, with a server that gives `answers`."""
    with Server(*answers) as server:
        command = ["-m", "lesson", "--model", "m", "--workspace", str(tmp_path), *arguments]
        screen = Screen(*command, **{"ANTHROPIC_BASE_URL": server.url, "TERM": "xterm"} | env)
        try:
            yield screen, server
        finally:
            screen.process.close(force=True)


def pass_by(screen, words):
    """Wait until the screen shows `words`. Remove and return everything before them."""
    screen.wait_for(words)
    before, _, screen.seen = screen.seen.partition(words)
    return before


def prompts(request):
    """Return the user's prompts in the messages of a request."""
    said = [m["content"] for m in request["messages"] if isinstance(m["content"], str)]
    first = request["messages"][0]["content"][-1]["text"]
    return [first, *said]


@pytest.mark.parametrize("interrupt", ["wait", "command"])
def test_interrupt_keeps_the_history_and_the_next_prompt_continues(tmp_path, interrupt):
    seconds = f"74.{os.getpid()}"
    command = message(use("bash", "t", command=f"sleep {seconds}"))
    answer = [SILENCE] if interrupt == "wait" else command
    with conversation(tmp_path, answer) as (screen, server):
        if interrupt == "wait":
            screen.wait_for(b"Waiting for m: ")
        else:
            screen.wait_for(b"answer: ")
            screen.type(b"y\n")
            assert started("sleep", seconds)
        screen.signal(signal.SIGINT)
        pass_by(screen, b"nothing is lost")
        pass_by(screen, PROMPT)
        screen.type(b"Write less\r")
        pass_by(screen, b"Done.")
        assert prompts(server.requests[1]) == ["Go", "Write less"]
        if interrupt == "command":
            told = server.requests[1]["messages"][2]["content"][0]
            assert told["is_error"] and "stopped while it ran" in told["content"]
        pass_by(screen, PROMPT)
        screen.signal(signal.SIGINT)
        screen.type(b"\r")  # wakes readline if the signal came before it waits for a key
        assert screen.end() == 130


def test_user_approves_commands_changes_and_more_spending(tmp_path):
    calls = (
        use("write_file", "toolu_1", path="a.txt", content="new line"),
        use("bash", "toolu_2", command="touch b"),
    )
    answer = message(text("I write it down."), *calls, tokens=(10**6, 1))
    with conversation(tmp_path, answer) as (screen, _):
        asked = pass_by(screen, b"answer: ")
        assert asked.index(b"I write it down.") < asked.index(b"change this file")
        assert not any(tmp_path.iterdir())
        screen.type(b"y\n")
        asked += pass_by(screen, b"answer: ")
        assert b"touch b" in asked and not (tmp_path / "b").exists()
        screen.type(b"y\n")
        asked += pass_by(screen, b"as much again? [y/n] ")
        assert b"limit reached (1,000,0" in asked
        screen.type(b"y\n")
        asked += pass_by(screen, b"Done.")
        assert asked.count(b"I write it down.") == asked.count(b"+new line") == 1
        assert screen.end() == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "b"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signal_kills_the_running_command_and_the_run_is_saved(tmp_path, number):
    folder, programs, file = tmp_path / "work", tmp_path / "bin", tmp_path / "run.json"
    folder.mkdir()
    programs.mkdir()
    for program in ("bash", "sleep"):  # and no bubblewrap, which would kill the command
        (programs / program).symlink_to(shutil.which(program))
    seconds = f"73.{number}{os.getpid()}"
    read = use("read_file", "toolu_1", path="a")
    command = use("bash", "toolu_2", command=f"sleep {seconds}")
    answers = message(read, tokens=(50, 5)), message(command)
    arguments = ("Go", "--save", str(file))
    with conversation(folder, *answers, arguments=arguments, PATH=str(programs)) as (screen, _):
        screen.wait_for(b"answer: ")
        assert len(Trace.open(file).rounds) == 1  # it is saved after every round
        screen.type(b"y\n")
        assert started("sleep", seconds)
        screen.signal(number)
        assert screen.end() == 130
    assert gone("sleep", seconds)
    saved = Trace.open(file).frames
    assert [frame.round and frame.round.calls[0].name for frame in saved] == [
        None,
        "read_file",
        "bash",
    ]
    assert saved[1].round.usage.total == 55
    assert "stopped while it ran" in saved[2].messages[-1]["content"][0]["content"]


# The lesson


def test_lesson_is_copied_without_outputs_and_overwrites_nothing(agent, tmp_path):
    (tmp_path / "s04_exercises.ipynb").write_text("mine")
    status, printed, _ = agent("lesson", str(tmp_path))
    assert status == 0
    assert (tmp_path / "s04_exercises.ipynb").read_text() == "mine"
    assert f"New in {tmp_path}: 00_start_here.ipynb, s02_" in printed
    assert "unchanged: s04_exercises.ipynb.\n" in printed
    for name, source in lesson_notebooks().items():
        if name != "s04_exercises.ipynb":
            copy = json.loads((tmp_path / name).read_text(encoding="utf-8"))["cells"]
            whole = json.loads(source.read_text(encoding="utf-8"))["cells"]
            assert [cell["id"] for cell in copy] == [cell["id"] for cell in whole]
            assert not any(cell.get("outputs") or cell.get("execution_count") for cell in copy)


def test_command_line_names_the_python_of_the_notebook_by_the_shorter_path(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "executable", f"{tmp_path}/.venv/bin/python")
    (tmp_path / "my_lesson").mkdir()
    monkeypatch.chdir(tmp_path / "my_lesson")
    assert command_line(HELLO).startswith("There is no my_agent.py yet. keep() writes it")
    (tmp_path / "my_lesson" / "my_agent.py").touch()
    assert command_line(HELLO) == f"../.venv/bin/python my_agent.py '{HELLO}'"
    monkeypatch.setattr(sys, "executable", "/usr/bin/python3")
    assert command_line(HELLO) == f"/usr/bin/python3 my_agent.py '{HELLO}'"
