"""SECURITY.md names the tests of each promise, as `file.py` or `file::function`."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
PROMISES, _, REST = (
    (TESTS.parent / "SECURITY.md").read_text("utf-8").partition("## What is not promised")
)
TEST = re.compile(r"`(test_\w+)(?:\.py|::(test_\w+))`")


@pytest.mark.parametrize("file, function", sorted(set(TEST.findall(PROMISES))))
def test_named_test_exists(file, function):
    source = next(TESTS.rglob(f"{file}.py")).read_text(encoding="utf-8")
    assert (f"def {function}(" if function else "def test_") in source


def test_each_promise_names_a_test():
    assert REST
    promises = [line for line in PROMISES.splitlines() if line.startswith("- ")]
    assert len(promises) > 10
    assert [line for line in promises if not TEST.search(line)] == []
