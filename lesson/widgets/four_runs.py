"""One job in ten steps, four runs: what a list and a reminder are for, in one picture."""

from typing import Any

from agentlib.nag import REMINDER

from ..program.my_parts import read_my_parts
from ..program.play_my_parts import play_my_parts
from ..runs.claude_runs import ClaudeRun, claude_runs
from ..runs.measured import Measured, Setting, measured
from .base import View

TITLE = "One job in ten steps, four runs"


class FourRuns(View):
    """Four runs of the ten steps, each as a tape, and how many steps its files show.

    The script without a list; the agent of this lesson, which is played when this is made, with the
    learner's loop, list and nag as far as they are in `my_agent.py`; and two recorded runs of a
    Claude model, which took over from the script when the plan had left the window.
    """

    kind = "four_runs"

    def __init__(self) -> None:
        """Play the agent whose parts are in `my_agent.py`, and show the four runs."""
        rows = [row_without_list(), row_of_agent(), *rows_of_claude()]
        super().__init__(state={"title": TITLE, "rows": rows, "limits": describe_limits()})

    def text(self) -> str:
        rows = [f"{row['name']}\n  {row['count']}. {row['note']}" for row in self.state["rows"]]
        limits = "\n".join(self.state["limits"])
        return "\n".join(
            [self.state["title"], *rows, "What the last two rows do not show:", limits]
        )


def row_without_list() -> dict[str, Any]:
    run = measured(Setting(after=None, plan=False))
    return encode_row("The script, without a list", run, "“The work is complete.”")


def row_of_agent() -> dict[str, Any]:
    """Return the run of the lesson's agent, with the learner's parts."""
    parts = read_my_parts()
    run, problem = play_my_parts(parts)
    whose = ", ".join(f"the {part} {one.whose}" for part, one in parts.items())
    if len(owners := {one.whose for one in parts.values()}) == 1:
        whose = f"the loop, the list and the nag are {owners.pop()}"
    name = "The same script with this lesson's loop, list and reminder"
    note = problem or f"Played now: {whose}."
    return encode_row(name, run, note)


def encode_row(name: str, run: Measured, note: str) -> dict[str, Any]:
    return {
        "name": name,
        "cells": run.cells,
        "steps": run.steps,
        "begins": 0,
        "isFinished": run.is_finished,
        "count": f"{run.steps_done} of {len(run.done)}",
        "note": note,
    }


def rows_of_claude() -> list[dict[str, Any]]:
    """Return the rows of the Claude model that lost its plan, and of the one that saw it again."""
    lost, listed = claude_runs(condition="reminder"), claude_runs(condition="listed")
    texts = claude_runs(condition="plantext")
    counts = ", ".join(str(sum(run.done)) for run in lost)
    say_done = sum(run.says_all_done for run in lost)
    cheaper = round(100 * sum(run.tokens for run in texts) / sum(run.tokens for run in listed))
    return [
        encode_claude(
            f"A Claude model, its plan out of the window, reminded by “{REMINDER}”",
            lost[0],
            f"In {len(lost)} runs: {counts} of the plan's 10. {say_done} of {len(lost)} say that "
            "all ten steps are done.",
        ),
        encode_claude(
            "The same, with the plan in the reminder",
            listed[0],
            f"As the list: 10 of 10 in {count_all(listed)} runs. As plain text, without a todo "
            f"tool: {count_all(texts)}, with {cheaper}% of the tokens.",
        ),
    ]


def count_all(runs: tuple[ClaudeRun, ...]) -> str:
    """Return in how many runs all steps are done: "4 of 4"."""
    return f"{sum(all(run.done) for run in runs)} of {len(runs)}"


def encode_claude(name: str, run: ClaudeRun, note: str) -> dict[str, Any]:
    """Return a recorded run, which begins after rounds of the script."""
    return {
        "name": name,
        "cells": run.start_cells + run.cells,
        "steps": run.start_steps + run.steps,
        "begins": len(run.start_cells),
        "isFinished": all(run.done),
        "count": f"{sum(run.done)} of the plan's {len(run.done)}",
        "note": note,
    }


def describe_limits() -> list[str]:
    """Return what the rows of the Claude model do not show."""
    (with_list,), (without,) = (
        claude_runs(condition=one) for one in ("whole_list", "whole_nolist")
    )
    others = [claude_runs("auth", one) for one in ("listed", "reminder")]
    rounds = f"in {len(without.cells)} rounds instead of {len(with_list.cells)}"
    return [
        "This is one model, whose version is not known, and one place where the plan was cut off.",
        "Another plan is not worse work: these runs finish one of their own. It is not the plan "
        "that somebody agreed to.",
        "On a second job, where the work itself shows the plan, the list makes no difference: "
        f"all is done in {count_all(others[0])} runs with it, and {count_all(others[1])} without.",
        f"On a job that fits into its window, the same model is done without a list, {rounds}.",
    ]
