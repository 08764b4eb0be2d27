"""The program works in another place: as a copy of the folder, by `take-away`, or as a zip."""

import ast
import json
import os
import resource
import shutil
import subprocess
import sys

import pytest
from loopback import Server, message
from support.blocks import text, use
from support.notebook import CELLS
from support.program import answer, load_parts, play

from agentlib import Tool, Workspace
from agentlib.terminal import Agent, Project
from lesson import open_run
from lesson.__main__ import run
from lesson.common.message_blocks import WINDOW
from lesson.common.parts import PARTS
from lesson.common.solutions import SOLUTIONS, read_first_loop
from lesson.program import folder as program_folder
from lesson.program import in_browser, take_away
from lesson.program.folder import create_folder, write_part
from lesson.samples.copies import copy_project
from lesson.samples.jobs import load_job
from lesson.widgets.run_view import draw_still

pytestmark = pytest.mark.slow
TEN = load_job("ten_steps")
AT_END_OF_S03B = ("agent_loop", "MyTodo", "MyNag")


@pytest.fixture
def learners(tmp_path, monkeypatch):
    """Return a learner's folder as it is at the end of s03b, of a kernel that was just started."""
    folder = tmp_path / "my_lesson" / "my_agent"
    folder.parent.mkdir()
    monkeypatch.chdir(folder.parent)
    monkeypatch.setattr(program_folder, "path", folder)
    create_folder()
    for name in AT_END_OF_S03B:
        text = write_part(name, CELLS[name])
        (folder / f"{PARTS[name].file}.py").write_text(text, encoding="utf-8")
    return folder


def practice(folder, *arguments):
    command = [sys.executable, "-m", "lesson", "practice", *arguments]
    return subprocess.run(command, cwd=folder, input="a\n" * 99, capture_output=True, text=True)


@pytest.mark.release
def test_ten_steps_in_a_zip_with_only_the_sdk(program, practice, monkeypatch):
    target = program.path.with_name("elsewhere.zip")
    monkeypatch.setattr(program_folder, "path", program.path)
    take_away.take_away(target.name)
    shutil.rmtree(program.path)
    program.project.rmdir()
    copy_project(TEN, program.project)
    env = {"MY_AGENT_WINDOW": "12", "LESSON_DEFER_IMPORTS": "0"}  # the SDK as a user has it
    done = program.start(practice, TEN.prompt, program=target, **env)
    assert done.returncode == 0, done.stderr
    assert TEN.find_done(program.project) == (True,) * 10


def test_a_saved_run_is_opened_as_it_was_sent(learners):
    path = learners.with_name("run.jsonl")
    assert practice(learners.parent, "my_agent", TEN.prompt, "--", "--save", path).returncode == 0
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    saved, size = open_run(path), sum(line["type"] == "reply" for line in lines)
    assert len(saved.records) == size > 20 and not saved.problem and not saved.note
    assert saved.letters.count("U") == sum(line["type"] == "known" for line in lines) > 3
    for number, record in enumerate(saved.records, 1):
        assert len(saved.request(number).sent["messages"]) <= 1 + WINDOW
        assert bool(record.round.reminder) == record.letter.isupper()
    parts = saved.request(6).parts
    assert [part.kind for part in parts[:2]] == ["system", "tools"]
    [asked] = [part for part in parts if TEN.prompt in part.text]
    assert asked.author == "you"
    *_, reminder = [part for part in parts if part.kind == "reminder"]
    assert reminder.author == "the program's nag" and "Update your todos." in reminder.text
    assert "Changed:" not in str(saved) and "changed no file" not in draw_still(saved, size)


@pytest.mark.release
def test_the_first_loop_runs_without_the_list_that_it_would_lose(learners, tmp_path):
    # It has the parameter `remind`, as the given line of E1 has, and does not use it.
    (learners / "loop.py").write_text(read_first_loop(), encoding="utf-8")
    (learners / "todo.py").write_text(PARTS["MyTodo"].start, encoding="utf-8")
    made = practice(tmp_path, str(learners), load_job("hello").prompt)
    assert made.returncode == 0, made.stderr
    assert "so it runs without the list and the nag.\n" in made.stdout
    assert (
        "(reminder)" not in made.stdout
        and "Changed or new: hello.py. The files show 3 of 3 steps." in made.stdout
    )


def test_take_away_has_the_packages_that_the_program_needs(learners, program, practice, capsys):
    assert run(["take-away", "taken"]) == 0
    out = capsys.readouterr().out
    assert "Yours: agent_loop, MyTodo, MyNag." in out and "Of our solution: read_file" in out
    taken = learners.with_name("taken")
    assert (taken / "loop.py").read_bytes() == (learners / "loop.py").read_bytes()
    program.project.rmdir()
    copy_project(TEN, program.project)
    done = program.start(practice, TEN.prompt, program=taken, MY_AGENT_WINDOW="12")
    assert done.returncode == 0, done.stderr
    assert TEN.find_done(program.project) == (True,) * 10


def test_take_away_above_the_lessons_folder_finds_the_program_or_writes_nothing(
    learners, capsys, monkeypatch
):
    """All parts there would be ours, so the learner would take only our solution along."""
    above = learners.parents[1]
    monkeypatch.chdir(above)
    assert run(["take-away", "of mine.zip"]) == 0 and (above / "of mine.zip").is_file()
    out, err = capsys.readouterr()
    assert "Yours: agent_loop, MyTodo, MyNag." in out and f"'{above}/of mine.zip'" in out
    assert err == "This is my_lesson/my_agent.\n"
    assert run(["take-away", ""]) == 1 and capsys.readouterr().out.startswith("The name is empty")
    learners.rename(learners.with_name("elsewhere"))
    assert run(["take-away", "mine.zip"]) == 1 and not (above / "mine.zip").exists()
    assert capsys.readouterr().err.startswith("There is no program my_agent here, nor in a folder")


def test_take_away_replaces_nothing_and_takes_what_was_changed_along(learners, capsys):
    with open(learners / "frame.py", "a") as frame:
        frame.write("# mine\n")
    (learners / "more.py").write_text("MINE = 1\n")
    os.mkfifo(learners.with_name("pipe.zip"))
    learners.with_name("link.zip").symlink_to("new.zip")
    learners.with_name("mine.zip").write_text("mine")
    learners.with_name("empty").mkdir()
    for name in ("pipe.zip", "link.zip", "mine.zip", "empty", "mine.zip/x", "."):
        assert take_away.main(name) == 1
    printed = capsys.readouterr().out
    assert printed.count("is there already, and was not changed") == 5
    assert "mine.zip/x was not written: Not a directory" in printed
    assert learners.with_name("mine.zip").read_text() == "mine"
    assert not learners.with_name("new.zip").exists()
    take_away.take_away("taken")
    taken = learners.with_name("taken")
    assert (taken / "frame.py").read_text().endswith("# mine\n") and (taken / "more.py").exists()
    others = [one.name for one in taken.rglob("*") if one.is_file() and one.suffix != ".py"]
    assert others == []


def test_take_away_that_is_stopped_leaves_nothing(learners, capsys):
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, limit[1]))  # as a disk that is full
        take_away.take_away("taken")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert "taken was not written: File too large" in capsys.readouterr().out
    assert not learners.with_name("taken").exists()


@pytest.mark.parametrize("where", ["beside", "inside", "by a link", "home", "PYTHONPATH", "-m"])
def test_a_folder_that_contains_the_program_or_its_modules_is_refused(program, where):
    (program.path.parent / "bin").mkdir()
    link = program.path.parent / "bin" / "my_agent"
    link.symlink_to(program.path)
    cwd = {"beside": program.path.parent, "inside": program.path, "by a link": link.parent}
    env = {"home": {"HOME": str(program.project)}, "PYTHONPATH": {"PYTHONPATH": "."}}
    env = env.get(where, {"HOME": "/nowhere"})
    arguments = ["my_agent", "Go on"] if where == "-m" else ["Go on"]
    started = "-m" if where == "-m" else link if where == "by a link" else program.path
    place = cwd.get(where, program.path.parent if where == "-m" else program.project)
    with Server() as server:
        done = program.start(server.url, *arguments, program=started, cwd=place, **env)
    assert not server.requests and "Traceback" not in done.stderr
    if where in ("home", "PYTHONPATH"):
        assert done.returncode == 1 and "start this in the folder of a project" in done.stderr
    else:
        line = f"{program.python} {link if where == 'by a link' else program.path} 'Go on'"
        assert done.returncode == 2 and line in done.stderr


def test_without_the_sdk_one_line_says_how_to_install_it(program):
    command = [sys.executable, "-S", str(program.path), "Go"]  # without installed packages
    done = subprocess.run(command, cwd=program.project, capture_output=True, text=True)
    message = f"To install the package anthropic: {sys.executable} -m pip install anthropic\n"
    assert (done.returncode, done.stderr) == (1, message)


def test_a_folder_that_is_gone_is_a_sentence(program):
    command = ["bash", "-c", 'rmdir "$PWD"; exec "$@"', "bash", program.python, str(program.path)]
    done = subprocess.run(command, cwd=program.project, capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.startswith("The folder in which you start this was")


@pytest.mark.release
def test_the_program_starts_by_a_link_to_its_first_file(program):
    link = program.path.with_name("agent")
    link.symlink_to(program.path / "__main__.py")
    with Server(message(text("Here."))) as server:
        done = program.start(server.url, "Go", program=link)
    assert done.returncode == 0 and "Here.\n" in done.stdout, done.stderr


@pytest.mark.release
def test_packages_of_others_with_our_names_are_not_used(program, tmp_path):
    for name in ("agentlib", "lesson", "safetylib"):
        (tmp_path / "others" / name).mkdir(parents=True)
        (tmp_path / "others" / name / "__init__.py").write_text("raise RuntimeError('theirs')\n")
    calls = [use("todo", "t", items=[{"text": "Fix"}]), use("fly", "f")]
    with Server(*map(message, calls)) as server:
        done = program.start(server.url, "Go", PYTHONPATH=str(tmp_path / "others"))
    assert done.returncode == 0 and "[ ] Fix" in done.stdout, done.stderr
    assert "there is no tool 'fly', only todo, read_file, bash" in str(server.requests[-1])


HELPERS = """find plain change ask_user show cut to_json Tool call_tool RenderedList main Model
Project bash run_command project close read_line Notes hide_keys_in say
workspace connect Agent""".split()


def test_helpers_of_a_part_with_any_name_change_nothing_else(program):
    for name, part in PARTS.items():
        file = program.path / f"{part.file}.py"
        lines = [f"def {p}{one}(*a):\n    return 1 / 0\n\n\n" for one in HELPERS for p in ("", "_")]
        own = {word for word in HELPERS if word in file.read_text()} | {name}
        lines = [line for line in lines if line.split("(")[0].split()[1].lstrip("_") not in own]
        file.write_text("".join(lines) + file.read_text())
    calls = [use("read_file", "r", path="a.txt"), use("write_file", "w", path="b", content="c")]
    (program.project / "a.txt").write_text("touch pwned\n")
    with Server(*map(message, calls)) as server:
        done = program.start(server.url, "Go")
    assert done.returncode == 0, done.stderr
    assert "touch pwned" in str(server.requests[1]["messages"][-1])
    assert sorted(one.name for one in program.project.iterdir()) == ["a.txt", "b"]


def test_in_a_browser_the_program_plays_in_the_kernel_and_is_read_again_each_time(
    program, monkeypatch, capsys
):
    """The test of the browser edition runs it in a browser."""
    before = [*sys.path]
    silent = "class PriorityNag:\n    def __init__(self, todo, after):\n        pass\n\n"
    silent += "    def __call__(self, calls):\n        return None\n"
    (program.path / ".checked.json").touch()
    for done, name in ((10, "ten_steps"), (3, "ten_steps_2")):
        made = program.path.parent / "made" / name
        if done == 3:
            (program.path / "next_task.py").write_text(silent)
        monkeypatch.setattr(sys, "path", [str(program.path), "", *before])
        monkeypatch.setattr(sys, "argv", ["__main__.py", TEN.prompt])
        answer(monkeypatch, "a")
        in_browser.main(*load_parts())
        assert f"The files show {done} of 10 steps. They stay in {made}." in (
            capsys.readouterr().out
        )
        assert TEN.find_done(made).count(True) == done
        assert "frame" not in sys.modules and str(program.path) not in sys.path
    monkeypatch.setattr(sys, "argv", ["__main__.py", "Fly."])
    in_browser.main()
    assert "The practice model knows only these prompts" in capsys.readouterr().out


def test_a_tool_of_the_users_is_one_function_and_one_name(program):
    file = program.path / "frame.py"
    own = 'def count(path):\n    """Count the lines of a file."""\n    return "eleven"\n\n\n'
    file.write_text(file.read_text().replace("TOOLS = [", f"{own}TOOLS = [count, "))
    with Server(message(use("count", "t", path="hello.py")), message(text("Done."))) as server:
        done = program.start(server.url, "Go")
    assert done.returncode == 0, done.stderr
    [tool] = [one for one in server.requests[0]["tools"] if one["name"] == "count"]
    assert tool["description"] == "Count the lines of a file."
    assert server.requests[1]["messages"][-1]["content"][0]["content"] == "eleven"


SCHEMA = {"type": "object"}
# An item of TOOLS, and the beginning of the sentence about it.
WRONG_TOOLS = {
    "async def f(path): pass": "f is async, or has `yield`",
    "def f(path): yield": "f is async, or has `yield`",
    "def f(path, /): pass": "f takes `path`: write it without / and *",
    "def f(*paths): pass": "f takes `*paths`: write",
    "def f(path, **more): pass": "f takes `**more`: write",
    "f = len": "len takes `obj`: write",
    "f = 'count_words'": "'count_words' is not a function: write",
    "f = None": "None is not a function: write",
    "from functools import *\nf = partial(len, 'a')": "functools.partial(<built-in",
    "from functools import *\nf = update_wrapper(partial(run), run)": "functools.partial(<function",
    "from functools import *\nf = singledispatch(run)": "<function run",
    "f = lambda path: path": "rename <lambda>: each name",
    "f = Tool('wörter', '', SCHEMA, len)": "rename wörter: each name",
    "def bash(path): pass\nf = bash": "rename bash: each name",
    "f = Tool('todo', '', SCHEMA, len)": "rename todo: each name",
}


@pytest.mark.parametrize("cell, begins", WRONG_TOOLS.items())
def test_tool_that_cannot_be_called_is_named_before_the_first_prompt(frame, cell, begins):
    exec(cell, scope := {**globals()})
    frame.TOOLS.append(scope["f"])
    with Server() as server:
        _, reason = play(frame, server).split(": ", 1)
    assert reason.startswith(begins) and reason.endswith(".") and not server.requests


def test_tool_that_cannot_be_called_is_named_before_a_connection_is_asked_for(frame):
    frame.TOOLS.append(None)
    assert "None is not a function" in play(frame, None)  # and MODEL_ID is not set


async def waits(code):
    """Wait."""


def leaves(code):
    """Leave."""
    exit()


def returns_what_has_not_run(code):
    """Return a coroutine."""
    return waits(code)


def test_tool_that_calls_exit_or_has_not_run_is_an_error_for_the_model(frame, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", open(0, closefd=False))
    frame.TOOLS += [leaves, returns_what_has_not_run]
    calls = use("leaves", "1", code=""), use("returns_what_has_not_run", "2", code="")
    with Server(message(*calls)) as server:
        assert play(frame, server) == ""
    results = [one["content"] for one in server.requests[1]["messages"][-1]["content"]]
    assert "the tool leaves has called exit(None)" in results[0] and not sys.stdin.closed
    assert "the tool returns_what_has_not_run did not run: it is async" in results[1]
    assert "(not done) leaves: the tool leaves has called exit(None)\n" in capsys.readouterr().out


def test_a_tool_of_the_package_has_one_description_in_both_doors(frame, tmp_path):
    """A model reads the same facts, such as that bash gets no input, in both doors."""
    (tmp_path / "work").mkdir()
    own = {one.name: one.spec for one in Workspace(tmp_path / "work").tools()}
    with Server(message(text("Done."))) as server:
        assert play(frame, server) == ""
    sent = {one["name"]: one for one in server.requests[0]["tools"]}
    assert {name: sent[name] for name in own} == own


def test_a_tool_object_of_the_users_asks_before_each_call_unless_it_changes_nothing(
    frame, monkeypatch
):
    schema = {"type": "object", "properties": {"to": {"type": "array"}}}
    ran, asked = [], answer(monkeypatch, "n", "y")
    for name, asks in (("send", True), ("look", False)):
        run = lambda to, name=name: ran.append((name, to)) or "done"  # noqa: E731
        frame.TOOLS.append(Tool(name, "Do it.", schema, run, asks=asks))
    calls = [use(name, f"c{n}", to=["a"]) for n, name in enumerate(("send", "send", "look"))]
    with Server(*map(message, calls)) as server:
        assert play(frame, server) == ""
    assert ran == [("send", ["a"]), ("look", ["a"])] and len(asked) == 2
    assert asked[0].startswith("› Allow send: to: ['a'] (1 line")


def test_frame_reaches_files_screen_and_server_only_by_the_package():
    """SECURITY.md says that the packages protect the user, so this file may be changed."""
    nodes = [*ast.walk(ast.parse((SOLUTIONS / "frame.py").read_text(encoding="utf-8")))]
    assert [ast.unparse(n) for n in nodes if isinstance(n, ast.Import | ast.ImportFrom)] == [
        "from agentlib.terminal import Agent, Limits, Project"
    ]
    names = {n.id for n in nodes if isinstance(n, ast.Name)}
    assert not names & {"open", "print", "input", "exec", "eval", "__import__"}


def test_what_a_program_may_extend_has_no_underscore_and_stays():
    """A frame.py is never replaced, so a new name of Agent could be a learner's own already."""
    names = {name for name in vars(Agent) if not name.startswith("_")}
    assert names == {"after", "main", "report", "write_system"}
    of_project = "ask_user bash edit_file find read root write_file".split()  # and `say`, Limits
    assert of_project == sorted({*of_project} & {*dir(Project("frame.py"))})
