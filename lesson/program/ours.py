"""Our code for a part: it is used until the learner has written theirs."""

import re

from ..exercises.catalogue import PARTS

# Of these, a notebook gets the package's list, and the learner sees what their own adds to it.
LISTS_OF_PACKAGE = ("MyTodo",)
LIST = "from agentlib import TodoManager\n\n\nclass {}(TodoManager):\n    pass"
# The first line of a cell in which bring() has put our code.
OURS = "# Our {}, until my_agent.py has yours.\n"
# What bring() writes above a text: that line, and the parts that the text uses.
HEAD = re.compile(r'\A(?:# Our (\w+), until .*\n)?(?:(\w+) = bring\("\2"\)\n)*\n*')


def read_ours(name: str, remind: bool = False) -> str:
    """Return the text of our part, which may use parts above it. A loop has `remind` if asked."""
    if name in LISTS_OF_PACKAGE:
        return LIST.format(name)
    return PARTS[name][remind].read_solution().strip()


def describe_ours(name: str) -> str:
    return "the package's list" if name in LISTS_OF_PACKAGE else "our solution"


def delete_head(text: str) -> str:
    """Return the text of a cell without what bring() has written above it: the lines are empty."""
    return HEAD.sub(lambda found: "\n" * found[0].count("\n"), text, count=1)


def restore_call(text: str) -> str:
    """Return the call of bring() for a cell with our code as it was brought, or else the text."""
    found = HEAD.match(text)
    if found and found[1] in PARTS and text[found.end() :].strip() == read_ours(found[1]):
        return f'{found[1]} = bring("{found[1]}")\n'
    return text
