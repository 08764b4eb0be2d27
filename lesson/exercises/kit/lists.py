"""Lists to send to a learner's list: right ones, wrong ones and random ones."""

import pickle
from random import Random
from typing import Any

from exerciselib.learners_code import find_frames, is_learners_frame
from exerciselib.page import Story
from exerciselib.show_value import show

STATUSES, LEVELS = ["pending", "in_progress", "completed"], ["high", "medium", "low"]
FIX, DOCS = {"text": "Fix", "status": "pending"}, {"text": "Docs", "status": "pending"}
STARTED = [{"text": text, "status": "in_progress"} for text in ("Fix", "Docs", "Add tests")]
DONE = [{"text": f"Step {n:02}", "status": "completed"} for n in range(30)]
OPEN = [{"text": f"Step {n:02}", "status": "pending"} for n in range(500)]
# Texts that are not the same, and values that are not a status.
LONG = "x" * 999
SIMILAR_TEXTS = ["Fix", "fix", "Fix it", "Fix.", "Fix  it", "the README's\n{name}"]
SIMILAR_TEXTS += [f"{LONG}!", f"{LONG}?", f"!{LONG}", f"?{LONG}", "ﬁx", "Maße", "Masse", "Release"]
NO_STATUSES = [
    "done",
    "complete",
    "progress",
    "in progress",
    "in-progress",
    "completed!",
    "pending completed",
]
# A field can have any of these values of JSON, also one that is empty or of another type.
VALUES: list[Any] = [None, "", [], {}, 0, False, 5, True, ["Fix"], {"text": "Fix"}]
NO_LISTS: list[Any] = ["Fix", ({"text": "Fix"},), {"text": "Fix"}, None, "", {}, 5, True]
NO_ITEMS: list[Any] = ["Fix", None, "", [], 5, True, ["Fix"]]
NO_TEXTS = [{}, {"id": "1"}, *({"text": value} for value in [" \n", *VALUES[:4]])]
# Twenty items with all fields, in no order.
BIG = [
    {
        "id": f"{n}",
        "text": text,
        "status": STATUSES[n % 2 * 2],
        "activeForm": text,
        "minutes": n % 9,
    }
    for n, text in enumerate(f"{n * 7 % 20} {SIMILAR_TEXTS[n % 6]}" for n in range(20))
]
UNTIDY = [FIX | {"status": " In_Progress\n"}, {"text": "\tDocs ", "status": "COMPLETED"}]
# The last item of each breaks a rule.
MISTAKES = [
    *([FIX, item] for item in [*NO_TEXTS, *({**DOCS, "status": status} for status in NO_STATUSES)]),
    *(STARTED, OPEN[:21], [DOCS, FIX, {"text": " Fix\n", "status": "completed"}]),
]
LISTS: list[list[Any]] = [
    *([], [FIX], STARTED[:1], DONE[:20], BIG, UNTIDY, [{"text": text} for text in SIMILAR_TEXTS]),
    *([FIX | {name: value}] for name in ("id", "text", "status", "activeForm") for value in VALUES),
    *MISTAKES,
]


def show_call(items: Any) -> str:
    """Return the call that sends these items, as a learner reads it, or only the last of many."""
    if not isinstance(items, list) or len(items) < 9:
        return f"todo.update({show(items)})"
    return f"todo.update(items)  # {len(items)} tasks, of which the last is {show(items[-1])}"


def copy_items(items: Any) -> Any:
    """Return a copy of what is sent, with all that is in it, faster than `deepcopy`."""
    return pickle.loads(pickle.dumps(items))


def is_raised_by_learner(problem: BaseException) -> bool:
    """Return whether an exception was raised by a line of the learner's."""
    return is_learners_frame(find_frames(problem)[-1])


def stored(todo: Any, name: str = "text") -> list[Any]:
    """Return one field of each item in the list; None if it is not there."""
    assert isinstance(todo.items, list) and all(isinstance(one, dict) for one in todo.items), (
        "Other code reads the plan from `self.items`: a list with one dict for each item."
    )
    return [item.get(name) for item in todo.items]


def make_random() -> list[Story]:
    """Return stories of lists that are sent one after the other, the shortest first.

    They are random, and the same for everybody. In a list, each id is there only once, because a
    learner may have a rule about equal ones.
    """
    chance = Random(3)
    stories = [[make_random_items(chance) for _ in range(1 + n % 5)] for n in range(120)]
    return sorted(stories, key=lambda story: sum(map(len, story)))


def make_random_items(chance: Random) -> list[dict[str, Any]]:
    """Return up to seven tasks, of which any may break a rule."""
    long = "Add tests for all modules of the shop, and run them"
    texts = ["Fix", "fix", "Fix it", "Fix.", long, f"{long} once", "the README's {name}"]
    items: list[dict[str, Any]] = []
    for n, text in enumerate(chance.sample(texts, chance.randrange(8))):
        item = {
            "id": f"{chance.choice(LEVELS)} {n}",
            "text": text,
            "status": chance.choice(["pending", "completed"]),
        }
        if chance.random() < 0.5:
            item["priority"] = chance.choice(LEVELS)
        for name in ("id", "status"):
            if chance.random() < 0.2:
                del item[name]
        items.append(item)
    started = chance.choice([0, 1, 1, 1, 2])
    for item in chance.sample(items, min(len(items), started)):
        item["status"] = "in_progress"
    if items and chance.random() < 0.4:  # one mistake more, of any kind, at any place
        name, value = chance.choice([("status", "done"), ("priority", "urgent"), ("text", "")])
        chance.choice([*items, items[-1]])[name] = value or chance.choice(items)["text"]
    return items
