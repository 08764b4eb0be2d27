"""The rules of PriorityTodo: one more field in each item, and all else as in its parent."""

import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from copy import deepcopy
from difflib import get_close_matches
from functools import partial
from typing import Any

from exerciselib.causes import find_misspelled
from exerciselib.engine import Differs, same, trying
from exerciselib.learners_code import Raised
from exerciselib.page import Observation, Page, Trial
from exerciselib.show_value import Words
from lesson.common.solutions import read_solutions

from .kit.lists import (
    LEVELS,
    LISTS,
    NO_ITEMS,
    NO_LISTS,
    OPEN,
    STATUSES,
    is_raised_by_learner,
    make_random,
    show_call,
    stored,
)
from .kit.updates import answers_alike, changes_nothing_else, observe, read_update, same_as, stores

PAGE = Page("PriorityTodo", __file__, read_solutions())
# Values other than the three words. The last five are false in an `if`.
NO_PRIORITIES: list[Any] = [
    *("urgent", "hig", "high medium", "med", "normal", "highest", "high!", "0"),
    *(5, True, ["high"], {"high": 1}, "", 0, False, [], {}),
]
DOCS = {"text": "Write the docs", "status": "completed", "priority": "low"}
LOGIN = {"text": "Fix the login", "status": "in_progress", "priority": "high"}
TESTS = {"text": "Add tests", "status": "pending"}
FIRST_LINES = 3  # are told at the first list with a wrong priority


def has_the_field(PriorityTodo: Any) -> None:
    """Raise Differs if the schema of the tool is not the parent's with the field `priority`."""
    with trying(["PriorityTodo().tool().input_schema"]):
        parent = PAGE.find_names(PriorityTodo)["MyTodo"]
        fields, others = fields_of(PriorityTodo()) or {}, fields_of(parent())
        alone = PAGE.find_sentence("Add `priority` alone")
        if (
            vars(PriorityTodo).get("fields", parent.fields) is parent.fields
            and "priority" in others
        ):
            raise Differs(Words("`priority` in MyTodo.fields"), Words("none"), "Your class shares")
        lost = [f"`{name}`" for name in others if name not in fields]
        assert not lost, f"Your `fields` has no {', '.join(lost)}. {alone}"
        if "priority" not in fields:
            close = get_close_matches("priority", fields, 1)
            note = f"Is the name of your field `{close[0]}` misspelled?" if close else ""
            names = Words(f"the fields {', '.join(fields)}")
            raise Differs(names, Words("priority"), note or "Your class has no field")
        field = fields["priority"]
        enum = field.get("enum") if isinstance(field, Mapping) else None
        if not isinstance(enum, list | tuple) or sorted(map(str, enum)) != sorted(LEVELS):
            note = (
                "This `enum` must be"
                if isinstance(enum, set | str)
                else "The field `priority` needs"
            )
            raise Differs(field, Words(f'a schema with "enum": {LEVELS}'), note)
        for name, schema in fields.items():
            wanted = others.get(name) or {"": Words("no such field")}
            # Further keywords, such as a description, are allowed.
            if name != "priority" and not wanted.items() <= dict(schema).items():
                raise Differs(schema, wanted, f"The field `{name}` is not one of MyTodo. {alone}")
        same(schema_around(PriorityTodo()), schema_around(parent()), alone)


def schema_around(todo: Any) -> Any:
    """Return the schema of a list's tool without the fields of an item, or None without a tool."""
    schema = None
    with suppress(AttributeError, NotImplementedError):
        schema = deepcopy(todo.tool().input_schema)
        schema["properties"]["items"]["items"].pop("properties")
    return schema


def fields_of(todo: Any) -> dict[str, Any]:
    """Return the schemas of an item's fields, as the model reads them.

    A list whose parent has no `tool` yet, which is another exercise, gets one from its `fields`.
    """
    try:
        return todo.tool().input_schema["properties"]["items"]["items"]["properties"]
    except (AttributeError, NotImplementedError):
        return todo.fields


def make_wrong(value: Any) -> list[Any]:
    """Return the story of a list that stays, and of lists with this priority at any place."""
    wrong = DOCS | {"priority": value}
    tries = [[TESTS, wrong | {"status": status}] for status in STATUSES]
    tries += [[wrong, TESTS, LOGIN], [TESTS, wrong, LOGIN], [*OPEN[:19], wrong]]
    return [[DOCS, LOGIN], *tries]


def is_spelled(PriorityTodo: Any) -> None:
    """Raise AssertionError if the class has almost the name `update`, and not this one."""
    note = find_misspelled(PriorityTodo)
    assert "update" in vars(PriorityTodo) or not note, note


def says_what_is_allowed(step: Observation, our: Observation) -> None:
    """Raise Differs if the learner's own error lacks the wrong value, or one of the three words."""
    if lost := list_lost(step):
        problem = step.got.problem
        expected = Words(" ".join(["a message with", *lost]))
        note = PAGE.find_sentence("The message must name the word")
        raise Differs(str(problem), expected, f"{note} It lacks {', '.join(lost)}.")


def list_lost(step: Observation) -> list[str]:
    """Return the words that the learner's error must have and has not."""
    if not isinstance(step.got, Raised) or not is_raised_by_learner(step.got.problem):
        return []
    levels = [item.get("priority", "high") for item in step.seen.sent if isinstance(item, dict)]
    sent = [str(one).lower() for one in levels if isinstance(one, str | int)]
    text = unicodedata.normalize("NFKC", str(step.got.problem)).lower()
    named = [one for one in sent if one not in LEVELS]
    return [f"`{word}`" for word in [*named, *LEVELS] if word not in text]


def may_mend(PriorityTodo: Any) -> None:
    """Raise Differs if another spelling of a level is stored as it is. It may also be rejected."""
    values = (("HIGH", "high"), (" high\n", "high"), ("high\n", "high"), (None, "medium"))
    for value, level in values:
        todo, items = PriorityTodo(), [TESTS, DOCS | {"priority": value}]
        lines = [f"todo = {PriorityTodo.__name__}()", show_call(items)]
        with trying(lines), suppress(ValueError):
            todo.update(deepcopy(items))
            kept = stored(todo, "priority")[1]
            note = PAGE.find_sentence("Store the word that is meant")
            if kept != level:  # Words, because it was not returned
                raise Differs(Words(repr(kept)), Words(repr(level)), note)


def keeps_the_parent(PriorityTodo: Any) -> None:
    """Raise Differs if a list is not accepted, stored and returned as by the one it extends."""
    right = PAGE.make(**PAGE.find_names(PriorityTodo))
    lists = [*LISTS, *NO_LISTS, *([OPEN[0], item] for item in NO_ITEMS), ["x", TESTS]]
    same_as(
        right, PriorityTodo, lists, "Only the priority may be new", "Keep the given first lines"
    )


def shows_the_tasks(step: Observation, our: Observation) -> None:
    """Raise Differs if an update does not return its tasks in the order of the list."""
    texts = [item["text"] for item in our.seen.items]
    if isinstance(step.got, str) and sorted(texts, key=step.got.find) != texts:
        expected = Words(f"the tasks in this order: {', '.join(texts)}")
        raise Differs(Words(step.got), expected, "`update` must return")


def text_of(step: Observation, our: Observation) -> str:
    """Return how an answer differs, in words that the patterns of the page look for."""
    sent = [item.get("priority", "left out") for item in our.seen.sent]
    got, right = ([item.get("priority") for item in either.seen.items] for either in (step, our))
    if isinstance(step.got, Raised):
        if not isinstance(step.got.problem, ValueError):
            return ""
        origin = "by itself" if step.key[0].endswith("True") else "by the parent"
        return f"rejects {origin}, {'left out' if 'left out' in sent else 'given'}"
    if isinstance(our.got, Raised):
        if step.key[0] != "the list":
            return f"returns {step.got}"
        is_mended = len(got) < len(sent) or not {*map(str, got)} - {*LEVELS}
        is_false = not all(sent)
        place = "first" if len(step.tried().splitlines()) == FIRST_LINES else "later"
        return f"accepts {place}, {'false' if is_false else 'mended' if is_mended else 'stored'}"
    if len(got) < len(right):
        return f"lost, {'only the last' if got == right[-1:] else 'some'}"
    wrong = [(a, b) for a, b, c in zip(sent, got, right, strict=False) if b != c]
    first, kept = wrong[0] if wrong else ("", "")
    return f"stores {first}, then {kept}" if sorted(map(str, got)) != sorted(right) else "moved"


FILLS_IN, WRONG = PAGE.stories("fills_in", read_update), [*map(make_wrong, NO_PRIORITIES)]
RANDOM = make_random()
PAGE.add_rules(
    observe,
    {
        "schema": [has_the_field],
        "fills_in": [
            is_spelled,
            Trial(FILLS_IN, stores, text=text_of),
            Trial(FILLS_IN[1:], shows_the_tasks),
        ],
        "rejects": [
            Trial(WRONG, answers_alike, text=text_of),
            Trial(WRONG, says_what_is_allowed, list_lost),
            Trial(WRONG, partial(stores, rejected="The list that was rejected")),
            may_mend,
        ],
        "as_in_the_parent": [keeps_the_parent, Trial(RANDOM, changes_nothing_else)],
        "all_together": [Trial(RANDOM, partial(stores, names=("text", "status", "priority")))],
    },
)
