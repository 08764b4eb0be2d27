"""Recorded replies of a Claude model, and how many of its lists have each step of the old plan."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from .. import runs
from ..practice.policy.jobs import load_job

REPLIES = Path(runs.__file__).with_name("claude_replies.json")  # describes its own format
JOB = "ten_steps"
PLAN_LOST, WITH_LIST = "plan lost", "list in reminder"  # requests
# Where else each step can be read: a title, a note, and the numbers of the steps.
GROUPS = (
    ("The window shows it", "three edits, and load_old in books.py", (1, 2, 3, 6)),
    ("The prompt names it", "“tested and documented”", (9, 10, 7)),
    ("Only the plan had it", "written in round 1", (4, 5, 8)),
)
# What the lists with a part of a step say.
NOTES = {
    7: "the other {part} have the docstrings only",
    4: "the other {part} “tidy” the receipts code",
    8: "{part} “tidy” the main script or the remaining modules",
}
EXTRA = 11  # the place of checking the receipts, which is not a step of the plan
LESSONS = {
    PLAN_LOST: (
        "What the prompt names or the window shows *can be written again*.",
        "What was only in the plan *is gone*. Another plan takes its place.",
    ),
    WITH_LIST: ("A reminder that shows the list *keeps all ten steps*.",),
}


@cache
def replies(name: str) -> list[dict[str, Any]]:
    """Return the recorded replies of a current Claude model to a request."""
    return json.loads(REPLIES.read_text(encoding="utf-8"))["requests"][name]


def find_step(number: int, name: str) -> str:
    """Return a letter for each recorded list, sorted: "x" has all of a step, "p" a part of it."""
    letters = [reply["steps"][number - 1] for reply in replies(name)]
    return "".join(sorted(letters, key="xp.".index))


def draw_table(name: str, script: Sequence[Sequence[str]], says: str) -> dict[str, Any] | None:
    """Return the steps of the plan with how many lists have each, and the words around them.

    `script` is the list in the practice model's reply, and `says` what its list says at the end.
    Return None for a request in which there is no plan.
    """
    if name not in LESSONS:
        return None
    count, told = len(replies(PLAN_LOST)), sum(reply["told"] for reply in replies(PLAN_LOST))
    headings = [
        ("The plan", "written in round 1"),
        ("Practice model", "a script"),
        ("Claude", f"{count} replies, November 2026: how many lists have the step"),
    ]
    if name == WITH_LIST:
        headings.append(("Claude", f"{len(replies(name))} replies: the reminder shows the list"))
    return {
        "headings": headings,
        "groups": [
            {"title": title, "note": note, "rows": [draw_row(n, name, script) for n in group]}
            for title, note, group in GROUPS
        ],
        "rest": f"one line for seven steps. At the end it says: {says} done.",
        "extra": find_step(EXTRA, PLAN_LOST),
        "lesson": LESSONS[name],
        "told": f"{told} of the {count} replies were told, as you were, that older messages had "
        f"been removed. The other {count - told} all wrote that they should have listed the steps "
        "at the start. They had.",
    }


def draw_row(number: int, name: str, script: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Return a step of the plan, how many recorded lists have it, and whether the script's does."""
    text, found = load_job(JOB).steps[number - 1].text, find_step(number, PLAN_LOST)
    return {
        "number": number,
        "text": text,
        "script": next((status for item, status in script if item == text), ""),
        "found": found,
        "note": NOTES.get(number, "").format(part=found.count("p")),
        "kept": find_step(number, name) if name == WITH_LIST else "",
    }
