"""The error of a cell: the learner's own lines and the last line, and `%tb` for the rest."""

import re

import pytest

from lesson.kernel import cell_errors

LOOP = """\
from anthropic import Anthropic
from lesson import PracticeModel
client = PracticeModel().client()

def ask(messages):
    return client.messages.create(model="claude-opus-4-8", max_tokens=9, messages=messages)
"""
ERRORS = {
    "API": ('ask([{"role": "nobody", "content": "hi"}])', "BadRequestError: Error code: 400"),
    "job": ('from lesson import play\nplay([("Write", "a.py")])', "ValueError: A job of your own"),
    "name": ('from lesson import play\nplay("no_such_job")', "FileNotFoundError: "),
    "window": ('from lesson import play\nplay("hello", window=1)', "ValueError: window must be"),
}


@pytest.fixture
def tell(notebook, capsys):
    """Return a function that runs cells and returns what the last one prints."""
    cell_errors.start(notebook.shell, ["play"])

    def run(*cells):
        if cells[1:]:
            notebook.run(*cells[:-1])
        capsys.readouterr()
        notebook.shell.run_cell(cells[-1], store_history=True)
        return re.sub("\x1b\\[[0-9;]*m", "", capsys.readouterr().out)

    return run


@pytest.mark.parametrize("name", ERRORS)
def test_error_of_the_lesson_or_the_sdk_is_its_last_line_below_the_learners_own(tell, name):
    cell, last = ERRORS[name]
    shown = tell(LOOP, cell)
    assert shown.splitlines()[-1].startswith(last)
    assert f"{len(cell.splitlines())} {cell.splitlines()[-1]}" in shown  # with its number
    assert "`%tb` shows them" in shown and "-packages" not in shown and "lesson/" not in shown
    assert len(shown.splitlines()) < 22
    assert len(tell("%tb").splitlines()) > 3 * len(shown.splitlines())


def test_name_that_is_not_defined_is_said_to_be_gone_after_a_restart(tell):
    hint = cell_errors.IN_A_CELL_ABOVE.format("play")
    assert tell('play("hello")').endswith(f"NameError: name 'play' is not defined\n{hint}\n")
    for cell in ("x = 1\nx.play", "def f():\n    print(a)\n    a = 1\nf()", "import play_nobody"):
        assert "further up" not in tell(cell)


def test_line_of_each_function_of_the_learners_is_shown(tell):
    assert "----> 6     return client.messages.create(" in tell(LOOP, ERRORS["API"][0])


@pytest.mark.parametrize("cell", ['import json\njson.loads("{")', "1 / 0", "import no_such_module"])
def test_other_errors_are_shown_as_ipython_shows_them(tell, notebook, cell):
    shown = tell(cell)
    notebook.shell.set_custom_exc((), None)
    assert re.sub(r"In\[\d+\]", "", tell(cell)) == re.sub(r"In\[\d+\]", "", shown)


def test_error_that_the_learners_code_raises_again_shows_what_it_was(tell):
    shown = tell(
        LOOP, "try:\n    ask([])\nexcept Exception as why:\n    raise KeyError(1) from why"
    )
    assert "direct cause" in shown and "2     ask([])" in shown and "-packages" not in shown
    assert shown.splitlines()[-1] == "KeyError: 1"


def test_cause_inside_the_sdk_is_folded_and_kept(tell, notebook):
    cell = (
        "try:\n    Anthropic(api_key='k', base_url='http://127.0.0.1:9', max_retries=0)"
        ".models.list()\nexcept Exception as why:\n    kept = why\n    raise"
    )
    shown = tell(LOOP, cell)
    assert "direct cause" not in shown
    assert shown.splitlines()[-1] == "APIConnectionError: Connection error."
    assert notebook["kept"].__cause__ and "httpx" in tell("%tb")


def test_interrupted_cell_shows_its_own_line_and_what_to_do(tell):
    shown = tell(
        "def deep(n):\n    if n:\n        deep(n - 1)\n    raise KeyboardInterrupt\n",
        "x = 1\ndeep(40)",
    )
    assert "line 2: deep(40)" in shown and "You can run the cell again." in shown
    assert len(shown.splitlines()) < 11


@pytest.mark.parametrize(
    "cells, hint",
    [
        (["len = 3", "len('a')"], "`len` is a variable of this notebook, 3, and hides Python's: "),
        (
            ["import time", "time = time.monotonic()", "time.monotonic()"],
            "and hides what you imported: rename it, and run `import time`.",
        ),
        (
            ["play = [1]", "play('hello')"],
            "`play` is a variable of this notebook, [1], and hides what you imported: rename it, "
            "and run `from lesson import play`.",
        ),
        (
            [
                "def f(items):\n    all(isinstance(item, dict) for item in items)\n"
                "    for dict in items:\n        pass\nf([1])"
            ],
            "`dict` is a variable of yours here, and hides Python's `dict`: ",
        ),
        (["items = 3", "items.append(1)"], "has no attribute 'append'"),
    ],
)
def test_a_name_that_hides_pythons_or_the_lessons_is_told(tell, cells, hint):
    last = tell(*cells).splitlines()[-1]
    assert hint in last and ("hides" in last) == ("hides" in hint)


def test_a_syntax_error_of_the_cell_shows_its_line_and_no_calls(tell):
    lines = [*filter(None, tell("x = 1\ndef f(:\n    pass").splitlines())]
    assert lines[-1].startswith("SyntaxError") and len(lines) < 6
    assert "def f(:" in "".join(lines)
    assert '(U+201C): type `"` in its place.' in tell("x = \u201c1\u201d")
    assert 'ast.parse("(")' in tell('import ast\nast.parse("(")')
