"""The minutes and otter-grader's recipe. `tests/notebooks/test_nbgrader.py` runs nbgrader's."""

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

TEACH = Path(__file__).parents[2] / "docs" / "teach.md"


def test_otter_test_raises_if_the_check_fails(monkeypatch, tmp_path):
    [code] = re.findall("```python\n(.*?)```", TEACH.read_text(encoding="utf-8"), re.DOTALL)
    otter = ModuleType("otter.test_files")
    otter.test_case = lambda: lambda function: function  # it names the function's arguments
    monkeypatch.setitem(sys.modules, "otter.test_files", otter)
    monkeypatch.setenv("NBGRADER_EXECUTION", "")  # the code sets it, and this puts it back
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(code, names)

    def agent_loop(*_, **__):
        yield 1

    with pytest.raises(AssertionError, match="0 of . rules pass"):
        names["test_agent_loop"](agent_loop)


def read_schedules(text):
    """Return the minutes at which the steps of each table begin."""
    tables = re.findall(r"(?m)^\| min \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", text)
    return [[int(row.split("|")[1]) for row in table.splitlines()] for table in tables]


def test_minutes_of_the_schedules_and_of_readme_agree():
    text = TEACH.read_text(encoding="utf-8")
    readme = (TEACH.parents[1] / "README.md").read_text(encoding="utf-8")
    demo, *hours = read_schedules(text)
    for table, end in ((demo, 20), *((hour, 60) for hour in hours)):
        assert table == sorted({*table}) and table[0] == 0 and table[-1] < end
    assert "## 20 minutes" in text and "## Two hours of 60 minutes" in text and len(hours) == 2
    assert "[20 minutes or two hours](docs/teach.md)" in readme
    assert "[two hours](docs/teach.md#two-hours-of-60-minutes)" in readme
    ten = re.search(r"\*\*Ten minutes of s04.*", text)[0]
    assert sum(map(int, re.findall(r"\((\d)\)", ten))) == 10
