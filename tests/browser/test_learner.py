"""An exercise in JupyterLab: a learner's own loop comes into its cell, and goes into its file."""

import pytest
from lab import SHOWN
from playwright.sync_api import expect

from lesson.common.solutions import read_first_loop, read_solutions
from lesson.program.folder import write_part

pytestmark = pytest.mark.slow
OUTPUTS = ".jp-OutputArea"


def find_cell(lab, *tags):
    """Return the place of the cell with these tags."""
    cells = lab.notebook()["cells"]
    return next(n for n, cell in enumerate(cells) if cell["metadata"].get("tags") == [*tags])


def write_into(lab, place, text):
    """Replace the text of a cell."""
    body = "panel.content.widgets[argument[0]].model.sharedModel.setSource(argument[1]);"
    lab.script(body, [place, text])


OWN_LOOP = read_first_loop().replace("    while True:", "    # my own words\n    while True:")
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
    expect(lab.show(check, OUTPUTS)).to_contain_text("passes E5. Your program has it now")
    written = program.read_text(encoding="utf-8")
    assert "# my own words" in written and "text := remind(uses)" in written
    assert lab.problems == []


@pytest.mark.parametrize(
    "notebook, part, change",
    [
        ("s03a_todo_write", "MyTodo", ("> 1", "> 2")),
        ("s04c_take_it_with_you", "TimedTodo", ("self.clock()", "self.clock")),
    ],
)
def test_the_head_of_a_result_is_in_view_after_shift_enter(lab, notebook, part, change):
    """JupyterLab alone scrolls to the next cell before the output has grown."""
    lab.page.set_viewport_size({"width": 1366, "height": 768})
    lab.open(f"{notebook}.ipynb")
    place = find_cell(lab, "exercise", part)
    for above, cell in enumerate(lab.notebook()["cells"][:place]):
        if cell["cell_type"] == "code":
            lab.run_cell(above)
    write_into(lab, place, read_solutions()[part].replace(*change, 1))
    lab.show(place, ".cm-content").click()
    for _ in range(find_cell(lab, "check", part) - place + 1):
        lab.page.keyboard.press("Shift+Enter")
    result = lab.page.locator(f"{SHOWN} .check-result", has_text="Likely cause")
    expect(result.get_by_text("pass yet")).to_be_in_viewport(ratio=0.9)
    expect(result.get_by_text("Likely cause")).to_be_in_viewport(ratio=0.9)
