"""A learner's evening in JupyterLab: an exercise is wrong, then right, saved, and there again."""

from playwright.sync_api import expect

from lesson.common.solutions import read_solutions
from lesson.notebook.edit_loop import read_our_loop
from lesson.program.folder import write_part

RIGHT = read_solutions()["MyTodo"]
OUTPUTS = ".jp-OutputArea"
WRONG = RIGHT.replace("> 20", "> 21")


def find_cell(lab, *tags):
    """Return the place of the cell with these tags."""
    cells = lab.notebook()["cells"]
    return next(n for n, one in enumerate(cells) if one["metadata"].get("tags") == [*tags])


def write_into(lab, place, text):
    """Replace the text of a cell."""
    body = "panel.content.widgets[argument[0]].model.sharedModel.setSource(argument[1]);"
    lab.script(body, [place, text])


def write_and_check(lab, text):
    """Write into the exercise E2, run it and its check, and return what the check says."""
    exercise = find_cell(lab, "exercise", "MyTodo")
    write_into(lab, exercise, text)
    for place in (exercise, find_cell(lab, "check", "MyTodo")):
        lab.run_cell(place)
    return lab.show(place, OUTPUTS)


def test_learner_writes_a_list(lab):
    lab.open("00_start_here.ipynb")
    lab.run_cell(1)
    expect(lab.show(1).get_by_role("button", name="Compare with the plan")).to_be_visible()
    lab.open("s03a_todo_write.ipynb")
    program = lab.root / "my_agent" / "todo.py"
    expect(write_and_check(lab, WRONG)).to_contain_text("Not yet:")
    assert "class MyTodo" not in program.read_text(encoding="utf-8")
    expect(write_and_check(lab, RIGHT)).to_contain_text("MyTodo passes")
    assert "class MyTodo" in program.read_text(encoding="utf-8")
    lab.save()
    lab.reopen()
    assert "class MyTodo" in str(lab.notebook()["cells"][find_cell(lab, "exercise", "MyTodo")])
    assert lab.problems == []


OWN_LOOP = read_our_loop().replace("    while True:", "    # my own words\n    while True:")
REMIND = r"""        if remind and (text := remind(uses)):
            results[-1]["content"] += "\n\n" + text
        # Answer"""


def test_one_press_puts_the_learners_own_loop_into_the_cell_and_the_program_keeps_it(lab):
    lab.open("s03b_nag_reminder.ipynb")
    program = lab.root / "my_agent" / "loop.py"
    program.write_text(write_part("agent_loop", OWN_LOOP), encoding="utf-8")
    place = find_cell(lab, "exercise", "agent_loop")
    lab.run_cell(place)
    lab.save()
    assert "".join(lab.notebook()["cells"][place]["source"]) == OWN_LOOP
    write_into(lab, place, OWN_LOOP.replace("        # Answer", REMIND))
    lab.run_cell(place)
    check = find_cell(lab, "check", "agent_loop", "remind")
    lab.run_cell(check)
    expect(lab.show(check, OUTPUTS)).to_contain_text("agent_loop passes E5. It is in its file")
    written = program.read_text(encoding="utf-8")
    assert "# my own words" in written and "text := remind(uses)" in written
    assert lab.problems == []
