"""Recorded replies of a Claude model, and how many of its lists have each step of the old plan."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .. import runs
from ..practice.policy.tasks import load

REPLIES = Path(runs.__file__).with_name("claude_replies.json")
TASK = "ten_steps"
PLAN_LOST, WITH_LIST = "plan lost", "list in reminder"  # requests


@dataclass(frozen=True)
class Row:
    """A step of the plan, and the patterns that find it in a list.

    A line names the step if `named` is found in it. The lines that name it contain all of it if
    `whole` is found in them; else they contain a part. `note` is what the lists with a part say.
    """

    number: int
    named: str
    whole: str = ""
    note: str = ""


TESTS = r"\btest(s|ing|ed)?\b|pytest|unittest"
RUN_TESTS = r"(?=.*\b(re)?run\b)(?!.*\b(add|write)\b)"
CODE = r"\w* (the |all |every )?(function|method|code|module)"
TYPES, DOCS = r"type ?hint|typing|annotat|\btypes\b", rf"doc ?string|\bcomments?\b|\bdocument{CODE}"
TIDY = r"(tid[yi]|clean|refactor|simplif|extract|restructur)\w*\b"
# Where else each step can be read: a title, a note, and the steps.
GROUPS = (
    (
        "The window shows it",
        "three edits, and load_old in books.py",
        (
            Row(1, r"cryptic|\brenam"),
            Row(2, r"magic|constant"),
            Row(3, r"\bmerge|copies|\bloops?\b"),
            Row(6, r"load_?\s?old|old load|unused|not used|dead code|obsolete|never called|nobody"),
        ),
    ),
    (
        "The prompt names it",
        "“tested and documented”",
        (
            Row(9, rf"^(?!{RUN_TESTS}).*({TESTS})"),
            Row(10, rf"read ?me|\bdocs?\b|\bdocument(?!{CODE})"),
            Row(
                7,
                f"{TYPES}|{DOCS}",
                rf"^(?=.*({TYPES}))(?=.*({DOCS}))",
                "the other {part} have the docstrings only",
            ),
        ),
    ),
    (
        "Only the plan had it",
        "written in round 1",
        (
            Row(
                4,
                rf"\bsplit|long function|receipts?\.py|{TIDY}.*receipt",
                r"\bsplit|long function|small(er)? functions|extract",
                "the other {part} “tidy” the receipts code",
            ),
            Row(5, r"stock|warning", "warning"),
            Row(
                8,
                r"\bmain\b|__name__|shop\.py|entry point|"
                rf"{TIDY}.*(remaining|other) (modules|files)",
                r"guard|__name__|__main__",
                "{part} “tidy” the main script or the remaining modules",
            ),
        ),
    ),
)
ROWS = tuple(row for _, _, rows in GROUPS for row in rows)
EXTRA = Row(0, r"(check|compare)\b.*receipts")

LESSON = (
    "What the prompt names or the window shows *can be written again*.",
    "What was only in the plan *is gone*. Another plan takes its place.",
    "A reminder that shows the list *keeps all ten steps*.",
)
MARKS = ("missing", "a part", "on the list")


def match(row: Row, lines: Sequence[str]) -> int:
    """Return how much of a step the lines of a list contain: 0 nothing, 1 a part, 2 all of it."""
    named = [line.lower() for line in lines if re.search(row.named, line.lower())]
    if not named:
        return 0
    return 2 if re.search(row.whole, " ".join(named)) else 1


@cache
def replies(name: str) -> list[dict[str, Any]]:
    """Return the recorded replies of a current Claude model to a request."""
    return json.loads(REPLIES.read_text(encoding="utf-8"))["requests"][name]


def match_replies(row: Row, name: str) -> str:
    """Return a letter for each recorded list, sorted: "x" has all of a step, "p" a part of it."""
    lists = [[text for text, _ in reply["list"]] for reply in replies(name)]
    return "".join(sorted((".px"[match(row, lines)] for lines in lists), key="xp.".index))


def draw_table(own: dict[str, Any] | None, says: str) -> dict[str, Any]:
    """Return the steps of the plan with how many lists have each, and the words around them.

    `own` is your model's reply, and `says` what the practice model's list says at the end.
    """
    count, kept = len(replies(PLAN_LOST)), len(replies(WITH_LIST))
    told = sum(reply["told"] for reply in replies(PLAN_LOST))
    mine = [text for text, _ in own["list"]] if own else []
    groups = [
        {"title": title, "note": note, "rows": [draw_row(row, mine) for row in rows]}
        for title, note, rows in GROUPS
    ]
    missing = [row.number for row in ROWS if "x" not in match_replies(row, PLAN_LOST)]
    headings = [
        ("The plan", "written in round 1"),
        ("You", "your list"),
        ("Practice model", "a script"),
        ("Claude", f"{count} replies, November 2026: how many lists have the step"),
        ("Claude", f"{kept} replies: the reminder shows the list"),
    ]
    return {
        "own": own["name"] if own else "",
        "headings": [*headings, (own["name"], "your model, 1 reply")] if own else headings,
        "groups": groups,
        "rest": f"one line for seven steps. At the end it says: {says} done.",
        "extra": match_replies(EXTRA, PLAN_LOST),
        "missing": f"Steps {' and '.join(map(str, missing))} are on none of Claude’s lists.",
        "lesson": LESSON,
        "told": f"{told} of the {count} replies were told, as you were, that older messages had "
        f"been removed. The other {count - told} all wrote that they should have listed the steps "
        "at the start. They had.",
    }


def draw_row(row: Row, mine: Sequence[str]) -> dict[str, Any]:
    """Return a step of the plan, and how many lists have it."""
    found = match_replies(row, PLAN_LOST)
    return vars(row) | {
        "text": load(TASK).steps[row.number - 1].text,
        "found": found,
        "note": row.note.format(part=found.count("p")),
        "kept": match_replies(row, WITH_LIST),
        "own": match(row, mine),
    }
