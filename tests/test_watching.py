"""A run waits after each round only in a cell that somebody runs by hand."""

import pytest

from lesson.widgets import watching


@pytest.mark.parametrize(
    ("ended", "began", "waits"),
    [
        (0.0, 0.0, False),  # the cell that imports the lesson: others may follow at once
        (100.0, 100.01, False),  # Run All
        (100.0, 102.0, True),
    ],
)
def test_only_a_cell_that_is_run_by_hand_is_watched(monkeypatch, ended, began, waits):
    cells = watching.Cells()
    cells.ended, cells.began = ended, began
    monkeypatch.setattr(watching, "CELLS", cells)
    assert watching.is_run_from_above() is not waits
