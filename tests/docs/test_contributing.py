"""The examples in CONTRIBUTING.md are complete, and those of a page are there."""

import re
from pathlib import Path
from textwrap import dedent

from lesson.runs.run import Run

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_widget_of_the_page_moves_and_says_all_as_text():
    [program] = re.findall(r"(?s)```python\n(    \"{3}Tokens.*?)```", PAGE)
    names = {}
    exec(dedent(program), names)
    widget = names["Tokens"](Run("hello").play())
    assert re.fullmatch(r"[\d,]+ tokens up to round 10", repr(widget))
    widget.round.value = 1
    assert re.fullmatch(r"\d+ tokens up to round 1", repr(widget))
    assert repr(widget) in widget._picture.value


def test_cell_that_finds_out_about_a_host_runs(capsys):
    [program] = re.findall(r"(?s)```python\n(from lesson.common.watching.*?)```", PAGE)
    exec(program, {})
    assert capsys.readouterr().out == "False False None\n"


def test_mistake_of_the_page_is_in_the_exercise_that_it_names():
    pattern = r"(?s)```\n(- [^\n]*\n    [^\n]*\n)```\n\n\(These two lines are in `(.*?)`"
    [(lines, name)] = re.findall(pattern, PAGE)
    assert lines in (ROOT / "lesson" / "exercises" / name).read_text(encoding="utf-8")
