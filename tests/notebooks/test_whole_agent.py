"""`whole_agent.py`, the agent in one file, with the practice model and with replies in advance."""

import importlib.util
import io
import os
import pty
import resource
import runpy
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest
from loopback import Server, error, message
from support.blocks import text, use
from support.loop import PROMPT, SETTINGS
from support.processes import gone, started
from support.terminal import Screen

from agentlib import Workspace
from lesson.practice.practice_model import PracticeModel
from lesson.program.my_agent import load_solutions
from lesson.samples.copies import copy_sample
from lesson.samples.jobs import list_missing, load_job

FILE = Path(__file__).parents[2] / "notebooks" / "whole_agent.py"
JOB = load_job("ten_steps")


@pytest.fixture
def agent(tmp_path, monkeypatch):
    """Return the module, as a program that was started next to a folder `project`."""
    copy_sample("ten_steps", tmp_path / "project")
    monkeypatch.chdir(tmp_path)
    spec = importlib.util.spec_from_file_location("whole_agent", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def work(agent, monkeypatch, said, model=None):
    """Let the practice model do the ten steps."""
    monkeypatch.setattr("builtins.input", lambda question: said)
    client = (model or PracticeModel()).client()
    monkeypatch.setattr(agent.anthropic, "Anthropic", lambda: client)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    monkeypatch.setenv("MODEL_ID", "practice")
    agent.main(JOB.prompt)


def run(agent, *replies):
    """Run the loop with these replies, and return its messages."""
    model = PracticeModel(lambda request: replies[len(request["messages"]) // 2])
    messages, todo = [PROMPT], agent.TodoList()
    tools = {"read_file": agent.read_file, "write_file": agent.write_file, "todo": todo.todo}
    client = agent.Model(model.client(), todo.make_room)
    agent.agent_loop(client, messages, tools, todo.nag, **SETTINGS)
    return messages


def test_it_does_the_ten_steps_if_the_user_says_yes(agent, monkeypatch):
    work(agent, monkeypatch, said="y")
    assert list_missing(JOB.steps, agent.ROOT) == []


@pytest.mark.parametrize("window", [2_500, 4_000])
def test_it_makes_room_with_the_list_if_the_conversation_is_too_long(
    agent, monkeypatch, capsys, window
):
    model = PracticeModel(context_window=window)
    work(agent, monkeypatch, "y", model)
    assert list_missing(JOB.steps, agent.ROOT) == []
    assert "The conversation was too long: " in capsys.readouterr().out
    sent = [request["messages"] for request in model.requests]
    shorter = [new for old, new in pairwise(sent) if len(new) < len(old)]
    assert shorter
    for prompt, note, reply, *_ in shorter:
        assert prompt == {"role": "user", "content": JOB.prompt}
        assert "Messages were left out.\n[x] " in note["content"]
        assert reply["role"] == "assistant"


def test_a_conversation_that_is_too_long_without_old_messages_ends_the_loop(agent, monkeypatch):
    with pytest.raises(SystemExit, match="prompt is too long"):
        work(agent, monkeypatch, "y", PracticeModel(context_window=1_500))


def test_nothing_changes_if_the_user_says_no(agent, monkeypatch):
    before = {file: file.read_bytes() for file in agent.ROOT.iterdir()}
    with pytest.raises(SystemExit, match="Stopped after 60 rounds."):  # it asks again and again
        work(agent, monkeypatch, said="n")
    assert {file: file.read_bytes() for file in agent.ROOT.iterdir()} == before


def test_the_model_reads_that_a_path_leaves_the_folder(agent):
    messages = run(agent, [use("read_file", path="../secret")], [text("Sorry.")])
    result = messages[2]["content"][0]
    assert result["is_error"]
    assert "outside the project" in result["content"]


def test_a_reply_of_whitespace_leaves_a_history_that_can_be_sent(agent):
    messages = run(agent, [text(" \n")])
    assert [message["role"] for message in messages] == ["user"]


def test_the_question_shows_letters_that_reorder_a_line_as_codes(agent, monkeypatch, capsys):
    asked = []
    monkeypatch.setattr("builtins.input", lambda question: asked.append(question) or "n")
    with pytest.raises(PermissionError):
        agent.bash("rm \u05d0\u05d1/1 # 2/\u05d3" + "\n" * 40)
    assert "rm \\u05d0\\u05d1/1 # 2/\\u05d3" in capsys.readouterr().out
    # A screen may show only the end of it, so the question also says what it is about.
    [question] = asked
    assert question.startswith(
        r"Allow bash: rm \u05d0\u05d1/1 # 2/\u05d3 (41 lines, 59 characters)?"
    )


def test_words_at_a_question_reach_the_model_and_stay_if_room_is_made(agent, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda question: "Use tabs. ")
    messages = run(agent, [use("write_file", path="a", content="b")], [text("Sorry.")])
    assert "does not allow this, and says: Use tabs." in messages[2]["content"][0]["content"]
    assert not (agent.ROOT / "a").exists()
    assert "The user: ['Use tabs.']" in agent.TodoList().make_room(messages)[1]["content"]


def test_a_learners_loop_has_the_promises_of_ask(agent, monkeypatch):
    """A reply that cannot be used never reaches a loop, and no loop goes on for ever."""
    loop, todo = load_solutions().agent_loop, agent.TodoList()
    half = {"content": [use("read_file", path="hello.py")], "stop_reason": "max_tokens"}
    for answer, said in ((half, "Nothing of the last reply was run"), (half["content"], "60 rou")):
        client = agent.Model(PracticeModel(lambda request, a=answer: a).client(), todo.make_room)
        messages = [PROMPT]
        with pytest.raises(SystemExit, match=said):
            loop(client, messages, [Workspace(agent.ROOT).tools()[1]], **SETTINGS)
        assert messages[-1]["role"] == "user"


def test_a_reply_can_be_printed_in_any_encoding(agent, monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "cp1252"))
    run(agent, [text("Done \u5f88.")])


@pytest.mark.parametrize(
    "items",
    [
        [{"text": "Fix", "status": "done"}],
        [{"text": "Fix", "status": "pending"}] * 2,
        [{"text": " ", "status": "pending"}],
        [{"text": name, "status": "in_progress"} for name in ("Fix", "Test")],
        [{"text": str(n), "status": "pending"} for n in range(21)],
    ],
)
def test_a_list_that_breaks_a_rule_changes_nothing(agent, items):
    todo = agent.TodoList()
    todo.todo([{"text": "Docs", "status": "pending"}])
    with pytest.raises(ValueError):
        todo.todo(items)
    assert todo.render() == "[ ] Docs"


@pytest.mark.parametrize(
    "stop_reason", ["max_tokens", "model_context_window_exceeded", "refusal", "brand_new", None]
)
def test_a_call_runs_only_if_the_reply_is_complete(agent, monkeypatch, stop_reason):
    monkeypatch.setattr("builtins.input", lambda question: "y")
    half = [text("Hm."), use("write_file", path="half.txt", content="half of the te")]
    with pytest.raises(SystemExit, match=f"Stopped: 15 tokens, {stop_reason!r}. Nothing"):
        run(agent, {"content": half, "stop_reason": stop_reason})
    assert not (agent.ROOT / "half.txt").exists()


@pytest.mark.parametrize("status, shown", [("pending", "[ ] Docs"), ("done", "unknown status")])
def test_a_model_that_repeats_its_list_is_stopped_and_each_list_is_printed(
    agent, capsys, status, shown
):
    same = [use("todo", items=[{"text": "Docs", "status": status}])]
    with pytest.raises(SystemExit, match="Stopped after 60 rounds."):
        run(agent, *[same] * 100)
    assert capsys.readouterr().out.count(shown) == 60


def test_a_call_as_long_as_max_tokens_is_not_run(agent, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda question: "y")
    half = use("write_file", "t", path="half.txt", content="half of the te")
    with Server(message(half, tokens=(15, 8000))) as server:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("MODEL_ID", "m")
        with pytest.raises(SystemExit, match="Stopped: 8000 tokens, 'tool_use'. Nothing"):
            agent.main("Go")
    assert not (agent.ROOT / "half.txt").exists()


def test_half_a_character_leaves_the_old_file_and_asks_nothing(agent, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda question: pytest.fail(question))
    file = agent.ROOT / "notes.txt"
    file.write_text("old")
    for change in (
        lambda: agent.write_file("notes.txt", "new \ud83d"),
        lambda: agent.edit_file("notes.txt", "old", "new \ud83d"),
    ):
        with pytest.raises(UnicodeEncodeError):
            change()
        assert file.read_text() == "old"


@pytest.mark.parametrize(
    "answer, settings, said",
    [
        (None, {"ANTHROPIC_API_KEY": ""}, "Set ANTHROPIC_API_KEY and MODEL_ID"),
        (error(401, "no key a-secret"), {}, "no key (your key)"),
    ],
    ids=str,
)
def test_what_can_go_wrong_ends_the_program_with_a_sentence(
    tmp_path, monkeypatch, answer, settings, said
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [FILE.name, "Go"])
    with Server(answer) as server:
        given = {"ANTHROPIC_API_KEY": "a-secret", "MODEL_ID": "m", "ANTHROPIC_BASE_URL": server.url}
        for name, value in (given | settings).items():
            monkeypatch.setenv(name, value)
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(str(FILE), run_name="__main__")
    sentence = ended.value.code  # Python prints it, and the status is 1
    assert said in sentence and "\n" not in sentence and "cret" not in sentence


def test_what_was_typed_before_a_question_is_no_answer_to_it(agent, tmp_path):
    """In a terminal, "y" is pressed three times at the first question: the second is a no."""
    script = tmp_path / "two_commands.py"
    script.write_text(
        f"import runpy; agent = runpy.run_path({str(FILE)!r})\n"
        "for name in ('first', 'second'):\n"
        "    try: agent['bash'](f'sleep 1; touch {name}')\n"
        "    except PermissionError: print('refused')\n"
    )
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, script], stdin=theirs, stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        read_until(ours, b"[y, n, or")
        os.write(ours, b"y\ny\n")
        read_until(ours, b"[y, n, or")
        time.sleep(0.2)
        assert not (agent.ROOT / "second").exists()
        os.write(ours, b"n\n")
        read_until(ours, b"refused")
        process.wait(10)
    os.close(ours)
    assert (agent.ROOT / "first").exists() and not (agent.ROOT / "second").exists()


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_closed_terminal_ends_the_command_that_runs(tmp_path, number):
    sleep = f"sleep 72.{os.getpid()}{number}"
    with Server(message(use("bash", "t", command=f"{sleep} & {sleep}"))) as server:
        env = {"ANTHROPIC_API_KEY": "k", "MODEL_ID": "m", "ANTHROPIC_BASE_URL": server.url}
        screen = Screen(str(FILE), "Go", cwd=tmp_path, **env)
        screen.wait_for(b"[y, n, or")
        screen.type(b"y\n")
        assert started(sleep)
        screen.signal(number)
        screen.end()
    assert gone(sleep) and len(server.requests) == 1


def read_until(terminal, end):
    """Read what a program shows in a terminal up to these bytes."""
    seen = b""
    while end not in seen:
        seen += os.read(terminal, 1000)


def test_on_windows_typed_keys_are_discarded(agent, monkeypatch):
    keys = list("y\r")
    windows = type(sys)("msvcrt")
    windows.kbhit, windows.getwch = lambda: bool(keys), lambda: keys.pop()
    monkeypatch.setitem(sys.modules, "msvcrt", windows)
    monkeypatch.setattr(agent.os, "name", "nt")
    monkeypatch.setattr("builtins.input", lambda question: keys.pop() if keys else "y")
    agent.ask_user("bash: ls")
    assert keys == []


def answer_after(monkeypatch, act):
    """Say yes to each question, after something has happened while it was open."""
    monkeypatch.setattr("builtins.input", lambda question: act() and None or "y")


@pytest.mark.parametrize(
    "change",
    [
        lambda agent: agent.write_file("notes.txt", "the model's"),
        lambda agent: agent.edit_file("notes.txt", "old", "new"),
    ],
    ids=["write_file", "edit_file"],
)
def test_a_save_of_the_user_while_the_question_is_open_is_not_lost(agent, monkeypatch, change):
    file = agent.ROOT / "notes.txt"
    file.write_text("old")
    answer_after(monkeypatch, lambda: file.write_text("the user's"))
    with pytest.raises(ValueError, match="was changed while the user was asked"):
        change(agent)
    assert file.read_text() == "the user's"


def test_a_link_that_takes_the_files_place_meanwhile_is_not_followed(agent, monkeypatch, tmp_path):
    outside, file = tmp_path / "outside", agent.ROOT / "notes.txt"
    outside.write_text("old")
    file.write_text("old")
    answer_after(monkeypatch, lambda: (file.unlink(), file.symlink_to(outside)))
    with pytest.raises(ValueError):
        agent.edit_file("notes.txt", "old", "new")
    assert outside.read_text() == "old"


@pytest.mark.parametrize("ends", ["\r\n", "\n"])
def test_an_edit_keeps_the_line_ends_and_the_rights_of_the_file(agent, monkeypatch, ends):
    monkeypatch.setattr("builtins.input", lambda question: "y")
    file = agent.ROOT / "run.sh"
    file.write_bytes(ends.join(["one", "two", "three", ""]).encode())
    file.chmod(0o755)
    agent.edit_file("run.sh", "one\ntwo", "one\n2")
    assert file.read_bytes() == ends.join(["one", "2", "three", ""]).encode()
    assert file.stat().st_mode & 0o777 == 0o755


def test_an_edit_across_mixed_line_ends_is_refused_and_changes_nothing(agent, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda question: "y")
    file = agent.ROOT / "mixed.txt"
    file.write_bytes(b"zero\r\na.c\ntwo\r\n")
    with pytest.raises(ValueError, match="occurs 0 times"):
        agent.edit_file("mixed.txt", "a.c\ntwo", "1\n2")
    with pytest.raises(ValueError, match="occurs 0 times"):
        agent.edit_file("mixed.txt", "a-c", "x")
    assert file.read_bytes() == b"zero\r\na.c\ntwo\r\n"
    agent.edit_file("mixed.txt", "a.c", "1")
    assert file.read_bytes() == b"zero\r\n1\ntwo\r\n"


def test_a_full_disk_leaves_the_old_file_and_no_other(agent, monkeypatch):
    """A limit on the size of a file raises the same OSError as a full disk, after a part."""
    monkeypatch.setattr("builtins.input", lambda question: "y")
    (agent.ROOT / "notes.txt").write_text("old")
    before = sorted(agent.ROOT.iterdir())
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError):
            agent.write_file("notes.txt", "new" * 1000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (agent.ROOT / "notes.txt").read_text() == "old"
    assert sorted(agent.ROOT.iterdir()) == before


def test_an_output_without_end_is_cut_while_it_is_read_and_nothing_is_left(agent, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda question: "y")
    output = agent.bash("yes | head -c 200000000; sleep 60 > /dev/null 2>&1 & echo $! > child")
    assert len(output) == agent.MAX_OUTPUT
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 2_000_000  # in KiB
    child = Path("/proc", (agent.ROOT / "child").read_text().strip(), "stat")
    end = time.monotonic() + 10
    while child.exists() and " Z " not in child.read_text():
        assert time.monotonic() < end, "the process that the command has left goes on"
