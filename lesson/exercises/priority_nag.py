"""The rules of PriorityNag: its reminder ends with the next task."""

import re
from typing import Any

from lesson.common.show_value import show

from .kit.engine import Differs, Words, show_difference
from .kit.lists import LEVELS
from .kit.nags import Story, Written, is_due, make_random, only_reads, play, read_stories
from .kit.page import Page, Step, Trial
from .my_nag import STORIES, words_of

END = "</reminder>"
PAGE = Page("PriorityNag", __file__)


def find_next(items: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the item that a reminder names, or {}. Without a priority, an item is medium."""
    pending = [item for item in items if item["status"] == "pending"]
    return min(pending, key=lambda item: LEVELS.index(item.get("priority", "medium")), default={})


def describe(item: dict[str, Any]) -> str:
    """Return the text of an item, its status and its priority."""
    if not item:
        return "none"
    return f"{item['text']!r} ({item['status']}, {item.get('priority', 'without a priority')})"


def name_values(one: Step, our: Step) -> dict[str, str]:
    """Return the task that is to be named, the one that is, and the reminder of the parent."""
    best = find_next(our.seen.items)
    text = best.get("text", "")
    found = re.search(rf"(?s)Next: (.*)\.\s*{END}$", str(one.got))
    items = [item for item in our.seen.items if found and item["text"] == found[1]]
    named = items[0] if items else {}
    return {
        "begin": str(our.got).removesuffix(f"\nNext: {text}.{END}").removesuffix(END).rstrip(),
        "text": text,
        "best": describe(best),
        "named": named.get("text", "no task of the list"),
        "which": describe(named),
    }


def names_the_next(one: Step, our: Step) -> None:
    """Raise Differs if a reminder is not that of the parent, with the next task at its end."""
    got, best = one.got, find_next(our.seen.items).get("text")
    if not (best and our.got):  # whitespace before the closing tag is right
        if got == our.got or got and our.got and str(got).split() == our.got.split():
            return
        raise Differs(got, our.got and Words(our.got))
    line = f"\nNext: {best}."
    begin = our.got.removesuffix(f"{line}{END}").rstrip()
    if isinstance(got, str) and got.startswith(begin):
        rest = got[len(begin) :]
        has_line = rest.strip().removesuffix(END).rstrip() == line.strip()
        if has_line and line in rest and rest.rstrip().endswith(END):
            return
        ends = [Words(f"… {one.strip()}") for one in (rest, f"{line}{END}")]
        if ends[0] == ends[1]:  # the whitespace differs
            ends = [Words(show(one)) for one in (rest, f"{line}{END}")]
        raise Differs(*map(Words, show_difference(*ends)))
    if not isinstance(got, str):
        raise Differs(got, Words(f"… {line.strip()}{END}"))
    raise Differs(*map(Words, show_difference(got, our.got)))


def name(*stories: Story) -> Trial:
    return Trial(stories, names_the_next, words_of, name_values)


def read(title: str, *kinds: str) -> list[Story]:
    return read_stories(PAGE, title, kinds)


def write(*items: dict[str, str]) -> Story:
    """Return a story with a list that a page cannot write."""
    return Story(1, [Written([*items]), ("bash",)], "own")


LONG = {"text": "and on" * 90, "status": "pending", "priority": "low"}
ACTIVE = {"text": "Test", "status": "pending", "priority": "high", "activeForm": "Testing"}
RANDOM = make_random("own")
BOTH = ("board", "own")

PAGE.add_rules(
    play,
    {
        "reminds_when_its_parent_does": [Trial(STORIES, is_due)],
        "names_the_task": [name(*read("names_the_task"), write(LONG))],
        "highest": [name(*read("highest", *BOTH), write(ACTIVE))],
        "pending": [name(*read("pending", *BOTH))],
        "without_priorities": [name(*read("without_priorities", "", "own"))],
        "only_reads": [Trial(RANDOM[::3], only_reads)],
        "all_together": [name(*RANDOM)],
    },
)
