"""One job in ten steps, four runs: what a list and a reminder are for, in one picture."""

from html import escape
from typing import Any

from agentlib.nag import REMINDER

from ..runs.claude_runs import ClaudeRun, claude_runs
from ..runs.measured import Measured, Setting, measured
from .bundle import wrap_html
from .tape import draw_edge, draw_legend, draw_tape

TITLE = "One job in ten steps, four runs"
NOT_SHOWN = "What this row does not show"
# The letters of a tape and their meaning; "▼" is the reminder, and "|" the line.
LEGEND = {
    "w": "a round, works on a step",
    "d": "finishes a step",
    "p": "writes its list",
    "p1": "both",
    "▼": "reads a reminder",
    "l": "is lost",
    "e": "ends",
    "|": "the plan has left the window: from here, Claude goes on in place of the script",
}
Limits = list[tuple[str, str]]  # each in short, and a sentence more


class FourRuns:
    """Four runs of the ten steps, each as a tape, and how many steps its files show.

    The script without a list; the agent of this lesson; and two recorded runs of a Claude model,
    which took over from the script when the plan had left the window. Beside these two is what
    they do not show.
    """

    def __init__(self) -> None:
        self.rows = [row_without_list(), row_of_agent(), *rows_of_claude()]

    def __repr__(self) -> str:
        lines = [TITLE]
        for row in self.rows:
            lines.append(f"{row['name']}\n  {row['count']}. {row['note']}")
            if row["limits"]:
                lines.append(f"  {NOT_SHOWN}:")
            lines += [f"  - {limit} {why}" for limit, why in row["limits"]]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        longest = max(len(row["cells"]) for row in self.rows)
        head = f'<div class="al-head"><h2>{TITLE}</h2>{draw_legend(LEGEND)}</div>'
        rows = "".join(map(draw_row, self.rows))
        group = f'role="group" aria-label="{TITLE}" style="--longest: {longest}"'
        return wrap_html("four_runs", f'<div class="agentlib al-four" {group}>{head}{rows}</div>')


def draw_row(row: dict[str, Any]) -> str:
    """Return a run: its name, its count, its tape, and beside it what it does not show."""
    begins = row["begins"]
    tape = draw_tape(
        row["cells"],
        row["steps"],
        is_finished=row["is_finished"],
        pale=begins,
        more=draw_edge(begins) if begins else "",
    )
    look = "al-good" if row["is_finished"] else "al-bad"
    limits = "".join(
        f"<li><strong>{escape(limit)}</strong> {escape(why)}</li>" for limit, why in row["limits"]
    )
    aside = f'<div class="al-aside"><p class="al-note">{NOT_SHOWN}</p><ul>{limits}</ul></div>'
    name = f"<h3>{escape(row['name'])}</h3>"
    count = f'<strong class="al-four-count {look}">{row["count"]}</strong>'
    note = f'<p class="al-note">{escape(row["note"])}</p>'
    run = f'<div class="al-four-run"><div class="al-head">{name}{count}</div>{tape}{note}</div>'
    return f'<section class="al-four-row">{run}{aside if limits else ""}</section>'


def row_without_list() -> dict[str, Any]:
    run = measured(Setting(after=None, plan=False))
    return encode_row("The script, without a list", run, "“The work is complete.”")


def row_of_agent() -> dict[str, Any]:
    """Return the run of the lesson's agent."""
    name = "The same script with this lesson's loop, list and reminder"
    return encode_row(name, measured(Setting()), "Played now.")


def encode_row(name: str, run: Measured, note: str) -> dict[str, Any]:
    return {
        "name": name,
        "cells": run.cells,
        "steps": run.steps,
        "begins": 0,
        "is_finished": run.is_finished,
        "count": f"{run.steps_done} of {len(run.done)}",
        "note": note,
        "limits": [],
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
            limits_of_lost_plan(),
        ),
        encode_claude(
            "The same, with the plan in the reminder",
            listed[0],
            f"As the list: 10 of 10 in {count_all(listed)} runs. As plain text, without a todo "
            f"tool: {count_all(texts)}, with {cheaper}% of the list's tokens.",
            limits_of_list(),
        ),
    ]


def count_all(runs: tuple[ClaudeRun, ...]) -> str:
    """Return in how many runs all steps are done: "4 of 4"."""
    return f"{sum(all(run.done) for run in runs)} of {len(runs)}"


def encode_claude(name: str, run: ClaudeRun, note: str, limits: Limits) -> dict[str, Any]:
    """Return a recorded run, which begins after rounds of the script."""
    return {
        "name": name,
        "cells": run.start_cells + run.cells,
        "steps": run.start_steps + run.steps,
        "begins": len(run.start_cells),
        "is_finished": all(run.done),
        "count": f"{sum(run.done)} of the plan's {len(run.done)}",
        "note": note,
        "limits": limits,
    }


def limits_of_lost_plan() -> Limits:
    """Return what the row does not show in which the model does not see its plan."""
    return [
        (
            "This is one model, tried in one situation.",
            "Its version is not known, and its plan had just left the window.",
        ),
        (
            "Another plan is not worse work.",
            "These runs finish a plan that the model made, and not the one with which the job "
            "began.",
        ),
    ]


def limits_of_list() -> Limits:
    """Return what the row does not show in which the model sees its plan again."""
    (with_list,), (without,) = (
        claude_runs(condition=one) for one in ("whole_list", "whole_nolist")
    )
    others = [claude_runs("auth", one) for one in ("listed", "reminder")]
    rounds = f"in {len(without.cells)} rounds instead of {len(with_list.cells)}"
    return [
        (
            "On a second job, the list makes no difference.",
            "There the work itself shows the plan: all is done in "
            f"{count_all(others[0])} runs with the list, and {count_all(others[1])} without.",
        ),
        (
            "On a job that fits into its window, a list costs rounds.",
            f"The same model is done without a list, {rounds}.",
        ),
    ]
