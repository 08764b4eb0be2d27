"""The agent in a terminal: what a person types, and what they read."""

import io
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from loopback import Server, message
from support.processes import alive, gone

from agentlib.__main__ import main, say
from agentlib.samples import FOLDER as SAMPLES

pty = pytest.importorskip("pty", reason="Windows has no pseudo-terminals")
HELLO = "Refactor hello.py: add type hints, docstrings and a main guard."
COMMAND = [sys.executable, "-m", "agentlib"]


@pytest.fixture
def agent(capsys):
    """Run the command in this process: its exit status, what it printed, its errors."""

    def run(*arguments):
        try:
            status = main(list(arguments))
        except SystemExit as end:
            status = end.code
        return (status, *capsys.readouterr())

    return run


def piped():
    """Run the command with pipes for its output, and return what it wrote there."""
    done = subprocess.run([*COMMAND, HELLO], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    return done.stdout + done.stderr


def on_a_screen(**env):
    """Run the command with a terminal as its output, and return what it wrote there."""
    screen, terminal = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, HELLO],
        stdout=terminal,
        stderr=terminal,
        stdin=subprocess.DEVNULL,
        env=os.environ | env,
    )
    os.close(terminal)
    written = b""
    while True:
        try:
            part = os.read(screen, 4096)
        except OSError:
            part = b""
        if not part:
            break
        written += part
    process.wait()
    os.close(screen)
    return written.decode()


def test_a_prompt_is_worked_on_and_the_list_is_printed_as_it_changes(agent):
    status, printed, errors = agent(HELLO)
    assert status == 0
    assert errors == (
        "The practice model answers: a program on this machine. It costs nothing.\n"
        "It works on a copy of the sample project 'hello', which is deleted at the end. "
        "To keep it: --task hello --workspace DIR.\n"
    )
    for part in (
        "[>] #1: Add type hints",
        "(0/3 completed)",
        "edit_file hello.py",
        "<reminder>Update your todos.</reminder>",
        "(1/3 completed)",
        "(3/3 completed)",
    ):
        assert part in printed


def test_a_task_leaves_its_files_in_the_folder_that_was_named(agent, tmp_path):
    folder = tmp_path / "work"
    assert agent(HELLO, "--task", "hello", "--workspace", str(folder))[0] == 0
    assert "main()" in (folder / "hello.py").read_text()


def test_it_works_in_a_folder_of_ones_own(agent, tmp_path):
    (tmp_path / "hello.py").write_text("print('mine')\n")
    _, printed, _ = agent(HELLO, "--workspace", str(tmp_path))
    assert "I could not do this" in printed
    assert (tmp_path / "hello.py").read_text() == "print('mine')\n"


def test_the_nag_can_be_set_and_switched_off(agent):
    assert agent(HELLO, "--nag", "1")[1].count("<reminder>") > 3
    assert agent(HELLO, "--nag", "0")[1].count("<reminder>") == 0


def test_without_a_prompt_it_is_a_conversation(agent, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("Write me a poem\n\n"))
    status, printed, _ = agent()
    assert "What shall the agent do?" in printed
    assert "I am a practice model" in printed
    assert status == 0


def test_a_conversation_works_on_the_sample_that_its_first_prompt_is_about(agent, monkeypatch):
    prompt = "Review all Python files and fix style issues."
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{prompt}\n\n"))
    _, printed, errors = agent()
    assert "sample project 'style'" in errors
    assert "(5/5 completed)" in printed


def test_a_real_model_does_not_work_where_nobody_finds_it(agent, monkeypatch):
    with Server(message()) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        status, _, errors = agent("Write a game", "--model", "any")
        assert status == 1
        assert "Name a folder with --workspace DIR" in errors
        assert not server.requests


def test_a_character_that_the_screen_does_not_know_does_not_end_the_run():
    env = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*COMMAND, HELLO], capture_output=True, env=env, timeout=60)
    assert done.returncode == 0
    assert b"<- Adding type hints?" in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_closed_terminal_leaves_no_command_behind(number, tmp_path):
    programs, project = tmp_path / "bin", tmp_path / "style"
    programs.mkdir()
    for program in ("bash", "grep", "tee"):  # and no bubblewrap, which would see to it, too
        (programs / program).symlink_to(shutil.which(program))
    shutil.copytree(SAMPLES / "style" / "project", project)
    seconds = f"73.{number}{os.getpid()}"
    (project / "report.py").write_text(f"import os; os.execlp('sleep', 'sleep', '{seconds}')")
    (programs / "sleep").symlink_to(shutil.which("sleep"))
    process = subprocess.Popen(
        [*COMMAND, "Review all Python files and fix style issues.", "--workspace", str(project)],
        env=os.environ | {"PATH": str(programs)},
        stdout=subprocess.DEVNULL,
    )
    while not alive("sleep", seconds):
        assert process.poll() is None
        time.sleep(0.1)
    process.send_signal(number)
    assert process.wait(20) == 130
    assert gone("sleep", seconds)


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (["x", "--workspace", "no-such-folder"], "there is no such folder"),
        (["x", "--workspace", ""], "there is no such folder"),
        (["x", "--nag", "-1"], "is no number of rounds"),
        (["x", "--task", "nothing"], "invalid choice: 'nothing'"),
        (["x", "--task", "hello", "--workspace", "."], "is there already"),
    ],
)
def test_what_makes_no_sense_is_said_in_a_sentence(agent, arguments, sentence):
    status, _, errors = agent(*arguments)
    assert status == 2
    assert sentence in errors


def test_a_real_model_without_a_key_is_explained(agent):
    status, _, errors = agent("x", "--model", "claude-haiku-4-5")
    assert status == 1
    assert "There is no key" in errors


def test_it_is_plain_when_piped_and_styled_only_on_a_screen_that_wants_it():
    with ThreadPoolExecutor() as pool:  # side by side, for each takes a while to start
        plain = pool.submit(piped)
        styled = pool.submit(on_a_screen, TERM="xterm")
        asked_to_be_plain = pool.submit(on_a_screen, NO_COLOR="1")
    assert "(3/3 completed)" in plain.result() and "\x1b[" not in plain.result()
    assert "\x1b[1m" in styled.result()
    assert "(3/3 completed)" in asked_to_be_plain.result()
    assert "\x1b[" not in asked_to_be_plain.result()


def test_what_a_model_says_cannot_steer_the_terminal(capsys):
    say("a \x1b[2J b\r\n\tc \u202ed")
    assert capsys.readouterr().out == "a \ufffd[2J b\ufffd\n\tc \\u202ed\n"


def test_what_a_model_says_in_any_language_stays_as_it_is(capsys):
    words = "Voil\u00e0\u00a0: \u00ab\u202ffait\u202f\u00bb \u0645\u06cc\u200c\u062e \u65e5"
    say(words)
    assert capsys.readouterr().out == words + "\n"


def test_a_folder_that_cannot_be_made_is_said(agent):
    status, _, errors = agent("x", "--task", "hello", "--workspace", "/proc/new")
    assert status == 1 and "--workspace '/proc/new' cannot be made" in errors


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_ctrl_c_leaves_cleanly():
    process = subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert "What shall" in process.stdout.readline()
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Stopped." in errors
    assert "Traceback" not in errors
