"""SECURITY.md names a test for each promise: these tests exist."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
NAMED = re.findall(r"`(test_\w+)::(test_\w+)`", (TESTS.parent / "SECURITY.md").read_text("utf-8"))


@pytest.mark.parametrize("file, name", NAMED)
def test_a_test_that_keeps_a_promise_is_there(file, name):
    assert f"def {name}(" in next(TESTS.rglob(f"{file}.py")).read_text(encoding="utf-8")


def test_every_promise_has_one():
    promises, _, rest = (TESTS.parent / "SECURITY.md").read_text("utf-8").partition("## Not promis")
    assert rest
    lines = [line for line in promises.splitlines() if line.startswith("- ")]
    assert len(lines) > 10
    assert [line for line in lines if "::" not in line] == []
