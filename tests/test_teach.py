"""docs/teach.md agrees with the notebooks and the exercises."""

import json
import re
from pathlib import Path

import pytest

from lesson.exercises.catalogue import EXERCISES

REPOSITORY = Path(__file__).parents[1]
PAGE = (REPOSITORY / "docs/teach.md").read_text(encoding="utf-8")
SECTIONS = re.findall(r"\[\w+: ([^\]]+)\]\(\.\./(notebooks/\w+\.ipynb)\)", PAGE)
MISTAKES = PAGE.split("## What the usual mistakes mean")[1].split("\n## ")[0]
TITLES = re.findall(r"(?m)^### (.+)$", MISTAKES)


def headings(notebook):
    cells = json.loads((REPOSITORY / notebook).read_text(encoding="utf-8"))["cells"]
    lines = "".join("".join(cell["source"]) + "\n" for cell in cells if cell["cell_type"] != "code")
    return re.findall(r"(?m)^##+ (.+)$", lines)


@pytest.mark.parametrize("title, notebook", sorted(set(SECTIONS)))
def test_linked_section_is_in_its_notebook(title, notebook):
    assert title in headings(notebook)


def test_exercises_with_usual_mistakes_are_in_the_order_of_the_lesson():
    assert len(TITLES) >= 9
    assert [one.title for one in EXERCISES if one.title in TITLES] == TITLES


@pytest.mark.parametrize(
    "exercise", [one for one in EXERCISES if one.title in TITLES], ids=lambda one: one.name
)
def test_rule_titles_are_those_of_the_check(exercise):
    part = MISTAKES.split(f"### {exercise.title}\n")[1].split("\n### ")[0]
    named = re.findall(r"(?m)^\| ([^|]+) \|", part)[1:]
    titles = [rule.title for rule in exercise.rules]
    assert len(named) >= 2
    assert [title for title in titles if title in named] == named
