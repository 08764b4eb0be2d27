"""The program in a terminal: what it promises for files, key, answers, screen and money."""

import io
import json
import os
import re
import subprocess
import sys
import time
from dataclasses import replace
from functools import wraps
from pathlib import Path

import pytest
from attempts import priority_todo, timed_todo
from loopback import KEY, Server, error, http, message
from support.blocks import reply, text, use
from support.program import answer, load_parts, play, play_connected, variables

from agentlib import Tool
from agentlib.defaults import AFTER
from agentlib.terminal import screen
from agentlib.terminal.agent import copy_fields
from agentlib.terminal.model import Model
from agentlib.terminal.notes import Notes
from agentlib.terminal.project import cut
from lesson.practice.practice_model import PracticeModel
from lesson.runs.run import NOT_DRAWN, Run
from lesson.runs.saved_run import read_run
from lesson.samples.copies import copy_project
from lesson.samples.jobs import load_job
from safetylib.guard import approval
from safetylib.guard.bubblewrap import sandbox_works
from safetylib.guard.shell import MAX_OUTPUT_CHARS
from safetylib.wire.last_reply import NO_REQUEST
from safetylib.wire.server.limits import Limits

pytestmark = pytest.mark.slow
TEN = load_job("ten_steps")


# The files.
@pytest.mark.parametrize("path", ["a/.GIT/config", "link/x"])
def test_a_file_outside_or_of_git_is_changed_by_no_tool(frame, tmp_path, path):
    (frame.project.root / "link").symlink_to(tmp_path)
    (frame.project.root / ".git" / "hooks").mkdir(parents=True)
    for call in (
        lambda: frame.project.write_file.run(path, "b"),
        lambda: frame.project.edit_file.run(path, "a", "b"),
    ):
        with pytest.raises(ValueError, match="escapes|belongs to git"):
            call()
    assert not (tmp_path / "x").exists() and not [
        *(frame.project.root / ".git" / "hooks").iterdir()
    ]


def test_after_all_what_is_asked_about_again_says_why(frame, project, monkeypatch, capsys):
    asked = answer(monkeypatch, "a", "n")
    for path in ("a.txt", "b.txt"):
        frame.project.write_file.run(path, "1")
    (frame.project.root / "a.txt").write_text("mine")
    for path in ("a.txt", "uv.toml"):
        with pytest.raises(PermissionError):
            frame.project.write_file.run(path, "2")
    assert (frame.project.root / "a.txt").read_text() == "mine" and len(asked) == 3
    printed = capsys.readouterr().out
    assert "(a.txt has changed since the model last read or wrote it.)\n" in printed
    assert "(uv starts or installs what uv.toml names.)\n" in printed


def test_all_is_an_answer_until_the_next_prompt(frame, project, monkeypatch):
    asked = answer(monkeypatch, "a", "n")
    for name in "ab":
        frame.project.write_file.run(name, "1")
    Model(None, project, Notes(None), None, Limits(), None).begin("Go on", [])
    with pytest.raises(PermissionError):
        frame.project.write_file.run("c", "1")
    assert len(asked) == 2


def test_after_all_a_change_is_shown_without_a_question(frame, project, monkeypatch, capsys):
    asked = answer(monkeypatch, "a", "a")
    write, bash = (project.follow(tool).run for tool in (project.write_file, project.bash))
    for name in "ab":
        write(content=f"\u202e{KEY}\n" + "1\n" * 50 + "2" * 999, path=name)
        bash(command=f"rm {name}")
    printed = capsys.readouterr().out
    head = "\n▸ write_file: b\n  --- /dev/null\n  +++ b\n  @@ -0,0 +1,52 @@\n"
    _, head_shown, shown = printed.partition(f"{head}  +\\u202e(your key)\n")
    end = "  (… 17 more lines)\n▸ bash: rm b\n"
    assert len(asked) == 2 and head_shown and shown == "  +1\n" * 35 + end
    assert printed.count("bash: rm a\n") == 1  # its question has shown it
    write(content="2" * 999, path="c")
    assert f"\n  +{'2' * 199} …\n" in capsys.readouterr().out
    whole = f"echo {'2' * 999}\n" + "true\n" * 50 + "rm c"  # a command's end can undo its beginning
    bash(command=whole)
    assert f"▸ bash: {whole}\n".replace("\n", "\n  ")[:-2] in capsys.readouterr().out


def test_the_end_of_what_a_command_has_printed_is_shown(frame, capsys):
    for command in (f"seq 1996 2001; printf '\\033[2J{KEY}'; exit 3", "true"):
        frame.project.bash.run(command)
    lines = ["1999", "2000", "2001", "\ufffd[2J(your key)", "(exit code 3)"]
    lines_shown = capsys.readouterr().out.partition("seq")[2].splitlines()
    assert lines_shown[1:] == [*(f"    {one}" for one in lines), "▸ bash: true"]


def test_a_diff_of_the_file_that_changes_is_shown_before_yes(frame, monkeypatch, capsys):
    file = frame.project.root / "Makefile"
    file.write_text("all:\n\techo old\n")
    (frame.project.root / "notes.txt").symlink_to("Makefile")
    asked = answer(monkeypatch, "n")
    with pytest.raises(PermissionError):
        frame.project.edit_file.run("notes.txt", "old", "new")
    head = "▸ edit_file: Makefile\n  --- Makefile\n  +++ Makefile\n  @@ -1,2 +1,2 @@\n"
    assert f"{head}   all:\n  -\\techo old" in capsys.readouterr().out
    assert asked[0].startswith("› Allow edit_file: Makefile (")
    monkeypatch.setattr("builtins.input", lambda question: file.write_text("mine") and "y")
    with pytest.raises((PermissionError, ValueError)):
        frame.project.write_file.run("notes.txt", "new")
    assert file.read_text() == "mine"


# The questions and the screen.
def test_the_question_shows_what_can_hide_as_codes_and_says_what_it_is_about(
    frame, monkeypatch, capsys
):
    asked = answer(monkeypatch, "n")
    with pytest.raises(PermissionError):
        frame.project.bash.run("rm \u05d0/1 # 2/\u05d3 \x1b[2J" + "\n" * 40)
    assert r"rm \u05d0/1 # 2/\u05d3 \x1b[2J" in capsys.readouterr().out
    assert asked[0].startswith(
        r"› Allow bash: rm \u05d0/1 # 2/\u05d3 \x1b[2J (41 lines shown, 63 char"
    )
    assert f"{approval.CODES}{approval.NOT_ASCII}, without a sandbox)" in asked[0]


@pytest.mark.parametrize("typed", ["", "n", "maybe", "a b"])
def test_only_yes_is_a_yes_and_words_reach_the_model(frame, project, monkeypatch, typed):
    asked = answer(monkeypatch, "Yes")
    project.ask_user("touch made")
    assert "? [y, n, or" in asked[0]  # not "a", which is for all calls of a tool
    answer(monkeypatch, typed)
    with pytest.raises(
        PermissionError, match=f"says: {typed}$" if len(typed) > 1 else "did not approve it.$"
    ):
        frame.project.bash.run("touch made")
    assert not [*frame.project.root.iterdir()]


def test_question_is_a_step_of_its_own_and_another_run_of_our_tool_has_one_too(
    frame, project, monkeypatch
):
    """Else `replace(project.bash, run=…)` in TOOLS would take our question over, and not ask."""
    ran = []

    @wraps(project.bash.run)  # takes over the attributes of our `run`
    def run(command):
        ran.append(command)

    write, bash = frame.TOOLS[1], replace(project.bash, run=run)
    for tool, inputs in ((write, {"path": "a", "content": "1"}), (bash, {"command": "ls"})):
        tool = project.take_tool(tool)
        [question, _] = approval.split(tool)
        for run in (question.run, tool.run, project.follow(tool).run):
            asked = answer(monkeypatch, "n")
            with pytest.raises((PermissionError, ValueError), match="did not approve"):
                run(**inputs)
            assert len(asked) == 1
        answer(monkeypatch, "y")
        question.run(**inputs)
        assert not ran and not [*project.root.iterdir()], "a question has done the work"
    answer(monkeypatch, "y")
    project.follow(tool).run(command="ls")
    assert ran == ["ls"]


def test_text_is_shown_on_any_screen(monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "ascii"))
    screen.say("Done \u5f88 \x1b[2J\u202e.")
    assert sys.stdout.buffer.getvalue() == rb"Done ? ?[2J\u202e." + b"\n"


# The key.
@pytest.mark.parametrize(
    "place", ["text", "call", "error", "cut error", "cut input", "field", "check"]
)
def test_a_key_that_the_server_repeats_reaches_no_screen_command_or_file(
    frame, capsys, tmp_path, place
):
    answers = {
        "text": message(text(f"It is {KEY}.")),
        "call": message(use("bash", "t", command=f"echo {KEY} > got")),
        "error": error(400, f"no key {KEY}"),
        "cut error": error(400, "x" * 200 + KEY),  # only the first words of it are shown
        "cut input": message(use("bash", "t") | {"input": "x" * 240 + KEY}),
        "field": message(use("bash", "t", **{KEY: 1})),
        "check": message(text("Done.")),  # and a command shows it
    }
    (frame.project.root / ".env").write_text(f"KEY={KEY}")
    sys.argv += ["--save", str(tmp_path / "s.jsonl")]
    sys.argv += ["--check", "cat .env; false"] if place == "check" else []
    with Server(message(use("read_file", "r", path=".env")), answers[place]) as server:
        ended = play(frame, server)
    out = capsys.readouterr()
    assert KEY[:12] not in ended and ("(your" in out.out + ended or place in ("cut input", "field"))
    assert KEY not in out.out + out.err + ended + (tmp_path / "s.jsonl").read_text()
    assert KEY not in json.dumps([request["messages"] for request in server.requests])
    if (frame.project.root / "got").exists():
        assert KEY not in (frame.project.root / "got").read_text()


def test_of_a_key_where_an_output_is_cut_no_part_is_left(frame):
    half = MAX_OUTPUT_CHARS // 2
    for before in (half - 9, half - 20):
        long = "x" * before + KEY + "x" * MAX_OUTPUT_CHARS
        for output in (long, long[::-1].replace(KEY[::-1], KEY)):
            shown = cut(output)
            assert len(shown) < len(output) and KEY[:3] not in shown and KEY[-3:] not in shown


@pytest.mark.parametrize(
    "env, problem",
    [
        ({"MODEL_ID": ""}, "Set ANTHROPIC_API_KEY"),
        ({"ANTHROPIC_BASE_URL": "http://192.0.2.1:80"}, "others on the network could read your"),
        ({"MY_AGENT_WINDOW": "ten"}, "MY_AGENT_WINDOW must be a number of messages"),
        ({}, "does not accept your key"),
    ],
    ids=str,
)
def test_what_is_wrong_with_a_connection_is_a_sentence_and_no_proxy_is_asked(
    frame, monkeypatch, capsys, env, problem
):
    with Server(error(401, "invalid x-api-key")) as server, Server() as proxy:
        ended = play_connected(monkeypatch, server.url, HTTP_PROXY=proxy.url, **env)
    shown = ended + "".join(capsys.readouterr())
    assert problem in ended and not proxy.heads and KEY not in shown


def test_a_key_in_a_header_of_ones_own_is_hidden_and_an_address_may_end_in_v1(
    frame, monkeypatch, capsys
):
    header = {"ANTHROPIC_CUSTOM_HEADERS": "x-gateway-authorization: Bearer 4f7a-of-the-gateway"}
    with Server(error(401, "wrong: 4f7a-of-the-gateway")) as server:
        env = header | {"ANTHROPIC_API_KEY": "x", "ANTHROPIC_BASE_URL": f"{server.url}/v1"}
        ended = play_connected(monkeypatch, server.url, **env)
        assert len(server.requests) == 1 and "4f7a-of-the-gateway" in server.heads[-1]
    assert "(your key)" in ended and "4f7a" not in ended + "".join(capsys.readouterr())
    env["ANTHROPIC_BASE_URL"] = "http://192.0.2.1:80"
    assert "others on the network" in play_connected(monkeypatch, "", **env)


def test_what_stands_for_a_key_is_not_written_over_it(frame, project, monkeypatch, tmp_path):
    file = frame.project.root / ".env"
    file.write_text(f"KEY={KEY}\nX=1\n")
    monkeypatch.setattr(project, "ask", lambda question: pytest.fail("asked"))
    call = use("write_file", "w", path=".env", content="KEY=(your key)\nX=2\n")
    with Server(message(call)) as server:
        play(frame, server)
    assert "is shown to you as (your key)" in str(server.requests[1])
    assert KEY in file.read_text()


# The limits, and what the model is told.
def test_a_prompt_has_sixty_requests(frame):
    answers = [message(use("bash", "t", command="ls nowhere"))] * 70
    with Server(*answers) as server:
        ended = play(frame, server)
    assert "The limit of a prompt is reached: 60 requests" in ended
    assert len(server.requests) == 60


@pytest.mark.parametrize(
    "between, is_told",
    [
        (use("write_file", "w", path="a", content="b"), False),
        (use("todo", "w", items=[]), True),
        (use("look", "w"), True),  # a new tool that changes nothing
        (use("see", "w"), True),
    ],
)
def test_after_a_change_the_same_failure_is_a_new_one(frame, between, is_told):
    def look():
        """Look."""
        return "nothing"

    frame.TOOLS.extend([look, Tool("see", "See.", {"type": "object"}, look, asks=False)])
    call = use("bash", "t", command="false")
    answers = [message(call), message(call), message(between), message(call)]
    with Server(*answers) as server:
        assert play(frame, server) == ""
    assert ("do not repeat it" in str(server.requests[-1]["messages"])) is is_told


def test_a_prompt_has_a_limit_of_tokens(frame):
    answers = [message(use("bash", "t", command="ls"), tokens=(300_000, 7))] * 5
    with Server(*answers) as server:
        ended = play(frame, server)
    assert "2 requests and 600,014 tokens" in ended and len(server.requests) == 2
    cached = {"cache_read_input_tokens": 90_000, "cache_creation_input_tokens": 500_000}
    usage = {"usage": {"input_tokens": 4, "output_tokens": 7} | cached}
    with Server(*[http(200, reply(use("bash", "t", command="ls")) | usage)] * 5) as server:
        ended = play(frame, server)
    assert "1 request and 590,011 tokens" in ended and len(server.requests) == 1


def test_a_field_too_much_is_told_in_the_words_of_the_package(frame):
    with Server(message(use("todo", "t", items=[], required=["items"]))) as server:
        play(frame, server)
        assert "todo takes items, not required" in str(server.requests[1]["messages"])


def test_a_call_of_no_tool_is_named_on_the_screen(frame, capsys):
    with Server(message(use("fly", "t"))) as server:
        assert play(frame, server) == ""
    assert "(not done) The model called fly, which is not a tool.\n" in capsys.readouterr().out


def test_a_loop_that_sends_nothing_is_told_as_in_play(frame, monkeypatch):
    monkeypatch.setattr(sys, "argv", [sys.argv[0], "Go"])
    with pytest.raises(SystemExit, match=re.escape(NO_REQUEST)):
        frame.main(lambda *args, **more: None, *load_parts()[1:], client=PracticeModel().client())
    assert Run("hello", loop=lambda *args, **more: None).play().problem == NO_REQUEST


@pytest.mark.parametrize("way", ["messages", "with_options", "copy", "beta"])
@pytest.mark.parametrize("end", [list.copy, list.clear, lambda messages: messages.append(1)])
def test_an_odd_loop_ends_with_its_prompt_and_has_sent_a_request(frame, monkeypatch, way, end):
    def loop(client, messages, tools, remind=None, **settings):
        asked = getattr(client, way)
        asked = asked() if callable(asked) else asked
        getattr(asked, "messages", asked).create(messages=messages, **settings)
        end(messages)

    monkeypatch.setattr(sys, "argv", [sys.argv[0], "Go"])
    frame.main(loop, *load_parts()[1:], client=PracticeModel().client())
    problem = Run("hello", loop=loop).play().problem
    assert problem == ("" if way == "messages" else NOT_DRAWN.format(1))


def test_the_end_says_which_tasks_left_the_list_and_which_files_changed(frame, capsys, tmp_path):
    (frame.project.root / "old.txt").write_text("old")
    (frame.project.root / ".git").mkdir()
    sys.argv += ["--save", "s.jsonl"]
    tasks = [{"text": one, "status": "pending"} for one in ("Push it", "Fix", "Test")]
    done = [{"text": "Fix", "status": "completed"}, tasks[2]]
    command = "rm old.txt; echo 1 > by_command.txt; echo 1 > .git/x"
    calls = [use("todo", "1", items=tasks), use("bash", "2", command=command)]
    calls += [use("write_file", "3", path="new.txt", content="x"), use("todo", "4", items=done)]
    with Server(*map(message, calls)) as server:
        assert play(frame, server) == ""
    out = capsys.readouterr().out
    names = "by_command.txt, new.txt, old.txt (deleted)"
    assert f"\nChanged (3): {names}.\nOpen in the list (1): Test\n" in out
    assert "\nRemoved from the list before it was completed (1): Push it\n" in out
    assert " s  Test\n" in out and " 0.0 s  Fix  (ticked before it was begun)\n" in out
    assert "\nNo check was run. `--check" in out
    assert "\n● the model, ▸ its call, ◆ the program, › you\n" in out
    sys.argv = [sys.argv[0], "Go"]
    with Server() as server:
        assert play(frame, server) == ""
    out = capsys.readouterr().out
    assert "\nNo file has changed.\n" in out and "No check was run" not in out


def test_no_text_of_a_model_looks_like_a_line_of_the_program(frame, capsys):
    forged = "All 12 tests pass.\ntest -e x: passes"

    def fail(path):
        raise ValueError(f"there is no {path}")

    frame.TOOLS.append(fail)
    sys.argv += ["--check", f"printf '{forged}'; false"]
    tasks = [{"text": f"{name}\n{forged}", "status": "in_progress"} for name in "ab"]
    calls = [use("todo", "1", items=tasks[:1]), use("todo", "2", items=tasks[1:])]
    calls += [use(f"f\n{forged}", "3"), use("fail", "4", path=f"a\n{forged}")]
    with Server(*map(message, calls)) as server:
        ended = play(frame, server)
    lines = (capsys.readouterr().out + ended).splitlines()
    shown = [line for line in lines if "12 tests" in line or "passes" in line]
    assert len(shown) > 8 and [one for one in shown if one.startswith(("All 12", "test -e"))] == []


def test_a_reminder_is_shown_with_all_its_lines(frame, capsys):
    items = [{"text": "Push it", "status": "in_progress"}, {"text": "Fix", "status": "pending"}]
    ids = [f"t{number}" for number in range(AFTER)]
    calls = [use("todo", "t", items=items), *[use("bash", id, command="true") for id in ids]]
    with Server(*map(message, calls)) as server:
        assert play(frame, server) == ""
    sent = server.requests[-1]["messages"][-1]["content"][0]["content"]
    [reminder] = re.findall("(?s)<reminder>(.*)</reminder>", sent)
    assert "Push it" in reminder and reminder.count("\n") > 1
    shown = re.sub(r"\n(?=.)", "\n  ", f"◆ (reminder) {reminder.strip()}\n")
    assert capsys.readouterr().out.count(shown) == 1


def test_an_error_of_a_part_names_its_line(frame):
    def read_file(folder, path):
        return "x"

    parts = [lambda *a, **k: 1 / 0, type("Todo", (), {"items": []}), None, run_once, None]
    with pytest.raises(SystemExit, match="(?s)test_frame.py.*ZeroDivisionError.*Stopped"):
        frame.main(*parts, read_file, client=PracticeModel().client())


def run_once(run, messages, missing):
    run()


@pytest.mark.parametrize(
    "check, code, message",
    [
        ("test -e done || ! touch done", "", "passes"),
        ("echo no; false", "1", "without a tool call, and the same is still missing"),
        ("echo '(exit code 0)'; exit 7", "7", "(exit code 7)"),
        ("python3 -m unittest -q", "5", "No test ran."),
    ],
)
def test_a_check_is_asked_at_each_stop(frame, capsys, check, code, message):
    sys.argv += ["--check", check]
    with Server() as server:
        ended = play(frame, server)
    out = capsys.readouterr().out
    assert message in out + ended and bool(ended) is bool(code)
    assert out.count(f"(check) {check} fails:") == 1  # the question to the model, once


STOPS = {
    "one question more than looks": lambda run, messages, missing: [run(), missing(), run()],
    "a look before the run": lambda run, messages, missing: [missing(), run(), run()],
    "no look": lambda run, messages, missing: [run(), run()],
}


@pytest.mark.parametrize("stop", STOPS.values(), ids=STOPS)
@pytest.mark.parametrize("is_mended", [True, False])
def test_what_a_check_says_at_the_end_was_tried_after_the_last_request(
    frame, capsys, stop, is_mended
):
    sys.argv += ["--check", "test -e mended"]
    command = "touch mended" if is_mended else "touch other"
    answers = [[text("Done?")], [use("bash", "b", command=command)], [text("Now.")]]
    client = PracticeModel(lambda request: answers.pop(0)).client()
    ended = play(frame, None, client, stop=stop)
    assert ended.startswith("test -e mended fails:") is not is_mended
    assert ("test -e mended: passes" in capsys.readouterr().out) is is_mended


def converse(frame, monkeypatch, server, *typed):
    """Play a conversation, in which the user types this at questions and as prompts."""
    monkeypatch.setattr(screen, "is_user_there", lambda: True)
    answer(monkeypatch, *typed, "")
    return play(frame, server)


def test_a_refused_prompt_leaves_with_all_since_and_the_next_one_says_what_has_run(
    frame, monkeypatch, capsys, tmp_path
):
    """By its guide to streaming refusals, the API would refuse each later request with it."""
    sys.argv += ["--save", str(tmp_path / "s.jsonl")]
    plan = use("todo", "t", items=[{"text": "Push it", "status": "pending"}])
    write, bash = use("write_file", "w", path="a.txt", content="x"), use("bash", "b", command="cd")
    why = {"type": "refusal", "explanation": f"It is\x1b about {KEY}. {'x' * 999}"}
    refusal = {"stop_reason": "refusal", "stop_details": why}
    answers = [message(text("Hi.")), *map(message, (plan, bash, use("bash", "n"), write))]
    answers += [message(text("No."), **refusal), message(text("Fine."))]
    answers += [message(**refusal), message(text("Well."))]
    with Server(*answers) as server:
        typed = ["Bad", "y", "y", "Good", "Worse", "Better"]
        assert converse(frame, monkeypatch, server, *typed) == ""
    sent = [request["messages"] for request in server.requests]
    assert [len(one) for one in sent] == [1, 3, 5, 7, 9, 11, 3, 5, 5]
    assert sent[6][:2] == sent[1][:2] and sent[8][:4] == sent[7][:4]
    ran = {
        6: "bash cd; write_file a.txt. Changed (1): a.txt.",
        8: "nothing. No ",
    }
    for number, words in ran.items():
        told, prompt = sent[number][-1]["content"]
        assert f"with all that followed. For it, this was run: {words}" in told["text"]
        assert "in your list" not in told["text"] and prompt["text"] in typed
    out = capsys.readouterr().out
    assert out.count("The model declined to answer.") == 2
    assert "The server says: It is\ufffd about (your key). xxx" in out and len(out) < 4_000
    requests = read_run(tmp_path / "s.jsonl").requests
    assert [len(one["messages"]) for one in requests] == [len(one) for one in sent]


def test_ctrl_c_while_an_errors_sentence_is_shown_leads_to_the_next_prompt(frame, monkeypatch):
    asked, shown = answer(monkeypatch, "Again", ""), []

    class Interrupted(io.StringIO):
        def write(self, text):
            shown.append(text)
            if "no such model" in text and len(shown) < 99:
                shown.extend([""] * 99)
                raise KeyboardInterrupt
            return len(text)

    monkeypatch.setattr(screen, "is_user_there", lambda: True)
    monkeypatch.setattr(sys, "stdout", Interrupted())
    with Server(error(400, "no such model"), message(text("Well."))) as server:
        assert play(frame, server) == ""
    assert len(asked) == 2 and len(server.requests) == 2


def test_second_prompt_prints_no_times_of_the_first_job(frame, monkeypatch, capsys):
    plan = message(use("todo", "t", items=[{"text": "Fix", "status": "completed"}]))
    with Server(plan, message(text("Well.")), message(text("None."))) as server:
        assert converse(frame, monkeypatch, server, "Which files are there?", "") == ""
    out = capsys.readouterr().out
    assert out.count(" s  Fix") == 1 and out.count("No file has changed.") == 2


def test_that_no_check_was_run_is_told_once_and_after_a_change(frame, monkeypatch, capsys):
    writes = [message(use("bash", name, command=f"touch {name}")) for name in "ab"]
    answers = [message(text("Well.")), writes[0], message(text("A.")), writes[1]]
    with Server(*answers, message(text("B."))) as server:
        assert converse(frame, monkeypatch, server, "First", "y", "Second", "y") == ""
    out = capsys.readouterr().out
    assert out.count("No check was run.") == 1
    assert (
        out.index("Changed (1): a.") < out.index("No check was run.") < out.index("Changed (1): b.")
    )


REFUSED = message(text("No."), stop_reason="refusal")


def test_what_ran_for_two_refused_prompts_is_told_also_if_it_failed(frame, project, monkeypatch):
    def half(path, words="x"):
        """Write a file, and fail."""
        project.ask_user(f"half: {path}")
        project.find(path).write_text(words)
        raise RuntimeError("not the rest")

    frame.TOOLS.extend([half, frame.count_words])
    calls = [use("half", "h", path="a.txt"), use("bash", "b", command="touch b.txt")]
    looked = [use("count_words", "c", path="a.txt"), use("bash", "n", command="rm a.txt")]
    answers = [message(calls[0]), REFUSED, message(calls[1]), message(*looked), REFUSED]
    with Server(*answers) as server:
        assert converse(frame, monkeypatch, server, "y", "Worse", "y", "n", "Fine") == ""
    sent = {one["name"]: one["input_schema"] for one in server.requests[0]["tools"]}
    assert [*sent["half"]["properties"]] == ["path", "words"]
    assert sent["half"]["required"] == sent["count_words"]["required"] == ["path"]
    told = server.requests[-1]["messages"][-1]["content"][0]["text"]
    assert (
        "For it, this was run: half a.txt (failed); bash touch b.txt. Changed (2): a.txt, b.txt."
        in told
    )
    assert str(project.root) not in json.dumps([one["messages"] for one in server.requests])


SLOTS = """class MyTodo:
    __slots__ = ("items", "last")

    def __init__(self):
        self.items = []

    def update(self, items):
        self.items, self.last = [dict(each) for each in items], len(items)
        return self.render()

    def render(self):
        return " ".join(each["text"] for each in self.items)
"""
LISTS = {"E2 slots": ("MyTodo", SLOTS)}
LISTS |= {f"E12 {title}": ("TimedTodo", cell) for title, cell in timed_todo.RIGHT.items()}
LISTS |= {f"E8 {title}": ("PriorityTodo", cell) for title, cell in priority_todo.RIGHT.items()}


@pytest.mark.parametrize("name, cell", LISTS.values(), ids=LISTS)
def test_a_list_of_a_refused_prompt_is_what_it_was_before(frame, monkeypatch, name, cell):
    """Its tasks would be in each later reminder, and be refused again."""
    scope, states = {"time": time}, []
    exec(f"{timed_todo.ON_MINE}\n\n{cell}", scope)

    def report(agent):
        states.append((copy_fields(agent.todo), agent.todo.render()))

    monkeypatch.setattr(frame.MyAgent, "report", report)
    begun, done, bad = ({"text": one, "status": "pending"} for one in ("A", "A", "B"))
    begun["status"], done["status"], bad["status"] = "in_progress", "completed", "in_progress"
    plans = [use("todo", "1", items=[begun]), use("todo", "2", items=[done, bad])]
    parts = [*load_parts()]
    parts[1] = scope[name]
    answers = [message(plans[0]), message(text("Well.")), message(plans[1]), REFUSED]
    with Server(*answers) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("MODEL_ID", "practice")
        monkeypatch.setattr(screen, "is_user_there", lambda: True)
        answer(monkeypatch, "Bad", "Good", "")
        frame.main(*parts)
    assert len(states) == 3 and states[0] == states[1] == states[2]
    told = server.requests[-1]["messages"][-1]["content"][0]["text"]
    assert "are in your list (1): keep only" in told


# What is saved.
ENDED = {
    "no message": http(200, "<p>Log in</p>", "content-type: text/html"),
    "an error": error(400, "no such model"),
    "cut off": message(text("Half a"), stop_reason="max_tokens"),
    "too many tokens": message(use("bash", "t", command="ls"), tokens=(600_000, 7)),
}


@pytest.mark.parametrize("answer", ENDED.values(), ids=ENDED)
def test_what_is_saved_says_why_a_run_has_ended(frame, tmp_path, answer):
    sys.argv += ["--save", str(tmp_path / "s.jsonl")]
    with Server(answer) as server:
        ended = play(frame, server)
    assert ended and read_run(tmp_path / "s.jsonl").problem == ended
    assert (tmp_path / "s.jsonl").stat().st_mode & 0o777 == 0o600  # the user's alone


def test_save_replaces_nothing_and_makes_no_file_again(frame, tmp_path):
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "new")
    os.mkfifo(tmp_path / "pipe")
    names = [tmp_path / one for one in ("mine", "link", "pipe", "project", "nowhere/s")]
    for name in (*names, ""):
        sys.argv[1:] = ["Go", "--save", str(name)]
        with Server() as server:
            assert play(frame, server).startswith("--save ") and not server.requests
    assert (tmp_path / "mine").read_text() == "mine" and not (tmp_path / "new").exists()
    gone = tmp_path / "gone"
    sys.argv[1:] = ["Go", "--save", str(gone)]
    with Server() as server:
        server.answer = lambda request: gone.unlink() or message(text("Done."))
        assert play(frame, server) == "" and not gone.exists()


def test_the_file_of_save_is_opened_by_no_tool(frame, project, tmp_path):
    (frame.project.root / "link").symlink_to("s.jsonl")
    Notes("s.jsonl")
    os.link(frame.project.root / "s.jsonl", frame.project.root / "other_name")
    for path in ("s.jsonl", "link", "other_name"):
        with pytest.raises(ValueError, match="is the file into which this run is saved"):
            frame.project.write_file.run(path, "b")
        with pytest.raises(ValueError, match="is the file into which this run is saved"):
            project.make_read_file(lambda folder, path: (folder / path).read_text()).run(path)


def test_a_full_disk_ends_the_saving_and_not_the_run(tmp_path, capsys):
    notes = Notes(str(tmp_path / "s.jsonl"))
    notes.file = open("/dev/full", "w")
    notes.add("prompt", text="Go")
    notes.add("prompt", text="Go on")
    line = f"From here on, nothing is saved in {tmp_path / 's.jsonl'}: No space left on device.\n"
    assert capsys.readouterr().out == line


def test_without_save_nothing_is_stored(program, practice):
    copy_project(load_job("hello"), program.project / "x")
    before = sorted(program.path.parent.rglob("*"))
    done = program.start(practice, "Say hello.")
    left = [one for one in sorted(program.path.parent.rglob("*")) if "__pycache__" not in str(one)]
    assert done.stdout and left == before


# The computer.
def test_a_command_ends_with_all_that_it_has_started_and_its_output_is_cut(program):
    call = "yes | head -c 200000000; sleep 60 & echo $! > child; env > env"
    begun = time.monotonic()
    with Server(message(use("bash", "t", command=call))) as server:
        done = program.start(server.url, "Go", "--model", "other")
    assert (
        time.monotonic() - begun < 50
    )  # the program does not wait for what the command has left running
    assert "without a sandbox: they can do whatever you can do" in done.stdout
    assert server.requests[0]["model"] == "other"
    [result] = server.requests[1]["messages"][-1]["content"]
    assert 49_000 < len(result["content"]) < 50_100
    assert KEY not in (program.project / "env").read_text()
    child = Path("/proc", (program.project / "child").read_text().strip(), "stat")
    end = time.monotonic() + 10
    while child.exists() and " Z " not in child.read_text():
        assert time.monotonic() < end, "the process that the command has left goes on"


def test_the_end_of_a_long_output_says_that_the_command_has_failed(program):
    with Server(message(use("bash", "t", command="seq 1 19000; echo FAILED; exit 3"))) as server:
        program.start(server.url, "Go")
    [result] = server.requests[1]["messages"][-1]["content"]
    assert result["content"].startswith("1\n2\n") and len(result["content"]) < 50_100
    assert result["content"].endswith("19000\nFAILED\n(exit code 3)")


@pytest.mark.parametrize("option", ["", "--sandbox"])
def test_the_sandbox_is_an_option_and_git_has_its_name_only_without_it(program, tmp_path, option):
    """The name is in the home folder, which the sandbox hides."""
    if option and not sandbox_works():
        pytest.skip("bubblewrap does not work here")
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text("[user]\n    name = Ada\n    email = ada@example.com\n")
    commit = "git init -q . && touch in && git add in && git commit -qm First"
    calls = [use("bash", name, command=commit) for name in "ab"]
    with Server(*map(message, calls)) as server:
        done = program.start(server.url, "Go", *filter(None, [option]), HOME=str(home))
    assert done.returncode == 0, done.stderr
    where = "in the sandbox" if option else "without a sandbox"
    assert f"Commands run {'in a' if option else 'without a'} sandbox: they can" in done.stdout
    assert done.stdout.count(f"characters, {where})? [y, a (all bash)") == 2
    results = [one["messages"][-1]["content"][0]["content"] for one in server.requests[1:]]
    log = subprocess.run(["git", "log"], cwd=program.project, capture_output=True, text=True)
    assert ("Ada" in log.stdout) is not option.startswith("--")
    assert ["This command ran in the sandbox" in one for one in results] == [bool(option), False]
    assert ("tell me who you are" in results[0]) is bool(option)


def test_a_sandbox_that_is_asked_for_and_is_not_there_ends_the_program(frame, monkeypatch):
    monkeypatch.setattr("safetylib.guard.bubblewrap.find_program", lambda name: None)
    sys.argv += ["--sandbox"]
    with Server() as server:
        assert play(frame, server).startswith("--sandbox: this computer has no sandbox (")
    assert not server.requests


def test_a_sandbox_that_fails_is_not_said_to_have_run_the_command(project, monkeypatch, capsys):
    def fail():
        raise OSError("The sandbox failed")

    monkeypatch.setattr(project, "in_sandbox", True)
    monkeypatch.setattr("safetylib.guard.shell.sandbox_works", fail)
    assert project.run_command("ls") == ("The sandbox failed", 1)
    assert capsys.readouterr().out == ""


def test_without_a_shell_nobody_is_asked_and_the_model_reads_why(frame, monkeypatch, capsys):
    monkeypatch.setattr("safetylib.guard.import_guard.find_program", lambda name: None)
    asked = answer(monkeypatch, "n")
    with Server(message(use("bash", "t", command="ls"))) as server:
        assert play(frame, server) == ""
    assert asked == [] and "There is no shell here" in capsys.readouterr().out
    [result] = server.requests[1]["messages"][-1]["content"]
    assert result["content"].startswith("There is no shell here, so nothing was run: ")


@pytest.mark.parametrize("how", ["ascii", "latin folder", "closed input", "closed screen"])
def test_odd_computers(program, how):
    work = os.fsencode(program.project) + (b"/w\xff" if how == "latin folder" else b"/w")
    os.mkdir(work)
    env = {"PYTHONIOENCODING": "ascii"} if how == "ascii" else {}
    command = [program.python, str(program.path), "Go \U0001f600"]
    redirect = {"closed input": "<&-", "closed screen": "| head -0"}.get(how, "")
    calls = [use("write_file", "w", path="a", content="b"), text("Done \U0001f600.")]
    with Server(message(calls[0]), message(calls[1]), message(calls[1])) as server:
        done = subprocess.run(
            ["bash", "-c", f'"$@" {redirect}', "bash", *command],
            cwd=work,
            env=os.environ | variables(server.url) | env,
            input="n\n",
            capture_output=True,
            text=True,
        )
    assert "Traceback" not in done.stderr and "Error" not in done.stderr, done.stderr
    assert len(server.requests) == (0 if how == "closed screen" else 2)
    assert not os.path.exists(work + b"/a")
    if how != "closed screen":
        [result] = server.requests[1]["messages"][-1]["content"]
        no = approval.NO_ONE if how == "closed input" else approval.REFUSED
        assert no in result["content"]  # without an answer, the user has not refused it
