"""Recorded replies of a Claude model, and the words that show a step of the old plan in a list."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from ..practice.policy.jobs import load_job

REPLIES = Path(__file__).with_name("claude_replies.json")  # describes its own format
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
# Patterns of JavaScript. A list that has all of them in its lines has the step, and a list that has
# some has a part of it. The page searches each list for them: the reader's, the script's, Claude's.
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
# What the replies to each request have, with the counts of the page's search in braces.
COUNTED = (
    "Of the same {only}, the script has {script}; Claude's {count} lists have *{done} of {all}* "
    "and a part of {parts}. {count} replies to one window are not {all} trials, and the version of "
    "Claude was not recorded.",
    "*The script has all ten steps, and so have {whole} of {count} replies of Claude.* Nobody got "
    "cleverer: the list was in sight. So this measures copying.",
)


@cache
def replies(name: str) -> list[dict[str, Any]]:
    """Return the recorded replies of a current Claude model to a request."""
    return json.loads(REPLIES.read_text(encoding="utf-8"))["requests"][name]


def draw_table() -> dict[str, Any]:
    """Return the steps of the plan, each with the words that show it in a list, and the lessons."""
    steps = {number: step.text for number, step in enumerate(load_job(JOB).steps, 1)} | TEXTS
    count, told = len(replies(PLAN_LOST)), sum(reply["told"] for reply in replies(PLAN_LOST))
    return {
        "groups": [
            {
                "title": title,
                "note": note,
                "only": title == ONLY_PLAN,
                "rows": [
                    {"number": number, "text": steps[number], "words": WORDS.get(number, [])}
                    for number in numbers
                ],
            }
            for title, note, numbers in GROUPS
        ],
        "lessons": LESSONS,
        "counted": COUNTED,
        "search": "A search for a few words decides, the same for every list. ",
        "told": f"{told} of the {count} replies were told, as you were, that older messages had "
        f"been removed. The other {count - told} all wrote that they should have listed the steps "
        "at the start. They had.",
    }
