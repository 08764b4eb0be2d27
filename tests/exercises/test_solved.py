"""The solutions are a folder: a file for each part, which also fills the notebooks."""

import re

import nbformat
import pytest
from support.notebook import CELLS

from exerciselib.page import PAGES, Page
from lesson.common.parts import PARTS
from lesson.common.solutions import NOTEBOOKS, SOLUTIONS, read_solutions
from lesson.exercises.rules import load_rules, try_part
from lesson.program.cells import check_only_defines
from lesson.program.folder import write_part
from lesson.program.my_agent import Parts


def test_each_solution_is_a_file_as_check_writes_it():
    assert {f"{part.file}.py" for part in PARTS.values()} == {
        one.name for one in SOLUTIONS.iterdir()
    }
    for name, part in PARTS.items():
        text = (SOLUTIONS / f"{part.file}.py").read_text(encoding="utf-8")
        assert write_part(name, CELLS[name]) == text
        check_only_defines(CELLS[name])
        above = CELLS[name].partition("class ")[0].partition("def ")[0]
        assert 1 <= len(re.findall("(?m)^# ", above)) <= 4, "a comment that explains why"


@pytest.mark.parametrize("name", PARTS)
def test_solution_of_a_page_is_the_finished_program(name):
    """It is written once: what stands on a page as well can differ from what a learner reads."""
    load_rules(name)
    page = PAGES[name]
    assert "solution" not in page.sections and page.solution == f"{CELLS[name]}\n"


def test_page_without_a_solution_says_where_it_is_missing(tmp_path):
    (tmp_path / "half.txt").write_text("[halves]\nIt halves.\n? How?\n", encoding="utf-8")
    for solutions in ({}, read_solutions()):
        with pytest.raises(LookupError, match="half: .*solution"):
            Page("half", str(tmp_path / "half.py"), solutions)
    page = Page("half", str(tmp_path / "half.py"), {"half": "def half(x):\n    return x / 2"})
    assert page.make("/ => //")(3) == 1
    assert page.change("def…) => f = lambda x ;; \n…return =>") == "f = lambda x: x / 2\n"
    with pytest.raises(ValueError, match="the solution has no 'ret…3'"):
        page.change("ret…3 => 4")
    del PAGES["half"]  # a page registers itself


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_untouched_exercise_passes_no_check(path):
    notebook = nbformat.read(path, as_version=4)
    tags = [cell.metadata.get("tags", []) for cell in notebook.cells]
    for name in {one[1] for one in tags if one[:1] == ["exercise"]}:
        tag = ["exercise", name]
        starts = [cell.source for cell in notebook.cells if cell.metadata.get("tags") == tag]
        made = getattr(Parts({name: write_part(name, starts[-1])}), name)
        levels = [tag[2:] for tag in tags if tag[:2] == ["check", name]]
        for level in levels:
            assert not try_part(name, made, *level).ok
