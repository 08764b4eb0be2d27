"""What a run has changed: in a round, in all, and as a picture that is equally high."""

import re

import pytest

from lesson.drawing.changes import (
    MOST_NAMES,
    NAME_ROWS,
    SHOWN_LINES,
    count_files,
    draw_changes,
)
from lesson.drawing.picture import escape
from lesson.drawing.run_picture import format_run
from lesson.runs.changes import list_changes
from lesson.runs.run import Run


@pytest.fixture(scope="module")
def hello():
    return Run("hello", todo=None).play()


@pytest.fixture(scope="module")
def ten_steps():
    return Run("ten_steps", after=5).play()


def test_change_is_new_changed_or_deleted_and_counts_its_lines():
    before = {"a.py": "x = 1\ny = 2\n", "b.py": "b\n", "same.py": "s\n"}
    after = {"a.py": "x = 1\ny = 3\nz = 4\n", "new.py": "n\n", "same.py": "s\n"}
    changes = list_changes(before, after)
    assert [*map(str, changes)] == ["a.py +2 -1", "b.py (deleted) -1", "new.py (new) +1"]
    assert changes[1].diff == "--- b.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-b"


def test_diff_of_a_file_is_that_of_all_if_it_is_the_only_one(hello):
    assert hello.diff("hello.py") == hello.diff() != ""
    assert hello.diff("hello.py").startswith("--- hello.py\n+++ hello.py\n@@")
    assert '\n+    """Return the greeting' in hello.diff()
    assert hello.diff("other.py") == hello.request(1).diff() == ""


def test_text_of_a_run_names_the_files_and_counts(hello, ten_steps):
    [change] = hello.changes
    assert f"Changed: hello.py +{change.added} -{change.removed}." in format_run(hello)
    assert "test_shop.py (new) +" in format_run(ten_steps)


def test_picture_has_the_lines_of_the_last_change_and_at_the_end_a_fold_for_each_file(ten_steps):
    last, lines, name = len(ten_steps.records), 0, ""
    for number, record in enumerate(ten_steps.records[:-1], 1):
        drawn = draw_changes(ten_steps, number)
        if record.changes:
            lines = sum(len(change.lines) for change in record.changes)
            name = f"<b>round {number}</b>"
        assert name in drawn
        assert (f"round {number}</b> changed no file" in drawn) == (not record.changes)
        shown = re.findall(r"^(?:<(?:ins|del)>)?[+-]", drawn, re.MULTILINE)
        assert bool(shown) == bool(lines)
        assert ("more line" in drawn) == (lines > SHOWN_LINES), number
        assert drawn.count("</details>") == 0
    drawn = draw_changes(ten_steps, last)
    assert drawn.count("</details>") == len(ten_steps.changes) > 1
    assert "open" not in re.findall(r"<details[^>]*>", drawn)[0]
    for change in ten_steps.changes:
        for line in change.lines:
            assert line.startswith("@@") or escape(line) in drawn


def test_picture_is_equally_high_in_each_round_and_one_file_is_open_at_the_end(hello, ten_steps):
    for run in (hello, ten_steps):
        numbers = range(1, len(run.records) + 1)
        assert len({re.findall(r"--lines:[\d.]+", draw_changes(run, at))[0] for at in numbers}) == 1
    assert "<details open>" in draw_changes(hello, len(hello.records))


def test_box_has_room_for_all_names_or_says_how_many_are_further_down(ten_steps):
    drawn = draw_changes(ten_steps, len(ten_steps.records))
    [lines] = re.findall(r"--lines:([\d.]+)", drawn)
    assert float(lines) >= len(ten_steps.changes) * NAME_ROWS
    assert count_files(MOST_NAMES) == f"{MOST_NAMES} files"
    assert count_files(MOST_NAMES + 3) == f"{MOST_NAMES + 3} files, 3 of them further down"
