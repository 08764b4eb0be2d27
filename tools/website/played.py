"""The runs that pages show beside those of the notebooks: the strips, and a player of each row."""

from functools import cache
from typing import Any

from agentlib.practice.mind.mind import ATTENTION
from agentlib.runs.measured import Setting
from agentlib.runs.store import digest
from agentlib.widgets import Player, Runs
from agentlib.widgets.base import make_drawable
from agentlib.widgets.page import initial_values
from agentlib.widgets.runs import known_columns
from agentlib.widgets.runs_text import name_run
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
    """The measured runs with every attention, by attention, as the page draws them."""
    return make_drawable(known_columns(Setting(TASK)))


@cache
def players() -> dict[str, dict[str, Any]]:
    """A player of each run with the usual attention, by name, and what it was made from."""
    return {
        f"{ATTENTION}-{row}": {
            "made_from": {
                "task": TASK,
                "settings": {"after": run.after, "attention": run.attention, "plan": run.plan},
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
