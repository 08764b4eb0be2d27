"""my_agent.py: the program with the learner's parts runs in a terminal."""

import os
import re
import runpy
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest
from loopback import SILENCE, Server, error, http, message
from support.blocks import use
from support.notebook import CELLS
from support.terminal import Screen

import lesson
from lesson.exercises.catalogue import EXERCISES
from lesson.program.run import Program

IN_S04_AND_S05 = [one.subject for one in EXERCISES if one.notebook[:3] in ("s04", "s05")]
IN_OTHERS = [name for name in CELLS if name not in IN_S04_AND_S05]
PROMPT = "Refactor hello.py: add type hints, docstrings."


def run_program(*arguments):
    """Run the program as a terminal does, and return what it prints."""
    command = [sys.executable, "my_agent.py", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "parts, runs, rounds",
    [
        (["agent_loop"], "agent_loop.", 7),
        (["agent_loop", "MyTodo", "MyNag"], "the loop of agentlib with MyTodo, MyNag, because", 10),
        (["MyTodo", "MyNag", "MyReminder"], "the loop of agentlib with MyTodo, MyReminder.", 10),
        (["MyTodo", "PriorityNag", "TimedTodo"], "the loop of agentlib with TimedTodo, Pr", 10),
        (["ask_at_the_stop"], "ask_at_the_stop.", 11),
        (IN_S04_AND_S05, "ask_at_the_stop with PriorityTodo, PriorityNag; PriorityTodo ext", 10),
    ],
    ids=str,
)
def test_main_runs_the_newest_parts(notebook, monkeypatch, capsys, parts, runs, rounds):
    for name in parts:
        notebook.keep(name)
    # Each reply then begins with a thinking block.
    monkeypatch.setitem(lesson.PracticeModel.__init__.__kwdefaults__, "thinking", True)
    said = capsys.readouterr().out
    assert "lines for my_agent.py" in said and f"Its main calls {runs}" in said.splitlines()[-1]
    monkeypatch.setattr(sys, "argv", ["my_agent.py", PROMPT])
    runpy.run_path("my_agent.py", run_name="__main__")
    printed = capsys.readouterr().out
    numbers = re.findall(r"(?m)^ +(\d+)  ", printed)
    assert numbers == [str(number) for number in range(1, rounds + 1)]
    assert ("questions at the stop" in printed) == ("ask" in runs)
    assert "def " in Path("hello/hello.py").read_text(encoding="utf-8")


def test_program_prints_each_reminder_and_what_is_new_in_the_list(notebook):
    notebook.keep("PriorityNag")
    first, again = run_program(PROMPT), run_program(PROMPT)
    assert "\n     + reminder: Update your todos. Your list: … Next: Add docstrings.\n" in first
    assert re.findall(r"(?m)^     \[(.)\] #2: ", first) == [" ", ">", "x"]
    assert "delete it" not in first and "hello, as the last run left it; delete it to" in again


@pytest.mark.parametrize(
    "answers, said",
    [
        ([error(401, "no")], "127.0.0.1 does not accept your key"),
        ([error(404, "model: m")], "127.0.0.1 has no model 'm'"),
        ([http(200, "<html>Log in</html>")], "<html>Log in</html>"),
        ([message(use("bash", "t", command="ls"), tokens=(10**6, 1))], "Token limit reached"),
        ([message(content=None)], "Stopped: the model's last reply was empty."),
        ("no key", "If you name no model, the practice model answers"),
        ("symlink", "project is a symlink, so the agent would work elsewhere"),
        ("no prompt", "usage: my_agent.py"),
    ],
    ids=str,
)
def test_what_can_go_wrong_ends_the_program_with_a_sentence(notebook, tmp_path, answers, said):
    notebook.keep("agent_loop")
    with Server(*answers if isinstance(answers, list) else ()) as server:
        env = os.environ | {"MODEL_ID": "m", "ANTHROPIC_BASE_URL": server.url}
        if answers == "no key":
            env = {name: value for name, value in env.items() if "ANTHROPIC" not in name}
        if answers == "symlink":
            (tmp_path / "project").symlink_to(tmp_path)
        command = [sys.executable, "my_agent.py", *["Go"] * (answers != "no prompt")]
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode and said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_at_the_limit_the_user_may_allow_more_and_ctrl_c_ends_with_a_sentence(notebook, tmp_path):
    notebook.keep("agent_loop")
    dear = message(use("read_file", "t", path="a"), tokens=(10**6, 1))
    with Server(dear, SILENCE) as server:
        env = {"MODEL_ID": "m", "ANTHROPIC_BASE_URL": server.url}
        screen = Screen("my_agent.py", "Go", cwd=tmp_path, **env)
        screen.wait_for(b"as much again? [y/n] ")
        screen.type(b"y\n")
        while len(server.requests) < 2:
            sleep(0.01)
        screen.signal(signal.SIGINT)
        screen.wait_for(b"Stopped. The files are as the agent left them.")
        assert screen.end() == 1
    assert b"Traceback" not in screen.seen
    stopping = "import os; os.kill(os.getpid(), 2)"  # Ctrl-C before the lesson is imported
    (tmp_path / "lesson.py").write_text(stopping)
    done = subprocess.run([sys.executable, "my_agent.py"], cwd=tmp_path, capture_output=True)
    assert done.stderr == b"\nStopped.\n"


def test_another_python_is_told_which_one_to_use(notebook, tmp_path):
    notebook.keep("agent_loop")
    command = [sys.executable, "-I", "-S", str(tmp_path / "my_agent.py"), "Go"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.stderr == f"This Python does not have the lesson: use {sys.executable}\n"


def test_run_nag_and_board_need_only_items_update_and_render_of_a_list():
    class Own:
        render = "my list".format

        def update(self, new):
            self.items = new
            return "stored"

    trial = lesson.play("ten_steps", todo=Own(), after=4)
    assert trial.steps_done == len(trial.items) == 10
    assert "my list" in lesson.Board(trial.todo, trial.nag).text()


SHOP = "Refactor this bookshop in ten steps: easy to read, tested and documented."
# unittest passes without a single test, so the check asks for them by the words of the step.
STEP = "Write tests for the prices and the totals"
CHECK = f"ls test_shop.py && python -m unittest -q || ! echo {STEP}"


@pytest.mark.parametrize("part, failed", [("agent_loop", 1), ("ask_at_the_stop", 1)])
def test_own_check_runs_at_the_stop_and_its_output_is_sent_until_it_passes(notebook, part, failed):
    notebook.keep(part)
    printed = run_program("--check", CHECK, SHOP)
    before, *after = printed.split(f"{CHECK}: fails: {STEP}\n")
    assert len(after) == failed
    # The tests were forgotten, and are the next thing that the agent does.
    assert [text.split()[1] for text in after] == ["write_file"] * failed
    assert f"\n     {CHECK}: passes\n" in (after or [before])[-1]


def test_own_check_passes_if_its_exit_code_is_0_whatever_it_prints(capsys):
    check = "echo '(exit code 3)'"
    program = Program("", check, lesson.connect(), lesson.sample("hello"))
    assert program.missing(program.workspace) == [] == program.failed
    assert f"{check}: passes" in capsys.readouterr().out


def test_own_check_that_runs_no_test_fails(capsys):
    program = Program("", "python -m unittest -q", lesson.connect(), lesson.sample("hello"))
    [said] = program.missing(program.workspace)
    assert "Ran 0 tests" in said and program.failed == [said]
    assert re.search("(?i)fails: no tests? ran", capsys.readouterr().out)


@pytest.mark.parametrize("part", ["agent_loop", "ask_at_the_stop"])
def test_program_ends_with_an_error_if_its_check_still_fails(notebook, monkeypatch, capsys, part):
    notebook.keep(part)
    monkeypatch.setattr(sys, "argv", ["my_agent.py", "--check", "false", PROMPT])
    with pytest.raises(SystemExit, match=r"^Stopped: asked 10 times, and `false` still fails\.$"):
        runpy.run_path("my_agent.py", run_name="__main__")
    assert capsys.readouterr().out.count("     false: fails: ") == 11
