"""A prediction is printed next to what is right, and a skipped one is not mentioned."""

import ast
import json
import re
from pathlib import Path

import pytest
from support.guesses import GUESSES

import lesson
from lesson import reveal
from lesson.program.newest import RAN

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def read_code(path):
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def find_variables(cell):
    """Return the names of the variables that a cell passes to `reveal`."""
    calls = [node for node in ast.walk(ast.parse(cell)) if isinstance(node, ast.Call)]
    [call] = [call for call in calls if getattr(call.func, "id", "") == "reveal"]
    return [argument.id for argument in call.args]


def test_every_guess_of_the_notebooks_is_in_the_table():
    asked = set()
    for path in NOTEBOOKS.glob("*.ipynb"):
        code = "\n".join(read_code(path))
        for words in re.findall(r"^ *reveal\((.*?), right=", code, re.M):
            asked |= {*words.split(", ")}
        if "NagSlider(guess=" in code:
            asked.add("reminder")
    assert asked == GUESSES.keys()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["s03a_todo_write", "s03b_nag_reminder", "s04b_who_says_no"])
def test_what_is_right_is_what_the_notebook_computes(notebook, monkeypatch, name):
    computed = {}

    def note(*_, right, names=()):
        values = right if isinstance(right, list) else [right]
        computed.update(zip(find_variables(RAN[-1]), values, strict=True))

    monkeypatch.setitem(lesson.__dict__, "reveal", note)
    notebook.run(*read_code(NOTEBOOKS / f"{name}.ipynb"))
    assert computed == {
        variable: guess.right
        for variable, guess in GUESSES.items()
        if name.startswith(guess.notebook) and variable != "reminder"
    }


@pytest.mark.parametrize(
    ("predictions", "right", "printed"),
    [
        ([7], 3, "You said 7; it is 3.\n"),
        ([3], 3, "You said 3, and it is 3.\n"),
        ([False], True, "You said False; it is True.\n"),
        (["11"], 11, "You said 11, and it is 11.\n"),
        (["8 of 8"], 8, "You said 8, and it is 8.\n"),
        (["Rejected "], "rejected", "You said Rejected, and it is rejected.\n"),
        ([0], 4, "You said 0; it is 4.\n"),
        ([[]], [3], ""),
        ([""], 4, ""),
        ([264, None], [264, 253], "You said 264, and it is 264.\n"),
        ([None, "more"], [1, "less"], "You said more; it is less.\n"),
    ],
)
def test_prediction_is_printed_with_what_is_right_and_a_skipped_one_is_not(
    capsys, predictions, right, printed
):
    reveal(*predictions, right=right)
    assert capsys.readouterr().out == printed


def test_names_say_which_number_is_which(capsys):
    reveal(4, 6, right=[0, 8], names=["did all ten", "said ten of ten"])
    reveal(None, 2, right=[1, 2], names=["first", "second"])
    assert capsys.readouterr().out.splitlines() == [
        "Did all ten: you said 4; it is 0.",
        "Said ten of ten: you said 6; it is 8.",
        "Second: you said 2, and it is 2.",
    ]
