"""What a learner does in a notebook of the exercises."""

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
        self.lab.press("Enter")
        self.wait_for("document.activeElement.closest('.cm-content')")
        self.lab.press("ControlOrMeta+a")
        self.lab.page.keyboard.insert_text(text.strip())
        self.wait_for("cell.model.sharedModel.getSource() === argument", text.strip())
        self.lab.press("Escape")
        self.wait_for("panel.content.mode === 'command'")

    def wait_for(self, condition, argument=None):
        """Wait until the JavaScript `condition` holds, in which `cell` is the cell in front."""
        self.lab.script(
            f"""const cell = panel.content.activeCell;
                while (!({condition})) await new Promise(done => setTimeout(done, 20));""",
            argument,
        )

    def feedback(self, *tags):
        """What the reader sees below a check."""
        place = self.index(*tags)
        shown = self.lab.page.locator(
            f".jp-Cell[data-windowed-list-index='{place}'] .jp-OutputArea-output"
        )
        shown.first.wait_for()
        return "\n".join(shown.all_inner_texts())
