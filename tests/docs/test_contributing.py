"""The example of CONTRIBUTING.md is in the page of the exercise that it names."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_mistake_of_the_page_is_in_the_exercise_that_it_names():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    pattern = r"(?s)```\n(- [^\n]*\n    [^\n]*\n)```\n\n\(These two lines are in `(.*?)`"
    [(lines, name)] = re.findall(pattern, page)
    assert lines in (ROOT / "lesson" / "exercises" / name).read_text(encoding="utf-8")
