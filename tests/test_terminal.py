"""The agent in a terminal: commands, prompts, output, interrupts, saved runs, the lesson's copy."""

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager
from loopback import KEY, SILENCE, Server, error, message
from support.blocks import text, use
from support.processes import alive, gone
from support.terminal import PROMPT, Screen

from lesson.__main__ import main
from lesson.runs.trace import Trace
from lesson.samples import FOLDER as SAMPLES
from lesson.terminal.command_line import command_line
from lesson.terminal.copy_lesson import lesson_notebooks
from lesson.terminal.screen import say, say_diff, say_output

HELLO = "Refactor hello.py: add type hints, docstrings and a main guard."
COMMAND = [sys.executable, "-m", "lesson"]


@pytest.fixture
def agent(capsys):
    """Run the command in this process. Return its exit status, its output and its errors."""

    def run(*arguments):
        try:
            status = main(list(arguments))
        except SystemExit as end:
            status = end.code
        return (status, *capsys.readouterr())

    return run


@pytest.fixture
def ask(agent, monkeypatch, tmp_path):
    """Run the command in this process, with a server in place of a real model.

    Return the server, and the exit status, the output and the errors.
    """

    def run(*arguments, answers=(), workspace=tmp_path):
        with Server(*answers) as server:
            monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
            return server, *agent("--model", "m", "--workspace", str(workspace), *arguments)

    return run


def test_prompt_is_run_and_the_cost_is_printed():
    env = os.environ | {"PYTHONIOENCODING": "ascii"}  # so that some characters are replaced
    done = subprocess.run([*COMMAND, HELLO], capture_output=True, text=True, env=env, timeout=60)
    assert done.returncode == 0
    said = done.stderr.splitlines()
    assert said[0].startswith("The practice model answers: a program on this machine.")
    assert said[1].startswith("It works on a copy of the sample project 'hello', which is deleted")
    assert re.fullmatch(
        r"10 rounds: \d\d,\d{3} input tokens \(.*\), \d{3} output tokens\.", said[3]
    )
    for part in (
        "[>] #1: Add type hints",
        "<- Adding type hints?",
        "(0/3 completed)",
        "edit_file hello.py",
        "<reminder>Update your todos.</reminder>",
        "(3/3 completed)",
        "    -def greet(name, loud):\n    +def greet(name: str, loud: bool) -> str:",
        "  bash python hello.py\n    Hello, Ada!\n",
    ):
        assert part in done.stdout
    assert "\x1b" not in done.stdout + done.stderr


def test_workspace_and_nag_options(agent, tmp_path):
    folder = shutil.copytree(SAMPLES / "hello" / "project", tmp_path / "work")
    status, printed, _ = agent(HELLO, "--workspace", str(folder), "--nag", "1")
    assert status == 0 and printed.count("<reminder>") > 3
    assert "main()" in (folder / "hello.py").read_text()
    assert agent(HELLO, "--nag", "0")[1].count("<reminder>") == 0


def test_piped_input_is_a_conversation_and_first_prompt_chooses_the_sample(agent, monkeypatch):
    prompts = "/help\nReview all Python files and fix style issues.\nWrite me a poem\n\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(prompts))
    status, printed, errors = agent()
    assert "What should the agent do?" in printed
    assert "sample project 'style'" in errors
    assert "(5/5 completed)" in printed
    assert "I am a practice model" in printed
    assert status == 0


@pytest.mark.parametrize("word", ["Exit", "/quit", "/help", ""])
def test_commands_are_not_sent_to_the_model(ask, monkeypatch, word):
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{word}\n"))
    server, status, printed, _ = ask()
    assert (status, server.requests) == (0, [])
    assert ("Ctrl-C" in printed) == (word == "/help")


@pytest.mark.parametrize(
    "arguments, problem",
    [
        (["x", "--workspace", "no-such-folder"], "there is no such folder"),
        (["x", "--nag", "-1"], "is not a number of rounds"),
        (["x", "--save", __file__], "already exists"),
        (["x", "--save", "no-such-folder/run.json"], "there is no folder no-such-folder"),
        (["x", "--resume", "run.json"], "name it with --workspace DIR"),
        (["lesson"], "required: FOLDER"),
    ],
)
def test_invalid_arguments_are_rejected(agent, arguments, problem):
    status, _, errors = agent(*arguments)
    assert status == 2
    assert problem in errors


def test_version_contains_what_a_bug_report_needs(agent):
    status, printed, _ = agent("--version")
    assert status == 0 and printed.startswith("planning-agent-lesson ")
    assert "anthropic " in printed and "Python 3." in printed


def test_control_characters_are_escaped(capsys):
    say("a \x1b[2J b\r\n\tc \u202ed")
    assert capsys.readouterr().out == "a \ufffd[2J b\ufffd\n\tc \\u202ed\n"


def test_keys_in_output_and_diffs_are_redacted(capsys, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    say_output("x" * 190 + KEY)
    say_diff(f"--- a\n+++ a\n@@ -1 +0,0 @@\n-{KEY}")
    printed = capsys.readouterr().out
    assert printed.count("[your key]") == 2 and KEY[:10] not in printed


def test_long_output_is_shortened_and_a_diff_has_no_file_names(capsys):
    say_output("\n".join([*(f"line {number}" for number in range(100)), "x" * 1000]))
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["    line 0", "    line 1"]
    assert lines[4] == "    … (90 more lines)"
    assert lines[-2:] == ["    line 99", "    " + "x" * 200 + " …"]
    assert len(lines) == 12
    say_diff("--- a.py\n+++ a.py\n@@ -1 +1 @@\n-x\n+y\n")
    assert capsys.readouterr().out == "    @@ -1 +1 @@\n    -x\n    +y\n"
    say_diff("a.py would not change.")
    assert capsys.readouterr().out == "    a.py would not change.\n"


@pytest.mark.parametrize(
    "arguments, problem",
    [
        (["--workspace", sys.prefix], "the Python that runs the agent"),
        (["--workspace", "{0}", "--resume", "{0}/missing.json"], "--resume {0}/missing.json: "),
        (["--workspace", "{0}", "--resume", "{0}/other.json"], "--resume {0}/other.json: "),
        (["--model", "any"], "Name a folder with --workspace DIR"),
    ],
)
def test_unusable_folder_or_saved_run_is_an_error(agent, monkeypatch, tmp_path, arguments, problem):
    (tmp_path / "other.json").write_text("{}")
    with Server() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        status, _, errors = agent("x", *(each.format(tmp_path) for each in arguments))
    assert status == 1 and problem.format(tmp_path) in errors
    assert not server.requests


# Prompts and interrupts


@contextmanager
def conversation(tmp_path, *answers, arguments=("Go",), **env):
    """Run the program in a terminal and in `tmp_path`, with a server that gives `answers`."""
    with Server(*answers) as server:
        command = ["-m", "lesson", "--model", "m", "--workspace", str(tmp_path), *arguments]
        screen = Screen(*command, **{"ANTHROPIC_BASE_URL": server.url, "TERM": "xterm"} | env)
        try:
            yield screen, server
        finally:
            screen.process.kill()


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


INTERRUPTED_IMPORT = """
import sys
class Interrupt:
    def find_spec(name, *_):
        if name == "lesson.terminal.open_run":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt)
import lesson.__main__
"""


def test_interrupt_during_the_imports_prints_nothing():
    command = [sys.executable, "-c", INTERRUPTED_IMPORT]
    ended = subprocess.run(command, capture_output=True, timeout=60)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, b"", b"")


@pytest.mark.parametrize("interrupt", ["wait", "command"])
def test_interrupt_keeps_the_history_and_the_next_prompt_continues(tmp_path, interrupt):
    answer, sign, arguments = {
        "wait": ([SILENCE], b"Waiting for m: 1 s", ()),
        "command": (message(use("bash", "t", command="sleep 300")), b"running bash, 1 s",
                    ("--allow", "all")),
    }[interrupt]  # fmt: skip
    with conversation(tmp_path, answer, arguments=("Go", *arguments)) as (screen, server):
        screen.wait_for(sign)
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
        screen.type(b"\x03")
        assert screen.end() == 130


def test_prompts_have_editing_history_and_bracketed_paste(tmp_path):
    with conversation(tmp_path, arguments=()) as (screen, server):
        for keys in (
            b"orld\x1b[D\x1b[D\x1b[D\x1b[DW\r",  # four times left, then the letter
            b"\x1b[A!\r",  # up: the prompt before
            b"\x1b[200~One\nTwo\n\nThree\x1b[201~\r",
            b"half a line\x03Four\r",  # Ctrl-C clears the line
        ):
            pass_by(screen, PROMPT)
            screen.type(keys)
            pass_by(screen, b"Done.")
        said = ["World", "World!", "One\nTwo\n\nThree", "Four"]
        assert prompts(server.requests[-1]) == said
        assert len(server.requests) == 4
        pass_by(screen, PROMPT)
        screen.type(b"/quit\r")
        assert screen.end() == 0


def test_user_approves_commands_changes_and_more_spending(tmp_path):
    calls = (
        use("write_file", "toolu_1", path="a.txt", content="new line"),
        use("bash", "toolu_2", command="touch b"),
    )
    answer = message(text("I write it down."), *calls, tokens=(10**6, 1))
    with conversation(tmp_path, answer) as (screen, _):
        asked = pass_by(screen, b"instead: ")
        assert asked.index(b"I write it down.") < asked.index(b"change this file")
        assert not any(tmp_path.iterdir())
        screen.type(b"y\n")
        asked += pass_by(screen, b"instead: ")
        assert b"touch b" in asked and not (tmp_path / "b").exists()
        screen.type(b"y\n")
        asked += pass_by(screen, b"as much again? [y/n] ")
        assert b"limit reached (1,000,0" in asked
        screen.type(b"y\n")
        asked += pass_by(screen, b"Done.")
        assert asked.count(b"I write it down.") == asked.count(b"+new line") == 1
        assert screen.end() == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "b"]


@pytest.mark.parametrize(
    "allow, done", [([], []), (["--allow", "changes"], ["a"]), (["--allow", "all"], ["a", "b"])]
)
def test_without_a_user_only_allowed_calls_run(ask, tmp_path, allow, done):
    calls = message(
        use("write_file", "toolu_1", path="a", content="x"),
        use("bash", "toolu_2", command="touch b"),
    )
    answers = calls, message()
    server, status, printed, _ = ask("Go", "--max-tokens", "512", *allow, answers=answers)
    assert status == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == done
    assert printed.count("no one is available to approve it") == 2 - len(done)
    assert "The model said nothing" in printed
    assert server.requests[0]["max_tokens"] == 512


# The wait, and the list in the last lines of the screen


def todo(id, *statuses):
    """Return a todo call with items of these statuses."""
    return use("todo", id, items=[{"text": f"Step {n}", "status": status}
                                  for n, status in enumerate(statuses, 1)])  # fmt: skip


def test_text_wraps_between_words(tmp_path):
    with conversation(tmp_path, message(text("wonderful " * 20))) as (screen, _):
        screen.wait_for(b"1 round: ")
        assert screen.end() == 0
    counts = [line.count(b"wonderful") for line in screen.seen.split(b"\r\n")]
    assert sum(counts) == 20 and max(counts) == 8  # of 10 cells, in 80


@pytest.mark.parametrize("terminal", ["xterm", "dumb"])
def test_wait_for_a_reply_is_shown_and_erased(tmp_path, terminal):
    ended = threading.Event()
    answers = message(text("A plan."), todo("t1", "pending")), [ended, message(text("Fine."))]
    with conversation(tmp_path, *answers, TERM=terminal, NO_COLOR="1") as (screen, _):
        screen.wait_for(b"Waiting for m: 1 s")
        ended.set()
        screen.wait_for(b"2 rounds: ")
        assert screen.end() == 0
    before, _, after = screen.seen.partition(b"Waiting for m: 1 s")
    assert before.count(b"A plan.\r\n") == 1 and b"(0/1 completed)" in before
    assert after.partition(b"Fine.")[0].endswith(b" \r")
    assert not re.search(rb"\x1b\[[0-9;]*3[0-7]m", screen.seen)  # no colour


def test_output_without_a_terminal_is_plain(ask):
    answers = message(text("A plan."), todo("t1", "pending")), message(text("Fine."))
    _, status, printed, errors = ask("Go", answers=answers)
    assert status == 0 and "\x1b" not in errors
    assert printed == "A plan.\n    [ ] #1: Step 1\n\n    (0/1 completed)\nFine.\n"


# Saved runs


def test_run_is_saved_without_save_option(agent, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    folder = tmp_path / "planning-agent"
    folder.mkdir()
    for number in range(30):
        (folder / f"2020-01-01-{number:06}-1.json").touch()
    errors = agent(HELLO)[2]
    file = re.search("The run is kept in (.*)\\.", errors)[1]
    assert len(Trace.open(file).rounds) == 10
    assert len(list(folder.iterdir())) == 20


def test_saved_run_is_resumed_with_its_history_and_list(agent, tmp_path):
    project = shutil.copytree(SAMPLES / "hello" / "project", tmp_path / "project")
    file, second = tmp_path / "run.json", tmp_path / "second.json"
    agent(HELLO, "--workspace", str(project), "--save", str(file))
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


def test_full_context_window_is_compacted(ask, tmp_path):
    file = tmp_path / "run.json"
    first, status, _, errors = ask(
        "Do it all", "--save", str(file), answers=(message(PLAN), TOO_LONG, message(text("Half.")))
    )
    assert status == 0 and "longer than the model's context window" in errors
    second, status, *_ = ask(
        "Do the rest", "--resume", str(tmp_path / "run-2.json"), answers=(TOO_LONG,)
    )
    assert status == 0
    _, status, _, errors = ask("A prompt that alone is too long", answers=(TOO_LONG,))
    assert status == 1 and "longer than the model can read" in errors
    for request, prompt in ((first.requests[2], "Go on."), (second.requests[1], "Do the rest")):
        (message_,) = request["messages"]
        _, task, left, last = [block["text"] for block in message_["content"]]
        assert (task, last) == ("Do it all", prompt) and "[>] #1: Half of it" in left
    assert [call.name for call in Trace.open(file).rounds[0].calls] == ["todo"]


def test_run_is_not_saved_through_a_symlink(ask, tmp_path):
    folder, elsewhere = tmp_path / "work", tmp_path / "elsewhere"
    (folder / "runs").mkdir(parents=True)
    elsewhere.mkdir()
    lay = message(use("bash", "toolu_1", command="rm -r runs && ln -s ../elsewhere runs"))
    arguments = "Go", "--allow", "all", "--save", str(folder / "runs" / "run.json")
    _, status, _, errors = ask(*arguments, answers=(lay,), workspace=folder)
    assert status == 0 and "its folder was replaced by a symlink" in errors
    assert (folder / "runs").is_symlink() and not list(elsewhere.iterdir())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signal_kills_the_running_command_and_the_run_is_resumed(
    ask, monkeypatch, tmp_path, number
):
    folder, programs, file = tmp_path / "work", tmp_path / "bin", tmp_path / "run.json"
    folder.mkdir()
    programs.mkdir()
    for program in ("bash", "sleep"):  # and no bubblewrap, which would kill the command
        (programs / program).symlink_to(shutil.which(program))
    seconds = f"73.{number}{os.getpid()}"
    write = use("write_file", "toolu_1", path="a", content="x")
    command = use("bash", "toolu_2", command=f"sleep {seconds}")
    answers = message(write), message(command)
    arguments = ("Go", "--allow", "all", "--save", str(file))
    with conversation(folder, *answers, arguments=arguments, PATH=str(programs)) as (screen, _):
        screen.wait_for(b"running bash")
        assert alive("sleep", seconds)
        screen.signal(number)
        assert screen.end() == 130
    assert gone("sleep", seconds)
    saved = Trace.open(file).steps
    assert [step.round and step.round.calls[0].name for step in saved] == [None, "write_file", None]
    monkeypatch.setattr("sys.stdin", io.StringIO())
    server, status, printed, _ = ask("--resume", str(file), workspace=folder)
    sent = server.requests[0]["messages"]
    assert status == 0 and "Done." in printed
    assert sent == [message for step in saved for message in step.messages]
    assert "stopped while it ran" in sent[-1]["content"][0]["content"]


# The lesson


def test_lesson_is_copied_without_outputs(agent, tmp_path):
    status, printed, _ = agent("lesson", str(tmp_path / "mine"))
    assert status == 0
    assert "New in" in printed
    for name, source in lesson_notebooks().items():
        copy = json.loads((tmp_path / "mine" / name).read_text(encoding="utf-8"))["cells"]
        whole = json.loads(source.read_text(encoding="utf-8"))["cells"]
        assert [cell["source"] for cell in copy] == [cell["source"] for cell in whole]
        assert not any(cell.get("outputs") or cell.get("execution_count") for cell in copy)


def test_install_option_adds_a_cell_that_installs_the_lesson(agent, tmp_path):
    wheel = "https://example.org/planning_agent_lesson-0.1.0-py3-none-any.whl"
    agent("lesson", str(tmp_path), "--install", wheel)
    for name in lesson_notebooks():
        first, *others = json.loads((tmp_path / name).read_text(encoding="utf-8"))["cells"]
        assert f'%pip install --quiet "planning-agent-lesson[colab] @ {wheel}"' in first["source"]
        assert not any("%pip" in "".join(cell["source"]) for cell in others)
        nbformat.validate(nbformat.read(tmp_path / name, as_version=4))
    code = TransformerManager().transform_cell(first["source"])
    exec(code, {"get_ipython": lambda: pytest.fail("it is installed already")})


def test_learners_notebook_is_never_overwritten(agent, tmp_path):
    agent("lesson", str(tmp_path))
    (tmp_path / "exercises.ipynb").write_text("mine")
    (tmp_path / "s02_tool_use.ipynb").unlink()
    _, printed, _ = agent("lesson", str(tmp_path))
    assert (tmp_path / "exercises.ipynb").read_text() == "mine"
    assert f"New in {tmp_path}: s02_tool_use.ipynb.\n" in printed
    assert "unchanged: 00_start_here.ipynb, cost.ipynb, exercises.ipynb, " in printed
    assert agent("lesson", str(tmp_path), "--reset", "exercises")[0] == 0
    (tmp_path / "exercises.ipynb").write_text("mine again")
    assert agent("lesson", str(tmp_path), "--reset", "exercises")[0] == 0
    assert (tmp_path / "exercises.ipynb.old1").read_text() == "mine"
    assert (tmp_path / "exercises.ipynb.old2").read_text() == "mine again"
    assert json.loads((tmp_path / "exercises.ipynb").read_text())["cells"]
    status, _, errors = agent("lesson", str(tmp_path), "--reset", "s99")
    assert status == 1
    assert "has no notebook 's99', only 00_start_here.ipynb, " in errors


def test_command_line_names_this_python_unless_it_is_on_the_path(monkeypatch, tmp_path):
    here = Path(sys.executable).parent
    (tmp_path / "python").symlink_to(sys.executable)  # as in another virtual environment
    monkeypatch.setenv("PATH", f"{here}:{tmp_path}")
    assert command_line(HELLO) == f"python my_agent.py '{HELLO}'"
    monkeypatch.setenv("PATH", f"{tmp_path}:{here}")
    assert command_line(HELLO) == f"{sys.executable} my_agent.py '{HELLO}'"
    monkeypatch.setenv("PATH", "")
    assert command_line(HELLO).startswith(sys.executable)
