"""The agent in a terminal: what a person types, and what they read."""

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager
from loopback import SILENCE, Server, error, message, reply
from support.blocks import text, use
from support.processes import alive, gone
from support.streams import sse
from support.terminal import Screen

from lesson.__main__ import main
from lesson.runs.trace import Trace
from lesson.samples import FOLDER as SAMPLES
from lesson.terminal.lesson import lesson_notebooks
from lesson.terminal.screen import say, say_diff, say_output

pty = pytest.importorskip("pty", reason="Windows has no pseudo-terminals")
HELLO = "Refactor hello.py: add type hints, docstrings and a main guard."
COMMAND = [sys.executable, "-m", "lesson"]


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
    said = errors.splitlines()
    assert said[:2] == [
        "The practice model answers: a program on this machine. It costs nothing.",
        "It works on a copy of the sample project 'hello', which is deleted at the end. "
        "To keep it: --task hello --workspace DIR.",
    ]
    cached = r"\d,\d{3} of them from the cache, \d,\d{3} put into it"
    assert re.fullmatch(
        rf"10 rounds: \d\d,\d{{3}} tokens read \({cached}\), \d{{3}} written\.", said[2]
    )
    assert re.fullmatch(r"Tokens of planning: 2 reminders: \d+, 3 todo calls: \d,\d{3}\.", said[3])
    assert len(said) == 4


def test_what_it_would_cost_with_a_model_of_claude_is_said_where_one_is_named(agent):
    _, _, errors = agent(HELLO, "--price", "claude-sonnet-5-5")
    assert re.search(r"That is \$0\.0\d+\. Without the cache it would be \$0\.0\d+\.", errors)
    status, _, errors = agent(HELLO, "--price", "gpt-6")
    assert status == 2
    assert "--price gpt-6: the price of 'gpt-6' is not known here. Known are: claude-" in errors


def test_each_change_is_shown_as_a_diff(agent):
    _, printed, _ = agent(HELLO)
    for part in (
        "[>] #1: Add type hints",
        "(0/3 completed)",
        "edit_file hello.py",
        "<reminder>Update your todos.</reminder>",
        "(1/3 completed)",
        "(3/3 completed)",
        "    -def greet(name, loud):\n    +def greet(name: str, loud: bool) -> str:",
        "  bash python hello.py\n    Hello, Ada!\n",
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
    assert "What should the agent do?" in printed
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
    assert process.wait(60) == 130
    assert gone("sleep", seconds)


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (["x", "--workspace", "no-such-folder"], "there is no such folder"),
        (["x", "--workspace", ""], "there is no such folder"),
        (["x", "--nag", "-1"], "is not a number of rounds"),
        (["x", "--task", "nothing"], "invalid choice: 'nothing'"),
        (["x", "--task", "hello", "--workspace", "."], "is there already"),
        (["x", "--max-tokens", "0"], "a reply needs at least one"),
        (["x", "--save", __file__], "is there already"),
        (["x", "--save", "no-such-folder/run.json"], "there is no folder no-such-folder"),
        (["x", "--resume", "run.json"], "name it with --workspace DIR"),
        (["x", "--afresh"], "name it with --resume FILE"),
        (["lesson"], "required: FOLDER"),
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


def test_a_long_output_is_shortened_to_its_beginning_and_its_end(capsys):
    say_output("\n".join([*(f"line {number}" for number in range(100)), "x" * 1000]))
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["    line 0", "    line 1"]
    assert lines[4] == "    … (90 more lines)"
    assert lines[-2:] == ["    line 99", "    " + "x" * 200 + " …"]
    assert len(lines) == 12


def test_a_diff_is_shown_without_the_name_that_stands_above_it(capsys):
    say_diff("--- a.py\n+++ a.py\n@@ -1 +1 @@\n-x\n+y\n")
    assert capsys.readouterr().out == "    @@ -1 +1 @@\n    -x\n    +y\n"
    say_diff("a.py would stay as it is.")
    assert capsys.readouterr().out == "    a.py would stay as it is.\n"


def test_a_folder_that_cannot_be_made_is_said(agent):
    status, _, errors = agent("x", "--task", "hello", "--workspace", "/proc/new")
    assert status == 1 and "--workspace '/proc/new' cannot be made" in errors


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_ctrl_c_leaves_cleanly():
    process = subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert "What should" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Stopped." in errors
    assert "Traceback" not in errors


# A person at the keyboard, and a real model


SLOW = [SILENCE]
TOO_LATE_SECONDS = 120


@contextmanager
def conversation(tmp_path, *answers, arguments=("Go",)):
    """The program in a terminal, at work in `tmp_path`, asking a server that gives `answers`."""
    with Server(*answers) as server:
        command = ["-m", "lesson", "--model", "m", "--workspace", str(tmp_path), *arguments]
        screen = Screen(*command, ANTHROPIC_BASE_URL=server.url, TERM="xterm")
        too_late = threading.Timer(TOO_LATE_SECONDS, screen.process.kill)  # then a wait fails
        too_late.start()
        try:
            yield screen, server
        finally:
            too_late.cancel()
            screen.process.kill()


def pass_by(screen, words):
    """Wait until the screen shows `words`; what comes before and with them counts no longer."""
    screen.wait_for(words)
    screen.seen = screen.seen.partition(words)[2]


def prompts(request):
    """What a person said, in the messages of a request."""
    said = [m["content"] for m in request["messages"] if isinstance(m["content"], str)]
    first = request["messages"][0]["content"][-1]["text"]
    return [first, *said]


def test_ctrl_c_stops_the_wait_and_what_is_said_then_reaches_the_model(tmp_path):
    with conversation(tmp_path, SLOW) as (screen, server):
        screen.wait_for(b"waiting for m, 1 s")
        screen.process.send_signal(signal.SIGINT)
        screen.wait_for(b"nothing is lost")
        screen.wait_for(b"> ")
        screen.type(b"Write less\r")
        pass_by(screen, b"Done.")
        assert prompts(server.requests[1]) == ["Go", "Write less"]
        screen.wait_for(b"> ")
        screen.process.send_signal(signal.SIGINT)
        screen.type(b"\r")  # a signal right before readline starts to wait is heard at the next key
        assert screen.end() == 130


def test_ctrl_c_in_a_command_ends_it_and_the_model_is_told(tmp_path):
    command = use("bash", "toolu_1", command="touch started; sleep 300")
    with conversation(tmp_path, message(command), arguments=("Go", "--allow", "all")) as both:
        screen, server = both
        screen.wait_for(b"running bash, 1 s")
        assert (tmp_path / "started").exists()
        screen.process.send_signal(signal.SIGINT)
        screen.wait_for(b"> ")
        screen.type(b"Why so slow?\r")
        pass_by(screen, b"Done.")
        told = server.requests[1]["messages"][2]["content"][0]
        assert told["is_error"] and "stopped while it ran" in told["content"]
        assert prompts(server.requests[1]) == ["Go", "Why so slow?"]
        screen.wait_for(b"> ")
        screen.type(b"\r")
        assert screen.end() == 0


def test_prompts_are_edited_pasted_whole_and_come_back_from_the_history(tmp_path):
    pytest.importorskip("readline")
    with conversation(tmp_path, arguments=()) as (screen, server):
        for keys in (
            b"orld\x1b[D\x1b[D\x1b[D\x1b[DW\r",  # four times left, then the letter
            b"\x1b[A!\r",  # up: the prompt before
            b"\x1b[200~One\nTwo\n\nThree\x1b[201~\r",  # a terminal with bracketed paste
            b"Four\rFive\r\rSix\r",  # one without
        ):
            pass_by(screen, b"> ")
            screen.type(keys)
            pass_by(screen, b"Done.")
        said = ["World", "World!", "One\nTwo\n\nThree", "Four\nFive\n\nSix"]
        assert prompts(server.requests[-1]) == said
        assert len(server.requests) == 4


def test_what_the_model_said_stands_above_the_question_and_a_change_is_shown_once(tmp_path):
    deed = use("write_file", "toolu_1", path="a.txt", content="new line")
    with conversation(tmp_path, message(text("I write it down."), deed)) as (screen, _):
        screen.wait_for(b"instead: ")
        assert screen.seen.index(b"I write it down.") < screen.seen.index(b"change this file")
        screen.type(b"y\n")
        screen.wait_for(b"Done.")
        assert screen.seen.count(b"I write it down.") == 1
        assert screen.seen.count(b"+new line") == 1
        assert screen.end() == 0


@pytest.mark.parametrize(
    "allow, done", [([], []), (["--allow", "changes"], ["a"]), (["--allow", "all"], ["a", "b"])]
)
def test_where_nobody_can_be_asked_only_what_is_allowed_is_done(
    agent, monkeypatch, tmp_path, allow, done
):
    deeds = message(
        use("write_file", "toolu_1", path="a", content="x"),
        use("bash", "toolu_2", command="touch b"),
    )
    with Server(deeds) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        status, printed, _ = agent("Go", "--model", "m", "--workspace", str(tmp_path), *allow)
    assert status == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == done
    assert printed.count("no one is available to approve it") == 2 - len(done)


def test_the_length_of_a_reply_can_be_set(agent, monkeypatch, tmp_path):
    with Server() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        agent("Go", "--model", "m", "--workspace", str(tmp_path), "--max-tokens", "512")
    assert server.requests[0]["max_tokens"] == 512


def test_a_model_that_says_nothing_is_seen_to_say_nothing(agent, monkeypatch, tmp_path):
    with Server(message()) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        printed = agent("Go", "--model", "m", "--workspace", str(tmp_path))[1]
    assert "The model said nothing" in printed


# Words as they come, and the list at the foot of the screen


STREAM = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"


def streamed(*content, wait=None, before=b"\0"):
    """The answer that streams a message; it waits for an event before the one with `before`."""
    parts = [STREAM]
    for part in sse(reply(*content)):
        parts += [wait, part] if before in part else [part]
    return parts


def todo(id, *statuses):
    """A call that writes a list with these statuses."""
    return use("todo", id, items=[{"text": f"Step {n}", "status": status}
                                  for n, status in enumerate(statuses, 1)])  # fmt: skip


def test_words_are_shown_as_they_come_and_stand_there_once(tmp_path):
    go_on = threading.Event()
    answer = streamed(text("One two three."), todo("t1", "pending"), wait=go_on, before=b"three")
    with conversation(tmp_path, answer) as (screen, _):
        screen.wait_for(b"One two")
        assert b"three" not in screen.seen
        go_on.set()
        screen.wait_for(b"2 rounds: ")
        assert screen.end() == 0
    assert screen.seen.count(b"One two") == 1 and b"One two three.\r\n" in screen.seen


def test_the_list_stands_at_the_foot_and_is_redrawn_in_its_place(tmp_path):
    lists = [
        streamed(todo("t1", "pending", "pending")),
        streamed(todo("t2", "completed", "pending")),
    ]
    ended = threading.Event()
    with conversation(
        tmp_path, *lists, streamed(text("Fine."), wait=ended, before=b"Fine")
    ) as both:
        screen, _ = both
        screen.wait_for(b"[x] #1: Step 1")
        screen.wait_for(b" s \xc2\xb7 24 tokens (Ctrl-C stops it)")
        ended.set()
        screen.wait_for(b"3 rounds: ")
        assert screen.end() == 0
    before, _, after = screen.seen.partition(b"[x] #1: Step 1")
    assert b"[ ] #1: Step 1" in before
    assert b"\x1b[3A\x1b[J" in before  # three rows up, and all below is cleared
    assert b"(1/2 completed)" in after.partition(b"Fine.")[2]  # what stays


def test_a_stop_among_the_words_keeps_the_conversation(tmp_path):
    answer = [STREAM, *sse(reply(text("One two three.")))[:4], SILENCE]
    with conversation(tmp_path, answer) as (screen, server):
        screen.wait_for(b"One")
        screen.process.send_signal(signal.SIGINT)
        screen.wait_for(b"nothing is lost")
        screen.wait_for(b"> ")
        screen.type(b"Go on\r")
        pass_by(screen, b"Done.")
        assert prompts(server.requests[1]) == ["Go", "Go on"]
        screen.wait_for(b"> ")
        screen.type(b"\r")
        assert screen.end() == 0


def test_on_a_pipe_a_stream_is_plain(agent, monkeypatch, tmp_path):
    answers = streamed(text("A plan."), todo("t1", "pending")), streamed(text("Fine."))
    with Server(*answers) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        status, printed, errors = agent("Go", "--model", "m", "--workspace", str(tmp_path))
    assert status == 0
    assert printed == "A plan.\n    [ ] #1: Step 1\n\n    (0/1 completed)\nFine.\n"
    assert "\x1b" not in errors


# A run that is kept


def test_a_saved_run_is_resumed_with_its_history_and_its_list(agent, tmp_path):
    project, file, second = tmp_path / "project", tmp_path / "run.json", tmp_path / "second.json"
    agent(HELLO, "--task", "hello", "--workspace", str(project), "--save", str(file))
    saved = Trace.open(file)
    assert saved.title == "Refactor hello.py: add type hints, docstrings and a main …"
    status, printed, _ = agent(
        "Write me a poem", "--workspace", str(project), "--resume", str(file), "--save", str(second)
    )
    assert status == 0
    assert "I am a practice model" in printed
    steps = Trace.open(second).steps
    assert [step.messages for step in steps[: len(saved.steps)]] == [
        step.messages for step in saved.steps
    ]
    assert steps[-2].messages == ({"role": "user", "content": "Write me a poem"},)
    assert steps[-1].round.number == len(steps) - 1
    assert steps[-1].items == saved.steps[-1].items


PLAN = use("todo", "toolu_1", items=[{"text": "Half of it", "status": "in_progress"}])
TOO_LONG = error(400, "prompt is too long: 9 tokens > 8 maximum", "invalid_request_error")


def texts(request):
    """The texts of the first turn of a request."""
    return [block["text"] for block in request["messages"][0]["content"]]


def test_at_the_end_of_the_window_a_new_conversation_goes_on_with_the_list(tmp_path):
    folder, file = tmp_path / "work", tmp_path / "run.json"
    folder.mkdir()
    arguments = ("Do it all", "--save", str(file))
    with conversation(folder, message(PLAN), TOO_LONG, arguments=arguments) as (screen, server):
        screen.wait_for(b"longer than the model can read. Nothing is lost")
        screen.wait_for(b"What you say next begins a new conversation")
        screen.wait_for(b"> ")
        screen.type(b"Do the rest\r")
        pass_by(screen, b"Done.")
        screen.wait_for(b"> ")
        screen.type(b"\r")
        assert screen.end() == 0
    _, task, left, prompt = texts(server.requests[2])
    assert (task, prompt) == ("Do it all", "Do the rest")
    assert "[>] #1: Half of it" in left
    assert len(server.requests[2]["messages"]) == 1
    assert [call.name for call in Trace.open(file).rounds[0].calls] == ["todo"]
    assert Trace.open(tmp_path / "run-2.json").rounds[0].text == "Done."


def test_a_saved_run_that_filled_the_window_is_resumed_afresh(agent, monkeypatch, tmp_path):
    file, folder = str(tmp_path / "run.json"), str(tmp_path)
    with Server(message(PLAN), TOO_LONG, TOO_LONG) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        work = ["--model", "m", "--workspace", folder]
        status, _, errors = agent("Do it all", *work, "--save", file)
        assert status == 1 and f"so does the run, in {file}" in errors
        assert f"To go on: --resume {file} --afresh." in errors
        assert agent("Go on", *work, "--resume", file)[0] == 1  # as long as it was before
        assert agent("Go on", *work, "--resume", file, "--afresh")[0] == 0
    _, task, left, prompt = texts(server.requests[3])
    assert (task, prompt) == ("Do it all", "Go on") and "Half of it" in left


def test_a_run_is_not_saved_through_a_link_that_the_agent_laid(tmp_path):
    folder, elsewhere = tmp_path / "work", tmp_path / "elsewhere"
    (folder / "runs").mkdir(parents=True)
    elsewhere.mkdir()
    lay = message(use("bash", "toolu_1", command="rm -r runs && ln -s ../elsewhere runs"))
    arguments = ("Go", "--allow", "all", "--save", str(folder / "runs" / "run.json"))
    with conversation(folder, lay, arguments=arguments) as (screen, _):
        screen.wait_for(b"a link has taken the place of its folder")
        screen.wait_for(b"Done.")
        assert screen.end() == 0
    assert (folder / "runs").is_symlink() and not list(elsewhere.iterdir())


def test_what_was_done_before_a_stop_is_in_the_file_and_the_run_goes_on_from_it(tmp_path):
    folder, file = tmp_path / "work", tmp_path / "run.json"
    folder.mkdir()
    write = use("write_file", "toolu_1", path="a", content="x")
    command = use("bash", "toolu_2", command="sleep 300")
    arguments = ("Go", "--allow", "all", "--save", str(file))
    with conversation(folder, message(write), message(command), arguments=arguments) as (screen, _):
        screen.wait_for(b"running bash")
        screen.process.send_signal(signal.SIGTERM)  # which is no Ctrl-C: nobody can say more
        assert screen.end() == 130
    saved = Trace.open(file).steps
    assert [step.round and step.round.calls[0].name for step in saved] == [None, "write_file", None]
    with conversation(folder, arguments=("--resume", str(file))) as (screen, server):
        screen.wait_for(b"Done.")
        sent = server.requests[0]["messages"]
    assert sent == [message for step in saved for message in step.messages]
    assert "stopped while it ran" in sent[-1]["content"][0]["content"]


@pytest.mark.parametrize("content", [None, "{}"])
def test_what_is_no_saved_run_is_said(agent, tmp_path, content):
    file = tmp_path / "run.json"
    if content:
        file.write_text(content)
    status, _, errors = agent("x", "--resume", str(file), "--workspace", str(tmp_path))
    assert status == 1
    assert errors.startswith(f"--resume {file}: ")


def test_a_folder_that_no_agent_may_work_in_is_said(agent):
    status, _, errors = agent(HELLO, "--workspace", sys.prefix)
    assert status == 1
    assert "holds the Python that runs the agent" in errors


# The lesson


def test_the_lesson_is_copied_without_outputs(agent, tmp_path):
    status, printed, _ = agent("lesson", str(tmp_path / "mine"))
    assert status == 0
    assert "New in" in printed
    for name, source in lesson_notebooks().items():
        copy = json.loads((tmp_path / "mine" / name).read_text(encoding="utf-8"))
        whole = json.loads(source.read_text(encoding="utf-8"))
        assert [cell["source"] for cell in copy["cells"]] == [
            cell["source"] for cell in whole["cells"]
        ]
        assert not any(cell.get("outputs") or cell.get("execution_count") for cell in copy["cells"])


def test_a_copy_for_colab_installs_what_is_missing_and_elsewhere_does_nothing(agent, tmp_path):
    wheel = "https://example.org/planning_agent_lesson-1.0.0-py3-none-any.whl"
    agent("lesson", str(tmp_path), "--install", wheel)
    for name in lesson_notebooks():
        first, *others = json.loads((tmp_path / name).read_text(encoding="utf-8"))["cells"]
        assert f'%pip install --quiet "planning-agent-lesson[colab] @ {wheel}"' in first["source"]
        assert not any("%pip" in "".join(cell["source"]) for cell in others)
        nbformat.validate(nbformat.read(tmp_path / name, as_version=4))
    code = TransformerManager().transform_cell(first["source"])
    exec(code, {"get_ipython": lambda: pytest.fail("it is installed already")})


def test_a_learners_notebook_is_never_overwritten(agent, tmp_path):
    agent("lesson", str(tmp_path))
    (tmp_path / "exercises.ipynb").write_text("mine")
    (tmp_path / "s02_tool_use.ipynb").unlink()
    _, printed, _ = agent("lesson", str(tmp_path))
    assert (tmp_path / "exercises.ipynb").read_text() == "mine"
    assert f"New in {tmp_path}: s02_tool_use.ipynb.\n" in printed
    assert "left as they are: 00_start_here.ipynb, exercises.ipynb, " in printed


def test_a_notebook_that_is_reset_begins_again_and_the_old_one_is_kept(agent, tmp_path):
    agent("lesson", str(tmp_path))
    for number, text_of_mine in enumerate(("first", "second")):
        (tmp_path / "exercises.ipynb").write_text(text_of_mine)
        assert agent("lesson", str(tmp_path), "--reset", "exercises")[0] == 0
        assert (tmp_path / f"exercises.ipynb.old{number or ''}").read_text() == text_of_mine
        assert json.loads((tmp_path / "exercises.ipynb").read_text())["cells"]
    status, _, errors = agent("lesson", str(tmp_path), "--reset", "s99")
    assert status == 1
    assert "has no notebook 's99', only 00_start_here.ipynb, " in errors


def test_the_version_says_what_a_report_of_a_fault_needs(agent):
    status, printed, _ = agent("--version")
    assert status == 0
    assert printed.startswith("planning-agent-lesson ")
    assert "anthropic " in printed and "Python 3." in printed
