"""The cliff: the reader draws which reminders come in time, for each window; then the runs show it.

The runs are those of the scripted practice model. Nobody knows where a real model's edge is.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import traitlets

from ..runs.measured import Measured, Setting, measured
from ..runs.trial import THRESHOLDS
from ..words import pluralize
from .base import View
from .runs import encode_run
from .runs_text import find_cheapest, find_finishing, name_run

WINDOWS = range(14, 37)  # messages: from 32 on, every reminder comes in time
KNOWN = 20  # messages: the column that is shown from the start
QUESTIONS = (
    f"Where is this edge if it sees {WINDOWS[0]} messages, or 30?",
    "*Which run is the cheapest that finishes?*",
    "*The last question:* from how many messages on is the run without a list the cheapest?",
)

Columns = Mapping[int, Sequence[Measured]]


class Finds(NamedTuple):
    """What the columns show together, as windows in messages.

    In the windows of `cliff`, some reminders come too late. In those of `lost`, the model forgets
    its list if nobody reminds it, and in those of `behind` it then does a step less than without
    a list. In those of `free`, no run is cheaper than the one without a list.
    """

    cliff: list[int]
    lost: list[int]
    behind: list[int]
    free: list[int]


class Cliff(View):
    """The grid of the runs with each window and each threshold: `Cliff()`.

    `line` is what the reader has drawn: for each window the last threshold that they expect to
    come in time. `stage` is how much is shown: the drawing, how each run ended, what those with a
    list cost, and everything. `chosen` is a window and a row.
    """

    kind = "cliff"
    line: Any = traitlets.List().tag(sync=True)
    stage = traitlets.Int(0).tag(sync=True)
    chosen: Any = traitlets.List().tag(sync=True)
    answers: Any = traitlets.List().tag(sync=True)  # a square, then a window
    tries = traitlets.Dict().tag(sync=True)  # by window, the thresholds that were tried in the toy

    def __init__(self) -> None:
        """Show the grid with the column of one window, and a line as if all others were equal."""
        self.columns = {size: find_column(size) for size in WINDOWS}
        last = max(run.setting.after or 0 for run in find_finishing(self.columns[KNOWN]))
        state = describe_columns(self.columns, last)
        super().__init__(state=state, line=[last] * len(WINDOWS), chosen=[KNOWN, last])

    def text(self) -> str:
        lines = ["Draw the cliff: which reminders come in time? (A script, not an LLM.)", ""]
        for size in WINDOWS:
            finishing = find_finishing(list(self.columns[size]))
            last = finishing[-1].setting.after
            best = find_cheapest([run for run in self.columns[size] if run.is_finished])
            cheapest = f"{decapitalize(name_run(best.setting))}, {pluralize(best.tokens, 'token')}"
            lines.append(f"{size} messages: up to {last} rounds. The cheapest: {cheapest}.")
        told = " ".join(self.state["told"][-2:]).replace("*", "")
        return "\n".join([*lines, "", told])


def find_column(size: int) -> list[Measured]:
    """Return the runs with this window: with each threshold, no reminder, and no list."""
    return [measured(setting) for setting in Setting(window=size).column()]


def decapitalize(words: str) -> str:
    return words[0].lower() + words[1:]


def find_all(columns: Columns) -> Finds:
    finds = Finds([], [], [], [])
    for size, column in columns.items():
        *reminded, never, bare = column
        if not all(run.is_finished for run in reminded):
            finds.cliff.append(size)
        if not never.is_finished:
            finds.lost.append(size)
        if never.steps_done == bare.steps_done - 1:
            finds.behind.append(size)
        if find_cheapest([run for run in column if run.is_finished]) is bare:
            finds.free.append(size)
    return finds


def tell(finds: Finds, last: int) -> list[str]:
    """Return what is said of the runs in each stage. `last` finishes in the KNOWN column."""
    return [
        f"*A script, not an LLM:* with {KNOWN} messages, it finished when {{who}} reminded it "
        f"after {last} rounds, and not after {last + 1}.",
        "It is a staircase: *two messages more, one round later.* Now the price: each reminder "
        "costs tokens.",
        f"In each window from {finds.cliff[0]} to {finds.cliff[-1]} messages, the cheapest run is "
        "*directly before the cliff:* one round later, the job fails.",
        f"*From {finds.free[0]} messages on, the run without a list is the cheapest.* Without a "
        f"reminder, the script loses its list too early in all {len(finds.lost)} windows from "
        f"{finds.lost[0]} to {finds.lost[-1]} messages. In {len(finds.behind)} of them, it then "
        "does one step less than the script without a list. This edge belongs to our script. "
        "Nobody knows where a real model's edge is.",
    ]


def describe_columns(columns: Columns, last: int) -> dict[str, Any]:
    """Return what the page draws. Many runs are equal, so a column has their places in `runs`."""
    known: dict[str, dict[str, Any]] = {}
    places = {}
    for size, column in columns.items():
        runs = [encode_run(run) for run in column]
        known |= {str(run): run for run in runs}
        places[str(size)] = [list(known).index(str(run)) for run in runs]
    finds = find_all(columns)
    return {
        "runs": list(known.values()),
        "columns": places,
        "names": [decapitalize(name_run(setting)) for setting in Setting().column()],
        "thresholds": len(THRESHOLDS),
        "known": KNOWN,
        "cliff": finds.cliff,
        "free": finds.free[0],
        "told": tell(finds, last),
        "asked": QUESTIONS,
    }
