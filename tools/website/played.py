"""The runs that pages show beside those of the notebooks: the chart, the players.

    python -m website.played PLAYERS

plays the job with each threshold and the windows of PLAYABLE, for `make site`, and writes the
players to one file.
"""

import gzip
import json
import sys
import zipfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from typing import Any

from lesson import Player
from lesson.runs.measured import WINDOWS, Setting
from lesson.runs.play_all import rows
from lesson.widgets.runs import encode_column, name_run
from lesson.widgets.without_kernel import initial_values
from website.pages import ROOT

JOB = "ten_steps"
PLAYERS = ROOT / "build" / f"{JOB}.players.zip"  # made by `make site`
# From the window of s03c's bet to that of its last prediction: a run with a larger one is shown as
# a strip, but not message by message.
PLAYABLE = range(12, 31)  # messages


@cache
def columns() -> dict[str, Any]:
    """Return the runs with every window, by window, as the page draws them."""
    return {str(window): encode_column(Setting(JOB, window=window)) for window in WINDOWS}


def packed_players() -> Iterator[tuple[str, bytes]]:
    """Yield the name of each run, and its player as compressed JSON: 4 to 10 kB."""
    with zipfile.ZipFile(PLAYERS) as file:
        for name in file.namelist():
            yield name, file.read(name)


def write_all(players: str) -> None:
    """Play the runs, on all processors, and write the players."""
    with ProcessPoolExecutor() as processors, zipfile.ZipFile(players, "w") as file:
        for row in processors.map(pack_row, *zip(*enumerate(rows(PLAYABLE)), strict=True)):
            for name, player in row:
                file.writestr(name, player)


def pack_row(number: int, row: Iterable[Setting]) -> list[tuple[str, bytes]]:
    """Return for each run of a row its name and its player as compressed JSON.

    The name is that of its file: the window, and the place in the column.
    """
    packed = []
    for setting in row:
        player = Player(setting.trial().play(), title=name_run(setting))
        shown = {"values": initial_values(player)}
        data = gzip.compress(json.dumps(shown, ensure_ascii=False).encode(), mtime=0)
        packed.append((f"{setting.window}-{number}", data))
    return packed


if __name__ == "__main__":
    write_all(sys.argv[1])
