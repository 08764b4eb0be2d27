"""The structure of every committed notebook; nbval compares the outputs."""

import json
import re
from functools import cache

import nbformat
import pytest
from ipywidgets import HTML, IntSlider, VBox

from agentlib import Nag
from lesson import draw, play_once
from lesson.exercises.catalogue import EXERCISES
from notebooks import NOTEBOOKS, WIDGET, find_notebooks, tidy

LONGEST_CELL = 20
MACHINE_PATH = re.compile(r"(?<![\w./])/(tmp|home|root|Users|private|var/folders)/|\b[A-Z]:\\")
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)\)")
CODE_SPAN = re.compile(r"(`+).*?\1", re.DOTALL)
DOLLAR = re.compile(r"(?<!\\)\$")
ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b")

every_notebook = pytest.mark.parametrize(
    "path", find_notebooks(), ids=lambda path: path.relative_to(NOTEBOOKS).as_posix()
)


@cache
def load(path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def cells(path, kind: str) -> list[dict]:
    return [cell for cell in load(path)["cells"] if cell["cell_type"] == kind]


def text(cell: dict) -> str:
    return "".join(cell["source"])


def outputs(path) -> list[dict]:
    return [output for cell in cells(path, "code") for output in cell["outputs"]]


def test_each_notebook_is_in_the_readmes_table_or_has_the_solution_of_an_exercise():
    readme = (NOTEBOOKS.parent / "README.md").read_text(encoding="utf-8")
    names = set(re.findall(r"(?m)^\| \[\w+\]\(notebooks/(\w+)\.ipynb\)", readme))
    names |= {f"solutions/{one.notebook}" for one in EXERCISES}
    found = [path.relative_to(NOTEBOOKS).with_suffix("").as_posix() for path in find_notebooks()]
    assert sorted(found) == sorted(names)


def test_the_class_collects_a_download_of_each_notebook_with_an_exercise():
    config = (NOTEBOOKS.parent / "docs" / "nbgrader_config.py").read_text(encoding="utf-8")
    pattern = re.search(r'named_regexp = \(\s*r"(.*)"', config)[1]
    for name in {one.notebook for one in EXERCISES}:
        found = re.match(pattern, f"downloaded/lesson/ada_lovelace_{name}.ipynb")
        assert found and found.groupdict() == {"student_id": "ada_lovelace", "file_id": name}


@every_notebook
def test_cells_were_run_from_top_to_bottom(path):
    counts = [cell["execution_count"] for cell in cells(path, "code")]
    assert counts == list(range(1, len(counts) + 1))


@every_notebook
def test_each_prediction_is_repeated_next_to_the_result(path):
    others = (c for c in cells(path, "code") if "exercise" not in c["metadata"].get("tags", ()))
    code = "\n".join(map(text, others))
    for names in re.findall(r"(?m)^(\w[\w, ]*) = None(?:, None)*$", code):
        for name in names.split(", "):
            assert re.search(rf"\bsaid\([^=]*\b{name}\b", code), name


@every_notebook
def test_code_cells_are_short_and_not_empty(path):
    # A solved exercise may be longer: the last one is a whole agent.
    free = {"exercise"} if path.parent.name == "solutions" else set()
    shown = [one for one in cells(path, "code") if not free & {*one["metadata"].get("tags", [])}]
    lengths = {one["id"]: len(text(one).splitlines()) for one in shown}
    assert {name: n for name, n in lengths.items() if not 1 <= n <= LONGEST_CELL} == {}


@every_notebook
def test_markdown_escapes_dollar_signs(path):
    """JupyterLab renders the text between two dollar signs as mathematics."""
    for cell in cells(path, "markdown"):
        dollars = DOLLAR.findall(CODE_SPAN.sub("", text(cell)))
        assert len(dollars) < 2, f"cell {cell['id']}: write \\$"


@every_notebook
def test_relative_links_exist(path):
    for cell in cells(path, "markdown"):
        for link in LINK.findall(text(cell)):
            assert (path.parent / link).exists(), f"{link} in cell {cell['id']}"


@every_notebook
def test_outputs_have_no_stderr(path):
    assert [o["text"] for o in outputs(path) if o.get("name") == "stderr"] == []


@every_notebook
def test_outputs_have_no_paths_and_addresses_of_this_machine(path):
    for cell in load(path)["cells"]:
        shown = "\n".join(strings(cell))
        assert not MACHINE_PATH.search(shown), f"a path in cell {cell['id']}"
        assert not ADDRESS.search(shown), f"an object's address in cell {cell['id']}"


def strings(value):
    """Yield every string in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)


@every_notebook
def test_every_widget_has_a_text_alternative(path):
    """It is shown by GitHub, screen readers and pages without widgets."""
    for output in outputs(path):
        if WIDGET in output.get("data", {}):
            assert "".join(output["data"].get("text/plain", [])).strip()


@every_notebook
def test_file_is_as_make_notebooks_writes_it(path):
    """No time, no widget id, no state of the widgets, in the form of nbformat."""
    notebook = nbformat.read(path, as_version=4)
    tidy(notebook)
    assert nbformat.writes(notebook) + "\n" == path.read_text(encoding="utf-8"), "make notebooks"


def test_slider_of_s03c_shows_the_run_of_both_values():
    code = {one["id"]: text(one) for one in cells(NOTEBOOKS / "s03c_how_soon.ipynb", "code")}
    names = {"HTML": HTML, "IntSlider": IntSlider, "VBox": VBox, "with_my_nag": Nag}
    names |= {"draw": draw, "play_once": play_once}
    exec(code["todo-slider-6"], names)
    shown = [names["picture"].value]
    names["threshold"].value = 6
    shown.append(names["picture"].value)
    names["size"].value = 20
    shown.append(names["picture"].value)
    for html, steps in zip(shown, (10, 3, 10), strict=True):
        assert f"{steps} of 10</b>" in html
    names["VBox"].close_all()
