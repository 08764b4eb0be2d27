"""keep(): what passes its check is saved in my_agent.py, and the file runs in a terminal."""

import ast
import errno
import runpy
import subprocess
import sys

import pytest
from exercises.attempts import (
    ask_the_files,
    ask_the_list,
    facts,
    kept,
    nag,
    priority,
    reminder,
    rules,
    timed,
    tool,
)
from exercises.cells import SOLUTIONS

from lesson import keep
from lesson.my_agent import collect

SOURCES = {
    "my_tool": tool.PLAIN,
    "agent_loop": "from agentlib import (\n    call_tool,\n    run,\n)\n" + SOLUTIONS["loop"],
    "MyTodo": rules.PLAIN,
    "MyNag": facts.PLAIN,
    "MyReminder": reminder.PLAIN,
    "agent": SOLUTIONS["agent"],
}
LESSON = list(SOURCES)
EXERCISES = {
    "KeptTodo": kept.PLAIN,
    "ask_the_list": ask_the_list.PLAIN,
    "ask_the_files": ask_the_files.PLAIN,
    "PriorityTodo": priority.PLAIN,
    "PriorityNag": nag.PLAIN,
    "TimedTodo": timed.PLAIN,
}
SOURCES |= {
    name: f"import time\nfrom agentlib import Nag, TodoManager, run\n{source}"
    for name, source in EXERCISES.items()
}
TOOL_IMPORTS = "from agentlib import Tool\nfrom lesson import sample\n"
PROMPT = "Refactor hello.py: add type hints, docstrings."


def keep_part(name, folder, source=""):
    source = source or SOURCES[name]
    source = TOOL_IMPORTS + source if name == "my_tool" else source
    names = {}
    exec(source, names)
    return keep(name, names[name], folder, [source])


def read(folder):
    return (folder / "my_agent.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "parts, rounds",
    [
        (["agent_loop"], 7),
        (["MyNag"], 10),
        (["agent_loop", "MyTodo", "MyNag"], 10),
        (["MyTodo", "MyNag", "MyReminder"], 10),
        (LESSON, 10),
    ],
    ids=str,
)
def test_program_prints_each_round_and_has_only_what_it_uses(
    tmp_path, monkeypatch, capsys, parts, rounds
):
    for name in parts:
        keep_part(name, tmp_path)
    assert "lines for my_agent.py" in capsys.readouterr().out
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["my_agent.py", PROMPT])
    runpy.run_path("my_agent.py", run_name="__main__")
    printed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in printed[-2:]] == [str(rounds - 1), str(rounds)]
    assert "def " in (tmp_path / "hello" / "hello.py").read_text(encoding="utf-8")

    text = read(tmp_path)
    tree = ast.parse(text)
    names = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
    imported = [a.asname or a.name for n in tree.body if hasattr(n, "names") for a in n.names]
    assert set(imported) <= set(names)
    assert ("def agent_loop" in text) == (parts[-1] == "agent_loop")
    assert ("class MyTodo" in text) == ("MyTodo" in parts and "agent" not in parts)
    assert ("def count_words" in text) == ("my_tool" in parts)


@pytest.mark.parametrize(
    "parts", [["ask_the_list"], ["MyTodo", "KeptTodo"], list(EXERCISES)], ids=str
)
def test_program_uses_the_exercises(tmp_path, monkeypatch, capsys, parts):
    for name in parts:
        keep_part(name, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["my_agent.py", PROMPT])
    capsys.readouterr()
    runpy.run_path("my_agent.py", run_name="__main__")
    printed, text = capsys.readouterr().out, read(tmp_path)
    assert ("questions at the stop" in printed) == ("ask_the_list" in parts)
    assert "def " in (tmp_path / "hello" / "hello.py").read_text(encoding="utf-8")
    assert ("class MyList(TimedTodo, PriorityTodo, KeptTodo):" in text) == ("TimedTodo" in parts)
    assert "class MyTodo" not in text
    assert ("def ask_the_list" in text) == (parts == ["ask_the_list"])


def test_program_runs_in_a_terminal_with_the_own_tool(tmp_path):
    for name in ("my_tool", "agent"):
        keep_part(name, tmp_path)
    before = read(tmp_path)
    keep_part("agent_loop", tmp_path)
    assert read(tmp_path) == before  # an older part does not come back
    command = [sys.executable, "my_agent.py", "Count the words in hello.py with my tool."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "count_words hello.py" in done.stdout


def test_keeping_a_part_again_replaces_it(tmp_path):
    keep_part("MyTodo", tmp_path)
    before = read(tmp_path)
    keep_part("MyTodo", tmp_path, rules.PLAIN.replace("at most 20 items", "only 20 items"))
    assert "only 20 items" in read(tmp_path) and "at most" not in read(tmp_path)
    keep_part("MyTodo", tmp_path)
    assert read(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == ["my_agent.py"]


def test_comment_that_looks_like_a_marker_is_kept(tmp_path):
    keep_part(
        "MyTodo", tmp_path, rules.PLAIN.replace("class MyTodo", "# --- rules ---\nclass MyTodo")
    )
    keep_part("MyNag", tmp_path)
    assert "# --- rules ---\nclass MyTodo" in read(tmp_path)


@pytest.mark.parametrize("text", ["{kept}# my notes\n", "print('caf\\udce9')\n"])
def test_file_that_was_changed_by_hand_is_copied_first(tmp_path, capsys, text):
    keep_part("MyNag", tmp_path)
    own = text.format(kept=read(tmp_path)).encode("utf-8", "surrogateescape")
    (tmp_path / "my_agent.py").write_bytes(own)
    (tmp_path / "my_agent_1.py").write_text("another file")
    keep_part("MyTodo", tmp_path)
    assert "your version is now my_agent_2.py" in capsys.readouterr().out
    assert (tmp_path / "my_agent_2.py").read_bytes() == own
    assert (tmp_path / "my_agent_1.py").read_text() == "another file"
    assert "class MyTodo" in read(tmp_path)


def test_full_disk_leaves_the_file_and_says_so(tmp_path, monkeypatch, capsys):
    keep_part("MyNag", tmp_path)
    before = read(tmp_path)

    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("lesson.my_agent.write_atomically", full)
    kept = keep_part("MyTodo", tmp_path)
    assert kept.__name__ == "MyTodo" and read(tmp_path) == before
    assert "my_agent.py was not written (No space left on device)" in capsys.readouterr().out


def test_part_that_fails_its_check_is_replaced_by_the_package_and_not_saved(tmp_path, capsys):
    assert keep("MyTodo", object, tmp_path)().update([]) == "No todos."
    assert "does not pass its check yet" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_collect_follows_global_names_to_their_last_definition():
    cells = [
        "A = 1\nimport json, sys\nlocal = 7",
        "# Doubled.\n@twice\ndef used(A=2):\n    local = A\n    return local",
        "%magic",
        "A = 2\ndef twice(function):\n    return function",
        "class wanted(json.JSONEncoder):\n    def default(self, o): return used(A)",
        "print(wanted)",
    ]
    assert list(collect("wanted", cells)) == [
        *("A = 2", "import json", "def twice(function):\n    return function"),
        *(cells[1], cells[4]),
    ]
