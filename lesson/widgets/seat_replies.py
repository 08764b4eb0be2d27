"""Recorded replies of a Claude model, and the words that show a step of the old plan in a list."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from .. import runs
from ..practice.policy.jobs import load_job

REPLIES = Path(runs.__file__).with_name("claude_replies.json")  # describes its own format
JOB = "ten_steps"
PLAN_LOST, WITH_LIST = "plan lost", "list in reminder"  # requests
EXTRA, OTHER = 11, 12  # not steps of the plan
ONLY_PLAN = "Only the plan had it"
# Where else each step can be read: a title, a note, and the numbers of the steps.
GROUPS = (
    ("The window shows it", "three edits, and load_old in books.py", (1, 2, 3, 6)),
    ("The prompt names it", "“tested and documented”", (9, 10, 7)),
    (ONLY_PLAN, "written in round 1", (4, 5, 8)),
    ("Not in the plan", "", (EXTRA, OTHER)),
)
TEXTS = {EXTRA: "Check that the receipts are the same as before", OTHER: "Something else"}
IMPROVE = r"(tidy|clean|refactor|simplif|shorten|improve|split)"
# Patterns of JavaScript and Python. A list that has all of them in its lines has the step, a list
# that has some has a part of it. Each list is searched for the same: the reader's, the script's and
# Claude's.
WORDS = {
    1: ["renam|cryptic"],
    2: ["magic|constant"],
    3: ["merge|duplicat|two copies"],
    4: [rf"{IMPROVE}.*receipt|receipt.*{IMPROVE}", "split|long function|small(er)? function"],
    5: ["stock", "warning"],
    6: [r"load_old|unused|dead code|nobody (calls|uses)"],
    7: [r"docstring|document|\bdocs?\b", r"type hint|typing|annotat|\btypes\b"],
    8: [
        "main guard|__main__|__name__",
        r"main (guard|script|file|module)|shop\.py|entry point|remaining modules",
    ],
    9: [r"^(?!run|check|compare).*\btest"],
    10: ["read.?me"],
    EXTRA: ["(check|compare|verify|same).*receipt|receipt.*(same|as before|match|unchanged)"],
}
LESSONS = (
    (
        "What the prompt names or the window shows *can be written again*.",
        "What was only in the plan *is gone*. Another plan takes its place.",
    ),
    ("A reminder that shows the list *keeps all ten steps*.",),
)


@cache
def replies(name: str) -> list[dict[str, Any]]:
    """Return the recorded replies of a current Claude model to a request."""
    return json.loads(REPLIES.read_text(encoding="utf-8"))["requests"][name]


def find_step(number: int, lines: Iterable[str]) -> str:
    """Return how much of a step is in a list: x all of it, p a part, and a dot for nothing."""
    lines = list(lines)
    if number == OTHER:
        rest = [line for line in lines if all(find_step(n, [line]) == "." for n in WORDS)]
        return "x" if rest else "."
    found = [any(re.search(word, line, re.IGNORECASE) for line in lines) for word in WORDS[number]]
    return "x" if all(found) else "p" if any(found) else "."


def draw_table(columns: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the steps of the plan with how much each reply's list has of them, and the words.

    What there is twice is first for the replies without the list in the reminder, then with it.
    """
    steps = {n: step.text for n, step in enumerate(load_job(JOB).steps, 1)} | TEXTS
    marks = {n: [mark_step(n, columns, with_list) for with_list in (False, True)] for n in steps}
    only = next(rows for title, _, rows in GROUPS if title == ONLY_PLAN)
    count, kept = len(replies(PLAN_LOST)), len(replies(WITH_LIST))
    claude = "".join(marks[n][0][1 : 1 + count] for n in only)
    whole = sum(all(marks[n][1][1 + reply] == "x" for n in range(1, 11)) for reply in range(kept))
    told = sum(reply["told"] for reply in replies(PLAN_LOST))
    return {
        "groups": [
            {
                "title": title,
                "note": note,
                "only": title == ONLY_PLAN,
                "rows": [
                    {
                        "number": n,
                        "text": steps[n],
                        "words": WORDS.get(n, []),
                        "marks": marks[n],
                        "sums": [
                            f"{found[1 : 1 + size].count('x')} of {size}"
                            for found, size in zip(marks[n], (count, kept), strict=True)
                        ],
                    }
                    for n in group
                ],
            }
            for title, note, group in GROUPS
        ],
        "results": [
            f"Of the same {len(only)}, the script has {sum(marks[n][0][0] == 'x' for n in only)}; "
            f"Claude's {count} lists have *{claude.count('x')} of {len(claude)}* and a part of "
            f"{claude.count('p')}. {count} replies to one window are not {len(claude)} trials, and "
            "the version of Claude was not recorded.",
            f"*The script has all ten steps, and so have {whole} of {kept} replies of Claude.* "
            "Nobody got cleverer: the list was in sight. So this measures copying.",
        ],
        "lessons": LESSONS,
        "told": f"{told} of the {count} replies were told, as you were, that older messages had "
        f"been removed. The other {count - told} all wrote that they should have listed the steps "
        "at the start. They had.",
    }


def mark_step(number: int, columns: Sequence[Mapping[str, Any]], with_list: bool) -> str:
    """Return a letter for each reply: see `find_step`. The first reply is the script's."""
    lists = [
        [text for text, _ in reply["list"]]
        for column in columns
        if column["with_list"] == with_list
        for reply in column["replies"]
    ]
    return "".join(find_step(number, lines) for lines in lists)
