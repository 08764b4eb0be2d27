"""The runs that pages show beside those of the notebooks: the strips, and a player of each row."""

import json
from functools import cache
from typing import Any

from lesson.practice.policy.practice_policy import WINDOW
from lesson.runs.measured import Setting
from lesson.runs.store import digest, stored_in
from lesson.widgets import Player, Runs
from lesson.widgets.base import make_drawable
from lesson.widgets.page import initial_values
from lesson.widgets.runs_text import name_run
from website.pages import keep_column

TASK = "ten_steps"
# The front page begins where a reminder first comes too late.
FIRST_AFTER = 6  # rounds


@cache
def strips() -> dict[str, Any]:
    """The strips of the front page, and their text."""
    runs = Runs(TASK, after=FIRST_AFTER)
    values = initial_values(runs)
    keep_column(values)
    return {"kind": runs.kind, "values": values, "text": repr(runs)}


@cache
def columns() -> dict[str, Any]:
    """The measured runs that come with the package, by attention, as the page draws them."""
    return json.loads(stored_in(TASK).read_bytes())["columns"]


@cache
def players() -> dict[str, dict[str, Any]]:
    """A player of each run with the usual attention, by name, and what it was made from."""
    return {
        f"{WINDOW}-{row}": {
            "made_from": {
                "task": TASK,
                "settings": {"after": run.after, "window": run.window, "plan": run.plan},
                "digest": digest(TASK),
            },
            "values": make_drawable(initial_values(play(run))),
        }
        for row, run in enumerate(Setting(TASK).column())
    }


def play(setting: Setting) -> Player:
    """A Player of the run with this setting, at its beginning."""
    trial = setting.trial()
    for _ in trial:
        pass
    return Player(trial, title=name_run(setting))
