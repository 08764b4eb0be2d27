"""Code as a learner has it in a cell: its source can be read, and its names are the cell's."""

import linecache
from itertools import count

from lesson.exercises.catalogue import EXERCISES

SOLUTIONS = {one.name: one.read_solution() for one in EXERCISES}
NUMBERS = count(1)
IMPORTS = (
    "import time\nfrom agentlib import *\nfrom agentlib.tools import *\nfrom lesson import *\n"
)


def define(source, name):
    """Return what the cell `source` defines as `name`."""
    return run(source)[name]


def run(source, **names):
    """Return the names after the cell `source` has run."""
    file = f"<cell {next(NUMBERS)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names = {"__name__": "__main__"} | names
    exec(IMPORTS, names)
    exec(compile(source, file, "exec"), names)
    return names


def slip(source, *changes):
    """Return the source with each (old, new) change made; the old text must be there."""
    for old, new in changes:
        assert old in source, old
        source = source.replace(old, new)
    return source
