"""Recorded replies of a Claude model, and the words that show a step of the old plan in a list."""

import json
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from ..samples.jobs import load_job

REPLIES = Path(__file__).with_name("claude_replies.json")  # describes its own format
JOB = "ten_steps"
PLAN_LOST, WITH_LIST = "plan lost", "list in reminder"  # requests
PROMPT = "the prompt"
# Where each step of the lost plan can still be seen, and in which words; the others cannot.
STILL_SEEN = {
    1: ("round 2", "Rename the cryptic names in books.py"),
    2: ("round 4", "Turn the magic numbers in pricing.py into constants"),
    3: ("round 6", "Merge the two copies of the loop in orders.py"),
    6: ("the result of round 2", "def load_old(f):"),
    7: (PROMPT, "documented"),
    9: (PROMPT, "tested"),
    10: (PROMPT, "documented"),
}
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
    7: ["docstring", r"type hint|typing|annotat|\btypes\b"],
    8: ["main guard|__main__|__name__"],
    9: [r"^(?!run|check|compare).*\btest"],
    10: [r"read.?me|\bdocs?\b|document"],
}
CHECKS = "(check|compare|verify|same).*receipt|receipt.*(same|as before|match|unchanged)"


@cache
def read_file() -> dict[str, Any]:
    return json.loads(REPLIES.read_text(encoding="utf-8"))


def replies(name: str) -> list[dict[str, Any]]:
    """Return the recorded replies of a Claude model to a request."""
    return read_file()["requests"][name]


def draw_table() -> dict[str, Any]:
    """Return the steps of the plan, each with the words that show it in a list and in the window.

    With them come the titles, and what is said of Claude's replies, with their conditions.
    """
    steps = [
        {"number": n, "text": step.text, "words": WORDS[n], "place": STILL_SEEN.get(n, [""])[0]}
        for n, step in enumerate(load_job(JOB).steps, 1)
    ]
    total, seen = (name_number(len(some)) for some in (steps, STILL_SEEN))
    lost = name_number(len(steps) - len(STILL_SEEN))
    return {
        "steps": steps,
        "checks": CHECKS,  # of the receipts, which the prompt asks for and the plan does not have
        "titles": [
            [
                f"{seen} of the {total.lower()} steps can still be seen.",
                f"{lost} were only in the plan.",
            ],
            [f"The reminder shows the list: all {total.lower()} steps can be seen."],
        ],
        "conditions": [describe(name) for name in (PLAN_LOST, WITH_LIST)],
    }


def describe(name: str) -> str:
    """Return under which conditions the replies to a request were made."""
    told = sum(reply["told"] for reply in replies(name))
    when = date.fromisoformat(f"{read_file()['when']}-01")
    return (
        f"Each reply answers one request, sent as text and without tools in {when:%B %Y}. "
        f"{told or 'None'} of the {len(replies(name))} were told, as you were, that older messages "
        "had been removed. The version of Claude was not recorded."
    )


def name_number(number: int) -> str:
    """Return a number from 0 to 12 in words, with a capital letter."""
    words = "No One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve"
    return words.split()[number]
