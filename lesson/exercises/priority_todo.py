"""The rules of `PriorityTodo`: one more field in each item, and all else as in its parent."""

import traceback
from collections.abc import Mapping
from contextlib import suppress
from copy import deepcopy
from difflib import get_close_matches
from typing import Any

from .kit.causes import find_misspelled
from .kit.engine import Differs, Words, rule, same
from .kit.lists import (
    FIX,
    LEVELS,
    LISTS,
    MENDS,
    NO_ITEMS,
    NO_LIST,
    NO_LISTS,
    OF_A_LIST,
    OPEN,
    RENDERED,
    STATUSES,
    Lists,
    check_message,
    find_slip,
    same_as,
    same_items,
    stored,
    tell,
    try_stories,
)
from .kit.page import parent_of
from .kit.telling import telling

# Values that are none of the three words. The last five are false in an `if`.
UNKNOWN: list[Any] = [
    *("urgent", "hig", "high medium", "med", "normal", "highest", "high!", "0"),
    *(5, True, ["high"], {"high": 1}, "", 0, False, [], {}),
]
DOCS = {"text": "Write the docs", "status": "completed", "priority": "low"}
LOGIN = {"text": "Fix the login", "status": "in_progress", "priority": "high"}
TESTS = {"text": "Add tests", "status": "pending"}
NO_FIELD = (
    "Your class has no field `priority` yet. In its dict `fields`, add it to the fields of MyTodo, "
    "with a schema like that of `status`."
)
OTHER_FIELDS = "Add `priority` alone, and keep the fields of MyTodo, in a new dict."
SHARED = (
    "The list that your class extends has a priority as well. Leave its `fields` unchanged, run "
    "its cell again, and make a new dict in the body of your own class."
)
NO_ENUM = (
    "The field `priority` needs an `enum` of the three words, as `status` has one: the model knows "
    "only what the schema says."
)
OTHER_SCHEMA = "Only the field `priority` is new: the rest of the schema is that of MyTodo's tool."
NOT_KEPT = (
    "Each item keeps the priority that was sent: give it to the parent's `update` in a copy that "
    "has all fields. (The package's list stores only what is in `fields`.)"
)
ORDER = (
    "A task is lost, changed, or in another place. Store all of them, in the order of the model: "
    "call the parent's `update` once, after the loop, and do not sort. A `return` ends the loop."
)
LEFT_OUT = (
    'This task was sent without a priority, and "medium" must be stored. Put it into the copy of '
    "each item that has none, and give the copies to the parent's `update` after the loop, which a "
    "`return` inside of it ends."
)
NEEDS_ONE = "Your code rejects a task without a priority. If it is left out, it is medium."
MAY_BE_MISSING = (
    "A priority may be left out, and the package's list also drops one that is empty. Then it is "
    "not in the dict: use `get`, on the items that were sent."
)
NO_SUPER = (
    "Your `update` accepts a task without a text, which the one of the list that it extends "
    "rejects: call that one, with the texts as they were sent, and do not catch its error."
)
ALLOWED = (
    "Your code rejects a priority that is allowed: any number of tasks may have one of the three "
    "words. Is a `not` missing?"
)
PARENT_REJECTS = (
    "The list that you extend rejects what your code gives to its `update`, or what your `fields` "
    "say: give it a list of dicts with all their fields."
)
ACCEPTED = (
    "Your code accepts a value that is none of the three words. Look up the priority of each item "
    "in a list of them: in a string, `in` also finds parts of words."
)
IN_A_STRING = (
    "In a string, `in` looks for a part of it: `hig` is one, and None and a number raise an error. "
    "Look up the priority of each item in a list of the three words."
)
ONE_TASK = (
    "Your code rejects this priority in another list, and accepts it here: look at each task, "
    "whatever its place and status, also at a completed one. A `return` inside of the loop ends it."
)
WAS_SENT = (
    "This priority was sent, so it is not left out, and it is none of the three words: reject it. "
    '`or` and `not` take every value that is false, such as `""`, for one that is left out.'
)
ANY_VALUE = (
    "A priority can be any value, such as a number or a list, and only a ValueError rejects it. "
    "Look it up in a list of the words, and not in a set or a dict, and call a method only of "
    "`str(priority)`."
)
MESSAGE = "It must name the word that was sent and the three that are allowed: the model reads it."
REJECTED = (
    "The list that was rejected is stored, or a part of it. Check every item before the list is "
    "stored, or put the old one back before you raise."
)
AS_IT_IS = (
    "What is no list, and an item that is no dict, is for MyTodo to reject, with its own error. "
    "Keep the given `if` above your code, which gives it to MyTodo unchanged."
)
NO_LOOP = "`items` is the whole list, and only an item has a priority: look at each one, in a loop."
AS_BEFORE = (
    "Only the priority of an item is new. Check nothing else, give all items to the parent's "
    "`update`, with all their fields and their exact texts, and return what that returns. No "
    "earlier list and no other object matters."
)
CAUSES = (
    ("All lists share `fields`", f"All lists share `MyTodo.fields`. {OTHER_FIELDS}"),
    ("JSON Schema|no attribute 'enum'|Error: .*priority '?(high|low)", NO_ENUM),
    ("^KeyError: 'priority'$", MAY_BE_MISSING),
    (r"^KeyError: '[\w ]*urgent", f"A ValueError is raised with a message. {MESSAGE}"),
    ("'in <string>' requires", IN_A_STRING),
    ("no attribute '(lower|upper|casefold|strip)'|unhashable", ANY_VALUE),
    ("'list' object (has no attribute|is not a mapping)|list indices", NO_LOOP),
    ("^ValueError", AS_BEFORE),
    *OF_A_LIST,
)


@rule
def schema(PriorityTodo):
    """The schema of the tool has the field `priority`, with an `enum` of the three words.

    The schema is all that the model knows about your field. How does `status` define the words
    that are allowed? A priority can do the same.

    In the class body: `fields = MyTodo.fields | {"priority": {…}}`, with `"enum": [the words]`."""
    with telling(["PriorityTodo().tool().input_schema"]):
        parent = parent_of(PriorityTodo, "update fields", NO_LIST)
        assert "priority" not in parent.fields, SHARED
        fields, others = fields_of(PriorityTodo()) or {}, fields_of(parent())
        lost = [f"`{name}`" for name in others if name not in fields]
        assert not lost, f"Your `fields` has no {', '.join(lost)}. {OTHER_FIELDS}"
        if "priority" not in fields:
            close = get_close_matches("priority", fields, 1)
            note = f"Is the name of your field `{close[0]}` misspelled?" if close else NO_FIELD
            raise Differs(Words(f"the fields {', '.join(fields)}"), Words("priority"), note)
        field = fields["priority"]
        enum = field.get("enum") if isinstance(field, Mapping) else None
        if not isinstance(enum, list | tuple) or sorted(map(str, enum)) != sorted(LEVELS):
            raise Differs(field, Words(f'a schema with "enum": {LEVELS}'), NO_ENUM)
        for name, found in fields.items():
            wanted = others.get(name) or {"": Words("no such field")}
            # Further keywords, such as a description, are allowed.
            if name != "priority" and not wanted.items() <= dict(found).items():
                note = f"The field `{name}` is not one of MyTodo. {OTHER_FIELDS}"
                raise Differs(found, wanted, note)
        same(schema_around(PriorityTodo()), schema_around(parent()), OTHER_SCHEMA)


def schema_around(todo: Any) -> Any:
    """Return the schema of a list's tool without the fields of an item, or None without a tool."""
    found = None
    with suppress(AttributeError, NotImplementedError):
        found = deepcopy(todo.tool().input_schema)
        found["properties"]["items"]["items"].pop("properties")
    return found


def fields_of(todo: Any) -> dict[str, Any]:
    """Return the schemas of an item's fields, as the model reads them.

    A list whose parent has no `tool` yet, which is another exercise, gets one from its `fields`.
    """
    try:
        return todo.tool().input_schema["properties"]["items"]["items"]["properties"]
    except (AttributeError, NotImplementedError):
        return todo.fields


@rule
def fills_in(PriorityTodo):
    """Each task keeps its priority and its place, and a priority that is left out is medium.

    Which items were sent without one? Give each of these one, in the copies, and give all copies to
    the parent's `update`. Return what it returns.

    In a loop, `item.setdefault("priority", "medium")` returns the priority of an item, and stores
    medium if there is none. After the loop, `return super().update(items)`."""
    lists = Lists(PriorityTodo)
    with telling(lists.lines):
        empty = [{"id": "1", "text": "", "status": "pending", "priority": "low"}]
        assert lists.error_of(empty), NO_SUPER
        sent = [DOCS, LOGIN, TESTS | {"priority": "medium"}]
        todo, got = lists.accept(sent, note=explain_rejection(lists, sent))
        texts = ["Write the docs", "Fix the login", "Add tests"]
        same(stored(todo), texts, find_slip(PriorityTodo, ORDER))
        if isinstance(got, str):
            same(sorted(texts, key=got.find), texts, RENDERED)
        same(stored(todo, "priority"), ["low", "high", "medium"], NOT_KEPT)
        todo, _ = lists.accept([DOCS, TESTS], note=NEEDS_ONE)
        note = find_misspelled(PriorityTodo) or LEFT_OUT
        same(stored(todo, "priority"), ["low", "medium"], note)
        for level in LEVELS:
            sent = [task | {"priority": level} for task in OPEN[:20]]
            todo, _ = lists.accept(sent, note=ALLOWED)
            same(stored(todo, "priority"), [level] * 20, NOT_KEPT)


def explain_rejection(lists: Lists, items: list[Any]) -> str:
    """Return why a list with legal priorities may be rejected."""
    frames = traceback.walk_tb(getattr(lists.error_of(items), "__traceback__", None))
    names = [frame.f_code.co_qualname for frame, _ in frames]
    if names and lists.kind.__name__ not in names[-1]:
        return PARENT_REJECTS
    return find_slip(lists.kind, ALLOWED)


@rule
def rejects(PriorityTodo):
    """Any other value is rejected: an error names it and the three words, and the old list stays.

    Look at every item before anything is stored. The loop sends your message to the model, which
    can then correct its list.

    `if priority not in ["high", "medium", "low"]`, raise a ValueError with
    `f"invalid priority {priority!r}: use high, …"`, and call `super().update(…)` after the loop."""
    lists, old = Lists(PriorityTodo), [DOCS, LOGIN]
    with telling(lists.lines):
        for value in UNKNOWN:
            wrong = DOCS | {"priority": value}
            tries = [[TESTS, wrong | {"status": status}] for status in STATUSES]
            tries += [[wrong, TESTS, LOGIN], [TESTS, wrong, LOGIN], [*OPEN[:19], wrong]]
            errors = [lists.error_of(items) for items in tries]
            for items in tries:
                check_rejected(lists, old, items, value, any(errors))
        for value, level in (
            ("HIGH", "high"),
            (" high\n", "high"),
            ("high\n", "high"),
            (None, "medium"),
        ):
            items = [TESTS, DOCS | {"priority": value}]
            with suppress(ValueError):  # these may also be mended
                note = f"The priority was {value!r}: reject it, or store {level!r}."
                same(stored(lists.send(items)[0], "priority")[1], level, note)


def check_rejected(lists: Lists, old: Any, items: Any, value: Any, in_another: bool) -> None:
    """Fail if a list with this priority is accepted, or if the error does not say what is wrong."""
    try:
        problem = lists.reject(old, items, note=ACCEPTED)
    except Differs as differs:
        if differs.note in (ACCEPTED, MENDS) and (in_another or not value):
            differs.note = ONE_TASK if in_another else WAS_SENT
        elif differs.note == ACCEPTED:
            differs.note = find_slip(lists.kind, ACCEPTED)
        raise
    # The package's error is short, because the schema has the words.
    named = [str(value).lower()] if isinstance(value, str | int) else []
    check_message(problem, [*named, *LEVELS], note=MESSAGE)
    todo, _ = lists.send(old)
    before = deepcopy(todo.items)
    lists.lines.append(tell(items))
    try:
        todo.update(deepcopy(items))
    except ValueError:
        same_items(todo.items, before, REJECTED)


@rule
def as_in_the_parent(PriorityTodo):
    """Everything else is as in the list that it extends.

    You add one field. The other rules are still needed. Is something left over from an earlier
    list, or from another object?

    What is no list, and an item that is no dict, reaches the parent, which rejects it. If you
    wrote your own `line`, does it call the parent's?"""
    parent = parent_of(PriorityTodo, "update fields", NO_LIST)
    same_as(parent, PriorityTodo, LISTS, AS_BEFORE, priority="medium")
    lists = [*NO_LISTS, *([FIX, item] for item in NO_ITEMS), ["x", TESTS]]
    same_as(parent, PriorityTodo, lists, AS_IT_IS, priority="medium")


@rule
def all_together(PriorityTodo):
    """Lists of up to seven tasks, one after the other, are rejected or stored as the rules say.

    Does your code look at the priority of every task, wherever it is in the list?

    Write down which tasks your loop looks at in the last list of "What was tried"."""
    try_stories(PriorityTodo, {"status": "pending", "priority": "medium"})
