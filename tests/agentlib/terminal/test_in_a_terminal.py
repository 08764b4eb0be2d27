"""The program in a pseudo-terminal: answers, Ctrl-C, typed-ahead keys, closed terminals."""

import json
import os
import signal
import time

import pytest
from loopback import SILENCE, Server, error, message
from support.blocks import text, use
from support.processes import gone, started
from support.program import variables
from support.terminal import Screen

from lesson.practice.api.server import check_request
from lesson.runs.saved_run import read_run

pytestmark = pytest.mark.slow
PLAIN = {"TERM": "xterm", "NO_COLOR": "1"}  # the same in any terminal of the tests
NEXT, QUESTION = b"Your next prompt", b"or what instead]"


@pytest.fixture
def open_screen(program):
    """Return a function that starts the program in a terminal, in a Python with only the SDK."""

    def start(server, *arguments, **env):
        command = [str(program.path), "First", *arguments]
        here = {"cwd": program.project, "python": program.python}
        return Screen(*command, **here, **PLAIN | variables(server.url) | env)

    return start


def fork(screen, keys, until):
    screen.seen = b""
    screen.type(keys)
    screen.wait_for(until)


def test_a_no_with_words_and_the_next_prompts(open_screen, program):
    call = message(use("write_file", "w", path="a.py", content="x = 1\n"))
    with Server(call, message(text("I use tabs then."))) as server:
        screen = open_screen(server)
        screen.wait_for(QUESTION)
        fork(screen, b"Use tabs.\n", NEXT)
        fork(screen, b"Second\n", NEXT)
        screen.type(b"exit\n")
        assert screen.end() == 0
    assert "says: Use tabs." in str(server.requests[1]["messages"][-1])
    assert len(server.requests) == 3 and not (program.project / "a.py").exists()


SCREENS = {
    "colours": ({"NO_COLOR": ""}, "●◆›▸"),
    "NO_COLOR": ({}, "●◆›▸"),
    "dumb": ({"NO_COLOR": "", "TERM": "dumb"}, "●◆›▸"),
    "ASCII": ({"PYTHONIOENCODING": "ascii"}, "*#>-"),
}


@pytest.mark.parametrize("kind", SCREENS)
def test_each_speaker_has_a_sign_and_where_a_screen_has_colours_one(open_screen, program, kind):
    (program.project / "a.txt").write_text("\x1b[31mold\n")
    plan = use("todo", "t", items=[{"text": "Fix \x1b[2Jit"}])
    edit = use("edit_file", "e", path="a.txt", old_text="old", new_text="new")
    (env, signs), paints = SCREENS[kind], kind == "colours"
    with Server(message(text("One\n\x1b[2Jtwo"), plan, edit)) as server:
        screen = open_screen(server, "--save", "run.jsonl", **env)
        screen.wait_for(QUESTION)
        before = screen.seen
        fork(screen, b"y\n", NEXT)
        screen.type(b"exit\n")
        assert screen.end() == 0
    seen = (before + screen.seen).decode()

    def paint(words, number):
        return f"\x1b[{number}m{words}\x1b[0m" if paints else words

    model, program_, user, call = map(paint, signs, ("1;35", "1;36", "1;32", "1;35"))
    old, new = paint("-\\x1b[31mold", 31), paint("+\\x1b[31mnew", 32)
    unknown = "?" if kind == "ASCII" else "\ufffd"
    for shown in (
        f"{model} One\r\n  {unknown}[2Jtwo\r\n",
        f"{program_} [ ] ",
        f"{call} {paint('edit_file: a.txt', 1)}\r\n  {paint('--- a.txt', 1)}\r\n",
        f"  {paint('@@ -1 +1 @@', 36)}\r\n  {old}\r\n",
        f"  {new}\r\n(The model has not read a.txt.)\r\n{user} Allow edit_file: a.txt (",
        f"\r\n{user} Your next prompt (",
    ):
        assert shown in seen
    assert ("\x1b[" in seen) is paints
    kept = (program.project / "run.jsonl").read_text() + json.dumps(server.requests)
    assert not {*signs} & {*kept} - {*"*#>-"} and "[1;" not in kept


def test_ctrl_c_ends_the_command_and_the_model_is_not_told_that_it_has_not_run(
    open_screen, program
):
    command = f"echo paid >> log.txt; sleep 73.{os.getpid()}"
    with Server(message(use("bash", "t1", command=command)), message(text("Two."))) as server:
        screen = open_screen(server)
        screen.wait_for(QUESTION)
        screen.type(b"y\n")
        assert started(f"sleep 73.{os.getpid()}")
        fork(screen, b"\x03", NEXT)
        assert gone(f"sleep 73.{os.getpid()}")
        fork(screen, b"Second\n", NEXT)
        screen.type(b"\x04")
        assert screen.end() == 0
    assert (program.project / "log.txt").read_text() == "paid\n"
    result, prompt = server.requests[1]["messages"][2]["content"]
    assert prompt["text"] == "Second"
    assert "It may have run" in result["content"] and "not run" not in result["content"]
    check_request(server.requests[1])


def test_ctrl_c_at_a_question_runs_nothing_and_at_a_prompt_ends(open_screen, program):
    with Server(message(use("bash", "t", command="touch made"))) as server:
        screen = open_screen(server)
        screen.wait_for(QUESTION)
        fork(screen, b"\x03", NEXT)
        screen.type(b"\x03")
        assert screen.end() == 0
    assert not (program.project / "made").exists()


@pytest.mark.release
def test_what_was_typed_before_a_question_is_no_answer_to_it(open_screen, program):
    calls = [message(use("bash", "t", command=f"sleep 1; touch {name}")) for name in "ab"]
    with Server(*calls) as server:
        screen = open_screen(server)
        screen.wait_for(QUESTION)
        fork(screen, b"y\ny\ny\n", QUESTION)
        time.sleep(0.3)
        assert len(server.requests) == 2 and not (program.project / "b").exists()
        fork(screen, b"n\n", NEXT)
        screen.type(b"\n")
        screen.end()
    assert [one.name for one in program.project.iterdir()] == ["a"]


@pytest.mark.release
def test_a_paste_that_comes_in_pieces_before_a_question_is_no_answer(open_screen, program):
    """The terminal keeps 4,096 bytes: what is discarded once makes room for the rest."""
    with Server([2, message(use("bash", "t", command="touch made"))]) as server:
        screen = open_screen(server)
        screen.wait_for(b"sandbox")
        for _ in range(10):
            screen.type(b"y\n" * 1000)
            time.sleep(0.05)
        screen.wait_for(QUESTION)
        time.sleep(0.5)
        fork(screen, b"n\n", NEXT)
        screen.type(b"exit\n")
        screen.end()
    assert not (program.project / "made").exists()


@pytest.mark.release
def test_lines_that_are_typed_while_it_works_reach_the_model_with_the_next_request(
    open_screen, program
):
    calls = [message(use("bash", f"t{n}", command="sleep 1")) for n in range(2)]
    with Server(*calls, message(text("Yes."))) as server:
        screen = open_screen(server, "--save", "run.jsonl")
        screen.wait_for(QUESTION)
        fork(screen, b"y\n", b"y\r\n")
        screen.type(b"Use tabs.\na\nhalf a li")
        screen.wait_for(b"(to the model) Use tabs.")
        screen.wait_for(QUESTION)
        assert (
            b"not press Enter: half a li" in screen.seen
            and b"You typed y, a or n before" in screen.seen
        )
        fork(screen, b"y\n", NEXT)
        screen.type(b"exit\n")
        screen.end()
    [result] = server.requests[1]["messages"][-1]["content"]
    assert result["content"].endswith("The user says meanwhile: Use tabs.")
    run = read_run(program.project / "run.jsonl")
    [typed] = [part for part in run.request(2).parts if "meanwhile" in part.text]
    assert (typed.kind, typed.author) == ("text", "you")


@pytest.mark.release
def test_what_is_typed_at_the_end_is_the_next_prompt_after_enter(open_screen):
    with Server(message(use("bash", "t", command="true")), [2, message(text("One."))]) as server:
        screen = open_screen(server)
        screen.wait_for(QUESTION)
        fork(screen, b"y\n", b"y\r\n")
        while len(server.requests) < 2:
            time.sleep(0.05)
        screen.type(b"And now the tests.\n")
        screen.wait_for(b"You typed meanwhile: And now the tests.")
        screen.wait_for(NEXT)
        fork(screen, b"\n", NEXT)
        screen.type(b"exit\n")
        screen.end()
    assert server.requests[2]["messages"][-1]["content"] == "And now the tests."


@pytest.mark.release
def test_a_prompt_of_several_lines_is_whole_and_an_answer_is_asked_about(open_screen):
    with Server(message(text("One.")), message(text("Two."))) as server:
        screen = open_screen(server)
        screen.wait_for(NEXT)
        fork(screen, b"a\n", b"type it again")
        fork(screen, b"Delete the drafts,\nbut ask me first,\nfor each one.", NEXT)
        screen.type(b"exit\n")
        screen.end()
    assert server.requests[1]["messages"][-1]["content"] == (
        "Delete the drafts,\nbut ask me first,\nfor each one."
    )


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_closed_terminal_ends_the_program_and_its_command(open_screen, number):
    sleep = f"sleep 72.{os.getpid()}{int(number)}"
    with Server(message(use("bash", "t", command=f"{sleep} & {sleep}"))) as server:
        screen = open_screen(server)
        screen.wait_for(QUESTION)
        screen.type(b"y\n")
        assert started(sleep)
        screen.signal(number)
        screen.end()
    assert gone(sleep) and len(server.requests) == 1


@pytest.mark.release
def test_a_question_of_the_model_is_shown_before_the_check_is_asked(open_screen):
    with Server(message(text("Which licence?")), message(text("Done."))) as server:
        screen = open_screen(server, "--check", "false")
        screen.wait_for(NEXT)
        assert b"false fails" not in screen.seen
        fork(screen, b"MIT\n", NEXT)
        assert b"false fails" in screen.seen
        screen.type(b"\n")
        screen.end()


@pytest.mark.release
def test_a_wait_for_the_server_is_said_and_ended_by_ctrl_c(open_screen):
    with Server([SILENCE], message(text("Here."))) as server:
        screen = open_screen(server)
        screen.wait_for(b"(Waiting for 127.0.0.1. Ctrl-C stops this.)")
        fork(screen, b"\x03", NEXT)
        fork(screen, b"Again\n", b"Here.")
        screen.wait_for(NEXT)
        screen.type(b"\n")
        assert screen.end() == 0 and b"Waiting" not in screen.seen
    with Server(error(429, "Slow down", "x", "retry-after: 50"), message(text("Here."))) as server:
        screen = open_screen(server)
        screen.wait_for(b"Retry-After: 50.")
        fork(screen, b"\x03", NEXT)
        fork(screen, b"Again\n", NEXT)
        screen.type(b"\n")
        assert screen.end() == 0
    with Server(models=[SILENCE]) as server:
        screen = open_screen(server)
        screen.wait_for(b"(Waiting for the server, to look up the model.")
        screen.type(b"\x03")
        screen.wait_for(b"Stopped. Only a request to look up")
        assert screen.end() == 1 and b"Traceback" not in screen.seen


@pytest.mark.release
def test_ctrl_c_while_the_program_begins_ends_it_without_a_traceback(open_screen, program):
    (program.path / "stop.py").write_text("print('BEGUN', flush=True)\ninput()\n")
    with Server() as server:
        screen = open_screen(server)
        screen.wait_for(b"BEGUN")
        screen.type(b"\x03")
        screen.wait_for(b"Stopped.")
        screen.end()
    assert b"Traceback" not in screen.seen
