"""docs/teach.md names sections of the notebooks and rules of the checks that exist."""

import json
import re
from pathlib import Path

import pytest

from lesson.exercises.catalogue import EXERCISES

REPOSITORY = Path(__file__).parents[1]
PAGE = (REPOSITORY / "docs/teach.md").read_text(encoding="utf-8")
SECTIONS = re.findall(r"\[\w+: ([^\]]+)\]\(\.\./(notebooks/\w+\.ipynb)\)", PAGE)
MISTAKES = re.findall(
    r"(?m)^\| ([^|]*) \| ([^|]+) \|.*\|.*\|$", PAGE.split("## Likely mistakes")[1]
)


def read_headings(notebook):
    cells = json.loads((REPOSITORY / notebook).read_text(encoding="utf-8"))["cells"]
    lines = "".join("".join(cell["source"]) + "\n" for cell in cells if cell["cell_type"] != "code")
    return re.findall(r"(?m)^##+ (.+)$", lines)


@pytest.mark.parametrize("title, notebook", sorted(set(SECTIONS)))
def test_linked_section_is_in_its_notebook(title, notebook):
    assert title in read_headings(notebook)


def test_each_likely_mistake_has_the_title_of_an_exercise_and_of_its_rule():
    rules = {one.title: [rule.title for rule in one.rules] for one in EXERCISES}
    exercise = ""
    for title, rule in MISTAKES[1:]:
        exercise = title.strip() or exercise
        assert rule in rules[exercise]
    assert len(MISTAKES) > len(EXERCISES)
