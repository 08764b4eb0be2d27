"""keep(): the cell that passes its check becomes a section of my_agent.py, unchanged."""

import ast
import re
import runpy
import sys
from contextlib import chdir
from pathlib import Path

import pytest
from exercises.cells import slip
from support.notebook import CELLS, WITH_REMIND

import lesson
from lesson.exercises.catalogue import PARTS
from lesson.program.sections import read_parts, read_sections

FILE = Path("my_agent.py")
KEPT = CELLS["KeptTodo"]
IMPORT = "from agentlib import TodoManager\n"
BELOW = "\n\n\n"


def read():
    return FILE.read_text(encoding="utf-8")


def sections():
    return dict(read_sections(read()))


def test_each_solution_is_written_unchanged_and_in_the_order_of_the_lesson(notebook, capsys):
    names = [name for name in PARTS if name != "p_by_coins"]
    notebook.run(*CELLS.values())
    for name in reversed(names):
        notebook.keep(name, "pass")
    assert " is ours there, because my_agent.py has none of yours." in capsys.readouterr().out
    assert [*sections()] == ["", *names, "main"]
    for name in names:
        assert sections()[name].text == CELLS[name].strip()
        assert not sections()[name].is_changed
    made = runpy.run_path(str(FILE))
    assert all(callable(made[name]) or name == "my_tool" for name in names)
    before = read()
    for name in ("MyTodo", "KeptTodo"):
        notebook.keep(name)
    assert read() == before and [*Path().iterdir()] == [FILE]


def test_part_is_kept_below_our_code_until_the_learner_has_written_what_it_uses(notebook, capsys):
    notebook.keep("PriorityNag")
    said = capsys.readouterr().out
    assert "PriorityNag passes its check. 10 lines for my_agent.py. MyNag is ours there" in said
    assert [*sections()] == ["", "our MyNag", "our MyReminder", "PriorityNag", "main"]
    assert [*read_parts(FILE)] == ["PriorityNag"]
    assert lesson.progress({})["priority_nag"].ok
    assert not lesson.progress({})["nag"].ok
    notebook.keep("MyReminder")
    assert [*sections()] == ["", "our MyNag", "MyReminder", "PriorityNag", "main"]
    assert [path.name for path in Path().iterdir()] == ["my_agent.py"]


def test_lines_that_the_learner_wrote_are_counted(notebook, capsys):
    assert lesson.count_lines() == "There is no my_agent.py yet."
    notebook.keep("MyNag")
    own = len([line for line in CELLS["MyNag"].splitlines() if line]) - 1  # its class was given
    notebook.keep("MyTodo")
    body = CELLS["MyTodo"].partition("(Shown):\n")[2]
    own += len([line for line in body.splitlines() if line])
    whole = len([line for line in read().splitlines() if line])
    assert lesson.count_lines() == (
        f"my_agent.py has {whole} lines, and you have written {own} of them."
    )


@pytest.mark.parametrize(
    "cells",
    [
        [KEPT + BELOW + "class KeptTodo(KeptTodo):\n    more = 1"],
        ["from agentlib import *\n" + KEPT],
        [KEPT + "\n\n\ndef same(cls): return cls\n\n\nKeptTodo = same(KeptTodo)"],
        ["n: int = 0\nn += 1\n" + KEPT + "    more = 1 / n"],
        ["import xml.dom, xml.sax\n" + KEPT + "    more = xml.dom, xml.sax"],
        ["more = 1\n" + KEPT + "    more = more"],
        [KEPT + "\n\n\ndef more(self): pass\n\n\nKeptTodo.more = more"],
        [KEPT, "print(KeptTodo)", "Kept = keep('KeptTodo', KeptTodo)"],
        [KEPT, "KeptTodo = keep('KeptTodo', KeptTodo)"],
        ['"""My list."""\n' + KEPT],
        # Another part makes these names by the same code.
        ["from agentlib import TodoManager as T, Tool\nLIMIT = 20\n" + KEPT + "    more = LIMIT"],
    ],
    ids=str,
)
def test_cell_is_kept_in_any_style(notebook, capsys, cells):
    notebook.keep("my_tool", "from agentlib import Tool\nLIMIT = 20\n" + CELLS["my_tool"])
    notebook.keep("KeptTodo", *cells)
    assert "KeptTodo passes its check. " in (said := capsys.readouterr().out)
    assert "not written" not in said
    assert sections()["KeptTodo"].text == cells[0].strip()
    assert lesson.check_kept(runpy.run_path(str(FILE))["KeptTodo"]).ok


def trial(line):
    number = KEPT.count("\n") + 1
    said = f"line {number} of its cell, `{line.partition(chr(10))[0]}`, would run in the program."
    return [f"{KEPT}{line}"], said


@pytest.mark.parametrize(
    "cells, said",
    [
        trial("print(KeptTodo().render())"),
        trial("for n in range(3):\n    KeptTodo()"),
        trial("with open('a', 'w') as file:\n    KeptTodo()"),
        trial("try:\n    KeptTodo().update(3)\nexcept ValueError:\n    pass"),
        trial("kept = keep('KeptTodo', KeptTodo)"),
        (
            ["from agentlib import Nag, TodoManager", KEPT.removeprefix(IMPORT)],
            "KeptTodo uses TodoManager, which its cell does not import or define. Add the line "
            "`from agentlib import TodoManager` to the cell.",
        ),
        (
            ["LIMIT = 20", KEPT + "    def more(self):\n        return LIMIT"],
            "KeptTodo uses LIMIT, which its cell does not import or define. Copy what makes it "
            "into the cell: `LIMIT = 20`.",
        ),
        (
            [KEPT + "    def more(self):\n        return self.itms or nothing"],
            "KeptTodo uses nothing, which its cell does not import or define. Is it misspelled?",
        ),
        (
            [KEPT + "    more = display"],
            "KeptTodo uses display, which its cell does not import or define.",
        ),
        (
            [KEPT + BELOW + "def start():\n    return agent"],
            "KeptTodo uses agent, which its cell does not import or define.",
        ),
        (["MARKS = {}\n" + KEPT], "MyTodo also has the name MARKS, and there it is something else"),
        (["workspace = 7\n" + KEPT], "the program also has the name workspace, and there it is"),
        (["len = 7\n" + KEPT], "MyTodo also has the name len, and there it is something else."),
        (
            [KEPT, "%%time\n" + KEPT],
            "the newest cell of KeptTodo begins with %%, and such a cell cannot be read. Delete",
        ),
        (
            [KEPT, KEPT + "    def update(self, items)"],
            f"with an error in line {KEPT.count(chr(10)) + 1} of its cell: SyntaxError: ",
        ),
        (
            [KEPT, KEPT + "    more = [][0]"],
            f"KeptTodo ends with an error in line {KEPT.count(chr(10)) + 1} of its cell: "
            "IndexError: list index out of range.",
        ),
        (
            [KEPT, "class KeptTodo(KeptTodo):\n    more = 1"],
            "KeptTodo ends with an error in line 1 of its cell: NameError: name 'KeptTodo' is not",
        ),
        (
            [KEPT, "KeptTodo.check_list = lambda self, items: None", KEPT.replace("check_", "no_")],
            "",
        ),
        (["from __future__ import annotations\n" + KEPT], "is only for a whole file."),
        ([KEPT + "# --- main ---"], "the line `# --- main ---` belongs to my_agent.py: delete it"),
        (
            [KEPT.replace("KeptTodo", "Kept") + "\n\n\nglobals()['KeptTodo'] = Kept"],
            "no cell of this notebook defines KeptTodo.",
        ),
    ],
)
def test_file_is_not_written_if_the_cell_cannot_be_a_section_and_the_reason_is_told(
    notebook, capsys, cells, said
):
    notebook.keep("MyTodo")
    before = read()
    kept = notebook.keep("KeptTodo", *cells)
    printed = capsys.readouterr().out
    if said:
        assert "KeptTodo passes its check. my_agent.py was not written: " in printed
        assert said in printed and kept is notebook["KeptTodo"]
    assert read() == before


@pytest.mark.parametrize(
    "command, said",
    [
        ("run_command(f'wc -w {path}')[0]", "the workspace of an agent has no run_command, only"),
        ("bash(f'wc -w {path}')", ""),
    ],
)
def test_tool_is_tried_with_the_workspace_that_it_has_in_the_program(
    notebook, capsys, command, said
):
    uses = f'f"{{workspace.read_file(path) and workspace.{command}.split()[0]}} words"'
    text = re.sub("(?<=return ).*", uses, CELLS["my_tool"])
    notebook.keep("my_tool", "from lesson import sample\nworkspace = sample('hello')", text)
    printed = capsys.readouterr().out
    assert "my_tool passes its check." in printed and said in printed
    assert FILE.exists() is not bool(said)


def test_object_that_is_not_the_one_of_the_notebook_is_not_kept(notebook, capsys):
    notebook.run(KEPT, "other = KeptTodo", KEPT, "keep('KeptTodo', other)")
    assert (
        "keep() was not given the KeptTodo that this notebook has now." in capsys.readouterr().out
    )
    assert not FILE.exists()


def test_name_of_no_part_is_told(notebook, capsys):
    assert notebook.run("keep('nonsense', 7)") == 7
    assert "'nonsense' is no part of my_agent.py. Its parts are agent_loop, my_tool, MyTodo," in (
        capsys.readouterr().out
    )


def test_part_that_fails_its_check_is_replaced_by_ours_and_not_saved(notebook, capsys):
    made = {name: notebook.keep(name, f"{name} = None") for name in PARTS}
    said = capsys.readouterr().out
    assert "MyTodo does not pass its check yet, so the package's list is used." in said
    assert "my_tool does not pass its check yet, so it is not saved." in said
    for name in ("agent_loop", "MyNag", "MyReminder", "PriorityTodo", "PriorityNag", "agent"):
        assert f"{name} does not pass its check yet, so our solution is used." in said
        assert PARTS[name][0].check(made[name]).ok
    assert made["MyTodo"]().update([]) == made["KeptTodo"]().update([]) == "No todos."
    assert made["my_tool"] is made["TimedTodo"] is None
    assert not FILE.exists()


def edit(old, new):
    text = read()
    assert old in text
    FILE.write_text(text.replace(old, new), encoding="utf-8")
    return read()


def copies():
    return [path.read_text(encoding="utf-8") for path in sorted(Path().glob("my_agent_*.py"))]


def test_section_that_was_changed_by_hand_is_used_and_copied_before_it_is_replaced(
    notebook, capsys
):
    notebook.keep("MyNag")
    notebook.keep("MyReminder")
    changed = edit("Update your todos.<", "Update your todos. Now.<")
    notebook.keep("MyReminder")
    assert sections()["MyNag"].is_changed and "Now." in read() and not copies()
    notebook.keep("MyNag")
    assert copies() == [changed] and "Now." not in read()
    assert "The file as it was before is now my_agent_1.py." in capsys.readouterr().out


@pytest.mark.parametrize(
    "text", ["print('caf\udce9')\n", "{kept}\n\n# --- MyNag ---\nMyNag = 1\n", "# mine\n{kept}"]
)
def test_file_is_copied_before_anything_in_it_is_lost(notebook, text):
    notebook.keep("MyNag")
    own = text.format(kept=read()).encode("utf-8", "surrogateescape")
    FILE.write_bytes(own)
    Path("my_agent_1.py").write_text("another file")
    notebook.keep("MyNag")
    notebook.keep("MyTodo")
    assert Path("my_agent_2.py").read_bytes() == own
    assert Path("my_agent_1.py").read_text() == "another file"
    assert [*sections()] == ["", "MyTodo", "MyNag", "main"]


def test_main_that_was_changed_by_hand_stays_until_it_is_another(notebook):
    notebook.keep("MyNag")
    changed = edit("after=3)\n", "after=5)\n")
    notebook.keep("MyNag", CELLS["MyNag"] + "    more = 1")
    assert "after=5" in read() and not copies()
    changed = read()
    notebook.keep("MyTodo")
    assert "after=5" not in read() and copies() == [changed]


@pytest.mark.parametrize(
    "fault, said",
    [
        (
            "class",
            "MyNag ends with an error in line {} of my_agent.py: SyntaxError: invalid syntax.",
        ),
        (
            "raise ImportError('gone')",
            "MyNag ends with an error in line {} of my_agent.py: ImportE",
        ),
        ("__init__ = None", 'MyNag fails: "'),
    ],
)
def test_fault_in_one_part_stops_no_other_part_and_is_told(notebook, capsys, fault, said):
    notebook.keep("MyNag")
    notebook.keep("MyTodo")
    changed = edit("    def __call__", f"    {fault}\n\n    def __call__")
    line = changed[: changed.index(f"    {fault}\n")].count("\n") + 1
    notebook.keep("my_tool")
    printed = capsys.readouterr().out
    assert f"MyNag is not used: {said.format(line)}" in printed
    assert printed.endswith("Its main calls the loop of agentlib with MyTodo, my_tool.\n")
    assert f"    {fault}\n" in read() and not copies()
    progress = lesson.progress({})
    assert progress["rules"].ok and progress["tool"].ok and not progress["nag"].ok
    notebook.keep("MyReminder")  # it uses MyNag
    assert "my_agent.py was not written: " in (printed := capsys.readouterr().out)
    assert "MyNag" in printed.partition("written: ")[2] or "__init__" in printed
    notebook.keep("MyNag")
    assert len(copies()) == 1 and f"    {fault}\n" not in read()


def test_part_that_no_longer_passes_below_a_replaced_one_is_told_and_not_used(notebook, capsys):
    words = "Update your todos."
    nag = slip(CELLS["MyNag"], ("= 0\n\n", f'= 0\n        self.words = "{words}"\n\n'))
    reminder = slip(CELLS["MyReminder"], (words, "{self.words}"))
    notebook.keep("MyNag", nag)
    notebook.keep("MyReminder", reminder)
    notebook.keep("MyNag", CELLS["MyNag"])
    said = capsys.readouterr().out
    assert "MyReminder is not used: MyReminder fails: " in said and "no attribute 'words'" in said
    assert said.endswith("Its main calls the loop of agentlib with MyNag.\n")
    notebook.keep("MyTodo")
    assert "MyReminder is not used: MyReminder fails: " in capsys.readouterr().out
    assert sections()["MyReminder"].text == reminder.strip()
    notebook.keep("MyReminder")
    said = capsys.readouterr().out
    assert "not used" not in said and "with MyTodo, MyReminder." in said


def test_loop_without_remind_does_not_replace_one_that_has_it(notebook, capsys):
    for comment in ("# without remind\n", "# my loop\n"):
        notebook.keep("agent_loop", comment + CELLS["agent_loop"])
        assert comment in read()
    assert not lesson.progress({})["remind"].ok
    notebook.keep("agent_loop", WITH_REMIND, remind=True)
    before = read()
    notebook.keep("agent_loop")
    assert "unchanged: its agent_loop also takes remind." in capsys.readouterr().out
    assert read() == before
    progress = lesson.progress({})
    assert progress["loop"].words == progress["remind"].words == "kept in my_agent.py"
    edit("    text = remind(uses)", "    text = remind(uses, 1)")
    notebook.keep("agent_loop")
    assert "remind=" not in sections()["agent_loop"].text and len(copies()) == 1


def test_part_that_another_notebook_keeps_at_the_same_moment_is_not_lost(notebook):
    notebook.keep("my_tool")
    with_tool = read()
    FILE.unlink()
    # While its cell is tried, the other notebook writes.
    notebook.run(f"from pathlib import Path\nother = {with_tool!r}")
    write = "Path('my_agent.py').exists() or Path('my_agent.py').write_text(OTHER)"
    other = f"from pathlib import Path\n\nOTHER = {with_tool!r}\ndone = {write}\n"
    notebook.keep("KeptTodo", other + KEPT)
    assert [*read_parts(FILE)] == ["my_tool", "KeptTodo"]


def test_errors_of_the_system_are_told_with_what_to_do(notebook, capsys):
    FILE.mkdir()
    notebook.keep("MyNag")
    says = "Is a directory. A folder has this name: rename it."
    assert f"MyNag passes its check. my_agent.py was not written: {says}\n" in (
        capsys.readouterr().out
    )
    assert lesson.count_lines() == f"my_agent.py cannot be read: {says}"
    assert not any(row.ok for row in lesson.progress({}).rows)
    notebook.restart()
    assert not notebook.bring("MyNag") and notebook["MyNag"]
    assert f"our solution, because my_agent.py cannot be read: {says}" in capsys.readouterr().out
    FILE.rmdir()
    gone = Path("gone").absolute()
    gone.mkdir()
    with chdir(gone):
        gone.rmdir()
        notebook.keep("MyNag")
        said = capsys.readouterr().out
        assert "not written: No such file or directory. Is its folder still there?\n" in said
        assert "No such file or directory. Is its folder still there?" in lesson.command_line("Go")


def test_pythons_path_may_contain_quotes(notebook, monkeypatch):
    monkeypatch.setattr(sys, "executable", '/my "AI"\\ class/python')
    notebook.keep("MyNag")
    assert runpy.run_path(str(FILE))["MyNag"]
    assert "'/my \"AI\"\\ class/python' my_agent.py" in ast.get_docstring(ast.parse(read()))
    notebook.keep("MyTodo")
    assert not copies()
