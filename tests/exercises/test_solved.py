"""The solutions are a folder: a file for each part, which also fills the notebooks."""

import re

import pytest
from support.notebook import CELLS

from agentlib import TodoManager
from exerciselib.page import PAGES, Page
from lesson.common.parts import PARTS
from lesson.common.solutions import IN_AGENTLIB, NOTEBOOKS, SOLUTIONS, read_solutions
from lesson.exercises.rules import load_levels
from lesson.program.cells import check_only_defines
from lesson.program.folder import OURS, write_part
from lesson.program.my_agent import load_solutions

pytestmark = pytest.mark.slow


def test_each_solution_is_a_file_as_check_writes_it():
    files = {name: SOLUTIONS / f"{part.file}.py" for name, part in PARTS.items()}
    assert {*files.values(), *OURS} == {*SOLUTIONS.glob("*.py")}
    for name, file in files.items():
        text = write_part(name, CELLS[name])
        text = f"{PARTS[name].start}\n" if name in IN_AGENTLIB else text
        assert text == file.read_text(encoding="utf-8")
        check_only_defines(CELLS[name])
        above = CELLS[name].partition("class ")[0].partition("def ")[0]
        assert 1 <= len(re.findall("(?m)^# ", above)) <= 4, "a comment that explains why"


@pytest.mark.parametrize("name", PARTS)
def test_solution_of_a_page_is_the_finished_program(name):
    """It is written once: what stands on a page as well can differ from what a learner reads."""
    load_levels(name)
    page = PAGES[name]
    assert "solution" not in page.sections and page.solution == f"{CELLS[name]}\n"


def test_picture_of_e7_has_what_our_solution_keeps_in_its_order():
    picture = NOTEBOOKS.joinpath("trim.svg").read_text(encoding="utf-8")
    both = re.findall(r"ten messages: (.*?)\..*seven messages: (.*?)\.", picture)[0]
    before, after = (text.split(", ") for text in both)
    kinds = {"prompt": ("user", "text"), "call": ("assistant", "tool_use")}
    messages = []
    for line in before:
        role, kind = kinds.get(line.split()[1], ("user", "tool_result"))
        messages.append({"role": role, "content": [{"type": kind, "text": line}]})
    kept = load_solutions().trim_messages(messages, TodoManager())
    names = ["the list" if line not in messages else line["content"][0]["text"] for line in kept]
    assert names == after


def test_page_without_a_solution_says_where_it_is_missing(tmp_path):
    (tmp_path / "half.txt").write_text("[halves]\nIt halves.\n? How?\n", encoding="utf-8")
    for solutions in ({}, read_solutions()):
        with pytest.raises(LookupError, match="half: .*solution"):
            Page("half", str(tmp_path / "half.py"), solutions)
    page = Page("half", str(tmp_path / "half.py"), {"half": "def half(x):\n    return x / 2"})
    assert page.make("/ => //")(3) == 1
    del PAGES["half"]  # a page registers itself
