"""The text of the cell that defines a part: found for every kind of object, or refused."""

from types import FunctionType, MethodType

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from lesson.program.cells import check_only_defines, find_cell, list_made, list_used

# A cell, and an expression for what it defines. The cell is told from others by its comment.
KINDS = {
    "function": ("def thing(): pass", "thing"),
    "lambda": ("thing = lambda: 1", "thing"),
    "decorated, with wraps": (
        "from functools import wraps\ndef same(f):\n    @wraps(f)\n    def g(): return f()\n"
        "    return g\n@same\ndef thing(): pass",
        "thing",
    ),
    "decorated, without wraps": (
        "def same(f):\n    def g(): return f()\n    return g\n@same\ndef thing(): pass",
        "thing",
    ),
    "lru_cache": ("from functools import lru_cache\n@lru_cache\ndef thing(): pass", "thing"),
    "partial": (
        "from functools import partial\ndef add(a, b): pass\nthing = partial(add, 1)",
        "thing",
    ),
    "class": ("class thing:\n    def f(self): pass", "thing"),
    "class without functions": ("class thing: n = 1", "thing"),
    "class of type()": ("thing = type('thing', (), {})", "thing"),
    "subclass of the package": (
        "from agentlib import Nag\nclass thing(Nag): label = 'x'",
        "thing",
    ),
    "NamedTuple": ("from typing import NamedTuple\nclass thing(NamedTuple):\n    n: int", "thing"),
    "metaclass": ("class Meta(type): pass\nclass thing(metaclass=Meta): n = 1", "thing"),
    "class made in a function": (
        "def make():\n    class thing: n = 1\n    return thing\nthing = make()",
        "thing",
    ),
    "instance": ("class one: n = 1\nthing = one()", "thing"),
    "bound method": ("class one:\n    def f(self): pass\nthing = one().f", "thing"),
    "two in one cell": ("class other: n = 1\nclass thing: n = 2", "thing"),
    "%%time": ("%%time\nclass thing: n = 1", "thing"),
    "with a line of a shell": ("files = !echo hi\nclass thing: n = 1", "thing"),
    "called in its own cell": ("class thing: n = 1\nfound = thing", "found"),
}


@pytest.mark.parametrize("history", [True, False], ids=["history", "no history"])
def test_cell_of_each_kind_of_object_is_found_also_after_another_cell(notebook_of, history, capsys):
    notebook = notebook_of(history)
    wrong = []
    for kind, (text, expression) in KINDS.items():
        text = f"{text}\n# {kind}"
        notebook.run(text, "class other: n = 3", "other = 1", f"seen = {expression}")
        if (find_cell(notebook["seen"]).text or "").rstrip() != text:
            wrong.append(kind)
    assert wrong == []


def test_newest_cell_counts_and_an_older_object_keeps_its_own(notebook):
    first, second = "class thing: n = 1", "class thing: n = 2"
    failing = "raise ValueError\nclass thing: n = 3"
    notebook.run(first, "old = thing", second, failing)
    assert find_cell(notebook["old"]).text == first
    assert find_cell(notebook["thing"]).text == second
    notebook.run(first)
    assert find_cell(notebook["thing"]).text == first


@pytest.mark.parametrize(
    "thing", [7, "text", None, len, dict, str.upper, eval("lambda: 7"), FunctionType, MethodType]
)
def test_object_that_no_cell_has_defined_has_no_cell(notebook, thing):
    assert find_cell(thing).text is None


@pytest.mark.parametrize(
    "text",
    [
        '"""A list."""\nimport re\nfrom agentlib import Tool\nLIMIT: int = 20\nLIMIT += 1',
        "def f(): print(1)\nasync def g(): pass\nclass A:\n    print(2)\npass",
        "x = len('a')\na, (b, *c) = 1, (2, 3)",
    ],
)
def test_cell_that_only_defines_is_accepted(text):
    check_only_defines(text)


RUNS = "would run in the program: move it to another cell"


@pytest.mark.parametrize(
    "line, said",
    [
        ("print(1)", RUNS),
        ("try:\n    import re\nexcept ImportError: pass", RUNS),
        ("Nag = check(MyNag)", RUNS),
        ("!ls", RUNS),
        ("files = !ls", RUNS),
        ("%time x", RUNS),
        ("x?", RUNS),
        ("def f(): display(x)", RUNS),
        ("shell = get_ipython()", RUNS),
        ("from __future__ import annotations", "is only for a whole file"),
        ("from lesson import my_agent", "cannot import itself"),
        ("import my_agent", "cannot import itself"),
        ("class A(my_agent.MyTodo): pass", "write `MyTodo`, not `my_agent.MyTodo`"),
        ("x = '\0'", "a NUL"),
        ("x = '\udc80'", "not UTF-8"),
    ],
)
def test_cell_that_does_more_is_refused_with_its_line(line, said):
    with pytest.raises(ValueError) as refused:
        check_only_defines(f"x = 1\n{line}\ny = 2")
    assert "line 2 of its cell" in str(refused.value) and said in str(refused.value)


def test_names_that_a_text_makes_and_uses():
    text = "import xml.dom\nfrom re import A as B\nX = Y = LIMIT\ndef f(a):\n    return g(a, B)\n"
    assert list_made(text).keys() == {"xml", "B", "X", "Y", "f"}
    assert list_made(text)["B"] == "from re import A as B"
    assert list_used(text) == {"LIMIT", "g", "B"}


def new_kernel():
    """Return a shell in which nothing of the lesson is imported yet."""
    InteractiveShell.clear_instance()
    return InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))


def test_cell_that_imports_the_lesson_itself_is_found():
    shell, cell = new_kernel(), "from lesson.program import cells\nclass MyTodo: fields = {}\n"
    shell.run_cell(cell.replace("\n", "\ncells.start(get_ipython())\n", 1), store_history=False)
    shell.run_cell("found = cells.find_cell(MyTodo).text", store_history=False)
    assert "class MyTodo" in shell.user_ns["found"]


def test_cell_that_ran_before_the_lesson_was_imported_is_found():
    shell, cell = new_kernel(), "class MyNag:\n    def __call__(self, calls): pass\n"
    shell.run_cell(cell)
    shell.run_cell("from lesson.program import cells; cells.start(get_ipython())\nx = MyNag")
    shell.run_cell("found = cells.find_cell(MyNag).text")
    assert shell.user_ns["found"] == cell
