"""Play every run of the ten steps and every cell of the arena, and keep them in the repository.

    python -m lesson.runs.play_all  # or `make runs`

Run this when the agent, the practice model or a sample has changed. `tests/test_kept_runs.py` plays
all of them again, and compares them.
"""

import gzip
import json
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from ..practice.models import MODELS
from .arena_cells import describe, set_up
from .arena_rows import ROWS
from .kept_runs import FILE
from .measured import WINDOWS, Setting, summarize


def rows(windows: Iterable[int] = WINDOWS) -> list[tuple[Setting, ...]]:
    """Return the settings of the ten steps' runs, in rows that differ only in the window."""
    return list(zip(*(Setting(window=window).column() for window in windows), strict=True))


def measure_row(row: Iterable[Setting]) -> list[list[Any]]:
    """Return for each run of a row the fields of its setting and those of Measured."""
    return [
        [one.after, one.window, one.plan, *summarize(one, one.trial().play())[1:]] for one in row
    ]


def play_model(model: str) -> list[list[Any]]:
    """Return for each cell of one model its row, the model, and the fields of Cell."""
    return [[row, model, *describe(set_up(row, model).play())] for row in ROWS]


def play_all() -> dict[str, Any]:
    """Play everything, on all processors, and return what FILE contains."""
    with ProcessPoolExecutor() as processors:
        cells = processors.map(play_model, MODELS)
        runs = processors.map(measure_row, rows())
        return {
            "runs": [run for row in runs for run in row],
            "cells": [cell for model in cells for cell in model],
        }


if __name__ == "__main__":
    FILE.write_bytes(gzip.compress(json.dumps(play_all(), separators=(",", ":")).encode(), mtime=0))
