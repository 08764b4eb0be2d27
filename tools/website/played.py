"""The runs that pages show beside those of the notebooks: the windows, the chart, the players.

    python -m website.played PLAYERS RUNS

plays all runs of the map, for `make site`: it writes their players to one file, and the runs as
`lesson.runs.measured` does to the other.
"""

import gzip
import json
import sys
import zipfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from typing import Any

from lesson import Player
from lesson.practice.policy.practice_policy import WINDOW
from lesson.runs.measured import (
    WINDOWS,
    Measured,
    Setting,
    measured,
    remember,
    summarize,
    write_file,
)
from lesson.runs.trial import Trial
from lesson.widgets.base import make_drawable
from lesson.widgets.page import initial_values
from lesson.widgets.runs import encode_column
from lesson.widgets.runs_text import name_run
from website.pages import ROOT

TASK = "ten_steps"
PLAYERS = ROOT / "build" / f"{TASK}.players.zip"  # made by `make site`
# The front page's picture. It begins with another window than the one that s03's bet asks about.
FRONT_WINDOW = 20  # messages
FRONT_AFTER = [9, 10]  # rounds: the last that finishes with this window, and the first that fails


@cache
def windows() -> dict[str, Any]:
    """Return the picture of the front page, as page.js draws it."""
    values = {
        "window": FRONT_WINDOW,
        "afters": FRONT_AFTER,
        "windows": [WINDOWS[0], WINDOWS[-1]],
        "columns": {str(FRONT_WINDOW): columns()[str(FRONT_WINDOW)]},
    }
    return {"kind": "windows", "values": values}


@cache
def columns() -> dict[str, Any]:
    """Return the runs of the map, by window, as the page draws them."""
    found = {}
    for window in WINDOWS:
        setting = Setting(TASK, window=window)
        for one in setting.column():
            measured(one)
        found[str(window)] = encode_column(setting)
    return found


@cache
def players() -> dict[str, dict[str, Any]]:
    """Return the players of the runs with the usual window, by name."""
    runs = enumerate(Setting(TASK, window=WINDOW).column())
    return {name_file(run, row): describe_player(run, play(run)) for row, run in runs}


def packed_players() -> Iterator[tuple[str, bytes]]:
    """Yield the name of each run of the map, and its player as compressed JSON: 4 to 10 kB."""
    with zipfile.ZipFile(PLAYERS) as file:
        for name in file.namelist():
            yield name, file.read(name)


def write_all(players: str, runs: str) -> None:
    """Play every run of the map, on all processors, and write both files."""
    with ProcessPoolExecutor() as processors, zipfile.ZipFile(players, "w") as file:
        for column in processors.map(play_column, WINDOWS):
            for name, player, run in column:
                file.writestr(name, player)
                remember(run)
    write_file(runs)


def play_column(window: int) -> list[tuple[str, bytes, Measured]]:
    """Return for each run with this window its name, its player as compressed JSON, and itself."""
    column = []
    for row, setting in enumerate(Setting(TASK, window=window).column()):
        trial = play(setting)
        player = json.dumps(describe_player(setting, trial), ensure_ascii=False).encode()
        packed = gzip.compress(player, mtime=0)
        column.append((name_file(setting, row), packed, summarize(setting, trial)))
    return column


def play(setting: Setting) -> Trial:
    """Play the run with this setting to its end."""
    trial = setting.trial()
    for _ in trial:
        pass
    return trial


def name_file(setting: Setting, row: int) -> str:
    """Return the name of a run's file: its window, and its place in the column."""
    return f"{setting.window}-{row}"


def describe_player(setting: Setting, trial: Trial) -> dict[str, Any]:
    """Return what the page needs of a Player of the run, at its beginning."""
    player = Player(trial, title=name_run(setting))
    return {"values": make_drawable(initial_values(player))}


if __name__ == "__main__":
    write_all(*sys.argv[1:])
