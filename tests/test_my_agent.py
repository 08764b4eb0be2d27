"""keep(): what passes its check is saved in my_agent.py, and the file runs in a terminal."""

import ast
import os
import re
import runpy
import signal
import subprocess
import sys
from contextlib import chdir
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from time import sleep

import pytest
from exercises.cells import SOLUTIONS
from IPython.core.interactiveshell import InteractiveShell
from loopback import SILENCE, Server, error, http, message
from support.blocks import use
from support.terminal import Screen
from traitlets.config import Config

import lesson
from lesson.exercises.catalogue import EXERCISES
from lesson.program.cells import collect
from lesson.program.run import Program

IMPORTS = """\
import time
from agentlib import (
    Nag, TodoManager, Tool,
    call_tool, run,
)
from lesson import sample
"""
SOURCES = {
    one.subject: IMPORTS + import_module(f"exercises.attempts.{one.name}").PLAIN
    for one in reversed(EXERCISES)  # the first one about a name: agent_loop without remind
}
IN_S04_AND_S05 = [one.subject for one in EXERCISES if one.notebook[:3] in ("s04", "s05")]
IN_OTHERS = [name for name in SOURCES if name not in IN_S04_AND_S05]
PROMPT = "Refactor hello.py: add type hints, docstrings."


@pytest.fixture(autouse=True)
def shell(monkeypatch, tmp_path_factory):
    """Return the shell of a notebook whose folder is empty."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path_factory.mktemp("ipython")))
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    shell = InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
    run_cells(shell, "import lesson")
    yield shell
    InteractiveShell.clear_instance()


def run_cells(shell, *cells):
    for cell in cells:
        shell.run_cell(cell, store_history=True)


def keep_part(name, folder, *cells):
    """Run these cells, or those of the solution, and keep what they define."""
    shell = InteractiveShell.instance()
    keep = f"kept = lesson.keep({name!r}, {name}, {str(folder)!r})"
    run_cells(shell, *(cells or [SOURCES[name]]), keep)
    return shell.user_ns["kept"]


def run_program(folder, *arguments):
    """Run the program as a terminal does, and return what it prints."""
    command = [sys.executable, "my_agent.py", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def read(folder):
    return (folder / "my_agent.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "parts, runs, rounds",
    [
        (["agent_loop"], "agent_loop.", 7),
        (["agent_loop", "MyTodo", "MyNag"], "the loop of agentlib with MyTodo, MyNag, because", 10),
        (["MyTodo", "MyNag", "MyReminder"], "the loop of agentlib with MyTodo, MyReminder.", 10),
        (["MyTodo", "PriorityNag", "TimedTodo"], "the loop of agentlib with TimedTodo, Pr", 10),
        (IN_OTHERS, "agent with my_tool.", 10),
        (["ask_at_the_stop"], "ask_at_the_stop.", 11),
        (["MyTodo", "KeptTodo"], "the loop of agentlib with KeptTodo; KeptTodo extends", 11),
        (IN_S04_AND_S05, "ask_at_the_stop with KeptTodo, PriorityNag; KeptTodo ext", 10),
    ],
    ids=str,
)
def test_main_runs_the_newest_parts_and_all_parts_stay(
    tmp_path, monkeypatch, capsys, parts, runs, rounds
):
    for name in parts:
        keep_part(name, tmp_path)
    # Each reply then begins with a thinking block.
    monkeypatch.setitem(lesson.PracticeModel.__init__.__kwdefaults__, "thinking", True)
    said = capsys.readouterr().out
    assert "lines for my_agent.py" in said and f"Its main calls {runs}" in said.splitlines()[-1]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["my_agent.py", PROMPT])
    runpy.run_path("my_agent.py", run_name="__main__")
    printed = capsys.readouterr().out
    numbers = re.findall(r"(?m)^ +(\d+)  ", printed)
    assert numbers == [str(number) for number in range(1, rounds + 1)]
    assert ("questions at the stop" in printed) == ("ask" in runs)
    assert "def " in (tmp_path / "hello" / "hello.py").read_text(encoding="utf-8")

    text = read(tmp_path)
    assert re.findall(r"(?m)^# --- (\w+) ---$", text) == [*parts, "main"]
    tree = ast.parse(text)
    made = [one.name for one in tree.body if isinstance(one, (ast.ClassDef, ast.FunctionDef))]
    assert len(made) == len(set(made))  # a part is written once, also if another extends it
    names = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
    imported = [a.asname or a.name for n in tree.body if hasattr(n, "names") for a in n.names]
    assert set(imported) <= set(names)


def test_program_runs_in_a_terminal_with_a_tool_that_uses_the_workspace_when_it_is_made(tmp_path):
    source = SOURCES["my_tool"].replace("def count", "read = workspace.read_file\n\n\ndef count")
    keep_part("my_tool", tmp_path, source.replace("workspace.read_file(path)", "read(path)"))
    generator = SOURCES["agent"].replace("results = []\n", "results = [] if (yield) else []\n")
    wrapper = "\n\n\ndef agent(*given, **more): return system_prompt(*given, **more)"
    # (`main` uses a function of this name.)
    keep_part("agent", tmp_path, generator.replace("def agent(", "def system_prompt(") + wrapper)
    printed = run_program(tmp_path, "Count the words in hello.py with my tool.")
    assert "count_words hello.py" in printed


def test_program_prints_each_reminder_and_what_is_new_in_the_list(tmp_path):
    keep_part("PriorityNag", tmp_path)
    first, again = run_program(tmp_path, PROMPT), run_program(tmp_path, PROMPT)
    assert "\n     + reminder: Update your todos. Your list: … Next: Add docstrings.\n" in first
    assert re.findall(r"(?m)^     \[(.)\] #2: ", first) == [" ", ">", "x"]
    assert "delete it" not in first and "hello, as the last run left it; delete it to" in again


def test_lines_that_the_learner_wrote_are_counted(tmp_path, capsys):
    assert lesson.count_lines(tmp_path) == "There is no my_agent.py yet."
    keep_part("MyNag", tmp_path)
    own = len([line for line in SOLUTIONS["nag"].splitlines() if line]) - 1  # its class was given
    keep_part("MyTodo", tmp_path, SOLUTIONS["rules"])
    body = SOLUTIONS["rules"].partition("(Shown):\n")[2].partition("\n\n\nupto")[0]
    own += len(body.splitlines())
    whole = len([line for line in read(tmp_path).splitlines() if line])
    said = f"has {whole} lines, and you have written {own} of them."
    assert said in lesson.count_lines(tmp_path)
    keep_part("MyReminder", tmp_path)  # its own lines, and not those of MyNag again
    assert f" {SOLUTIONS['reminder'].count(chr(10))} lines for my" in capsys.readouterr().out


def test_keeping_a_part_again_replaces_it(tmp_path):
    keep_part("MyTodo", tmp_path)
    before = read(tmp_path)
    keep_part("MyTodo", tmp_path, SOURCES["MyTodo"].replace("at most 20 items", "only 20 items"))
    assert "only 20 items" in read(tmp_path) and "at most" not in read(tmp_path)
    keep_part("MyTodo", tmp_path)
    assert read(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == ["my_agent.py"]


def test_part_that_is_kept_again_does_not_take_a_helper_from_another(tmp_path, capsys):
    shared = "import math\nWORDS = 'Update your todos.'\n"
    nag, reminder = (SOLUTIONS[name].replace("3):", "3, m=math):") for name in ("nag", "reminder"))
    keep_part("MyNag", tmp_path, shared + nag.replace("Update your todos.", '" + WORDS + "'))
    keep_part("MyReminder", tmp_path, reminder.replace("Update your todos.", "{WORDS}"))
    keep_part("MyNag", tmp_path, SOLUTIONS["nag"])
    assert "not written" not in capsys.readouterr().out


@pytest.mark.parametrize("text", ["{kept}# my notes\n", "print('caf\\udce9')\n"])
def test_file_that_was_changed_by_hand_is_copied_first(tmp_path, capsys, text):
    keep_part("MyNag", tmp_path)
    own = text.format(kept=read(tmp_path)).encode("utf-8", "surrogateescape")
    (tmp_path / "my_agent.py").write_bytes(own)
    (tmp_path / "my_agent_1.py").write_text("another file")
    keep_part("MyTodo", tmp_path)
    assert "The file as it was before is now my_agent_2.py" in capsys.readouterr().out
    assert (tmp_path / "my_agent_2.py").read_bytes() == own
    assert (tmp_path / "my_agent_1.py").read_text() == "another file"
    assert "class MyTodo" in read(tmp_path)


def test_part_that_fails_its_check_is_replaced_by_the_package_and_not_saved(tmp_path, capsys):
    assert lesson.keep("MyTodo", object, tmp_path)().update([]) == "No todos."
    assert "does not pass its check yet" in capsys.readouterr().out
    assert not (tmp_path / "my_agent.py").exists()


def test_source_has_what_it_uses_in_its_last_version_and_nothing_else(tmp_path):
    cells = [
        "A = 1\nimport json, sys\nlocal = 7",
        "# Doubled.\n@twice\ndef used(A=2):\n    local = A\n    return local",
        "%time None",
        "A = 2\ndef twice(function):\n    return function",
        "class wanted(json.JSONEncoder):\n    def default(self, o): return used(A)",
        "print(wanted)",
    ]
    shell = InteractiveShell.instance()
    run_cells(shell, *cells, cells[1])
    assert collect("wanted", shell.user_ns["wanted"]) == (
        "import json\n\nA = 2\n\n\ndef twice(function):\n    return function"
        f"\n\n\n{cells[1]}\n\n\n{cells[4]}"
    )


KEPT = SOLUTIONS["kept"]
METHOD = dedent(KEPT[KEPT.index("    def check_list") :])
METHOD = METHOD.replace("super()", "super(KeptTodo, self)")
MORE = "class KeptTodo(KeptTodo):\n    more = "
# Ways to write KeptTodo. In several cells, some of them once made a program with a NameError.
STYLES = {
    "a class that extends itself": [KEPT, MORE + "1"],
    "import *": ["from agentlib import *", KEPT],
    "decorated by an assignment": [KEPT, "def same(cls): return cls", "KeptTodo = same(KeptTodo)"],
    "an augmented assignment": ["n = 0", "n += 1", KEPT + "    more = 1 / n"],
    "a constant with an annotation": ["n: int = 1", KEPT + "    more: int = n"],
    "a dict filled in another cell": ["d = {}", "d['a'] = 1", KEPT + "    more = d['a']"],
    "modules of one package": [
        *("import xml.dom", "import xml.sax", KEPT + "    more = xml.dom, xml.sax")
    ],
    "an attribute with the name of a global": ["more = 1", KEPT + "    more = more"],
    "a method added later": [
        *("class KeptTodo(TodoManager):\n    more = 1", METHOD),
        "KeptTodo.check_list = check_list",
    ],
}
IN_ANY_CELLS = [
    *("import *", "modules of one package", "an attribute with the name of a global"),
    *("a method added later", "a dict filled in another cell", "a constant with an annotation"),
]
IMPORT = "from agentlib import TodoManager"


@pytest.mark.parametrize(
    "cells",
    [
        *(pytest.param(["\n".join(cells)], id=style) for style, cells in STYLES.items()),
        *(pytest.param(STYLES[style], id=f"{style}, in cells") for style in IN_ANY_CELLS),
    ],
)
def test_program_has_all_that_was_checked_in_any_style(tmp_path, capsys, cells):
    keep_part("KeptTodo", tmp_path, *[IMPORT] * ("import *" not in str(cells)), *cells)
    assert "KeptTodo passes its check. " in capsys.readouterr().out
    made = runpy.run_path(str(tmp_path / "my_agent.py"))
    assert lesson.check_kept(made["KeptTodo"]).ok
    assert hasattr(made["KeptTodo"], "more") == ("more" in str(cells))
    assert read(tmp_path).count("import xml.") == 2 * ("xml" in str(cells))


NOT_NEWEST = "KeptTodo differs from what its newest cell makes: write all of it into one cell"
FILE_FAILS = "in that file, KeptTodo fails: "


@pytest.mark.parametrize(
    "part, cells, said",
    [
        ("KeptTodo", STYLES["a class that extends itself"], f"{FILE_FAILS}NameError: name 'KeptT"),
        ("KeptTodo", STYLES["decorated by an assignment"], NOT_NEWEST),
        ("KeptTodo", STYLES["an augmented assignment"], f"{FILE_FAILS}NameError: name 'n' is not"),
        ("KeptTodo", ["d = {}\nd.update(a=1)\n" + KEPT + "    more = d['a']"], "only calls some"),
        (
            "KeptTodo",
            ["def start():\n    global n\n    n = 1", "start()", KEPT + "    more = n"],
            "no cell of this notebook defines n at its top level. All that KeptTodo needs ",
        ),
        ("KeptTodo", [f"main = 1\n{KEPT}    more = main"], "it has its own main: give yours an"),
        ("KeptTodo", [KEPT + "    more = display"], "no cell of this notebook defines display at"),
        ("KeptTodo", [KEPT, f"unknown\n{KEPT}"], NOT_NEWEST),
        ("KeptTodo", [KEPT, f"%%time\n{KEPT}"], NOT_NEWEST),
        ("KeptTodo", ["%%time\nn = 1", KEPT + "    more = n"], "begins with %% cannot be read."),
        (
            "MyNag",
            [
                "LIMIT = 3\n"
                + SOURCES["MyNag"].replace("self.rounds >=", "LIMIT and self.rounds >=")
            ],
            'in that file, MyTodo fails: "Rule 6: at most 20 items" does not pass (ValueError: ',
        ),
        (
            "my_tool",
            ["d = []", "d.append(len)", SOURCES["my_tool"].replace("{len(", "{d[0](")],
            '"It counts the words, and returns a string" does not pass (Error: list index out of ',
        ),
    ],
)
def test_file_is_not_written_if_something_is_missing_and_the_message_says_what(
    tmp_path, capsys, part, cells, said
):
    keep_part("MyTodo", tmp_path, "LIMIT = 20\n" + SOURCES["MyTodo"].replace("> 20", "> LIMIT"))
    before = read(tmp_path)
    made = keep_part(part, tmp_path, IMPORT, *cells)
    printed = capsys.readouterr().out
    assert f"{part} passes its check. my_agent.py was not written: " in printed and said in printed
    assert made is InteractiveShell.instance().user_ns[part] and read(tmp_path) == before


def test_next_notebook_keeps_its_part_beside_a_tool_that_uses_the_workspace(tmp_path, shell):
    keep_part("my_tool", tmp_path)
    shell.reset(new_session=False)
    run_cells(shell, "import lesson")
    keep_part("MyNag", tmp_path)
    assert "def count_words" in read(tmp_path) and "class MyNag" in read(tmp_path)


@pytest.mark.parametrize("fault", ["    raise ImportError('gone')", "    update = None"])
def test_part_that_was_broken_by_hand_blocks_no_other_part(tmp_path, capsys, fault):
    for name in ("MyTodo", "my_tool"):
        keep_part(name, tmp_path)
    text = read(tmp_path).replace("\n\n\n# --- my_tool", f"\n{fault}\n\n\n# --- my_tool")
    (tmp_path / "my_agent.py").write_text(text)
    keep_part("MyNag", tmp_path)
    said = capsys.readouterr().out
    assert "MyTodo is no longer used, because it fails: " in said
    assert said.endswith("1.py. Its main calls the loop of agentlib with MyNag, my_tool.\n")
    assert (tmp_path / "my_agent_1.py").read_text() == text
    assert ("class MyTodo" in read(tmp_path)) == ("update" in fault)
    assert "(failed)" not in run_program(tmp_path, PROMPT)


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
def test_what_can_go_wrong_ends_the_program_with_a_sentence(tmp_path, answers, said):
    keep_part("agent_loop", tmp_path)
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


def test_at_the_limit_the_user_may_allow_more_and_ctrl_c_ends_with_a_sentence(tmp_path):
    keep_part("agent_loop", tmp_path)
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


def test_another_python_is_told_which_one_to_use(tmp_path):
    keep_part("agent_loop", tmp_path)
    command = [sys.executable, "-I", "-S", str(tmp_path / "my_agent.py"), "Go"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.stderr == f"This Python does not have the lesson: use {sys.executable}\n"


def test_loop_without_remind_does_not_replace_one_that_has_it(tmp_path, capsys):
    for comment in ("# without remind\n", "# my loop\n"):
        keep_part("agent_loop", tmp_path, IMPORTS + comment + SOLUTIONS["loop"])
        assert comment in read(tmp_path)
    keep_part("agent_loop", tmp_path, SOLUTIONS["remind"])
    before = read(tmp_path)
    keep_part("agent_loop", tmp_path)
    assert "unchanged: its agent_loop also takes remind." in capsys.readouterr().out
    assert read(tmp_path) == before


def test_brought_loop_is_defined_and_fills_its_cell_once(tmp_path, shell, capsys):
    keep_part("my_tool", tmp_path)
    keep_part("agent_loop", tmp_path)
    shell.reset(new_session=False)
    (tmp_path / "elsewhere").mkdir()
    cell = "agent_loop = bring('agent_loop')"
    for folder, whose in ((tmp_path / "elsewhere", "our solution"), (tmp_path, "yours")):
        with chdir(folder):
            run_cells(shell, "from lesson import bring", cell)
            assert f"agent_loop is {whose}" in capsys.readouterr().out
            [payload] = shell.payload_manager.read_payload()
            assert payload["replace"] and "def agent_loop(" in payload["text"]
            assert "# ---" not in payload["text"]
            shell.payload_manager.clear_payload()
            run_cells(shell, cell)
            assert not shell.payload_manager.read_payload()
            run_cells(shell, "import lesson; lesson.keep('agent_loop', agent_loop)")
            assert "lines for my_agent.py" in capsys.readouterr().out
            shell.reset(new_session=False)


def test_notebook_without_a_list_and_a_reminder_brings_ours(tmp_path, shell):
    with chdir(tmp_path):
        run_cells(shell, "workspace = 7", "from lesson import bring")
        run_cells(shell, "bring('MyTodo')", "bring('MyReminder')", "bring('my_tool')")
    assert lesson.check_reminder(shell.user_ns["MyReminder"]).ok
    assert shell.user_ns["MyTodo"]().update([]) == "No todos." and shell.user_ns["workspace"] == 7


def test_run_nag_and_board_need_only_items_update_and_render_of_a_list():
    class Own:
        render = "my list".format

        def update(self, new):
            self.items = new
            return "stored"

    trial = lesson.play("ten_steps", todo=Own(), after=4)
    assert trial.steps_done == len(trial.items) == 10
    assert "my list" in lesson.Board(trial.todo, trial.nag).text()


def test_bring_leaves_a_newer_loop_and_the_rest_of_its_cell(tmp_path, shell):
    with chdir(tmp_path):
        newer = "def agent_loop():\n    pass"
        run_cells(shell, "from lesson import bring", newer, "bring('agent_loop')")
        assert not shell.user_ns["agent_loop"].__code__.co_argcount
        run_cells(shell, "del agent_loop", "# mine\nbring('agent_loop')")
        Path("my_agent.py").write_bytes(b"# --- MyNag ---\nclass\n# --- my_tool ---\n# \xff")
        error = shell.run_cell("bring('my_tool')").error_in_exec
    assert "(my_agent.py, MyNag, line 1)" in str(error)  # where a change by hand is wrong
    assert shell.user_ns["agent_loop"].__code__.co_argcount == 3
    assert not shell.payload_manager.read_payload()


SHOP = "Refactor this bookshop in ten steps: easy to read, tested and documented."
# unittest passes without a single test, so the check asks for them by the words of the step.
STEP = "Write tests for the prices and the totals"
CHECK = f"ls test_shop.py && python -m unittest -q || ! echo {STEP}"


@pytest.mark.parametrize("part, failed", [("agent_loop", 1), ("ask_at_the_stop", 1), ("agent", 0)])
def test_own_check_runs_at_the_stop_and_its_output_is_sent_until_it_passes(tmp_path, part, failed):
    keep_part(part, tmp_path)
    printed = run_program(tmp_path, "--check", CHECK, SHOP)
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


@pytest.mark.parametrize("part", ["agent_loop", "ask_at_the_stop", "agent"])
def test_program_ends_with_an_error_if_its_check_still_fails(tmp_path, monkeypatch, capsys, part):
    keep_part(part, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["my_agent.py", "--check", "false", PROMPT])
    with pytest.raises(SystemExit, match=r"^Stopped: asked 10 times, and `false` still fails\.$"):
        runpy.run_path("my_agent.py", run_name="__main__")
    assert capsys.readouterr().out.count("     false: fails: ") == 11


@pytest.mark.parametrize(
    "attempt, done", [("loop", {"loop"}), ("remind", {"loop", "remind"})], ids=str
)
def test_progress_counts_what_the_program_has_although_its_notebook_was_not_saved(
    tmp_path, attempt, done
):
    source = import_module(f"exercises.attempts.{attempt}").PLAIN
    keep_part("agent_loop", tmp_path, IMPORTS + source)
    shown = lesson.progress({}, tmp_path)
    assert {row.name for row in shown.rows if row.ok} == done
    assert shown["loop"].words == "kept in my_agent.py"
    assert shown["rules"].words.startswith("not checked yet")
