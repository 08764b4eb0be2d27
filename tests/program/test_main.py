"""my_agent.py runs in a terminal: whatever is in it, and whatever the model or its server does."""

import errno
import json
import re
import runpy
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest
from loopback import SILENCE, Server, error, http, message
from support.blocks import text, use
from support.notebook import CELLS, FIRST
from support.terminal import Screen

import lesson
from lesson.common.parts import PARTS
from lesson.common.solutions import NOTEBOOKS
from lesson.program import file
from lesson.program.file import FILE, MAIN, stamp, write_program
from lesson.program.main import Judge, open_workspace, print_times
from lesson.program.terminal import terminal
from lesson.samples.copies import copy_sample
from lesson.samples.jobs import load_job
from lesson.samples.own_job import make_job

HELLO = "Refactor hello.py: add type hints, docstrings and a main guard."
NEXT = b"Your next prompt"
SHOP = load_job("ten_steps").prompt
# Stop reasons of a last reply that is no complete answer, and what the program says of each.
EARLY = {
    "max_tokens": "Stopped: The reply was cut off at max_tokens, and the model has called no tool.",
    "model_context_window_exceeded": "Stopped: The reply was cut off, because",
    "refusal": "Stopped: The model declined to answer.",
    "new\x1b[2J": r"Stopped: The reply may be cut off: the server's stop reason is 'new\x1b[2J'.",
}
# What a learner has after each exercise, in the order of the lesson: a part that has another level
# is the one of its first exercise.
EXERCISES = {
    level.exercise: {name: (FIRST if level != part.levels[-1] else CELLS)[name]}
    for name, part in PARTS.items()
    for level in part.levels
}
EXERCISES = {name: EXERCISES[name] for name in sorted(EXERCISES, key=lambda one: int(one[1:]))}
LAST = [*EXERCISES][-1]


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    """Return an empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(file, "path", tmp_path / FILE)
    return tmp_path


def write(**parts):
    Path(FILE).write_text(write_program({name: stamp(one) for name, one in parts.items()}))


def up_to(exercise):
    """Return the sections after an exercise, "" for none."""
    names = [*EXERCISES]
    texts = {}
    for name in names[: names.index(exercise) + 1] if exercise else ():
        texts |= EXERCISES[name]
    return texts


def run_here(monkeypatch, capsys, *arguments):
    """Run the program in this process, and return what it prints."""
    monkeypatch.setattr(sys, "argv", [FILE, *arguments])
    runpy.run_path(FILE, run_name="__main__")
    return capsys.readouterr().out


@pytest.mark.parametrize("exercise", ["", *EXERCISES])
def test_program_does_the_ten_steps_in_each_state_of_progress(monkeypatch, capsys, exercise):
    own = up_to(exercise)
    write(**own)
    printed = run_here(monkeypatch, capsys, SHOP)
    assert "The files show 10 of 10 steps." in printed
    has_no_remind = own.get("agent_loop") == FIRST["agent_loop"]
    assert ("This loop does not use `remind`" in printed) == has_no_remind
    assert ("+ reminder: Update your todos." in printed) != has_no_remind
    assert ("The program asks, not the user" in Path(FILE).read_text()) == (
        "ask_at_the_stop" in own
    )
    assert (re.search(r"\d rounds  session", printed) is not None) == ("TimedTodo" in own)
    assert ("(priority: high)" in printed) == ("PriorityTodo" in own)


def test_times_of_the_practice_model_can_be_read_although_they_are_short(capsys):
    class Timed:
        def summary(self):
            return {"Fix it": 0.02, "Test it": 0, "session": 75.5}

    print_times(Timed(), "s")
    assert capsys.readouterr().out.split() == "0.02 s Fix it 0 s Test it 75.50 s session".split()


def test_program_runs_in_a_process_of_its_own():
    write(**up_to(LAST))
    done = subprocess.run([sys.executable, FILE, SHOP], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "The files show 10 of 10 steps." in done.stdout


def test_help_imports_no_package_of_notebooks():
    write()
    command = [sys.executable, "-X", "importtime", FILE, "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "usage: my_agent.py" in done.stdout
    imported = set(re.findall(r"\|\s+(\w+)", done.stderr))
    assert "lesson" in imported and not imported & {"ipywidgets", "IPython", "anthropic"}


def test_program_prints_each_reminder_and_what_is_new_in_the_list(monkeypatch, capsys):
    write(**up_to("E9"))
    first = run_here(monkeypatch, capsys, "--after", "3", HELLO)
    again = run_here(monkeypatch, capsys, "--after", "3", HELLO)
    assert re.search(r"\n     \+ reminder: Update your todos\. … Next: Add docstrings\.\n", first)
    assert re.findall(r"(?m)^     \[(.)\] (?:#\d: )?Add doc", first) == [" ", ">", "x"]
    assert "delete it" not in first and "hello, as the last run left it; delete it to" in again


LOOPS = {
    "yields": (CELLS["agent_loop"] + "\n        yield", "The files show 10 of 10 steps."),
    "prints": (CELLS["agent_loop"].replace("    while", "    print('mine')\n    while"), "mine\n"),
    "returns early": ("def agent_loop(client, messages, tools, **more):\n    pass", "0 of 10"),
    "raises": (
        CELLS["agent_loop"].replace(
            "if not uses", "if len(messages) > 9:\n            1 / 0\n        if not uses"
        ),
        "The files show 1 of 10 steps.",
    ),
}


def test_list_that_lacks_a_task_is_told_and_a_reminder_is_still_printed_without_the_list(
    monkeypatch, capsys
):
    write(agent_loop=CELLS["agent_loop"], MyNag=CELLS["MyNag"])
    items = [{"text": name, "status": "pending"} for name in ("Read", "Write")]
    lists = [message(use("todo", "t", items=items)), message(use("todo", "t", items=items[1:]))]
    work = [message(use("read_file", "t", path="a")) for _ in range(3)]
    with Server(*lists, *work) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        printed = run_here(monkeypatch, capsys, "--after", "3", "--model", "m", "Go")
    assert "     Compared with the last list, unfinished tasks that are missing: 1." in printed
    [reminder] = re.findall(r"\+ reminder: (.*)", printed)
    assert "…" in reminder and "Write" not in reminder


@pytest.mark.parametrize("kind", LOOPS)
def test_any_loop_is_played_as_far_as_it_comes(monkeypatch, capsys, kind):
    loop, said = LOOPS[kind]
    write(agent_loop=loop)
    monkeypatch.setattr(sys, "argv", [FILE, SHOP])
    if kind == "raises":
        with pytest.raises(SystemExit, match="1"):
            runpy.run_path(FILE, run_name="__main__")
    else:
        runpy.run_path(FILE, run_name="__main__")
    printed = capsys.readouterr()
    assert said in printed.out
    assert ("ZeroDivisionError" in printed.err) == (kind == "raises")


@pytest.mark.parametrize(
    "answers, said",
    [
        ([error(401, "no")], "127.0.0.1 does not accept your key"),
        ([error(404, "model: m")], "127.0.0.1 has no model 'm'"),
        ([http(200, "<html>Log in</html>")], "<html>Log in</html>"),
        ([message(use("bash", "t", command="ls"), tokens=(10**6, 1))], "Token limit reached"),
        ([message(content=None)], "Stopped: The model's last reply was empty."),
        ([message(text("Half a"), stop_reason="refusal")], EARLY["refusal"]),
        ("no key", "If you name no model, the practice model answers"),
        ("symlink", "project is a symlink, so the agent would work elsewhere"),
        ("no prompt", "usage: my_agent.py"),
    ],
    ids=str,
)
def test_what_can_go_wrong_ends_the_program_with_a_sentence(
    monkeypatch, capsys, tmp_path, answers, said
):
    write()
    with Server(*answers if isinstance(answers, list) else ()) as server:
        monkeypatch.setenv("MODEL_ID", "m")
        if answers != "no key":
            monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        if answers == "symlink":
            (tmp_path / "project").symlink_to(tmp_path)
        with pytest.raises(SystemExit) as ended:
            run_here(monkeypatch, capsys, *([] if answers == "no prompt" else ["Go"]))
    printed = capsys.readouterr()
    assert ended.value.code and said in f"{ended.value}{printed.out}{printed.err}"


@pytest.mark.parametrize("stop_reason", EARLY)
def test_reply_that_was_cut_off_ends_any_loop_with_status_1_unless_a_later_one_is_complete(
    monkeypatch, capsys, stop_reason
):
    write(**up_to("E10"))  # the learner's own loop looks at the blocks only
    early = message(text("Half a"), stop_reason=stop_reason)
    check = "test -e done || ! touch done"  # fails at the first stop, and passes at the second
    with Server(early, message(text("Done.")), early) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        printed = run_here(monkeypatch, capsys, "--model", "m", "--check", check, "Go")
        assert "Stopped" not in printed
        with pytest.raises(SystemExit) as ended:
            run_here(monkeypatch, capsys, "--model", "m", "Go")
    assert str(ended.value.code).startswith(EARLY[stop_reason])


def test_a_sample_that_is_not_copied_ends_with_a_sentence_and_leaves_nothing(
    monkeypatch, capsys, tmp_path
):
    write()

    def fail(source, target, **_):
        raise OSError(errno.ENOSPC, "No space left on device", str(target))

    monkeypatch.setattr("shutil.copyfile", fail)
    with pytest.raises(SystemExit) as ended:
        run_here(monkeypatch, capsys, HELLO)
    assert str(ended.value) == (
        "The sample was not copied. No space left on device. The disk is full: delete something, "
        "and try again. No file has changed."
    )
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_call_that_is_written_as_text_is_told(monkeypatch, capsys):
    write()
    call = '```json\n{"name": "read_file", "arguments": {"path": "a"}}\n```'
    with Server(message(text(call))) as server, pytest.raises(SystemExit) as ended:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        run_here(monkeypatch, capsys, "--model", "m", "Go")
    assert "The model wrote a tool call as text, so nothing was run." in str(ended.value)


def test_call_that_failed_is_marked_whatever_the_loop_says_of_it(monkeypatch, capsys):
    write(**up_to("E10"))  # a loop that does not set `is_error`
    call = message(use("edit_file", "t", path="no.py", old_text="a", new_text="b"))
    with Server(call, message(text("Done."))) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        assert "     (failed) Error: " in run_here(monkeypatch, capsys, "--model", "m", "Go")


def test_at_the_limit_the_user_may_allow_more_and_ctrl_c_ends_with_a_sentence(tmp_path):
    write()
    dear = message(use("read_file", "t", path="a"), tokens=(10**6, 1))
    with Server(dear, SILENCE) as server:
        env = {"MODEL_ID": "m", "ANTHROPIC_BASE_URL": server.url}
        screen = Screen(FILE, "Go", cwd=tmp_path, **env)
        screen.wait_for(b"as much again? [y/n] ")
        screen.type(b"y\n")
        while len(server.requests) < 2:
            sleep(0.01)
        screen.signal(signal.SIGINT)
        screen.wait_for(b"Stopped. The files are as the agent left them.")
        screen.wait_for(NEXT)
        screen.type(b"\n")
        assert screen.end() == 0
    assert b"Traceback" not in screen.seen


@pytest.mark.parametrize("no_colour", ["", "1"])
def test_a_terminal_shows_reminders_and_results_in_colour_unless_it_is_not_wanted(no_colour):
    write(**up_to(LAST))
    screen = Screen(FILE, "--after", "3", SHOP, NO_COLOR=no_colour)
    screen.wait_for(b"The files show 10 of 10 steps.")
    screen.wait_for(NEXT)
    screen.type(b"exit\n")
    assert screen.end() == 0
    for colour, words in ((b"35", b"     + reminder: "), (b"32", b"     The files show 10")):
        assert (b"\x1b[" + colour + b"m" + words in screen.seen) is (not no_colour)


def test_real_model_asks_before_each_change_and_works_in_a_folder_of_its_own(tmp_path):
    write(**up_to(LAST))
    change = message(use("write_file", "t", path="a.txt", content="hi"))
    listed = message(use("todo", "u", items=[{"id": "1", "text": "Write", "status": "pending"}]))
    with Server(listed, change, message(text("Done."))) as server:
        screen = Screen(FILE, "--model", "m", "Go", ANTHROPIC_BASE_URL=server.url)
        screen.wait_for(b"[ ] #1: Write")
        screen.wait_for(b"write_file")
        assert not (tmp_path / "project" / "a.txt").exists()
        screen.type(b"y\n")
        screen.wait_for(NEXT)
        screen.type(b"\x04")
        assert screen.end() == 0
    assert (tmp_path / "project" / "a.txt").read_text() == "hi"


@pytest.mark.parametrize("prompt", [SHOP, "Refactor this bookshop in ten steps, gently."])
def test_real_model_gets_the_steps_only_with_the_prompt_of_the_job(monkeypatch, capsys, prompt):
    write()
    with Server(message(text("Done.")), message(text("Done."))) as server:
        monkeypatch.setattr("lesson.program.main.find_missing", lambda workspace: [])
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        printed = run_here(monkeypatch, capsys, "--model", "m", prompt)
        sent = str(server.requests)
    is_the_job = prompt == SHOP
    assert ("10. Bring README.md up to date" in sent) is is_the_job
    assert ("The files show 0 of 10 steps." in printed) is is_the_job


def test_practice_model_does_not_start_in_the_folder_of_a_real_one(tmp_path):
    copy_sample("ten_steps", tmp_path / "ten_steps")
    (tmp_path / "ten_steps" / "test_shop.py").write_text("import unittest\n" * 100)
    model = lesson.connect("practice", say=lambda line: None)
    with pytest.raises(ValueError, match="does not recognise test_shop.py in the folder ten_steps"):
        open_workspace(SHOP, model)


# unittest passes without a single test, so the check asks for them by the words of the step.
STEP = "Write tests for the prices and the totals"
CHECK = f"ls test_shop.py && python -m unittest -q || ! echo {STEP}"


def test_own_check_runs_at_the_stop_and_its_output_is_sent_until_it_passes(monkeypatch, capsys):
    write()
    monkeypatch.setattr("lesson.program.main.AFTER", 10**3)  # then the tests are forgotten
    printed = run_here(monkeypatch, capsys, "--check", CHECK, SHOP)
    before, *after = printed.split(f"{CHECK}: fails: {STEP}\n")
    assert len(after) >= 1
    assert "write_file" in after[-1]
    assert f"\n     {CHECK}: passes\n" in after[-1]


def test_program_ends_with_an_error_if_its_check_still_fails(monkeypatch, capsys):
    write()
    monkeypatch.setattr(sys, "argv", [FILE, "--check", "false", HELLO])
    with pytest.raises(SystemExit, match="1"):
        runpy.run_path(FILE, run_name="__main__")
    printed = capsys.readouterr().out
    assert printed.count("     false: fails: ") == 2
    assert "without a tool call, and the same is still missing" in printed
    assert "`false` still fails: it said no 2 times." in printed


@pytest.fixture
def line_of_the_lesson(capsys):
    """Return the words of the line that the cell of s04c prints for a terminal."""
    write(**up_to(LAST))
    cells = json.loads((NOTEBOOKS / "s04c_take_it_with_you.ipynb").read_text(encoding="utf-8"))[
        "cells"
    ]
    (code,) = [text for cell in cells if "terminal(" in (text := "".join(cell["source"]))]
    exec(code, {})
    return shlex.split(capsys.readouterr().out)


@pytest.mark.parametrize("after, said", [("1", ["passes"]), ("9", ["fails", "passes"])])
def test_line_of_s04c_ends_with_0_and_a_late_reminder_is_refused_once(
    line_of_the_lesson, after, said
):
    words = line_of_the_lesson
    check = words[words.index("--check") + 1]
    assert words[words.index("--after") + 1] == "1" and check.startswith("python -m unittest")
    words[words.index("--after") + 1] = after
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    _, *stops = done.stdout.split(f"     {check}: ")
    assert [stop.partition(":")[0].split()[0] for stop in stops] == said
    assert all("write_file tests/test_utils.py" in stop for stop in stops[:-1])  # the work follows
    assert "The files show 5 of 5 steps." in stops[-1]


def test_line_of_s04c_with_a_check_that_always_says_no_ends_with_1(line_of_the_lesson):
    words = line_of_the_lesson
    words[words.index("--check") + 1] = "false"
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert done.stdout.count("     false: fails: ") == 2  # as the fold of s04c says
    assert "`false` still fails: it said no 2 times." in done.stdout


@pytest.mark.parametrize(
    "check, failed, said",
    [
        ("echo '(exit code 3)'", [], r"passes"),
        ("python -m unittest -q", [r"Ran 0 tests"], r"(?i)fails: no tests? ran"),
    ],
)
def test_own_check_is_judged_by_its_exit_code_and_needs_a_test(capsys, check, failed, said):
    judge = Judge(lesson.sample("hello"), "", check, real=False)
    missing = judge.missing()
    assert len(missing) == len(failed) and all(map(re.search, failed, missing))
    assert re.search(said, capsys.readouterr().out)


def test_line_for_the_terminal_names_the_python_of_the_notebook(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(sys, "executable", "/usr/bin/python3")
    terminal(HELLO)  # it writes the program, with the package's parts
    assert Path(FILE).read_text() == write_program({}) and capsys.readouterr().out
    write()
    own = shlex.quote(str(tmp_path / FILE))
    terminal(HELLO)
    terminal("Go", model="m", check="make test")
    assert capsys.readouterr().out == (
        f"/usr/bin/python3 {own} '{HELLO}'\n"
        f"/usr/bin/python3 {own} --model m --check 'make test' Go\n"
    )
    monkeypatch.setattr(sys, "executable", "")
    terminal(HELLO)
    assert capsys.readouterr().out == f"%run my_agent.py '{HELLO}'\n"


def test_a_job_of_ones_own_is_done_in_the_folder_project(monkeypatch, capsys, tmp_path):
    write(**up_to(LAST))
    job = make_job([("Write the greeting", "hello.txt", "Hello!\n"), ("Sign it", "by.txt", "Ada")])
    printed = run_here(monkeypatch, capsys, job.prompt)
    assert (tmp_path / "project" / "hello.txt").read_text() == "Hello!\n"
    assert "[x] " in printed and "The files show" not in printed


def test_program_reads_with_the_learners_function(monkeypatch, capsys):
    own = "def read_file(folder, path):\n    print('mine:', path)\n    return 'x = 1\\n'\n"
    write(**up_to("E1"), read_file=own)
    assert "mine: hello.py" in run_here(monkeypatch, capsys, HELLO)


def test_main_that_was_changed_by_hand_stays(monkeypatch, capsys):
    changed = MAIN.replace("    main(", "    print('my own main')\n    main(")
    sections = {"main": stamp(MAIN)._replace(text=changed)}
    Path(FILE).write_text(write_program(sections))
    file.save_section("MyNag", CELLS["MyNag"], "")
    assert "my own main" in run_here(monkeypatch, capsys, HELLO)
