"""What the seven notebooks promise: few names, few predictions, and a first cell for a demo."""

import ast
import contextlib
import io
import json
import re
from collections import Counter
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from lesson.parts import PARTS

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
EVENING = NOTEBOOKS[:-1]  # s05 is optional
MOST_NAMES, MOST_PREDICTIONS, LONGEST_CELL = 20, 9, 20
DATA = Path(__file__).with_name("data")

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def read(path: Path, kind: str) -> list[tuple[str, list[str], str]]:
    """Return the id, the tags and the text of each cell of a kind."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [
        (cell["id"], cell["metadata"].get("tags", []), "".join(cell["source"]))
        for cell in cells
        if cell["cell_type"] == kind
    ]


def test_there_are_seven_notebooks():
    assert len(NOTEBOOKS) == 7 and NOTEBOOKS[-1].stem == "s05_is_it_true"


def test_notebooks_import_at_most_twenty_names():
    names = {
        alias.name
        for path in NOTEBOOKS
        for _, _, text in read(path, "code")
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and node.module in ("agentlib", "lesson")
        for alias in node.names
    }
    assert len(names) <= MOST_NAMES, sorted(names)


def test_evening_has_at_most_nine_predictions():
    asked = {path.stem: text_of(path).count("**Predict:**") for path in EVENING}
    assert sum(asked.values()) <= MOST_PREDICTIONS, asked


def text_of(path: Path) -> str:
    return "\n".join(text for _, _, text in read(path, "markdown"))


@every_notebook
def test_given_code_cells_are_short(path):
    given = [(name, text) for name, tags, text in read(path, "code") if "exercise" not in tags]
    assert [name for name, text in given if len(text.splitlines()) > LONGEST_CELL] == []


def test_each_exercise_has_its_cell_and_its_check_in_the_order_of_the_table():
    found: Counter[tuple[str, str, str]] = Counter()
    for path in EVENING:
        written = set()
        for _, tags, text in read(path, "code"):
            if tags[:1] == ["exercise"]:
                written.add(tags[1])
            if tags[:1] == ["check"]:
                part, level = tags[1], (*tags[2:], "")[0]
                call = f'check({part}, "{level}")' if level else f"check({part})"
                assert part in written and call in text
                found[path.stem, part, level] += 1
    wanted = {(one.notebook, part.name, one.name) for part in PARTS.values() for one in part.levels}
    assert found == Counter(wanted)


@every_notebook
def test_each_notebook_after_the_first_begins_with_a_question_about_the_one_before(path):
    _, _, first = read(path, "markdown")[0]
    before = NOTEBOOKS[max(0, NOTEBOOKS.index(path) - 1)].stem.split("_")[0]
    assert path == NOTEBOOKS[0] or re.search(rf"^\*\*From {before}:\*\*.*\?$", first, re.MULTILINE)


@pytest.mark.slow
@every_notebook
def test_first_code_cell_runs_alone(path, tmp_path):
    book = nbformat.read(path, 4)
    book.cells = [next(cell for cell in book.cells if cell.cell_type == "code")]
    place = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(book, timeout=120, resources=place).execute()
    assert book.cells[0].outputs


def run_s05(name: str) -> dict:
    """Run one code cell of s05 and return its variables."""
    [text] = [text for cell, _, text in read(NOTEBOOKS[-1], "code") if cell == name]
    made: dict = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(text, made)
    return made


def test_judged_runs_of_s05_are_those_of_the_data():
    data = json.loads((DATA / "judged_runs.json").read_text(encoding="utf-8"))
    rows: dict[str, list[int]] = {}
    for run in data["runs"]:
        is_close = run["model"].startswith(("claude-sonnet-4-5", "claude-opus-4-5"))
        if is_close and run.get("items") and run["ticked"] == run["items"]:
            folder = run["run"].split("/")[2].removeprefix("agent-")
            row = rows.setdefault(data["jobs"][folder], [0, 0, 0])
            row[0] += 1
            row[1] += run["status"] == "passed"
            row[2] += run["build"] == "failed"
    printed = run_s05("judged-02")["judged"]
    assert printed.pop("all jobs") == (43, 10, 15)
    assert printed == {job: tuple(row) for job, row in rows.items()}


def test_coins_of_s05_say_what_an_exact_sign_test_says():
    made = run_s05("coins-01")
    found = [round(made["p"](gained, lost), 4) for _, _, gained, lost, _ in made["series"]]
    assert found == [1.0, 0.0009, 0.0027, 0.0029, 1.0, 0.0014, 0.525]


@pytest.mark.parametrize(
    "model, gained, lost, p",
    [("devstral", 57, 31, 0.007), ("gpt5_mini", 66, 40, 0.015), ("deepseek_v3", 49, 65, 0.16)],
)
def test_result_of_s05_if_each_missing_verdict_counts_against_the_plan(model, gained, lost, p):
    study = json.loads((DATA / "planning_study.json").read_text(encoding="utf-8"))
    series = study["models"][model]["series"]
    pairs = [*zip(series["no_plan"]["verdicts"], series["plan"]["verdicts"], strict=True)]
    assert sum(first in "0u" and second == "1" for first, second in pairs) == gained
    against = [(f, s) for f, s in pairs if (f in "1-" and s in "0u-") and (f, s) != ("-", "1")]
    assert len(against) == lost
    assert round(run_s05("coins-01")["p"](gained, lost), 3 if p < 0.1 else 2) == p
