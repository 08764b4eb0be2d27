"""bring(): a part of my_agent.py goes on in another notebook; until there is one, ours does."""

from pathlib import Path

import pytest
from support.notebook import CELLS, WITH_REMIND

import lesson
from lesson.program.sections import read_parts

FILE = Path("my_agent.py")
MARK = "# Our {}, until my_agent.py has yours.\n"


def test_own_part_fills_its_cell_and_is_kept_from_there(notebook, capsys):
    notebook.keep("agent_loop")
    notebook.restart()
    assert notebook.bring("agent_loop") == CELLS["agent_loop"].strip()
    said = "agent_loop is yours, from my_agent.py. To change it, edit this cell and run it again.\n"
    assert capsys.readouterr().out.endswith(said)
    assert lesson.check_loop(notebook["agent_loop"]).ok
    notebook.keep("agent_loop", "pass")
    assert "no cell of this notebook defines agent_loop. If it was" in capsys.readouterr().out
    notebook.keep("agent_loop", WITH_REMIND, remind=True)
    assert read_parts(FILE)["agent_loop"].text == WITH_REMIND.strip()
    assert not notebook.bring("agent_loop")
    assert "agent_loop is unchanged: this notebook has defined it already." in (
        capsys.readouterr().out
    )


@pytest.mark.parametrize(
    "name, whose",
    [("agent_loop", "our solution"), ("MyTodo", "the package's list"), ("MyReminder", "our sol")],
)
def test_our_part_says_so_and_its_cell_brings_the_learners_when_there_is_one(
    notebook, capsys, name, whose
):
    ours = notebook.bring(name)
    assert f"{name} is {whose}" in (said := capsys.readouterr().out)
    assert "because my_agent.py has none yet. To change it, edit this cell" in said
    assert ours.startswith(MARK.format(name))
    notebook.restart()  # the notebook was saved, and is opened again
    notebook.run(ours)
    assert f"{name} is {whose}" in capsys.readouterr().out
    assert notebook.read_new_text() == ours
    notebook.keep(name, "pass")
    assert not FILE.exists()

    other = {"MyReminder": [CELLS["MyNag"], CELLS["MyReminder"]]}.get(name, [CELLS[name]])
    notebook.keep(name, *(f"{cell}\n# Mine.\n" for cell in other))
    notebook.restart()
    notebook.run(ours)
    assert f"{name} is yours, from my_agent.py." in capsys.readouterr().out
    assert notebook.read_new_text().endswith("# Mine.")
    assert MARK.format(name) not in notebook.read_new_text()


def test_our_code_that_was_changed_is_the_learners_and_has_no_mark(notebook):
    ours = notebook.bring("agent_loop")
    notebook.keep("agent_loop", ours.replace("# Ask:", "# I ask:"))
    assert read_parts(FILE)["agent_loop"].text == CELLS["agent_loop"].strip().replace(
        "# Ask:", "# I ask:"
    )
    notebook.restart()
    notebook.run(ours.replace("# Ask:", "# You ask:"))
    assert not notebook.read_new_text()


def test_parts_that_a_part_uses_are_brought_with_it_and_not_kept_with_it(notebook, capsys):
    notebook.keep("MyReminder")
    notebook.restart()
    text = notebook.bring("MyReminder")
    assert text == f'MyNag = bring("MyNag")\n\n\n{CELLS["MyReminder"].strip()}'
    assert "MyNag is our solution, because my_agent.py has none yet." in capsys.readouterr().out
    notebook.restart()
    notebook.keep("MyReminder", text + "\n# Mine.")
    assert read_parts(FILE)["MyReminder"].text == CELLS["MyReminder"] + "# Mine."
    assert lesson.check_reminder(notebook["MyReminder"]).ok


def test_part_with_an_error_is_named_and_brings_no_other_down(notebook, capsys):
    for name in ("MyNag", "MyTodo"):
        notebook.keep(name)
    FILE.write_text(FILE.read_text().replace("class MyNag:", "class MyNag"))
    notebook.restart()
    line = FILE.read_text().partition("class MyNag")[0].count("\n") + 1
    assert notebook.bring("MyTodo") and not notebook.bring("MyNag")
    assert (
        f"MyNag is our solution, because MyNag ends with an error in line {line} of my_agent.py: "
        "SyntaxError: expected ':'. The program does not start.\n"
    ) in capsys.readouterr().out
    assert lesson.check_nag(notebook["MyNag"]).ok
    FILE.write_text(FILE.read_text().replace("class MyNag", "class MyNag:"))
    assert notebook.bring("MyNag")


def test_cell_with_more_than_the_call_stays_as_it_is(notebook, capsys):
    notebook.run('Todo = bring("MyTodo")  # your list', 'MyNag = bring("MyNag")\nafter = 3')
    assert not notebook.read_new_text() and notebook["Todo"] is notebook["MyTodo"]
    assert notebook.run('bring("nonsense")') is None
    assert "'nonsense' is no part of my_agent.py. Its parts are " in capsys.readouterr().out
