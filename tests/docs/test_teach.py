"""The recipe for otter-grader. nbgrader's is run by `tests/notebooks/test_nbgrader.py`."""

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
