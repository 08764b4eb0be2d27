"""The rules of MyTodo: what its `update` accepts and stores, and the tool that a model calls.

The package's TodoManager passes all rules, and the last rule of `update` compares with it.
"""

import re
from copy import deepcopy
from random import Random
from typing import Any

from agentlib import TodoManager, Tool, call_tool
from agentlib.schemas import plain

from .engine import Differs, Words, rule, same
from .random_cases import compare

STATUSES = ["pending", "in_progress", "completed"]
FIX, DOCS = {"text": "Fix", "status": "pending"}, {"text": "Docs", "status": "pending"}
FIRST = {"id": "1", "text": "Read the code", "status": "in_progress"}

TOO_STRICT = (
    "Your code rejects this list, and no rule forbids it: a task may have no id, and one task or "
    "none may be in progress. Which of your conditions is too strict?"
)
NOT_THE_OLD = "A new list replaces the old one: assign one, `self.items = …`, in each update."
ONLY_THE_NEW = "Look only at the new items, not at `self.items`: the new list replaces the old one."
GIVEN = (
    "Keep the two given rules, above your own. `str(item.get('text') or '').strip()` is the text, "
    "and it is empty if there is none."
)
TIDY = "Use `strip()` and `lower()` on the status before you compare it, and store the result."
COPIES = (
    "Store copies of the items in a new list: `{**item, 'text': text, 'status': status}` makes one "
    "with all fields. What was sent is in the history of the run, and stays as it is."
)
PARENTHESES = (
    "`run` is the function itself, which gets `items`: write `run=self.update`, without "
    "parentheses. With them, it is called as soon as the tool is made."
)

# (pattern of an exception, likely cause and what to do)
CAUSES = (
    (
        "'(NoneType|int)' object has no attribute '(strip|lower|casefold)'",
        "A model may also send null or a number, and `str(…)` makes a string of any value.",
    ),
    ("'str' object has no attribute 'get'|string indices", f"An item may be a string. {GIVEN}"),
    ("unhashable type: 'dict'", "A dict cannot be in a set: put its text into it."),
    ("^ValueError", TOO_STRICT),
    ("no attribute 'tool'", "Write the method `tool(self)` into MyTodo, indented like `update`."),
    (r"update\(\) missing|'str' object is not callable", PARENTHESES),
)


@rule
def rendered(MyTodo):
    """What is given still works: a list of tasks replaces the old one, and is returned rendered.

    The model reads the returned string as the tool's result: this is how it sees its plan.

    The last two lines of `update` are `self.items = …` and `return self.render()`."""
    todo, other = MyTodo(), MyTodo()
    accept(todo, [FIX])
    same(stored(other), [], f"All objects share one list. {NOT_THE_OLD}")
    got = accept(todo, [{"text": "Write docs"}, DOCS])
    same(stored(todo), ["Write docs", "Docs"], NOT_THE_OLD)
    same(
        got,
        todo.render(),
        "The last line is `return self.render()`, with `return` and with `()`. A model cannot read "
        "the list itself.",
    )
    done = accept(todo, [FIX | {"status": "completed"}])
    assert done != accept(todo, [FIX]), (
        "A line must show the status: leave the `render` of `Shown` as it is."
    )
    accept(todo, [], "An empty list is a list: look at its type, not at `if items`.")
    reject(todo, "Add tests", GIVEN)
    reject(todo, {}, GIVEN)
    for mistake in ("Add tests", {"id": "1"}, FIX | {"text": " "}, FIX | {"text": None}):
        reject(todo, [DOCS, mistake], GIVEN)


@rule
def a_status(MyTodo):
    """Rule 1: a status is pending, in_progress or completed, and pending if it is left out.

    Which three values are allowed? Capital letters and whitespace around them do not count.

    `str(item.get("status", "pending")).strip().lower()` is the status to compare and to store."""
    todo = MyTodo()
    accept(todo, [FIRST, DOCS, {"text": "Add tests"}])
    same(
        stored(todo, "status"),
        ["in_progress", "pending", "pending"],
        "A status that is left out is pending: store `item.get('status', 'pending')`.",
    )
    accept(todo, [FIX | {"status": " In_Progress\n"}, DOCS | {"status": "COMPLETED"}], TIDY)
    same(stored(todo, "status"), ["in_progress", "completed"], TIDY)
    unknown = "Your code accepts the status '{}'. Look it up: `self.fields['status']['enum']`."
    reject(todo, [FIX | {"status": "done"}], unknown.format("done"))
    part = "Compare the whole word: in a string, `in` finds a part of a word as well."
    reject(todo, [FIX | {"status": "progress"}], f"{unknown.format('progress')} {part}")


@rule
def one_at_a_time(MyTodo):
    """Rule 2: at most one task is in progress.

    How many items of the new list are in progress?

    Count them, and raise a ValueError if there are two or more."""
    todo = MyTodo()
    started = [one | {"status": "in_progress"} for one in (FIX, DOCS, {"text": "Add tests"})]
    accept(todo, started[:1], "One task in progress is allowed: reject `> 1`, not `>= 1`.")
    accept(todo, started[1:2], ONLY_THE_NEW)
    note = "Your code accepts two or more in progress: raise a ValueError if there are `> 1`."
    reject(todo, [started[0], {"text": "Release", "status": "completed"}, started[1]], note)
    reject(todo, started, note)
    as_stored = "Count the statuses as you store them, in lower case and without whitespace."
    reject(todo, [FIRST, FIX | {"status": "IN_PROGRESS"}], as_stored)


@rule
def at_most_twenty(MyTodo):
    """Rule 3: the list has at most 20 tasks.

    The model reads its plan in every todo result, so a long plan costs tokens each time.

    Compare `len(items)`: 20 items are allowed, and 21 are not."""
    many = [{"text": f"Step {n}", "status": "pending"} for n in range(30)]
    note = "Your code accepts this many: raise a ValueError if there are `> 20`, of any status."
    reject(MyTodo(), many[:21], note)
    reject(MyTodo(), many, note)
    accept(MyTodo(), many[:20], "20 items are allowed, and 21 are not: compare with `> 20`.")


@rule
def no_equal_texts(MyTodo):
    """Rule 4: no two tasks have the same text. Whitespace around a text is not stored.

    If one of two equal tasks is completed, the list does not show which one.

    Make a list of the stored texts: `len(set(texts)) < len(texts)` if two of them are equal."""
    todo = MyTodo()
    accept(todo, [FIX, DOCS])
    accept(todo, [FIX, DOCS], ONLY_THE_NEW)
    reject(todo, [FIX, DOCS, FIX], "Compare each text with all others of the list that is sent.")
    tidy = "Compare and store the texts without the whitespace around them, `{**item, 'text': …}`."
    pair = [FIX, {"text": " Fix\n", "status": "completed"}]
    reject(todo, pair, tidy)
    reject(todo, pair[::-1], tidy)
    texts = ["Fix", "fix", "Fix it", "the  README's.", "x" * 400]
    other = "Only equal texts are the same task: not a part of a text, and not other capitals."
    accept(todo, [{"text": f" {text}\n"} for text in texts], other)
    same([text.strip() for text in stored(todo)], texts, "Inside a text, nothing is changed.")
    same(stored(todo), texts, tidy)


@rule
def unchanged(MyTodo):
    """Rule 5: a list that is rejected changes nothing, and items are stored as copies.

    When does `self.items` change: before or after all items are checked? What do you store?

    Collect copies with all fields in a new list, and assign it below the last rule."""
    no_text, no_status = FIX | {"text": " "}, FIX | {"status": "done"}
    for mistake in ([no_text], [no_status], [FIRST, FIX | {"status": "in_progress"}], [FIX, FIX]):
        todo = MyTodo()
        accept(todo, [FIRST])
        reject(todo, [DOCS, *mistake], "A rule is not kept if another item is above this one.")
        same(
            stored(todo),
            ["Read the code"],
            "`self.items` changed before the error: check all rules above the line that does it.",
        )
    todo, sent = MyTodo(), [{"text": " Fix ", "status": "Completed"}, {"text": "Docs"}, dict(FIRST)]
    before = deepcopy(sent)
    todo.update(sent)
    same(sent, before, f"The items that were sent have changed. {COPIES}")
    sent[2]["text"] = "Something else"
    same(
        stored(todo),
        ["Fix", "Docs", "Read the code"],
        f"`self.items` has the very dicts that were sent. {COPIES}",
    )
    timed = with_minutes(MyTodo)
    accept(timed, [FIX | {"id": "7", "activeForm": "Fixing", "minutes": 0}])
    same(
        [stored(timed, name) for name in ("id", "activeForm", "minutes")],
        [["7"], ["Fixing"], [0]],
        "A field is lost. Begin each copy with all that was sent, `{**item, …}`: a list that "
        "extends yours has more fields, and 0 is also a value.",
    )


@rule
def like_the_package(MyTodo):
    """In random updates of two lists, it accepts, rejects and stores the same as TodoManager.

    Only what the rules above say is compared: text, status, and a field that a subclass adds."""
    note = (
        "Play these updates by hand. `first` and `second` are two objects of a class that extends "
        "yours with the field `minutes`, each has its own list, and a text can contain anything."
    )
    compare(MyTodo, TodoManager, draw_updates, play_updates, note, tell=tell_updates)


@rule(level="tool")
def a_tool(MyTodo):
    """Rule 1: `tool()` returns a Tool, whose name is todo.

    The program gives it to the agent loop, which calls its `run`.

    `return Tool(name="todo", description="…", input_schema={…}, run=self.update)`"""
    tool = MyTodo().tool()
    assert isinstance(tool, Tool), (
        "Is the `return` missing? A definition as a dict is not enough: "
        "`return Tool(name=…, description=…, input_schema=…, run=…)`."
    )
    same(tool.name, "todo", "The nag looks for a call with this name, and so does other code.")


@rule(level="tool")
def description(MyTodo):
    """Rule 2: the description says what the tool is for, and asks for the whole list each time.

    What does a model need to know that cannot see your code?

    "Write your plan and keep it up to date. Send the whole list each time."."""
    words = r"(?i)\b(whole|entire|full|complete|all|every|replac\w+)\b|[^\x00-\x7f]"
    assert re.search(words, str(MyTodo().tool().description)), (
        "The model has never seen your code. Say that it must send the whole list each time: it "
        "could otherwise send only what has changed."
    )


@rule(level="tool")
def schema(MyTodo):
    """Rule 3: the schema requires `items`, an array of objects with the properties `self.fields`.

    What does `update` take? The schema describes the same, and tells a model the three statuses.

    `item = {"type": "object", "properties": self.fields, "required": ["text"]}` describes an item,
    and `{"type": "array", "items": item}` the list."""
    outer = plain(MyTodo().tool().input_schema)
    item = read(outer, "properties", "items", "items")
    same(
        [read(outer, "type"), read(outer, "required"), read(outer, "properties", "items", "type")],
        ["object", ["items"], "array"],
        "These are the `type` and `required` of the schema, and the `type` of its property "
        "`items`. `required` is a list of names, beside `properties` and not inside them.",
    )
    same(
        (read(item, "type"), read(item, "properties")),
        ("object", plain(MyTodo.fields)),
        "An item is an object, and its properties are all of `self.fields`, with the `enum` of the "
        "status: without it, a model must guess the words.",
    )
    assert "text" in (read(item, "required") or []), (
        "`'required': ['text']` is beside the inner `properties`: without it, a model may leave "
        "the text out, and your rules reject its list."
    )
    longer = read(with_minutes(MyTodo).tool().input_schema, "properties", "items", "items")
    assert "minutes" in read(longer, "properties"), (
        "A list that extends yours has one more field, and its schema does not. Use `self.fields`, "
        "not a copy of it and not `MyTodo.fields`."
    )


@rule(level="tool")
def runs_update(MyTodo):
    """Rule 4: a call of the tool updates the list that made it, and returns it rendered.

    Which object's `update` does your tool call?

    `run=self.update`. An error is not caught: the agent loop sends it to the model."""
    todo = MyTodo()
    tools = {"todo": todo.tool()}
    call = call_tool(tools, "todo", {"items": [dict(FIX), dict(DOCS)]})
    same(call.ok or call.output, True, PARENTHESES)
    same(stored(todo), ["Fix", "Docs"], "The tool updates another list: `run=self.update`.")
    same(call.output, todo.render(), "`run` must return what `update` returns, for the model.")
    call = call_tool(tools, "todo", {"items": [dict(FIX), dict(FIX)]})
    same(call.ok, False, "Let the ValueError through: the agent loop sends it as an error.")


def accept(todo: Any, items: list[Any], note: str = TOO_STRICT) -> Any:
    """Send a legal list, and return what `update` returns. `note` says why it may be rejected."""
    try:
        return todo.update(deepcopy(items))  # a learner's code may change what is sent
    except ValueError as problem:
        problem.note = note  # type: ignore[attr-defined]
        raise


def reject(todo: Any, items: Any, note: str) -> None:
    """Send a list that breaks a rule. `note` says why it may be accepted."""
    try:
        got = todo.update(deepcopy(items))
    except ValueError as problem:
        generic = "data error illegal input invalid item items list none not the value wrong"
        words = re.findall(r"[^\W\d_]+", str(problem).lower())
        # Letters are counted, because not every script separates words by spaces.
        if len("".join(one for one in words if one not in generic.split())) >= 3:
            return
        got, note = problem, "The model reads this message: say which rule it is, and what to do."
    if isinstance(got, str):
        got = "\n".join(got.splitlines()[:4])
    raise Differs(got, Words("a ValueError whose message says what is wrong"), note)


def stored(todo: Any, name: str = "text") -> list[Any]:
    """Return one field of each item in the list; None if it is not there."""
    assert isinstance(todo.items, list) and all(isinstance(one, dict) for one in todo.items), (
        "Other code reads the plan from `self.items`: a list with one dict for each item."
    )
    return [item.get(name) for item in todo.items]


def with_minutes(part: Any) -> Any:
    """Return a list of a class that extends `part` with one more field."""
    return type("MyTodo", (part,), {"fields": part.fields | {"minutes": {"type": "integer"}}})()


def read(schema: Any, *names: str) -> Any:
    """Return what is at this place of a schema, or None."""
    for name in names:
        schema = schema.get(name) if isinstance(schema, dict) else None
    return schema


# The random updates: pairs of the list's name and the items that are sent to it.

TEXTS = ["Fix", "fix", " Fix ", "Docs\n", "Docs.", "Fix it", "Fix  it", "{name}", r"C:\new", "<b>"]
SENT = [*STATUSES, " completed", "Completed", "In_Progress", "progress", "completed!"]
FIELDS: list[Any] = [{}, {"minutes": 0}, {"minutes": 5}, *({"status": one} for one in SENT)]


def draw_updates(random: Random, size: int) -> list[tuple[str, list[Any]]]:
    """Return some updates of two lists. A few of them have about 20 items, or break a rule."""
    updates = []
    for _ in range(random.randint(1, 2 * size)):
        texts = random.sample(TEXTS, random.randint(0, 3))
        if random.random() < 0.1:
            texts = [f"Step {n}" for n in range(random.randint(19, 22))]
        fields = FIELDS if len(texts) < 4 else [{"status": "completed"}, {}]
        items: list[Any] = [{"text": text} | random.choice(fields) for text in texts]
        if random.random() < 0.1:
            items.append(random.choice([FIX, "Fix", {}, {"text": " "}]))
        updates.append((random.choice(["first", "second"]), items))
    return updates


def play_updates(part: Any, updates: list[tuple[str, list[Any]]]) -> Words:
    """Return what each update did, and what its list has after it: one line for each update."""
    lists = {name: with_minutes(part) for name in ("first", "second")}
    lines = []
    for name, items in updates:
        sent = deepcopy(items)
        try:
            lists[name].update(sent)
            did = "accepted"
        except ValueError:
            did = "rejected"
        fields = [stored(lists[name], field) for field in ("text", "status", "minutes")]
        change = "" if sent == items else ", and what was sent has changed"
        lines.append(f"{name}: {did}{change}. It has {tell([*zip(*fields, strict=True)])}.")
    return Words("\n".join(lines))


def tell(items: list[Any]) -> str:
    """Return a list as Python; of a long one, the first two items and how many there are."""
    return repr(items) if len(items) <= 8 else f"{items[:2]} and so on, {len(items)} items"


def tell_updates(updates: list[tuple[str, list[Any]]]) -> str:
    """Return the updates as Python."""
    return "\n".join(f"{name}.update({tell(items)})" for name, items in updates)
