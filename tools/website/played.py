"""The runs that pages show beside those of the notebooks: the windows, the chart, the players.

python -m website.played FILE    write the players of all runs of the map to FILE, for `make site`
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
from lesson.runs.measured import WINDOWS, Setting, measured
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
    return play_column(WINDOW)


def packed_players() -> Iterator[tuple[str, bytes]]:
    """Yield the name of each run of the map, and its player as compressed JSON: 4 to 10 kB."""
    with zipfile.ZipFile(PLAYERS) as file:
        for name in file.namelist():
            yield name, file.read(name)


def write_players(path: str) -> None:
    """Play every run of the map, on all processors, and write its player to the file."""
    with ProcessPoolExecutor() as processors, zipfile.ZipFile(path, "w") as file:
        for column in processors.map(pack_column, WINDOWS):
            for name, player in column:
                file.writestr(name, player)


def pack_column(window: int) -> list[tuple[str, bytes]]:
    """Return the names of the runs with this window, and their players as compressed JSON."""
    return [
        (name, gzip.compress(json.dumps(player, ensure_ascii=False).encode(), mtime=0))
        for name, player in play_column(window).items()
    ]


def play_column(window: int) -> dict[str, dict[str, Any]]:
    """Return a player of each run with this window, by name."""
    return {
        f"{window}-{row}": {"values": make_drawable(initial_values(play(run)))}
        for row, run in enumerate(Setting(TASK, window=window).column())
    }


def play(setting: Setting) -> Player:
    """Return a Player of the run with this setting, at its beginning."""
    trial = setting.trial()
    for _ in trial:
        pass
    return Player(trial, title=name_run(setting))


if __name__ == "__main__":
    write_players(sys.argv[1])
