"""The rules of `PriorityTodo`: one more field in each item, and all else as in its parent."""

import re
import traceback
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from lesson.learners_code import Raised, show
from lesson.parts import PARTS

from .kit.causes import find_misspelled
from .kit.engine import Differs, Words, rule, same
from .kit.restore import cells_of, read_members
from .kit.telling import telling
from .my_todo import (
    BIG,
    FIX,
    LISTS,
    NO_ITEMS,
    NO_LISTS,
    OPEN,
    check_message,
    error_of,
    is_accepted,
    is_raised_by_learner,
    reject,
    same_items,
)

LEVELS = ["high", "medium", "low"]
# Values that are none of the three words. The last six are false in an `if`.
UNKNOWN: list[Any] = [
    *("urgent", "hig", "high medium", "0", 5, True, ["high"], {"high": 1}),
    *("med", "mid", "normal", "hi", "highest", "critical", "minor", "high!", "(low)"),
    *("", 0, False, [], {}, None),
]
DOCS = {"text": "Write the docs", "status": "completed", "priority": "low"}
NO_ITEM, NO_STATUS = {"text": ""}, {"text": "Fix", "status": "done"}
LOGIN = {"text": "Fix the login", "status": "in_progress", "priority": "high"}
TESTS = {"text": "Add tests", "status": "pending"}
NEW_FIELDS = "write `fields = MyTodo.fields | {…}` in the body of the class."
NO_FIELD = (
    "Your class has no field `priority` yet. In its body, above `update`, write "
    '`fields = MyTodo.fields | {"priority": {…}}`. Its schema is like that of `status`, with an '
    "`enum` of the three words."
)
OTHER_FIELDS = "Add `priority` alone, and keep the fields of MyTodo: " + NEW_FIELDS
SHARED = (
    "The list that your class extends has a priority as well. Leave its `fields` unchanged, run "
    "its cell again, and make a new dict: " + NEW_FIELDS
)
SENT = (
    "Your code changes the items that were sent. They are in the history of the run, which must "
    'stay as it was sent: make copies, `{**item, "priority": priority}`, and do not sort in place.'
)
RENDERED = (
    "`update` must return the list as text, with all tasks in the order in which they were sent, "
    "and each with its priority as a word: return what `super().update(…)` returns. If you wrote "
    "your own `line`, begin with `super().line(item)`."
)
NOT_KEPT = (
    "Each item keeps the priority that was sent. Give it to `super().update(…)` in a copy with all "
    'fields, `{**item, "priority": priority}`. (The package\'s list stores only what is in '
    "`fields`.)"
)
ORDER = "Do not sort, drop no task and change no text: this list is the model's plan."
DROPPED = (
    "A task is lost. Look at every item, and call `super().update(…)` once, with all of them, "
    "after the loop: a `return` inside of the loop ends it after the first item."
)
LEFT_OUT = (
    'A priority that is left out must be stored as "medium". Give `super().update(…)` a new list '
    'of copies, and not `items`: `{"priority": "medium", **item}` is a copy that has one.'
)
NEEDS_ONE = (
    "Your code rejects a task without a priority, and a model may leave it out: "
    '`item.get("priority", "medium")` is medium then.'
)
REMEMBERED = (
    "A priority that is left out is medium, also if an earlier list had another one for the same "
    "task: look only at the items that were sent."
)
NO_SUPER = (
    "Your `update` does not call `super().update(items)`, which checks the items by the rules of "
    "MyTodo, stores them and returns the list as text: do not set `self.items` yourself."
)
ALLOWED = (
    "Your code rejects a priority that is allowed. Compare it with a list of the words, `if "
    'priority not in ["high", "medium", "low"]`: `priority != "high" or "medium"` is always true.'
)
MANY = (
    "Your code rejects 20 tasks with the same priority. Only the three words are checked: any "
    "number of tasks may have one of them."
)
ACCEPTED = (
    "Your code accepts a value that is not one of the three. In `update`, compare the priority of "
    'each item with a list of the words, `if priority not in ["high", "medium", "low"]`: in a '
    "string, `in` also finds parts of words."
)
NOT_REJECTED = (
    "Your code does not reject this list: it drops the task, or stores another priority for it. "
    "Raise a ValueError, because only the model knows what it meant."
)
ONE_ITEM = (
    "Your code rejects this item at one place of the list, and accepts it at another: look at "
    "every item. A `return` inside of the loop ends it after the first item."
)
ONE_STATUS = (
    "Your code rejects this priority in a task of another status, and accepts it here: look at the "
    "priority of every item, also of a completed task."
)
WAS_SENT = (
    "This priority was sent, so it is not left out, and it is none of the three words: reject it. "
    '`item.get("priority", "medium")` is medium only if the item has no priority. `or "medium"` '
    "replaces every value that is false, and a test with `is None` replaces null."
)
ANY_VALUE = (
    "A priority can be any value, such as a number or a list, and only a ValueError rejects it. "
    "`in` works with each value if you look it up in a list, and not in a set or a dict."
)
NO_STRING = (
    "A priority can be 5 or a list, which have no `lower` and no `strip`, and only a ValueError "
    "rejects them: compare the value itself with a list of the words, or take `str(priority)`."
)
MESSAGE = (
    "The error's message must name the word that was sent and the three that are allowed, because "
    'the model reads it: `raise ValueError(f"invalid priority {priority!r}: use high, …")`.'
)
REJECTED = (
    "The list that was rejected is stored, or a part of it. Check every item before the list is "
    "stored, and call `super().update(…)` after that, or put the old one back before you raise."
)
STORED_FIRST = (
    "Your code looks at the priorities after the list is stored. Check and fill in those of the "
    "items that were sent before the list is stored, and call `super().update(…)` after that, or "
    "put the old one back."
)
NO_ENUM = (
    "The model knows only what the schema says. It needs the field `priority`, with an `enum` as "
    '`status` has: `"priority": {"type": "string", "enum": ["high", "medium", "low"]}`.'
)
NO_LIST = (
    "Your class extends no todo list: write the name of one after the name of your class, as in "
    "`class PriorityTodo(MyTodo):`, and run the cell of that list before."
)
AS_IT_IS = (
    "What is no list, and an item that is no dict, is for MyTodo to reject, with its own error. "
    "Keep the given `if` above your code: it gives them to `super().update` as they are."
)
NO_LOOP = (
    "`items` is the whole list, and only an item has a priority: look at each one, in a loop, "
    "`for item in items:`."
)
AS_BEFORE = (
    "Only the priority of an item is new. Check nothing else, give all items to "
    "`super().update(…)`, with all their fields and their exact texts, and return what that "
    "returns. No earlier list and no other object matters."
)
# Of each list that extends another one.
OF_A_LIST = (
    (
        r"update\(\) (takes|missing|got)",
        "`update` gets one argument, the items: `def update(self, items):` and "
        "`super().update(items)`.",
    ),
    ("^RecursionError", "Your `update` calls itself: call `super().update(items)`."),
    ("type object 'super'", "Write `super()`, with parentheses: `super().update(items)`."),
)
CAUSES = (
    ("All lists share `fields`", "All lists share `MyTodo.fields`: " + NEW_FIELDS),
    ("JSON Schema|no attribute 'enum'", NO_ENUM),
    ("^KeyError: 'priority'$", 'A priority may be left out: use `item.get("priority", "medium")`.'),
    (r"^KeyError: '[\w ]*urgent", MESSAGE),
    ("'in <string>' requires", ACCEPTED),
    ("no attribute '(lower|upper|casefold|strip)'", NO_STRING),
    ("unhashable", ANY_VALUE),
    ("'list' object (has no attribute|is not a mapping)|list indices", NO_LOOP),
    ("^ValueError", AS_BEFORE),
    *OF_A_LIST,
)


def list_bases(kind: type, names: str, said: str) -> list[Any]:
    """Return the classes that a learner's class extends, the nearest first.

    They have all of these names. A class of the same cell that is no part of the program is left
    out, because it belongs to the learner's part. (In my_agent.py, all parts are in one cell.)
    """
    found = [base for base in kind.__mro__[1:] if {*names.split()} <= {*dir(base)}]
    assert found, said
    others = [one for one in found if one.__name__ in PARTS or not cells_of(one) & cells_of(kind)]
    return others or found


def parent_of(kind: type, names: str = "update fields", said: str = NO_LIST) -> Any:
    """Return the nearest class that a learner's class extends."""
    return list_bases(kind, names, said)[0]


def priorities(todo: Any) -> dict[str, Any]:
    """Return the priority of each item by its text, in the order of the list."""
    return {item["text"]: item.get("priority") for item in todo.items}


@rule
def schema(PriorityTodo):
    """The schema of the tool has the field `priority`, with an `enum` of the three words.

    The schema is all that the model knows about your field: it lists the valid words.

    How does `status` define the allowed words? A priority can do the same. In the class body:
    `fields = MyTodo.fields | {"priority": {…}}`."""
    with telling(["PriorityTodo().tool().input_schema"]):
        parent, todo = parent_of(PriorityTodo), PriorityTodo()
        assert "priority" not in parent.fields, SHARED
        lost = [f"`{name}`" for name in parent.fields if name not in (todo.fields or ())]
        assert not lost, f"Your `fields` has no {', '.join(lost)}. {OTHER_FIELDS}"
        fields = fields_of(todo)
        if "priority" not in fields:
            raise Differs(
                Words(f"the fields {', '.join(fields)}"), Words("also priority"), NO_FIELD
            )
        field = fields["priority"]
        enum = field.get("enum") if isinstance(field, Mapping) else None
        if not isinstance(enum, list | tuple) or sorted(map(str, enum)) != sorted(LEVELS):
            raise Differs(field, Words(f'a schema with "enum": {LEVELS}'), NO_ENUM)
        same_fields(fields, fields_of(parent()))


def same_fields(got: dict[str, Any], expected: dict[str, Any]) -> None:
    """Raise Differs if a field of the parent is another one, or if there are more.

    Further keywords, such as a description, are allowed.
    """
    for name, schema in expected.items():
        found = got.get(name)
        is_kept = found == schema
        if isinstance(found, dict) and isinstance(schema, dict):
            is_kept = schema.items() <= found.items()
        if not is_kept:
            note = f"The field `{name}` is not the one of MyTodo. {OTHER_FIELDS}"
            raise Differs(found, schema, note)
    more = [name for name in got if name not in expected and name != "priority"]
    if more:
        note = f"Your `fields` also has `{more[0]}`. {OTHER_FIELDS}"
        raise Differs(Words(f"the fields {', '.join(got)}"), Words(f"no {more[0]}"), note)


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

    A nag can name the most important task only if the list stores the priorities.

    In `update`, `item.get("priority", "medium")` returns medium if there is none. Give copies of
    the items to the parent's `update`, and return what it returns."""
    todo = PriorityTodo()
    with telling([tell([NO_ITEM]), tell([NO_STATUS])]):
        assert calls_parent(todo), NO_SUPER
    sent = [dict(DOCS), dict(LOGIN), TESTS | {"priority": "medium"}]
    with telling([tell(sent)]):
        shown = accept(todo, sent, ALLOWED)
        assert todo.items, NO_SUPER
        note = DROPPED if len(todo.items) < len(sent) else ORDER
        same([*priorities(todo)], ["Write the docs", "Fix the login", "Add tests"], note)
        same([*priorities(todo).values()], ["low", "high", "medium"], NOT_KEPT)
        if not isinstance(shown, str):
            raise Differs(Words(show(shown)), Words("the list as text"), RENDERED)
    for first, level in ((DOCS, "low"), (LOGIN, "high")):
        todo, sent = PriorityTodo(), [dict(first), dict(TESTS)]
        with telling([tell(sent)]):
            accept(todo, sent, NEEDS_ONE)
            note = find_misspelled(PriorityTodo) or LEFT_OUT
            same([*priorities(todo).values()], [level, "medium"], note)
    todo, sent = PriorityTodo(), [DOCS | {"id": "1"}, dict(LOGIN)]
    again = [{name: item[name] for name in item if name != "priority"} for item in sent]
    with telling([tell(sent), f"todo.update({show(again)})"]):
        accept(todo, sent, ALLOWED)
        accept(todo, again, NEEDS_ONE)
        same([*priorities(todo).values()], ["medium", "medium"], REMEMBERED)


def tell(items: Any) -> str:
    """Return the call that sends these items, as a learner reads it."""
    return f"todo = PriorityTodo()\ntodo.update({show(items)})"


def calls_parent(todo: Any) -> bool:
    """Return whether an illegal item reaches the parent's `update`, which rejects it."""
    for item in NO_ITEM, NO_STATUS:
        problem = error_of(todo, [dict(item)])
        frames = traceback.extract_tb(problem.__traceback__) if problem else []
        # Without that, the item is rendered, which fails, because it has no id.
        if problem and "render" not in [one.name for one in frames]:
            return True
    return False


def accept(todo: Any, items: list[Any], rejected: str) -> Any:
    """Send a legal list by the name of the argument, and return what `update` returns.

    `rejected` says why a line of the learner's may raise a ValueError.
    """
    before = todo.items
    try:
        return todo.update(items=items)
    except Exception as problem:
        note = find_hidden(type(todo))
        if isinstance(problem, KeyError) and todo.items is not before:
            note = STORED_FIRST
        if isinstance(problem, ValueError):
            last = traceback.extract_tb(problem.__traceback__)[-1]
            parents = NO_ENUM if "priority" in str(problem) else AS_BEFORE
            note = note or (rejected if last.filename in cells_of(type(todo)) else parents)
        problem.note = note  # type: ignore[attr-defined]
        raise


def find_hidden(kind: type) -> str:
    """Return a sentence about a method that has the name of one of the parent's, or ""."""
    for name in read_members(kind).keys() - {"fields", "update", "tool", "line", "render"}:
        if name in dir(parent_of(kind)) and not name.startswith("__"):
            return f"Your `{name}` hides the one of the list that you extend: give it another name."
    return ""


@rule
def rejects(PriorityTodo):
    """Any other value is rejected: an error names it and the three words, and the old list stays.

    The loop sends your message to the model, which can then correct its list.

    Look at every item, and raise a ValueError. Call `super().update(…)` only after all items have
    passed."""
    todo = PriorityTodo()
    old = [dict(DOCS), dict(LOGIN)]
    todo.update(old)
    before = deepcopy(todo.items)
    for value in UNKNOWN:
        is_lost = loses(todo, value)
        lists = with_priority(value)
        for items in [*lists, *with_status(value)]:
            with telling([tell(old), f"todo.update({show(items)})"]):
                if is_lost and error_of(todo, deepcopy(items)) is None:
                    todo.update(old)  # the class may look only at what its parent has stored
                    continue
                check_rejected(todo, value, items, lists)
                same_items(todo.items, before, REJECTED)
    # These may also be mended.
    for value, level in (("HIGH", "high"), (" high\n", "high"), (None, "medium")):
        items = with_priority(value)[0]
        with telling([tell(items)]):
            if is_accepted(todo, items):
                note = f"The priority was {value!r}: reject it, or store {level!r}."
                same(todo.items[-1].get("priority"), level, note)


def with_priority(value: Any) -> list[list[Any]]:
    """Return lists with a task that has this priority: at the end, first, between, and as 20th."""
    wrong, first, second = DOCS | {"priority": value}, dict(TESTS), dict(LOGIN)
    short = [[first, second, wrong], [wrong, first, second], [first, wrong, second]]
    return [*short, [*OPEN[:19], wrong]]


def with_status(value: Any) -> list[list[Any]]:
    """Return a list for each status of a task that has this priority."""
    wrong = DOCS | {"priority": value}
    return [
        [dict(TESTS), wrong | {"status": one}] for one in ("pending", "in_progress", "completed")
    ]


def loses(todo: Any, value: Any) -> bool:
    """Return whether the parent alone stores medium or nothing for a value.

    The package's list does so with null.
    """
    bare = type("PriorityTodo", (parent_of(type(todo)),), {"fields": todo.fields})()
    items = [FIX | {"priority": value}]
    return is_accepted(bare, items) and bare.items[0].get("priority", "medium") == "medium"


def check_rejected(todo: Any, value: Any, items: list[Any], lists: list[list[Any]]) -> None:
    """Fail if a list with this priority is accepted, or if the error does not say what is wrong.

    `lists` has the same task at other places.
    """
    before = todo.items
    try:
        problem = reject(todo, items, ACCEPTED)
    except KeyError as error:
        if todo.items is not before:
            error.note = STORED_FIRST  # type: ignore[attr-defined]
        raise
    except Differs as differs:
        if differs.note == ACCEPTED:
            errors = [error_of(type(todo)(), one) for one in with_status(value)]
            if any(errors) and not all(errors):
                differs.note = ONE_STATUS
            elif any(error_of(type(todo)(), deepcopy(one)) for one in lists):
                differs.note = ONE_ITEM
            elif not value:
                differs.note = WAS_SENT
            elif value not in [item.get("priority") for item in todo.items]:
                differs.note = NOT_REJECTED
        if len(items) > 3:  # the list is cut where it is shown
            last = show(items[-1])
            differs.tried = (
                f"todo.update(items)\nThere are {len(items)} items. The last is:\n{last}"
            )
        raise
    named = [str(value).lower()] if isinstance(value, str | int) else []
    # The package's error is short, because the schema has the words.
    if is_raised_by_learner(problem):
        check_message(str(problem), [*named, *LEVELS], MESSAGE)


@rule
def as_in_the_parent(PriorityTodo):
    """Everything else is as in the list that it extends.

    You add one field. The other rules are still needed. Is something left over from an earlier
    list, or from another object?

    What is no list, and an item that is no dict, reaches the parent, which rejects it. If you
    wrote your own `line`, does it call the parent's?"""
    with telling(["todo = PriorityTodo()"]):
        parent = parent_of(PriorityTodo)
        same_as(parent, PriorityTodo, LISTS, AS_BEFORE, priority="medium")
        lists = [*NO_LISTS, *([FIX, item] for item in NO_ITEMS), ["x", TESTS]]
        same_as(parent, PriorityTodo, lists, AS_IT_IS, priority="medium")
    check_many(PriorityTodo, parent)


def check_many(kind: Any, parent: Any) -> None:
    """Fail if twenty tasks with the same priority are rejected, or stored with another one."""
    todo = kind()
    if not is_accepted(parent(), OPEN[:20]):
        return
    for level in LEVELS:
        with telling(["todo = PriorityTodo()", f"20 tasks are sent, and each is {level}."]):
            accept(todo, [task | {"priority": level} for task in OPEN[:20]], MANY)
            same([*priorities(todo).values()], [level] * 20, NOT_KEPT)


@rule
def changes_nothing_else(PriorityTodo):
    """It changes neither MyTodo nor the items that were sent.

    Which dict does your code change? All lists share the `fields` of MyTodo.

    `|` makes a new dict of two, and `{**item}` a copy of one."""
    for items in ([TESTS, DOCS], BIG, [TESTS, DOCS | {"priority": "urgent"}], [DOCS, "Fix"]):
        sent = deepcopy(items)
        with telling([f"items = {show(items)}", "PriorityTodo().update(items)", "items"]):
            error_of(PriorityTodo(), sent)  # if it is another error, another rule fails
            same_items(sent, items, SENT)


def same_as(parent: Any, kind: Any, lists: list[Any], note: str, **more: str) -> None:
    """Send these lists, one after the other, to a list and to its parent.

    Raise Differs if one is accepted, rejected, stored or shown in another way. Each item has
    `more` fields, which may also be in the parent's error.
    """
    todo, other = kind(), parent()
    for items in lists:
        try:
            answers = [answer(other, one) for one in add_fields(items, more)]
        except Exception:  # a parent that does not pass its own check
            continue
        with telling([f"todo.update({show(items)})"]):
            got = compare(todo, items, answers, note)
            expected = [{**item, **more} for item in other.items]
            no_new_field(todo.items, expected, note)
            same_items(todo.items, expected, note)
            if answers[0][0]:
                shown = todo.render()
                same(got, shown, RENDERED)
                words = re.findall(r"\w+", f"{answers[0][1]} {more}") if items else []
                lost = [word for word in words if word not in shown]
                if lost:
                    raise Differs(Words(shown), Words(f"a list that also has {lost[0]}"), RENDERED)


def no_new_field(items: list[Any], expected: list[Any], note: str) -> None:
    """Raise Differs if an item has a field that the expected one does not have."""
    for one, other in zip(items, expected, strict=False):
        for name in one:
            if name not in other:
                said = f"The items of the list also have the field `{name}`. {note}"
                raise Differs(one, other, said)


def compare(todo: Any, items: Any, answers: list[tuple[bool, str]], note: str) -> str:
    """Fail if a list does not answer like its parent, whose `answers` are given. Return its answer.

    What is no list of dicts may also be rejected with an error of the learner's own.
    """
    is_legal, shown = answers[0]
    try:
        got = answer(todo, items)
    except Exception as problem:
        said = "" if is_list_of_dicts(items) else note
        raise Differs(Words(show(Raised(problem))), Words(shown), said) from problem
    is_rejected = not is_legal and not got[0]
    has_other_error = got not in answers and not rejects_itself(todo, items)
    if is_legal != got[0] or (is_rejected and has_other_error):
        raise Differs(Words(str(got[1])), Words(shown), note)
    return got[1]


def rejects_itself(todo: Any, items: Any) -> bool:
    """Return whether a line of the learner's own class rejects what is no list of dicts."""
    if is_list_of_dicts(items):
        return False
    problem = error_of(todo, deepcopy(items))
    last = traceback.extract_tb(problem.__traceback__)[-1] if problem else None
    return bool(last and last.filename in cells_of(type(todo)))


def is_list_of_dicts(items: Any) -> bool:
    return isinstance(items, list) and all(isinstance(item, dict) for item in items)


def answer(todo: Any, items: Any) -> tuple[bool, str]:
    """Return whether a list accepts these items, and what it returns, or its error."""
    try:
        return True, todo.update(deepcopy(items))
    except ValueError as problem:
        return False, show(Raised(problem))


def add_fields(items: Any, more: dict[str, str]) -> list[Any]:
    """Return the items as they are, and with `more` fields at the end and at the beginning."""
    found = [items]
    if isinstance(items, list):
        found.append([{**one, **more} if isinstance(one, dict) else one for one in items])
        found.append([{**more, **one} if isinstance(one, dict) else one for one in items])
    return found
