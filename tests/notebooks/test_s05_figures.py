"""What s05 says of the runs of a Claude model is what their files show."""

import ast
import contextlib
import io
import json
import re
from pathlib import Path

import pytest

from lesson import claude_runs
from lesson.samples.jobs import load_job

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "s05_is_it_true.ipynb"


def find_cell(name: str) -> str:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    [source] = ["".join(cell["source"]) for cell in cells if cell["id"] == name]
    return source


def run_cell(name: str, old: str = "", new: str = "") -> dict:
    """Run one code cell of s05, with a change, and return its variables, and what it `printed`."""
    code = find_cell(name)
    assert old in code
    names: dict = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code.replace(old, new), names)
    return names | {"printed": printed.getvalue()}


RIGHT, LOST = "y" * 8, "n" * 8
OWN = 'return "return" in text  # Your line takes the place of this one.'


def answer_runs(file: str, line: str) -> list[str]:
    """Return what is said beside each run, with this line in the reader's function."""
    code = find_cell("own-05").replace(OWN, f"return {line}").replace('"pricing.py"', repr(file))
    names = {"longest": run_cell("limit-02")["longest"]} | run_cell("own-08")
    exec(code + "\n" + find_cell("own-10").replace("compare(runs, say=answer)", ""), names)
    return [names["answer"](run) for run in claude_runs(condition="seat")]


@pytest.mark.parametrize(
    "file, line, letters",
    [
        ("pricing.py", '"return" in text', RIGHT + "y" * 8),
        ("pricing.py", '"->" in text', RIGHT + LOST),
        ("pricing.py", '\'"""\' in text', RIGHT + "y" * 8),
        ("pricing.py", '"typing" in text', "n" * 16),
        ("stock.py", '"def warnings" in text', "ynynnyynnnnnnnny"),
        ("stock.py", '"print(" not in text', "yyyyyyyynynnnnny"),
        ("receipt.py", "longest(text) <= 8", "ynnyynyynnnnnnnn"),
    ],
)
def test_a_line_of_the_reader_rejects_the_runs_that_the_answers_name(file, line, letters):
    answers = answer_runs(file, line)
    assert "".join(answer[0] for answer in answers) == letters
    for run, answer in zip(claude_runs(condition="seat"), answers, strict=True):
        first = next(code for code in run.files[file].splitlines() if "def " in code)
        assert answer.partition(": ")[2] == first


def test_answer_for_a_run_without_this_file_has_the_names_of_its_files():
    answers = answer_runs("test_shop.py", "text")
    assert answers[11].startswith("no: its files are README.md, books.csv")


def test_what_the_answers_say_of_the_steps_is_what_the_files_show():
    """By the judge of the project; a function without hints has none in any form."""
    names = [step.text for step in load_job("ten_steps").steps]
    step = {name: names.index(f"{name}") for name in names}
    runs = claude_runs(condition="seat")
    split, hints = (
        [run.done[step[name]] for run in runs]
        for name in (
            "Split the long function in receipt.py",
            "Add type hints and docstrings to pricing.py",
        )
    )
    assert split == hints == [True] * 8 + [False] * 8
    for run, has_hints in zip(runs, hints, strict=True):
        tree = ast.parse(run.files["pricing.py"])
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        hinted = [
            node.returns or any(arg.annotation for arg in node.args.args) for node in functions
        ]
        assert all(hinted) if has_hints else not any(hinted)
        assert all(map(ast.get_docstring, functions))


def test_all_messages_report_ten_steps_also_those_of_runs_that_lack_some():
    assert "Messages that report ten steps: 16\n" in run_cell("files-01")["printed"]
    assert sum(run.steps_done == 10 for run in claude_runs(condition="seat")) == 8


def test_s05_asks_no_process_and_has_the_plan_that_was_lost():
    assert not re.search(r"subprocess|system\(|popen", NOTEBOOK.read_text(encoding="utf-8"))
    assert run_cell("own-08")["printed"].startswith("Rename the cryptic names")
