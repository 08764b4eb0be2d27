"""The notebooks as they are saved: their cells, tags, links and outputs."""

import json
import re
from functools import cache
from itertools import pairwise

import pytest

from lesson.common.parts import PARTS
from lesson.common.solutions import NOTEBOOKS
from lesson.samples.jobs import load_job

ALL = sorted(NOTEBOOKS.glob("*.ipynb"))  # in the order in which they are read
WIDGET = "application/vnd.jupyter.widget-view+json"
MACHINE_PATH = re.compile(r"(?<![\w./])/(tmp|home|root|Users|private|var/folders)/|\b[A-Z]:\\")
CODE_SPAN = re.compile(r"(`+).*?\1", re.DOTALL)
DOLLAR = re.compile(r"(?<!\\)\$")
ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b")

every_notebook = pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)


@cache
def load(path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def cells(path, kind: str) -> list[dict]:
    return [cell for cell in load(path)["cells"] if cell["cell_type"] == kind]


def text(cell: dict) -> str:
    return "".join(cell["source"])


def tags(cell: dict) -> list[str]:
    return cell["metadata"].get("tags", [])


def outputs(path) -> list[dict]:
    return [output for cell in cells(path, "code") for output in cell["outputs"]]


@every_notebook
def test_first_code_cell_needs_nothing_above_it_and_shows_something(path):
    """A demo begins with it. nbval runs it as the first cell of a new kernel, and compares this."""
    if path.stem != "s08_again":  # whose first cell is empty
        assert cells(path, "code")[0]["outputs"]


def test_cell_ids_are_unique_in_all_notebooks():
    """Tools that read a whole folder, such as MyST, take them for names in one project."""
    ids = [cell["id"] for path in ALL for cell in load(path)["cells"]]
    assert len(ids) == len(set(ids))


# A learner's cells


def test_each_exercise_has_its_cell_and_its_check_in_the_order_of_the_table():
    written, checks = set(), []
    for path in ALL:
        for cell in cells(path, "code"):
            match tags(cell):
                case ["exercise", name]:
                    written.add(name)
                case ["check", name, *level]:
                    call = f'check("{name}", "{level[0]}")' if level else f'check("{name}")'
                    assert name in written and call in text(cell)
                    checks.append((path.stem, name, *level))
    numbers = {
        (level.notebook, part.name, *filter(None, [level.name])): level.exercise
        for part in PARTS.values()
        for level in part.levels
    }
    assert sorted(checks) == sorted(numbers) and written == {*PARTS}
    in_order = [f"E{place}" for place in range(1, len(checks) + 1)]
    assert [numbers[check] for check in checks] == in_order


@every_notebook
def test_nbgrader_grades_each_check_under_its_own_name_and_nothing_else(path):
    graded = [cell["metadata"].get("nbgrader") for cell in cells(path, "code")]
    names = [metadata["grade_id"] for metadata in graded if metadata]
    assert len(names) == len({*names})
    kinds = [tags(cell)[:1] for cell in cells(path, "code")]
    assert [*map(bool, graded)] == [kind in (["exercise"], ["check"]) for kind in kinds]


@every_notebook
def test_each_prediction_is_repeated_next_to_the_result(path):
    others = (cell for cell in cells(path, "code") if "exercise" not in tags(cell))
    code = "\n".join(map(text, others))
    for names in re.findall(r"(?m)^(\w[\w, ]*) = None(?:, None)*$", code):
        for name in names.split(", "):
            assert re.search(rf"\breveal\([^=]*\b{name}\b", code), name


@every_notebook
def test_text_after_a_fold_has_space_above_it(path):
    # JupyterLab gives `details` no margin, so the text looked as if it were the answer. mystmd
    # shows the answer openly if the tag behind the fold is in the next line.
    for cell in cells(path, "markdown"):
        after = re.findall(r"</details>\n(\n<br>\n)?\n*\S", text(cell))
        assert all(after), text(cell)


# The files


def test_each_notebook_is_in_the_readmes_table_with_its_minutes():
    readme = (NOTEBOOKS.parent / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| \[(\w+)\]\(notebooks/\1\.ipynb\) \| .* \| (\d+) \|$", readme)
    assert [name for name, _ in rows] == [path.stem for path in ALL]
    for path, (_, minutes) in zip(ALL[1:], rows[1:], strict=True):  # 00 names none
        assert re.findall(r"(\d+) minutes", text(cells(path, "markdown")[0])) == [minutes], path
    evenings = [int(total) for total in re.findall(r"(?m) evening\*\* \| \| (\d+) \|$", readme)]
    times = [int(minutes) for _, minutes in rows]
    assert evenings == [sum(times[:4]), sum(times[4:9])]


@every_notebook
def test_cells_were_run_from_top_to_bottom(path):
    counts = [cell["execution_count"] for cell in cells(path, "code")]
    assert counts == list(range(1, len(counts) + 1))


@every_notebook
def test_markdown_escapes_dollar_signs(path):
    """JupyterLab renders the text between two dollar signs as mathematics."""
    for cell in cells(path, "markdown"):
        dollars = DOLLAR.findall(CODE_SPAN.sub("", text(cell)))
        assert len(dollars) < 2, f"cell {cell['id']}: write \\$"


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
    """It is shown by GitHub, and for a notebook that is not trusted."""
    for output in outputs(path):
        if WIDGET in output.get("data", {}):
            assert "".join(output["data"].get("text/plain", [])).strip()


@pytest.mark.parametrize("job", ["hello", "package", "style", "analyze"])
def test_each_sample_prompt_of_the_course_is_in_a_notebook(job):
    prompt = load_job(job).prompt
    texts = [text(cell).replace("\\_", "_") for path in ALL for cell in load(path)["cells"]]
    assert any(prompt in source for source in texts), prompt


@every_notebook
def test_each_question_has_its_form(path):
    """**Predict** ends its cell, and asks once. A fold answers it, or a bold question, below it."""
    for question, following in pairwise(map(text, cells(path, "markdown"))):
        asks = re.findall(r"\*\*(?:Predict:|[^*]+\?)\*\*", question)
        if asks and "</details>" not in question.partition(asks[-1])[2]:
            assert "<details>" in following.split("\n\n## ")[0], asks
        for predict in re.findall(r"\*\*(?:Predict|Guess).*", question, re.DOTALL):
            assert predict.startswith("**Predict:**") and predict.count("?") == 1
            assert "\n" not in predict
