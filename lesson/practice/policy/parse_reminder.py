"""Parse a reminder: does it ask for an update of the list, contain a plan, or name the next step?

A reminder is text that was sent with tool results and is not a tool's output, or a user message
about the work after the model has stopped. The policy searches it only for words about the job or
the list; a reminder without them has no effect.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from ...samples.jobs import Job, Step
from .recognize import Mention, find_all_mentions, find_mentions

LIST = (
    r"(?:to-?dos?|todo ?lists?|todo_?write|(?:your|the|its|task|check) ?-?(?:list|plan)s?|"
    r"your (?:tasks|items|progress))"
)
CARE = (
    r"(?:updat\w*|refresh\w*|revis\w*|review\w*|check\w*|look\w*|mark\w*|tick\w*|us(?:e|ed|ing)|"
    r"(?:re)?writ\w*|touch\w*|keep\w*|bring\w*|maintain\w*|sync\w*|remember\w*|forg[eo]t\w*|"
    r"call\w*|send\w*|sent|track\w*|show\w*|lose|lost|rounds|what about|how is|correct|stale|"
    r"behind|outdated|old|current|up to date|out of date)"
)
MENTIONS_LIST = re.compile(rf"\b{LIST}\b", re.IGNORECASE)
MENTIONS_CARE = re.compile(rf"\b{CARE}\b", re.IGNORECASE)
# A file may contain "TODO: write this"; without tags, a reminder must say whose list it means.
YOUR_LIST = re.compile(
    r"\b(?:your (?:\w+ )?|the todo |the to-do )(?:to-?dos?|lists?|plans?|tasks|items)\b",
    re.IGNORECASE,
)
NEXT = re.compile(r"\bnext\b", re.IGNORECASE)
# Words of a message about the work so far: "4 of 10 steps are missing."
ABOUT_WORK = re.compile(
    rf"\b(?:{LIST}|steps?|tasks?|items?|missing|left|open|remain\w*|incomplete|unfinished|complet\w*|"
    r"finish\w*|done|ready|continue|proceed|go on|keep going|carry on|not yet|still|stop\w*)\b",
    re.IGNORECASE,
)


def asks_for_list(reminder: str) -> bool:
    """Return True if a reminder asks for an update of the list, as that of `agentlib.nag` does."""
    return bool(MENTIONS_LIST.search(reminder) and MENTIONS_CARE.search(reminder))


@lru_cache  # because each request has the outputs of the one before
def find_request(output: str) -> str:
    """Return a tool's `output` from the first line that asks for an update of your list, or ""."""
    lines = output.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if YOUR_LIST.search(line) and asks_for_list(line):
            return "".join(lines[number:])
    return ""


def is_about_work(words: str, job: Job) -> bool:
    """Return True if a user's message is about the work on `job`, not about something else."""
    return bool(ABOUT_WORK.search(words) or find_all_mentions(words, job)) or asks_for_list(words)


def read_mentions(reminder: str, job: Job) -> list[Mention]:
    """Return the plan in a reminder: two steps of `job` or more; otherwise an empty list."""
    shown = find_all_mentions(reminder, job)
    return shown if len(shown) > 1 else []


def carried_list(opening: str, job: Job) -> list[dict[str, Any]] | None:
    """Return the items of a list in `opening`, from a conversation before this one, or None."""
    return as_items(find_all_mentions(opening, job, exact=True)) or None


def as_items(mentions: Iterable[Mention]) -> list[dict[str, Any]]:
    """Return the items of a todo list that these mentions are."""
    return [{"text": mention.step.text, "status": mention.claim} for mention in mentions]


def next_step(reminder: str, job: Job) -> Step | None:
    """Return the next step that a reminder names: after the word "next", or the only one named."""
    for line in reminder.splitlines():
        word = NEXT.search(line)
        named = find_mentions(line[word.end() :], job) if word else []
        if named:
            return named[0].step
    named = find_all_mentions(reminder, job)
    return named[0].step if len(named) == 1 and named[0].claim != "completed" else None


def open_steps(text: str, job: Job) -> list[Step]:
    """Return the steps that `text` names as work to do."""
    mentions = find_all_mentions(text, job)
    return [mention.step for mention in mentions if mention.claim != "completed"]
