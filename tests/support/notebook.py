"""A notebook without a browser: its cells run in IPython's shell."""

from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from lesson.exercises.catalogue import EXERCISES, PARTS
from lesson.program.bring import watch_cells
from lesson.program.sections import FILE, join_sections, seal

CELLS = {name: exercises[0].read_solution() for name, exercises in PARTS.items()}
WITH_REMIND = next(one for one in EXERCISES if one.name == "remind").read_solution()


def write_program(**parts):
    """Write a my_agent.py with these sections, as if each had passed its check."""
    program = join_sections({name: seal(source.strip()) for name, source in parts.items()})
    Path(FILE).write_text(program, encoding="utf-8")


class Notebook:
    """A notebook with a new kernel."""

    def __init__(self):
        self.restart()

    def restart(self):
        InteractiveShell.clear_instance()
        self.shell = InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
        watch_cells()  # as the first import of bring() does in a new kernel
        self.run("from lesson import bring, keep")

    def run(self, *cells):
        """Run cells, and return the value of the last one. An error is printed, as in a cell."""
        for cell in cells:
            result = self.shell.run_cell(cell, store_history=True)
        return result.result

    def keep(self, name, *cells, remind=False):
        """Run these cells, or those of the solution, and keep what they define."""
        needed = [CELLS[one] for one in PARTS[name][0].needs if one in CELLS]
        self.run(*(cells or [*needed, CELLS[name]]))
        self.run(f"kept = keep({name!r}, {name}, remind={remind})")
        return self["kept"]

    def bring(self, name):
        """Run a cell that brings a part, and return its new text, "" if it stays as it is."""
        self.shell.payload_manager.clear_payload()
        self.run(f'{name} = bring("{name}")')
        return self.read_new_text()

    def read_new_text(self):
        payloads = self.shell.payload_manager.read_payload()
        return payloads[-1]["text"] if payloads else ""

    def __getitem__(self, name):
        return self.shell.user_ns[name]

    def __contains__(self, name):
        return name in self.shell.user_ns


def run_cells(*cells):
    """Run cells in a notebook, and close it."""
    notebook = Notebook()
    notebook.run(*cells)
    notebook.shell.clear_instance()
