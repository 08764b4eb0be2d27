"""Edit, run and check cells of the exercises' notebook like a learner."""

from lab import SHOWN

NOT_YET = """
from agentlib import TodoManager


class PriorityTodo(TodoManager):
    fields = TodoManager.fields | {
        "priority": {"type": "string", "enum": ["high", "medium", "low"], "default": "low"},
    }
"""
RIGHT = NOT_YET.replace('"default": "low"', '"default": "medium"')


class Notebook:
    """The exercises in a page: type into a cell, run it, read its output."""

    def __init__(self, lab):
        self.lab = lab
        lab.open("s04_exercises.ipynb")

    def index(self, *tags):
        """Return the position of the cell with these tags."""
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
        self.lab.press("Enter")
        self.wait_for("document.activeElement.closest('.cm-content')")
        self.lab.press("ControlOrMeta+a")
        self.lab.page.keyboard.insert_text(text.strip())
        self.wait_for("cell.model.sharedModel.getSource() === argument", text.strip())
        self.lab.press("Escape")
        self.wait_for("panel.content.mode === 'command'")

    def wait_for(self, condition, argument=None):
        """Wait until the JavaScript `condition` is true; `cell` in it is the active cell."""
        self.lab.script(
            f"""const cell = panel.content.activeCell;
                while (!({condition})) await new Promise(done => setTimeout(done, 20));""",
            argument,
        )

    def feedback(self, *tags):
        """Return the visible output of the cell with these tags."""
        place = self.index(*tags)
        self.go_to(place)  # the browser does not draw what is far from the window
        shown = self.lab.page.locator(
            f"{SHOWN} .jp-Cell[data-windowed-list-index='{place}'] .jp-OutputArea-output"
        )
        shown.first.wait_for()
        return "\n".join(shown.all_inner_texts())

    def check(self, text, exercise):
        """Write `text` into the cell of an exercise, run it and its check, return the feedback."""
        self.write(text, "exercise", exercise)
        self.run("exercise", exercise)
        self.run("check", exercise)
        return self.feedback("check", exercise)
