"""A notebook without a browser: its cells run in IPython's shell, in this process."""

import atexit
from contextlib import redirect_stdout, suppress
from io import StringIO

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from lesson.common.solutions import read_solutions
from lesson.in_cells import last_cell
from lesson.program import folder, newest

CELLS = read_solutions()
# Three parts before their later exercise.
LOOP, ANSWER = CELLS["agent_loop"].split("        # Remind:"), "        # Answer:"
FIRST = {
    "agent_loop": LOOP[0].replace(", remind=None", "") + ANSWER + LOOP[1].partition(ANSWER)[2],
    "MyTodo": CELLS["MyTodo"].partition("\n    def tool(")[0],
    "MyNag": CELLS["MyNag"].replace("\\n{self.todo.render()}", ""),
}


class Notebook:
    """A notebook with a new kernel."""

    def __init__(self, history=True):
        self.history = history
        InteractiveShell.clear_instance()
        self.shell = InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
        atexit.unregister(self.shell.atexit_operations)  # hundreds of them took minutes at the end
        newest.start(self.shell)  # as the import of the lesson does in a new kernel
        last_cell.LAST.clear()  # or a check would know the cells of another test
        self.run("from lesson import check, my_agent")

    def run(self, *texts):
        """Run cells, and return the value of the last one. An error is printed, as in a cell."""
        for text in texts:
            result = self.shell.run_cell(text, store_history=self.history)
        return result.result

    def check(self, name, *texts, level=None):
        """Run these cells, or that of the solution, and then the cell with the check."""
        self.run(*(texts or [CELLS[name]]))
        return self.run(f"checked = check({name!r}, {level!r})", "checked")

    def tell(self, name, *texts, level=None):
        """Run cells and the check, as `check` does, and return what is printed."""
        with redirect_stdout(StringIO()) as printed:
            self.check(name, *texts, level=level)
        return printed.getvalue()

    def __getitem__(self, name):
        return self.shell.user_ns[name]


def write_file(**texts):
    """Write the files of these parts, as a learner may by hand; see `notebook_of`."""
    folder.create_folder()
    for name, text in texts.items():
        written = f"{text}\n"  # even one that is not Python
        with suppress(SyntaxError, ValueError):
            written = folder.write_part(name, text)
        folder.find_file(name).write_text(written, encoding="utf-8")
