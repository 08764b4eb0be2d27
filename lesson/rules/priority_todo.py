"""The rules of `PriorityTodo`: a field more in each item, and everything else as in its parent."""

import json
import re
import traceback
from copy import deepcopy
from random import Random
from typing import Any

from agentlib.schemas import compile_schema, plain
from agentlib.tools import call_tool

from .engine import rule, same
from .random_cases import compare

LEVELS = ["high", "medium", "low"]
THREE = [
    {"text": "Write the docs", "status": "completed", "priority": "low"},
    {"text": "Fix the login", "status": "in_progress", "priority": "high"},
    {"text": "Add tests", "status": "pending", "priority": "medium"},
]
# Lists that some parents accept and others reject, by a name for the feedback.
LISTS: dict[str, Any] = {
    "two tasks in progress": [{"text": t, "status": "in_progress"} for t in ("Fix", "Test")],
    "the status 'done'": [{"text": "Docs"}, {"text": "Fix", "status": "done"}],
    "a task without text": [{"text": "  ", "status": "pending"}],
    "a task with only a status": [{"status": "pending"}],
    "a string in place of a task": ["Fix"],
    "21 tasks": [{"text": f"Task {n}"} for n in range(21)],
    "20 tasks": [{"text": f"Task {n}"} for n in range(20)],
    "two tasks with equal text": [{"id": "1", "text": "Fix"}, {"id": "2", "text": "Fix"}],
    "None instead of a list": None,
    "an empty list": [],
    "text with whitespace": [{"text": " Fix ", "status": "completed"}],
    "three tasks": [
        {"id": "7", "text": "Docs"},
        {"text": "Test", "status": "in_progress", "activeForm": "Testing"},
        {"text": "Fix", "status": "completed"},
    ],
}
NEW_FIELDS = "write `fields = MyTodo.fields | {…}` in the body of the class."
RENDERED = (
    "`update` must return the list as text, which the model reads as the tool's result: return "
    "what `super().update(…)` returns."
)
NOT_KEPT = (
    "An item has lost its priority. TodoManager keeps only the fields that `fields` describes, so "
    + NEW_FIELDS
)
WRONG_LEVEL = (
    "The items have other priorities than the model has sent: store each word as it was sent."
)
LEFT_OUT = (
    'A priority that is left out must be stored as "medium", before `super().update(…)` gets the '
    'items: `{"priority": "medium", **item}` is a copy that has one.'
)
ACCEPTED = (
    "Your code accepts a word that is not one of the three. Compare the priority of each item with "
    'a list of the words, `if priority not in ["high", "medium", "low"]`: in a string, `in` also '
    "finds parts of words."
)
EVERY_ITEM = (
    "Your code looks at the first item only: look at every item before you accept the list."
)
BY_NAME = (
    "The message must name the word that was sent, or the field: the model reads it, and must know "
    'what to correct. `raise ValueError(f"invalid priority {priority!r}: …")`.'
)
ALLOWED = "The message does not say what is allowed: name high, medium and low in it."
CORRECTED = (
    "A word in capital letters was accepted, but not corrected: store it in small letters, or "
    "reject it like any other word."
)
REJECTED = (
    "The list that was rejected is stored, or a part of it: check every item first, and call "
    "`super().update(…)` after that. Nothing of a rejected list may be kept."
)
NO_FIELD = (
    "The tool's schema has no priority for the items, and the model knows only what the schema "
    "says: " + NEW_FIELDS
)
NO_ENUM = (
    "The field `priority` of the schema must have an `enum` with the three words, as the one of "
    '`status` has: `"priority": {"type": "string", "enum": ["high", "medium", "low"]}`.'
)
DEFAULT = "The `default` in the schema is another one than the list fills in: write medium there."
BY_TOOL = (
    "A list that the model sends with the tool does not arrive. The tool calls `update` with the "
    "field `items` of the call, by this name: `def update(self, items):`."
)
INVALID = "This is no JSON Schema, so the API would reject the tool. `status` is a valid example."
NOT_SHOWN = (
    "The line of a task does not show its priority as a word, or it shows another one. The "
    "parent's `line` shows each field that an item has. If you wrote your own: does it show the "
    "priority?"
)
SHARED = (
    "MyTodo has a priority now as well: your code changes the dict that all lists share, and that "
    "stays so until you restart the kernel. Make a new one: " + NEW_FIELDS
)
SENT = (
    "Your code changes the items that were sent. They are in the history of the run, which must "
    'stay as it was sent: make copies, `{**item, "priority": priority}`, and do not sort in place.'
)
ORDER = (
    "The order of the items has changed. It is the model's plan, and a priority says what matters "
    "most, not what is next: do not sort."
)
AS_BEFORE = (
    "All other rules are those of the parent: does your `update` give its items to "
    "`super().update(…)`, and return what that returns?"
)
SHOWN_BEFORE = (
    "Something that the parent shows is not shown any more. If you wrote your own `line` or "
    "`render`, begin with what `super().line(item)` or `super().render()` returns."
)
OWN_ITEMS = (
    "Two lists share their items. What is in the body of the class belongs to all: call "
    "`super().__init__()` in your `__init__`, and put `self.items` there."
)
RANDOM = (
    "Your code stores something else than was sent. Only the priority of an item decides: it is "
    "kept, or medium if it is left out, or the list is rejected. No earlier list matters, and "
    "texts are compared and stored exactly."
)
FIELDS_NONE = "Your `fields` is None, because `update` of a dict returns nothing: " + NEW_FIELDS
FIELDS_LOST = "Your `fields` has no text and no status any more: " + NEW_FIELDS
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
    (
        "^KeyError: 'id'$",
        "An item has no id. The parent fills it in: give the items to `super().update(…)`, and do "
        "not set `self.items`. In the items that were sent, it may be left out: `item.get(…)`.",
    ),
    ("^KeyError: '(text|status)'$", "A model may leave this field out: use `item.get(…)`."),
    ("^KeyError: 'priority'$", 'A priority may be left out: use `item.get("priority", "medium")`.'),
    (
        "^(KeyError|TypeError|AssertionError|RuntimeError|Exception): .*(urgent|soon|hig)",
        "Another word must lead to a ValueError with a message, as with each rule of the list: "
        "test `if priority not in …`, and `raise ValueError(…)`.",
    ),
    (
        "^KeyError: '(login|it)'|format string|Replacement index|bad escape",
        "A text was read as a pattern: `format`, `%` and `re.sub` give braces, percent signs and "
        "backslashes a meaning. A text is stored as it was sent.",
    ),
    (
        "^ValueError",
        "This list is allowed, and it was rejected. What does your code give to the parent? Each "
        "copy must have all fields of its item: `{**item, …}`.",
    ),
    (
        "^AttributeError.*'fields'|'super' object has no attribute",
        "Your class extends no todo list: write `class PriorityTodo(MyTodo):`, and run the cell of "
        "MyTodo before.",
    ),
    (
        "^TypeError: unhashable",
        "A model may send anything as a priority: compare it with a list, which needs no hash.",
    ),
    ("not JSON serializable|JSON Schema", INVALID),
    (
        "unsupported operand|argument of type|cannot unpack|'NoneType' object has no attribute",
        "A value in this line is of another kind than the line needs: `fields` is a dict of dicts, "
        "`items` a list of dicts, and a priority a string.",
    ),
    *OF_A_LIST,
)


def parent_of(kind: type) -> type:
    """Return the list that a class extends: the nearest of its bases that works by itself."""
    for base in kind.__mro__[1:]:
        try:
            base().update([{"text": "Docs"}])
        except Exception:  # a helper class, or one that is not finished
            continue
        return base
    raise AssertionError(
        "Your class extends no todo list: write `class PriorityTodo(MyTodo):`, and run the cell of "
        "MyTodo before."
    )


def tool_of(todo: Any) -> Any:
    """Return the tool of a list, or None if its parent has none yet: that is another exercise."""
    try:
        return todo.tool()
    except (AttributeError, NotImplementedError):
        try:
            parent_of(type(todo))().tool()
        except (AttributeError, NotImplementedError):
            return None
        raise


def fields_of(todo: Any) -> Any:
    """Return the schemas of an item's fields, as the model reads them."""
    tool = tool_of(todo)
    if tool is None:
        return todo.fields
    return tool.input_schema["properties"]["items"]["items"]["properties"]


def send_by_tool(todo: Any, items: list[dict[str, str]]) -> str:
    """Return what the model reads after it has sent these items."""
    tool = tool_of(todo)
    if tool is None:
        return str(todo.update(items))
    return call_tool({tool.name: tool}, tool.name, {"items": items}).output


def rejection(todo: Any, items: list[dict[str, str]]) -> str:
    """Return the message of the ValueError with which a list rejects these items, or ""."""
    try:
        todo.update(items)
    except ValueError as error:
        places = [place for place, _ in traceback.walk_tb(error.__traceback__)]
        # The package rejects what `fields` does not allow, in its own words.
        is_package = places[-1].f_globals["__name__"].startswith("agentlib.")
        return f"{error} (high, medium or low)" if is_package else f"ValueError: {error}"
    return ""


@rule
def still_a_list(PriorityTodo):
    """A list without priorities is accepted, and `update` returns it as text.

    Does every branch of your code return the list, and raise no exception?

    `fields` must still have everything that `MyTodo.fields` has. `update` returns what the
    parent's `update` returns."""
    todo = PriorityTodo()
    assert todo.fields is not None, FIELDS_NONE
    assert {"text", "status"} <= {*todo.fields}, FIELDS_LOST
    shown = todo.update([{"id": "1", "text": "Add tests", "status": "pending"}])
    assert isinstance(shown, str) and "Add tests" in shown, RENDERED
    same([item["text"] for item in todo.items], ["Add tests"], AS_BEFORE)


@rule
def kept(PriorityTodo):
    """An item keeps the priority that the model gave it: high, medium or low.

    A nag can name the most important task only if the list stores the priorities.

    In the class body: `fields = MyTodo.fields | {…}`, with a `priority` that has an enum."""
    todo = PriorityTodo()
    todo.update(deepcopy(THREE))
    kept = {item["text"]: item.get("priority") for item in todo.items}
    same(
        kept,
        {"Write the docs": "low", "Fix the login": "high", "Add tests": "medium"},
        NOT_KEPT if None in kept.values() else WRONG_LEVEL,
    )


@rule
def left_out(PriorityTodo):
    """A priority that is left out is medium.

    Models leave out optional fields, and every task needs a priority.

    `item.get("priority", "medium")` returns medium if there is none."""
    todo = PriorityTodo()
    todo.update([{"text": "Add tests", "priority": "high"}, {"text": "Write the docs"}])
    kept = {item["text"]: item.get("priority") for item in todo.items}
    same(kept, {"Add tests": "high", "Write the docs": "medium"}, LEFT_OUT)


@rule
def rejects(PriorityTodo):
    """It rejects any other word with a ValueError that names the word, and what is allowed.

    The loop sends your message to the model, which can then correct its list.

    What happens to a word that is not among the three? Look at every item, and raise a ValueError.
    """
    said = rejection(PriorityTodo(), [{"text": "Fix the login", "priority": "urgent"}])
    assert said, ACCEPTED
    assert "urgent" in said or "priority" in said.lower(), BY_NAME
    assert all(level in said for level in LEVELS), ALLOWED
    assert rejection(PriorityTodo(), [{"text": "Add tests", "priority": "hig"}]), ACCEPTED
    assert rejection(PriorityTodo(), [{"text": "Add tests", "priority": "high medium"}]), ACCEPTED
    todo = PriorityTodo()
    assert rejection(todo, [*deepcopy(THREE), {"text": "Ship it", "priority": "soon"}]), EVERY_ITEM


@rule
def capitals(PriorityTodo):
    """A word in capital letters is corrected or rejected, never stored as it is.

    Your nag and the reader of the list know three words. Which ones can be in the items?"""
    todo = PriorityTodo()
    try:
        todo.update([{"text": "Fix the login", "priority": "HIGH"}])
    except ValueError:
        same(todo.items, [], REJECTED)
    else:
        same([item["priority"] for item in todo.items], ["high"], CORRECTED)


@rule
def unchanged(PriorityTodo):
    """A rejected update leaves the list unchanged, whatever the reason.

    When does your code change the list: before or after all items are checked?

    Check every item first, and call `super().update(…)` only after all of them have passed."""
    todo = PriorityTodo()
    todo.update(deepcopy(THREE))
    before = deepcopy(todo.items), todo.render()
    docs = {"text": "Write more docs", "status": "pending", "priority": "low"}
    assert rejection(todo, [docs, {"text": "Ship it", "priority": "urgent"}]), EVERY_ITEM
    same((todo.items, todo.render()), before, REJECTED)
    assert rejection(todo, [docs, {"text": "Ship it", "status": "done"}]), AS_BEFORE
    same((todo.items, todo.render()), before, REJECTED)


@rule
def order(PriorityTodo):
    """The items stay in the order in which the model sent them.

    The order is the plan. A priority says what matters most, not what is next.

    Do not sort, neither the list itself nor the lines that show it."""
    todo = PriorityTodo()
    for items in (THREE, THREE[::-1]):
        lines = todo.update(deepcopy(items)).splitlines()
        texts = [item["text"] for item in items]
        same([item["text"] for item in todo.items], texts, ORDER)
        same([text for line in lines for text in texts if text in line], texts, ORDER)


@rule
def schema(PriorityTodo):
    """The schema of the tool names the three levels.

    The schema is all that the model knows about your field: it lists the valid words.

    How does `status` define the allowed words? A priority can do the same."""
    fields = fields_of(PriorityTodo())
    assert "priority" in fields, NO_FIELD
    enum = fields["priority"].get("enum")
    assert isinstance(enum, list | tuple) and sorted(enum) == sorted(LEVELS), NO_ENUM
    assert fields["priority"].get("default", "medium") == "medium", DEFAULT
    compile_schema(json.dumps(plain({"type": "object", "properties": fields})))
    todo = PriorityTodo()
    same(send_by_tool(todo, deepcopy(THREE)), todo.render(), BY_TOOL)
    assert todo.items, BY_TOOL


@rule
def shown(PriorityTodo):
    """The line of each task shows its priority as a word, and all that the parent shows.

    The model and you read the list as text. What it does not show can be forgotten.

    The parent's `line` shows the fields that you add. If you wrote your own, does it as well?"""
    todo = PriorityTodo()
    lines = todo.update(deepcopy(THREE)).splitlines()
    words = [[w for w in re.findall("[a-z]+", line.lower()) if w in LEVELS] for line in lines[:3]]
    same(words, [["low"], ["high"], ["medium"]], NOT_SHOWN)
    item = {"id": "88", "text": "Add", "status": "in_progress", "activeForm": "Adding tests"}
    before, now = parent_of(PriorityTodo)().update([item]), todo.update([item])
    same([word for word in before.split() if word not in now], [], SHOWN_BEFORE)


@rule
def changes_nothing_else(PriorityTodo):
    """It changes neither MyTodo nor the items that were sent.

    Which dict does your code change? All lists share the `fields` of MyTodo.

    `|` makes a new dict of two, and `{**item}` a copy of one."""
    todo = PriorityTodo()
    parents = PriorityTodo.__mro__[1:]
    changed = [one.__name__ for one in parents if "priority" in getattr(one, "fields", ())]
    same(changed, [], SHARED)
    sent = [{"text": "Write the docs"}, {"text": "Add tests", "priority": "high"}]
    todo.update(sent)
    same(sent, [{"text": "Write the docs"}, {"text": "Add tests", "priority": "high"}], SENT)


@rule
def as_in_the_parent(PriorityTodo):
    """Everything else is the same as in the list that it extends.

    You add one field. The other rules are still needed.

    If you wrote your own `update` or `check`, does it call the parent's method?"""
    same(find_differences(PriorityTodo, parent_of(PriorityTodo)), [], AS_BEFORE)
    one, other = PriorityTodo(), PriorityTodo()
    one.update([{"text": "Add tests"}])
    same(other.items, [], OWN_ITEMS)


def find_differences(kind: Any, parent: Any) -> list[str]:
    """Return what a list class does differently from its parent, one sentence each.

    Further fields of the items are allowed. A rejected list must leave the old one unchanged.
    """
    found = []
    for name, items in LISTS.items():
        (wanted, old), (answer, new) = send(parent, items), send(kind, items)
        if answer != wanted:
            found.append(f"With {name}, it {answer}. {parent.__name__} {wanted}.")
        elif new != old:
            found.append(f"With {name}, its items are not those of {parent.__name__}.")
    return found


def send(kind: Any, items: Any) -> tuple[str, list[Any]]:
    """Send a new list these items. Return what it does, and the fields of its items."""
    todo = kind()
    todo.update([{"text": "Docs", "status": "completed"}])
    try:
        todo.update(deepcopy(items))
        answer = "accepts the list"
    except Exception:  # the model reads any exception as an error of its call
        answer = "rejects the list"
    names = ("id", "text", "status", "activeForm")
    return answer, [[item.get(name) for name in names] for item in todo.items]


@rule
def as_the_solution(PriorityTodo):
    """It stores and rejects the same lists as the solution, in 200 random cases.

    Is something left over from an earlier list, or from another object? Which word, item or text
    of the case is unlike those of the rules above?"""
    solution = extend(parent_of(PriorityTodo))
    compare(PriorityTodo, solution, draw, play, RANDOM, tell=tell)


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
    *("0", "high", "Rename 'shop'", "100% of it", "Ship it\u2026", " Docs ", "Build" * 60),
)
WORDS = ("urgent", "hig", "highest", "high medium", "none", "0", "high,low")


def draw(random: Random, size: int) -> list[list[dict[str, str]]]:
    """Return up to three lists that a model sends, one after the other, with up to `size` items."""
    texts = random.sample(TEXTS, size + 1)
    return [draw_list(random, size, texts) for _ in range(random.randint(1, 3))]


def draw_list(random: Random, size: int, texts: list[str]) -> list[dict[str, str]]:
    """Return a list that only its priorities, and rarely its statuses, can make invalid."""
    items = []
    current = random.randrange(-1, size)
    for number, text in enumerate(random.sample(texts, random.randint(0, size))):
        status = "in_progress" if number == current else random.choice(("pending", "completed"))
        item = {"text": text, "status": status}
        if random.random() < 0.2:
            item["id"] = f"{number + 1}"
        if random.random() < 0.2:
            item["activeForm"] = "Doing {it}"
        if random.random() < 0.7:
            item["priority"] = random.choice(LEVELS)
        items.append(item)
    if items and random.random() < 0.2:
        items[random.randrange(len(items))]["priority"] = random.choice(WORDS)
    if items and random.random() < 0.1:
        items[-1]["status"] = "done"
    return items


def tell(case: list[list[dict[str, str]]]) -> str:
    """Return a case as the learner reads it."""
    return "\n".join(["todo = PriorityTodo()", *(f"todo.update({items!r})" for items in case)])


def play(kind: Any, case: list[list[dict[str, str]]]) -> list[str]:
    """Return what each update does, and the items that it leaves, for the first of two lists."""
    todo, other = kind(), kind()
    found = []
    for items in case:
        sent = deepcopy(items)
        for one in (todo, other):
            try:
                one.update(sent)
                answer = "accepted"
            except ValueError:
                answer = "rejected"
        if sent != items:
            answer += ", and the items that were sent have changed"
        names = ("text", "status", "priority", "activeForm")
        kept = ["/".join(str(item[n]) for n in names if n in item) for item in todo.items]
        found.append(f"{answer}: {'; '.join(kept)}")
    return found
