"""Measure the runs that come with the package, or play stored runs again and compare them.

    python tools/measured_runs.py               play all, and write the file in lesson/runs
    python tools/measured_runs.py --check       play all of that file again, and name each
                                                difference; exit code 1 if there is one
    python tools/measured_runs.py --check PATH  the same for other files, and for every
                                                *.runs.json in a folder

The format of such a file is in lesson/runs/store.py. One that holds something else besides
`made_from` needs a function of its own in PLAY.
"""

import argparse
import json
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from textwrap import shorten
from typing import Any

from agentlib.history import COUNTS
from lesson.runs.measured import WINDOWS, Measured, Recorder, Setting
from lesson.runs.store import SUFFIX, digest, stored_in
from lesson.runs.trial import THRESHOLDS

TASK = "ten_steps"
WHOLE_MAP = {"task": TASK, "settings": {"windows": list(WINDOWS)}}
NOTHING = "nothing"  # what is said to stand where a file has no entry
# What the places in a file are called where two files differ: the runs of a column, the parts of
# a run, and the counts of its usage.
RUNS = [*(f"reminder after {after}" for after in THRESHOLDS), "no reminder", "no list"]
PARTS = ["cells", "done", "claims", "reason", "usage", "seen", "read", "lost"]
NAMES = {3: RUNS, 4: PARTS, 5: COUNTS}  # by how deep the place is in the file


def play_columns(made_from: dict[str, Any]) -> dict[str, Any]:
    """A file of measured columns with this task and these attentions, played now by this code.

    Raises KeyError, TypeError or ValueError for what no such file was made from, and
    FileNotFoundError for an unknown task.
    """
    task, windows = made_from["task"], made_from["settings"]["windows"]
    if not set(windows) <= set(WINDOWS):
        raise ValueError(f"a window must be {WINDOWS[0]} to {WINDOWS[-1]} messages")
    columns = [Setting(task, window=window) for window in windows]
    with ProcessPoolExecutor() as processors:
        runs = processors.map(play_column, columns)
        played = {str(column.window): run for column, run in zip(columns, runs, strict=True)}
    settings = {"thresholds": list(THRESHOLDS), "windows": windows}
    return {
        "made_from": {"task": task, "settings": settings, "digest": digest(task)},
        "columns": played,
    }


def play_column(setting: Setting) -> list[list[Any]]:
    """The runs of a column in the file's format."""
    return [play(one).encode() for one in setting.column()]


def play(setting: Setting) -> Measured:
    """The run with this setting, which is played even where it is known."""
    recorder = Recorder(setting.trial())
    for step in recorder.trial:
        recorder.note(step)
    return recorder.measured(setting)


# What plays a file's runs again, by what the file holds: takes its `made_from`, returns all of it.
PLAY: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {"columns": play_columns}


def to_text(data: dict[str, Any]) -> str:
    """The text of a file of measured runs: a line for each column, so that a diff can be read."""
    columns = ",\n".join(
        f"{json.dumps(window)}: {json.dumps(runs, separators=(',', ':'))}"
        for window, runs in data["columns"].items()
    )
    return f'{{"made_from": {json.dumps(data["made_from"])},\n"columns": {{\n{columns}\n}}}}\n'


def verify(path: Path) -> Iterator[str]:
    """Play the runs in a file again. Yields a sentence for each thing that came out otherwise."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        content = next(name for name in stored if name in PLAY)
        # The package's own file, wherever a copy of it lies, holds no less than the whole map.
        is_own = path.name == stored_in(TASK).name
        made_from = WHOLE_MAP if is_own else stored["made_from"]
        played = play_again(content, json.dumps(made_from))
    except (ValueError, KeyError, TypeError, OSError, StopIteration) as problem:
        yield f"{path} is not a file of measured runs, or not all of it: {problem!r}"
        return
    for place, before, now in differences(stored, played):
        was, came = shorten(before, 100), shorten(now, 100)
        yield f"{path}: {name_place(place)}: stored is {was}, but played again it is {came}"


@cache
def play_again(content: str, made_from: str) -> dict[str, Any]:
    """What PLAY makes of this content and this JSON; a site may hold a file that we have, too."""
    return PLAY[content](json.loads(made_from))


def differences(
    stored: Any, played: Any, place: tuple[Any, ...] = ()
) -> Iterator[tuple[tuple[Any, ...], str, str]]:
    """Each place where two pieces of JSON differ, with what is there in each of them."""
    if isinstance(stored, dict) and isinstance(played, dict):
        for key in {**stored, **played}:
            if key in stored and key in played:
                yield from differences(stored[key], played[key], (*place, key))
            else:
                sides = [
                    json.dumps(side[key]) if key in side else NOTHING for side in (stored, played)
                ]
                yield (*place, key), *sides
    elif isinstance(stored, list) and isinstance(played, list) and len(stored) == len(played):
        for number, (before, now) in enumerate(zip(stored, played, strict=True)):
            yield from differences(before, now, (*place, number))
    else:
        before, now = json.dumps(stored), json.dumps(played)
        if before != now:
            yield place, before, now


def name_place(place: tuple[Any, ...]) -> str:
    """A place in a file of measured runs in words: "columns, 12, reminder after 6, reason"."""
    names = [
        NAMES[depth][key] if isinstance(key, int) and place[0] == "columns" else str(key)
        for depth, key in enumerate(place, 1)
    ]
    return ", ".join(names) or "the whole file"


def find_files(paths: Iterable[Path]) -> Iterator[Path]:
    """The files of measured runs that are named, or that are in a folder that is named."""
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob(f"*{SUFFIX}"))
        else:
            yield path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, only compare")
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    arguments = parser.parse_args()
    own = stored_in(TASK)
    if arguments.check:
        return check(arguments.paths or [own])
    print("Playing every run: a minute or two on two processors.", flush=True)
    played = play_columns(WHOLE_MAP)
    own.write_text(to_text(played), encoding="utf-8", newline="\n")
    return 0


def check(paths: Iterable[Path]) -> int:
    """Verify these files and folders, and print what is found. Returns the exit code."""
    files, faults = list(find_files(paths)), 0
    for path in files:
        print(f"{path}: playing its runs again", flush=True)
        for fault in verify(path):
            faults += 1
            print(fault)
    print(f"Files played again: {len(files)}. Differences: {faults}.")
    return int(faults > 0 or not files)


if __name__ == "__main__":
    raise SystemExit(main())
