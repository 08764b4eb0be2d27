"""The rules of `PriorityTodo`: a field more in each item, and everything else as in its parent."""

import traceback
from copy import deepcopy
from random import Random
from typing import Any

from .engine import rule, same
from .random_cases import compare

LEVELS = ["high", "medium", "low"]
DOCS = {"text": "Write the docs", "status": "completed", "priority": "low"}
LOGIN = {"text": "Fix the login", "status": "in_progress", "priority": "high"}
TESTS = {"text": "Add tests", "status": "pending"}
NEW_FIELDS = "write `fields = MyTodo.fields | {…}` in the body of the class."
FIELDS_LOST = "Your `fields` has no text and no status any more: " + NEW_FIELDS
SHARED = (
    "MyTodo has a priority now as well: your code changes the dict that all lists share, and that "
    "stays so until you restart the kernel. Make a new one: " + NEW_FIELDS
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
    "Each item keeps the priority that was sent. TodoManager keeps only the fields that `fields` "
    "describes, so " + NEW_FIELDS
)
ORDER = "Do not sort, and drop nothing: the order of the tasks is the model's plan."
LEFT_OUT = (
    'A priority that is left out must be stored as "medium", before `super().update(…)` gets the '
    'items: `{"priority": "medium", **item}` is a copy that has one.'
)
ACCEPTED = (
    "Your code accepts a word that is not one of the three. Compare the priority of each item with "
    'a list of the words, `if priority not in ["high", "medium", "low"]`: in a string, `in` also '
    "finds parts of words."
)
MESSAGE = (
    "The error's message must name the word that was sent and the three that are allowed, because "
    'the model reads it: `raise ValueError(f"invalid priority {priority!r}: use high, …")`.'
)
REJECTED = (
    "The list that was rejected is stored, or a part of it: check every item first, and call "
    "`super().update(…)` after that."
)
NO_ENUM = (
    "The model knows only what the schema says. It needs the field `priority`, with an `enum` as "
    '`status` has: `"priority": {"type": "string", "enum": ["high", "medium", "low"]}`.'
)
NO_LIST = (
    "Your class extends no todo list: write the name of one after the name of your class, as in "
    "`class PriorityTodo(MyTodo):`, and run the cell of that list before."
)
AS_BEFORE = (
    "Only the priority of an item is new. Does your `update` give all items to "
    "`super().update(…)`, with all their fields and their exact texts, and return what that "
    "returns? No earlier list and no other object matters."
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
    ("mappingproxy", "`fields` cannot be changed, because all lists share it: " + NEW_FIELDS),
    ("JSON Schema|no attribute 'enum'", NO_ENUM),
    ("^KeyError: 'priority'$", 'A priority may be left out: use `item.get("priority", "medium")`.'),
    (r"^KeyError: '[\w ]*urgent|^(Type|Assertion|Runtime)Error.*urgent", MESSAGE),
    ("^(KeyError: 'login|ValueError)", AS_BEFORE),
    *OF_A_LIST,
)


def parent_of(kind: type, method: str = "update", said: str = NO_LIST) -> Any:
    """Return the class that a learner's class extends. One with helpers may stand before it."""
    found = [base for base in kind.__bases__ if method in dir(base)]
    assert found, said
    return found[-1]


def check_parent(kind: type) -> None:
    """Fail if a class has changed the fields of its parent."""
    if "priority" in parent_of(kind).fields:
        problem = AssertionError(SHARED)
        problem.is_written = True  # type: ignore[attr-defined]  # by a line in the class body
        raise problem


def rejection(todo: Any, *items: dict[str, str]) -> str:
    """Return the message of the ValueError with which a list rejects these items, or ""."""
    try:
        todo.update(list(deepcopy(items)))
    except ValueError as error:
        place, _ = [*traceback.walk_tb(error.__traceback__)][-1]
        # The package rejects what is not in the enum, and the model has read the enum.
        is_package = place.f_globals["__name__"].startswith("agentlib.")
        return f"{error} (high, medium, low)" if is_package else f"ValueError: {error}"
    return ""


def priorities(todo: Any) -> dict[str, Any]:
    """Return the priority of each item by its text, in the order of the list."""
    return {item["text"]: item.get("priority") for item in todo.items}


@rule
def fills_in(PriorityTodo):
    """Each item keeps its priority and its place, and a priority that is left out is medium.

    A nag can name the most important task only if the list stores the priorities.

    In the class body: `fields = MyTodo.fields | {…}`. In `update`, `item.get("priority",
    "medium")` returns medium if there is none. Return what the parent's `update` returns."""
    check_parent(PriorityTodo)
    todo = PriorityTodo()
    assert {"text", "status"} <= {*(todo.fields or ())}, FIELDS_LOST
    shown = todo.update(items=[dict(DOCS), dict(LOGIN)])
    same([*priorities(todo)], ["Write the docs", "Fix the login"], ORDER)
    same([*priorities(todo).values()], ["low", "high"], NOT_KEPT)
    assert isinstance(shown, str), RENDERED
    todo.update([dict(TESTS), dict(DOCS)])
    same([*priorities(todo).values()], ["medium", "low"], LEFT_OUT)


@rule
def rejects(PriorityTodo):
    """Any other word is rejected: an error names it and the three words, and the old list stays.

    The loop sends your message to the model, which can then correct its list.

    Look at every item, and raise a ValueError. Call `super().update(…)` only after all items have
    passed."""
    todo = PriorityTodo()
    todo.update([dict(DOCS), dict(LOGIN)])
    before = deepcopy(todo.items)
    said = rejection(todo, TESTS | {"priority": "urgent"})
    assert said, ACCEPTED
    assert all(word in said for word in ["urgent", *LEVELS]), MESSAGE
    for word in ("hig", "high medium"):
        assert rejection(todo, TESTS, DOCS | {"priority": word}), ACCEPTED
    same(todo.items, before, REJECTED)


@rule
def schema(PriorityTodo):
    """The schema of the tool names the three levels.

    The schema is all that the model knows about your field: it lists the valid words.

    How does `status` define the allowed words? A priority can do the same."""
    fields = fields_of(PriorityTodo())
    enum = fields.get("priority", {}).get("enum")
    assert isinstance(enum, list | tuple) and sorted(enum) == sorted(LEVELS), NO_ENUM


def fields_of(todo: Any) -> dict[str, Any]:
    """Return the schemas of an item's fields, as the model reads them.

    A list whose parent has no `tool` yet, which is another exercise, gets one from its `fields`.
    """
    try:
        return todo.tool().input_schema["properties"]["items"]["items"]["properties"]
    except (AttributeError, NotImplementedError):
        return todo.fields


@rule
def shows(PriorityTodo):
    """The line of each task shows its priority, and all that the parent shows.

    The model and you read the list as text. What it does not show can be forgotten.

    The parent's `line` shows the fields that you add. If you wrote your own, does it as well?"""
    todo, parent = PriorityTodo(), parent_of(PriorityTodo)()
    items = [{**TESTS, "id": "88"}, {**LOGIN, "activeForm": "Fixing it"}]
    before = parent.update([{**item, "priority": ""} for item in items])
    lines = todo.update(deepcopy(items)).lower().splitlines()
    same(["medium" in lines[0], "high" in lines[1]], [True, True], RENDERED)
    same([word for word in before.lower().split() if word not in "\n".join(lines)], [], RENDERED)


@rule
def changes_nothing_else(PriorityTodo):
    """It changes neither MyTodo nor the items that were sent.

    Which dict does your code change? All lists share the `fields` of MyTodo.

    `|` makes a new dict of two, and `{**item}` a copy of one."""
    sent = [dict(TESTS), dict(DOCS)]
    PriorityTodo().update(sent)
    same(sent, [TESTS, DOCS], SENT)
    check_parent(PriorityTodo)


@rule
def as_in_the_parent(PriorityTodo):
    """Everything else is as in the list that it extends, in 200 random cases.

    You add one field. The other rules are still needed. Is something left over from an earlier
    list, or from another object?

    If you wrote your own `update` or `check`, does it call the parent's method?"""
    solution = extend(parent_of(PriorityTodo))
    compare(PriorityTodo, solution, draw, play, AS_BEFORE, tell=tell)


def extend(MyTodo: Any) -> Any:
    """Return the solution on this base."""

    class PriorityTodo(MyTodo):  # type: ignore[misc]
        fields = MyTodo.fields | {"priority": {"type": "string", "enum": LEVELS}}

        def update(self, items: Any) -> str:
            for item in items:
                if item.get("priority", "medium") not in LEVELS:
                    raise ValueError(f"invalid priority {item['priority']!r}")
            return super().update([{"priority": "medium", **item} for item in items])

    return PriorityTodo


TEXTS = (
    *("Add tests", "add tests", "Fix the {login}", "Write <b>docs</b> & more", "Use C:\\new\\1"),
    *("0", "high", "Rename 'shop'", "100% of it", "", " Docs ", "Build" * 60),
)


def draw(random: Random, size: int) -> list[list[dict[str, str]]]:
    """Return up to three lists that a model sends, one after the other, with up to `size` items."""
    lists = [draw_list(random, random.randint(0, size)) for _ in range(random.randint(1, 3))]
    return lists if random.random() < 0.95 else [*lists, [{"text": f"Do {n}"} for n in range(21)]]


def draw_list(random: Random, size: int) -> list[dict[str, str]]:
    """Return a list of which some are invalid, by a word, a status or an empty text."""
    items = []
    for text in random.sample(TEXTS, size):
        items.append({"text": text, "status": random.choice(("pending", "completed"))})
        if random.random() < 0.7:
            items[-1]["priority"] = random.choice(LEVELS)
        if random.random() < 0.2:
            items[-1]["activeForm"] = "Doing {it}"
    for _ in range(random.choice((0, 0, 1, 2)) if items else 0):
        items[random.randrange(len(items))]["status"] = "in_progress"
    if items and random.random() < 0.2:
        field, word = random.choice((("status", "done"), ("priority", "none"), ("priority", "0")))
        random.choice(items)[field] = word
    return items


def tell(case: list[list[dict[str, str]]]) -> str:
    """Return a case as the learner reads it."""
    return "\n".join(["todo = PriorityTodo()", *(f"todo.update({items!r})" for items in case)])


def play(kind: Any, case: list[list[dict[str, str]]]) -> list[str]:
    """Return what each update does, and the items that it leaves, for the first of two lists."""
    todo, other = kind(), kind()
    found = []
    for items in case:
        try:
            todo.update(deepcopy(items))
            answer = "accepted"
        except ValueError:
            answer = "rejected"
        other.update([dict(DOCS)])
        names = ("text", "status", "priority", "activeForm")
        kept = ["/".join(str(item[n]) for n in names if n in item) for item in todo.items]
        found.append(f"{answer}: {'; '.join(kept)}")
    return found
