"""A learner at the exercises: not yet, then right, and the feedback in between."""

import pytest

NOT_YET = """
class PriorityTodo(TodoManager):
    fields = TodoManager.fields | {
        "priority": {"type": "string", "enum": ["high", "medium", "low"], "default": "low"},
    }
"""
RIGHT = NOT_YET.replace('"default": "low"', '"default": "medium"')


class Notebook:
    """The exercises in a page: type into a cell, run it, read what comes."""

    def __init__(self, lab):
        self.lab = lab
        lab.open("exercises.ipynb")

    def index(self, *tags):
        """The place of the cell with these tags."""
        cells = self.lab.notebook()["cells"]
        return next(
            n for n, cell in enumerate(cells) if set(tags) <= set(cell["metadata"].get("tags", []))
        )

    def go_to(self, index):
        self.lab.script(
            """panel.content.activeCellIndex = argument;
               await panel.content.scrollToItem(argument, 'center');
               panel.content.activate();""",
            index,
        )

    def run(self, *tags):
        self.go_to(self.index(*tags))
        self.lab.script(
            """await app.commands.execute('notebook:run-cell');
               const busy = () => panel.content.widgets.some(
                   cell => cell.model.executionState === 'running');
               while (busy()) await new Promise(done => setTimeout(done, 50));"""
        )

    def write(self, text, *tags):
        """Replace a cell's text with the keyboard."""
        self.go_to(self.index(*tags))
        self.lab.press("Enter", "ControlOrMeta+a")
        self.lab.page.keyboard.insert_text(text.strip())
        self.lab.press("Escape")

    def feedback(self, *tags):
        """What the reader sees below a check."""
        place = self.index(*tags)
        shown = self.lab.page.locator(
            f".jp-Cell[data-windowed-list-index='{place}'] .jp-OutputArea-output"
        )
        shown.first.wait_for()
        return shown.first.inner_text()


@pytest.fixture(scope="module")
def notebook(lab):
    return Notebook(lab)


def test_not_yet_then_right(notebook, lab):
    notebook.run("setup")
    notebook.run("exercise", "priority")
    notebook.run("check", "priority")
    assert "nothing there yet, and that is fine" in notebook.feedback("check", "priority")

    notebook.write(NOT_YET, "exercise", "priority")
    notebook.run("exercise", "priority")
    notebook.run("check", "priority")
    said = notebook.feedback("check", "priority")
    assert "PriorityTodo: not yet. 9 of 11 rules hold; start with this one." in said
    assert "A priority that is left out is medium" in said
    assert "'medium'" in said and "'low'" in said
    lab.picture("exercises-not-yet", f"[data-windowed-list-index='{place(notebook)}']")
    assert lab.axe(f"[data-windowed-list-index='{place(notebook)}'] .jp-RenderedHTML") == []

    notebook.write(RIGHT, "exercise", "priority")
    notebook.run("exercise", "priority")
    notebook.run("check", "priority")
    assert "all 11 rules hold" in notebook.feedback("check", "priority")
    lab.picture("exercises-right", f"[data-windowed-list-index='{place(notebook)}']")
    lab.theme("dark")
    lab.picture("exercises-right-dark", f"[data-windowed-list-index='{place(notebook)}']")
    assert lab.problems == []


def place(notebook):
    return notebook.index("check", "priority")


def test_the_lines_of_the_nag_by_keyboard(notebook, lab):
    notebook.run("setup")
    notebook.write('order = "E B G C D A"', "exercise", "order")
    notebook.run("exercise", "order")
    notebook.run("check", "order")
    assert "Several calls in one round count once" in notebook.feedback("check", "order")
    notebook.write('order = "E B G H D A"', "exercise", "order")
    notebook.run("exercise", "order")
    notebook.run("check", "order")
    assert "all 4 rules hold" in notebook.feedback("check", "order")
    assert lab.problems == []
