"""Stories of updates: lists that are sent to a todo list, one after the other.

A story of a page is `@ [Write the docs c low; Add tests p] [Fix i high]`, two updates. A task is
its text (- is an empty one), its status (p, i, c, any word, or - if it is left out), and its
priority, if it has one. A task that is a status or a priority and `x20` stands for 20
tasks. In Python, as `todo.update([{"text": …, "status": …}])`, the stories of MyTodo would be six
times as long, and those of PriorityTodo four times.
"""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from exerciselib.engine import Differs, same, trying
from exerciselib.learners_code import Raised, find_frames, find_lines, refuse_unrun
from exerciselib.page import Observation, Story
from exerciselib.show_value import Words, show

from .lists import (
    LEVELS,
    OPEN,
    copy_items,
    is_raised_by_learner,
    show_call,
)

STATUS = {"p": "pending", "i": "in_progress", "c": "completed"}
STATUS |= {"I": " In_Progress\n", "C": "COMPLETED"}

# By what an update has changed: the first words of the sentence, which each page has.
CHANGED = {
    "items": "Your code changes the items",
    "fields": "Your code changes `fields`",
}


class Sent(NamedTuple):
    """What can be seen of a list after an update: its items, and what was sent.

    `is_shared` is true if one of the items is a dict that was sent, and not a copy of it. `others`
    has the items of another list, which has got no update. `changed` names what an update may only
    read and has changed, or is "".
    """

    items: list[Any]
    sent: Any
    is_shared: bool
    others: list[Any]
    changed: str


def read_update(word: str) -> list[dict[str, str]]:
    """Return the items of "[Add tests p high; Fix i]"."""
    tasks = [task.split() for task in word.strip("[]").split(";") if task]
    return [item for words in tasks for item in read_tasks(words)]


def read_tasks(words: list[str]) -> list[dict[str, str]]:
    """Return the items of the words of a task, which are one, or as many as `x20` says."""
    if words[-1][1:].isdigit():
        name = "priority" if words[0] in LEVELS else "status"
        more = {name: STATUS.get(words[0], words[0])}
        return [{**item, **more} for item in OPEN[: int(words[-1][1:])]]
    more = {"priority": words.pop()} if words[-1] in LEVELS else {}
    *text, status = words
    if status != "-":
        more["status"] = STATUS.get(status, status)
    return [{"text": " ".join(text).strip("-"), **more}]


def observe(cls: Any, story: Story) -> Iterator[Observation]:
    """Send the lists of a story to a new list, and yield what each update returns."""
    with trying([f"{cls.__name__}()"]):
        todo, other = cls(), cls()
    fields = repr(getattr(todo, "fields", None))
    for number, items in enumerate(story, 1):
        sent = copy_items(items)
        try:
            refuse_unrun(todo.update)
            got: Any = todo.update(sent)
        except Exception as problem:
            got = Raised(problem)
        with trying([f"{cls.__name__}().items"]):
            kept = [{**one} if isinstance(one, dict) else one for one in todo.items or ()]
        how = how_it_ended(cls, todo, got)
        tried = partial(describe_story, cls.__name__, story[:number])
        values = [sorted(one.items()) if isinstance(one, dict) else one for one in kept]
        is_shared = not {*map(id, todo.items or ())}.isdisjoint(map(id, list_dicts(sent)))
        others = [*(getattr(other, "items", None) or ())]
        is_changed = {
            "items": sent != items,
            "fields": fields != repr(getattr(todo, "fields", None)),
        }
        changed = next((name for name, is_so in is_changed.items() if is_so), "")
        seen = Sent(kept, sent, is_shared, others, changed)
        yield Observation(got, (how, repr(values)), tried, seen)
        if isinstance(got, Raised) and not isinstance(got.problem, ValueError):
            return


def describe_story(name: str, story: Story) -> str:
    """Return a story as a learner reads it."""
    return "\n".join([f"todo = {name}()", *map(show_call, story)])


def list_dicts(sent: Any) -> list[dict[str, Any]]:
    """Return the dicts that were sent in a list."""
    return [one for one in sent if isinstance(one, dict)] if isinstance(sent, list) else []


def how_it_ended(cls: Any, todo: Any, got: Any) -> str:
    """Return whether an update has returned the list, or what was raised, and by which class."""
    if not isinstance(got, Raised):
        return "the list" if isinstance(got, str) and got == todo.render() else show(got)
    is_own = find_frames(got.problem)[-1].f_code.co_qualname.startswith(f"{cls.__name__}.")
    return f"{type(got.problem).__name__} {is_own}"


def answers_alike(step: Observation, our: Observation) -> None:
    """Raise Differs if only one of two lists rejects an update, or with another kind of error."""
    if not isinstance(our.got, Raised):
        if isinstance(step.got, Raised):
            raise Differs(step.got, Words("no error"))
        return
    if not isinstance(step.got, Raised):
        lines = show(step.got).splitlines()
        got = Words("\n".join([*lines[:3], "…"] if len(lines) > 5 else lines))
        raise Differs(got, Words("a ValueError"))
    problem = step.got.problem
    if not isinstance(problem, ValueError):
        # By a line of the learner's own, and not by one that fails.
        line = find_lines(problem)[-1].line or ""
        is_own = is_raised_by_learner(problem) and line.startswith(("raise", "assert"))
        raise Differs(step.got, Words("a ValueError"), "This is another error" if is_own else "")


def stores(
    step: Observation,
    our: Observation,
    names: tuple[str, ...] = ("text", "priority"),
    rejected: str = "",
) -> None:
    """Raise Differs if two lists answer differently, or if one of these fields is not the same.

    `rejected` is the sentence about a list that is not the old one after an error.
    """
    answers_alike(step, our)
    for name in names:
        got, expected = (list_values(either, name) for either in (step, our))
        if got != expected:
            raise Differs(got, expected, rejected if isinstance(our.got, Raised) else "")


def changes_nothing_else(step: Observation, our: Observation) -> None:
    """Raise Differs if an update has changed what was sent, or the fields of its list."""
    if changed := step.seen.changed:
        raise Differs(Words(f"other {changed}"), Words(f"the same {changed}"), CHANGED[changed])


def list_values(step: Observation, name: str) -> list[Any]:
    """Return a field of each item of a list after a step, or the item if it is not a dict."""
    return [item.get(name) if isinstance(item, dict) else item for item in step.seen.items]


def same_as(right: Any, cls: Any, story: Story, note: str, no_dicts: str = "") -> None:
    """Raise Differs if a list rejects, stores, shows or changes what the right one does not.

    The errors of both must have the same words, in any order. `note` is the sentence about it, and
    `no_dicts` the one for a story that does not send a list of dicts.
    """
    for items, step, our in zip(story, observe(cls, story), observe(right, story), strict=False):
        (got, is_rejected), (expected, is_wrong) = map(read_answer, (step, our))
        is_of_dicts = isinstance(items, list) and len(list_dicts(items)) == len(items)
        told = note if is_of_dicts else no_dicts or note
        with trying([show_call(items)]):
            if is_rejected and not isinstance(step.got.problem, ValueError):
                problem = step.got.problem
                raise Differs(step.got, Words(expected), "" if is_of_dicts else told) from problem
            # Anything but a list of dicts may also be rejected with an error of the learner's own.
            is_other = is_of_dicts and is_wrong and list_words(got) != list_words(expected)
            if is_rejected != is_wrong or is_other:
                raise Differs(Words(got), Words(expected), told)
            same(step.seen.items, our.seen.items, told)
            if is_of_dicts:
                same(step.seen.sent, items, "Your code changes the items")
            lost = {*list_words(expected)} - {*list_words(got)}
            if not is_wrong and (step.key[0] != "the list" or lost and items):
                raise Differs(step.got, Words(expected), "`update` must return")


def read_answer(step: Observation) -> tuple[str, bool]:
    """Return what an update has returned or raised, as a string, and whether it has raised."""
    is_rejected = isinstance(step.got, Raised)
    return show(step.got) if is_rejected else str(step.got), is_rejected


def list_words(text: str) -> list[str]:
    return sorted(re.findall(r"\w+", text))
