"""The names that a cell defines and uses, the newest of the cells, and the content of a file."""

import pytest

from lesson.program.cells import (
    check_only_defines,
    list_defined,
    list_made,
    list_used,
    remove_uses,
)
from lesson.program.newest import find_newest

# Cells, and the parts that each defines.
KINDS = {
    "function": ("def read_file(): pass", ["read_file"]),
    "lambda": ("read_file = lambda: 1", ["read_file"]),
    "decorated": ("def same(f): return f\n@same\ndef read_file(): pass", ["read_file"]),
    "async": ("async def agent_loop(): pass", ["agent_loop"]),
    "two in one cell": ("class MyTodo: n = 1\nclass MyNag: n = 2", ["MyTodo", "MyNag"]),
    "made by a call": ("MyNag = type('MyNag', (), {})", ["MyNag"]),
    "imported from a file of one's own": ("from nags import MyNag", ["MyNag"]),
    "taken from the program": ("MyTodo = my_agent.MyTodo", []),
    "imported from the program": ("from my_agent import MyTodo", []),
    "checked": ("MyTodo = check(MyTodo)", []),
    "edited": ("agent_loop = edit_loop()", []),
    "in a function": ("def make():\n    class MyNag: pass", []),
    "no Python": ("x = = 1\nclass MyNag:\n    def agent_loop(self): pass", ["MyNag"]),
    "%%time": ("%%time\nclass MyNag: n = 1", ["MyNag"]),
    "with a line of a shell": ("!ls\nclass MyNag: n = 1", ["MyNag"]),
    "NUL": ("x = '\0'\nclass MyNag: n = 1", ["MyNag"]),
}


@pytest.mark.parametrize("kind", KINDS)
def test_parts_that_a_cell_defines(kind):
    text, parts = KINDS[kind]
    assert list(list_defined(text)) == parts


def test_newest_cell_of_a_part_is_found_and_those_that_ran_after_it(notebook):
    first, second = "class MyNag: n = 1", "  class MyNag: n = 2"
    notebook.run(first, second, "x = 1", "y = 2")
    text, later = find_newest("MyNag")
    assert text == second.strip() and later == ["x = 1", "y = 2"]
    assert find_newest("MyTodo")[0] == ""
    notebook.run(first)
    assert find_newest("MyNag") == (first, [])


def test_what_a_cell_does_with_its_part_is_left_out_of_a_trial():
    text = "class A: pass\nprint(\n    A)\nfor x in [1]:\n    check(A)\ny = play()\nz = 1\n"
    assert remove_uses(text) == "class A: pass\n" + "\n" * 5 + "z = 1\n"
    inside = "def f():\n    check(1)\n"
    assert remove_uses(inside) == inside


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
    "line, reason",
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
def test_cell_that_does_more_is_refused_with_its_line(line, reason):
    with pytest.raises(ValueError) as refused:
        check_only_defines(f"x = 1\n{line}\ny = 2")
    assert "line 2 of its cell" in str(refused.value) and reason in str(refused.value)


def test_names_that_a_text_makes_and_uses():
    text = "import xml.dom\nfrom re import A as B\nX = Y = LIMIT\ndef f(a):\n    return g(a, B)\n"
    assert list_made(text).keys() == {"xml", "B", "X", "Y", "f"}
    assert list_made(text)["B"] == "from re import A as B"
    assert list_used(text) == {"LIMIT", "g", "B"}
