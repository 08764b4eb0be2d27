"""The reader is the reminder: a run whose reminder is dragged along its tape.

    python -m lesson.widgets.remind_it  # or `make runs`

plays every run that the reader can have, and keeps them in the repository.
"""

import gzip
import json
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import traitlets

from agentlib.nag import REMINDER

from ..picture_letters import CLAIMED, SHOWN
from ..practice.policy.next_reply import WINDOW
from ..runs.measured import Setting, summarize
from .base import View
from .player_state import ShownRun
from .runs import encode_run

FILE = Path(__file__).with_name("remind_it_runs.json.gz")
SIZES = range(8, 21)  # messages: the windows that the reader can choose


class RemindIt(View):
    """A run of the ten steps in which the reader decides when the reminder comes.

    `at` is what is shown: the window (`size`, in messages), after how many rounds the reminder is
    sent (`after`; 0: never) and the `round`. `tries` has for each window the thresholds of the runs
    that the reader has seen to their end.
    """

    kind = "remind_it"
    at = traitlets.Dict().tag(sync=True)
    tries = traitlets.Dict().tag(sync=True)
    playing = traitlets.Bool(True).tag(sync=True)  # the first rounds pass on their own
    touched = traitlets.Bool(False).tag(sync=True)  # whether the reader has done anything

    def __init__(self) -> None:
        start = {"size": WINDOW, "after": 0, "round": 2}
        super().__init__(state=read_runs() | {"reminder": REMINDER}, at=start)

    def text(self) -> str:
        return (
            "You are the reminder: the model works on ten steps, and sees only the last "
            f"{self.at['size']} messages. After how many rounds must it be reminded?"
        )


@cache
def read_runs() -> dict[str, Any]:
    """Return all runs: see `Contents` in remind_it.js."""
    return json.loads(gzip.decompress(FILE.read_bytes()))


def play_runs() -> dict[str, Any]:
    """Play every run, on all processors. Messages and runs that are equal are kept once."""
    strings: dict[str, int] = {}
    runs: dict[str, dict[str, Any]] = {}
    columns: dict[str, list[int]] = {}
    settings = [one for size in SIZES for one in Setting(window=size).column() if one.plan]
    with ProcessPoolExecutor() as processors:
        for setting, (run, lines) in zip(settings, processors.map(play_run, settings), strict=True):
            run["lines"] = [strings.setdefault(line, len(strings)) for line in lines]
            runs.setdefault(str(run), run)
            place = list(runs).index(str(run))
            columns.setdefault(str(setting.window), []).append(place)
    return {"strings": list(strings), "runs": list(runs.values()), "columns": columns}


def play_run(setting: Setting) -> tuple[dict[str, Any], list[str]]:
    """Play a run, and return it with a line for each message after the prompt."""
    trial = setting.trial().play()
    lines = []
    for frame in ShownRun(trial, "", None).frames()[1:]:
        items = frame["plan"]["items"]
        done = sum(item["letter"] in (SHOWN, CLAIMED) for item in items)
        for mark, line in frame["lines"]:
            # The line of a list says how much of it is done.
            says = f"{done} of {len(items)} done"
            lines.append(line.replace("todo", says, 1) if mark == "≡" else line)
    return encode_run(summarize(setting, trial)), lines


if __name__ == "__main__":
    FILE.write_bytes(
        gzip.compress(json.dumps(play_runs(), separators=(",", ":")).encode(), mtime=0)
    )
