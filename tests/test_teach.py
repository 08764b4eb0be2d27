"""docs/teach.md agrees with the notebooks, the exercises and the measured runs."""

import json
import re
from pathlib import Path

import pytest

from lesson.exercises.catalogue import EXERCISES
from lesson.runs.measured import Setting, measured

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


def test_figures_are_those_of_the_runs():
    without_list = measured(Setting("ten_steps", after=None, plan=False))
    assert f"It is {without_list.steps_done}, after {without_list.rounds} rounds." in PAGE
    assert [measured(Setting("ten_steps", after=after)).steps_done for after in (5, 6)] == [10, 3]
    six = measured(Setting("ten_steps", after=6))
    assert f"The list says {six.list_done} of {len(six.claims)}. The files say 3 of 10." in PAGE
    for after in (1, 3, 5):
        assert f"{measured(Setting('ten_steps', after=after)).tokens:,}" in PAGE
