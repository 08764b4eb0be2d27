"""The rules of MyTodo: what its `update` accepts and stores, and the tool that a model calls.

The package's TodoManager passes all rules, and the last rule of `update` compares with it.
"""

import re
from contextlib import redirect_stdout, suppress
from copy import deepcopy
from io import StringIO
from random import Random
from textwrap import shorten
from typing import Any

from agentlib import TodoManager, Tool, call_tool
from agentlib.schemas import plain

from .engine import Differs, Words, rule, same
from .random_cases import compare

STATUSES = ["pending", "in_progress", "completed"]
FIX, DOCS = {"text": "Fix", "status": "pending"}, {"text": "Docs", "status": "pending"}
FIRST = {"id": "1", "text": "Read the code", "status": "in_progress"}

NOT_THE_OLD = "The new list replaces all old items, also the one that was in progress."
ONLY_THE_NEW = "Look only at the new items, not at `self.items`: the new list replaces the old one."
LIST_OF_DICTS = "Other code reads the plan from `self.items`: a list with one dict for each item."
RETURN_TEXT = (
    "The last line is `return self.render()`, with `return` and with `()`, below the line that "
    "stores the new list. A model cannot read the list itself."
)
LEFT_OUT = "A status that is left out is pending: store `item.get('status', 'pending')`."
TIDY = "Use `strip()` and `lower()` on the status before you compare it, and store the result."
AS_SENT = "Apart from the whitespace around it, a text is stored as it was sent."
PARENTHESES = (
    "`run` is the function itself: write `run=self.update` without parentheses. With them, it is "
    "called as soon as the tool is made."
)

# (pattern of an exception, likely cause and what to do), for what a model may send and for `tool`
CAUSES = (
    (
        "^KeyError: '(id|activeForm)'",
        "A model may leave this field out, so `item[…]` fails: use `item.get(…)`, or copy the "
        "whole item with `{**item}`.",
    ),
    ("^KeyError: 'status'", f"A model may leave the status out. {LEFT_OUT}"),
    ("^KeyError: 'text'", "An item may have no text. Keep the given check of each item, first."),
    (
        "'(NoneType|int)' object has no attribute '(strip|lower|casefold)'",
        "A model may also send null or a number, and `str(…)` makes a string of any value.",
    ),
    (
        "'str' object has no attribute '(get|items|keys|copy)'|string indices must be integers|"
        "'str' object is not a mapping|operand.*'str' and 'dict'",
        "An item, or the whole list, may be a string. Keep the given checks with `isinstance`, "
        "before your own rules.",
    ),
    ("object is not iterable|has no len", "`items` may be None: look at its type first."),
    ("unhashable type: '(dict|list)'", "A dict cannot be in a set: put `item['text']` into it."),
    ("'set' object .*'append'|'list' object .*'add'", "A set has `add`, and a list `append`."),
    (
        "'builtin_function_or_method' object|descriptor '",
        "This is a method without its parentheses: `strip()`, `lower()`.",
    ),
    (
        "^NameError.*'(items|fields|render|self)'",
        "Each method has `self` as its first parameter, and reads the object's own attributes and "
        "methods with it: `self.render()`.",
    ),
    ("^NameError.*'MARKS'", "The words are in your `fields`: `self.fields['status']['enum']`."),
    (
        "^NameError.*'(Tool|Shown)'",
        "Import it in this cell: `from agentlib import Tool` and `from lesson import Shown`.",
    ),
    ("^RecursionError", "A method calls itself without end, such as `update` `self.update`."),
    ("changed size during iteration", "Do not change what you loop over: collect a new list."),
    (
        "object has no attribute '(update|render|items)'",
        "Is the method misspelled, or does the class not extend `Shown`? If you have written an "
        "`__init__`, it must call `super().__init__()`.",
    ),
    ("no attribute 'fields'", "Put `fields` back into the class: other lists extend it."),
    (
        "^ValueError",
        "Your code rejects this list, and no rule forbids it. Which of your conditions is too "
        "strict?",
    ),
    ("no attribute 'tool'", "Write the method `tool(self)` into MyTodo, indented like `update`."),
    (r"^TypeError: (\w+\.)?update\(\) missing|'str' object is not callable", PARENTHESES),
    (
        r"Tool.*(missing \d|unexpected keyword)|'input_schema'",
        "A Tool has four parts: `Tool(name=…, description=…, input_schema=…, run=…)`.",
    ),
    (
        "not JSON serializable",
        "The schema is sent as JSON: it has dicts, lists, strings and numbers, and no set, no "
        "type such as `str`, and no `.keys()`.",
    ),
)


@rule
def rendered(MyTodo):
    """A new list replaces the old one, and `update` returns it rendered.

    The model reads the returned string as the tool's result: this is how it sees its plan.

    The last two lines of `update` are `self.items = …` and `return self.render()`."""
    todo = MyTodo()
    must_accept(todo, [FIRST])
    got = must_accept(todo, [{"text": "Write docs", "status": "in_progress"}, FIX])
    same(sorted(stored(todo)), ["Fix", "Write docs"], NOT_THE_OLD)
    same(stored(todo), ["Write docs", "Fix"], "Keep the items in the order of the plan, as sent.")
    same(got, todo.render(), RETURN_TEXT)
    assert "Write docs" in got and "Read the code" not in got, NOT_THE_OLD
    assert len({must_accept(MyTodo(), [FIX | {"status": one}]) for one in STATUSES}) == 3, (
        "Does a line show the item's status? Without a mark, the user does not see what is done. "
        "The `render` of `Shown` has marks: leave it as it is."
    )
    one, other = MyTodo(), MyTodo()
    must_accept(one, [FIX])
    same(
        stored(other),
        [],
        "All objects share a list that is in the class body, or in a default argument. Assign a "
        "new list in `update`: `self.items = …`, not `self.items[:] = …` or `extend`.",
    )


@rule
def given_rules(MyTodo):
    """`items` must be a list, and each item a dict with a text that is not empty.

    These two rules are in the cell from the start. Are both still there, before your own?

    A model may send anything: a string, null, or a list of strings."""
    must_reject(MyTodo(), "Add tests")
    must_reject(MyTodo(), {"1": FIX})
    must_reject(MyTodo(), {})
    must_reject(MyTodo(), None)
    must_reject(MyTodo(), [FIX, "Add tests"])
    must_reject(MyTodo(), [FIX, {"id": "1"}])
    must_reject(MyTodo(), [FIX, {"text": " ", "status": "pending"}])
    must_reject(MyTodo(), [FIX, {"text": None, "status": "pending"}])
    todo = MyTodo()
    must_accept(todo, [FIRST])
    must_accept(todo, [])
    same(stored(todo), [], NOT_THE_OLD)


@rule
def a_status(MyTodo):
    """A status is pending, in_progress or completed, and pending if it is left out.

    Which three values are allowed? Capital letters and whitespace around them do not count.

    `str(item.get("status", "pending")).strip().lower()` is the status to compare and to store."""
    todo = MyTodo()
    must_accept(todo, [FIRST, DOCS, {"text": "Add tests"}])
    same(stored(todo, "status"), ["in_progress", "pending", "pending"], LEFT_OUT)
    todo = MyTodo()
    must_accept(todo, [FIX | {"status": " In_Progress\n"}, DOCS | {"status": "COMPLETED"}])
    same(stored(todo, "status"), ["in_progress", "completed"], TIDY)
    must_reject(MyTodo(), [FIX | {"status": "done"}])
    must_reject(MyTodo(), [DOCS, FIX | {"status": "progress"}])


@rule
def one_at_a_time(MyTodo):
    """At most one item is in progress.

    How many items of the new list are in progress?

    Count them, and raise a ValueError if there are two or more."""
    fix, docs = FIX | {"status": "in_progress"}, DOCS | {"status": "in_progress"}
    must_reject(MyTodo(), [fix, {"text": "Add tests", "status": "completed"}, docs])
    must_reject(MyTodo(), [fix, docs, FIRST])
    must_reject(MyTodo(), [fix, DOCS | {"status": "IN_PROGRESS"}])
    todo = MyTodo()
    must_accept(todo, [FIRST])
    must_accept(todo, [fix])
    must_accept(MyTodo(), [FIX, DOCS])


@rule
def at_most_twenty(MyTodo):
    """The list has at most 20 items.

    The model reads its plan in every todo result, so a long plan costs tokens each time.

    Compare `len(items)`: 20 items are allowed, and 21 are not."""
    must_reject(MyTodo(), [{"text": f"Step {n}", "status": "pending"} for n in range(21)])
    must_reject(MyTodo(), [{"text": f"Step {n}", "status": "completed"} for n in range(21)])
    must_reject(MyTodo(), [{"text": f"Step {n}", "status": "pending"} for n in range(30)])
    todo = MyTodo()
    must_accept(todo, [{"text": f"Step {n}", "status": "pending"} for n in range(20)])
    must_accept(todo, [{"text": f"Task {n}", "status": "pending"} for n in range(20)])


@rule
def no_equal_texts(MyTodo):
    """No two items have the same text. Whitespace around a text does not count.

    If one of two equal tasks is completed, the list does not show which one.

    Make a list of the stored texts: `len(set(texts)) < len(texts)` if two of them are equal."""
    todo = MyTodo()
    must_reject(todo, [FIX, DOCS, FIX])
    must_reject(todo, [FIX, DOCS, {"text": " Fix ", "status": "completed"}])
    must_reject(todo, [{"text": "Fix\n", "status": "pending"}, DOCS, FIX])
    must_accept(todo, [{"text": one, "status": "pending"} for one in ("Fix", "fix", "Fix it", "F")])
    same(stored(todo), ["Fix", "fix", "Fix it", "F"], AS_SENT)
    must_accept(todo, [FIX, DOCS])


@rule
def texts_stored(MyTodo):
    """A text is stored without the whitespace around it, and otherwise as it was sent.

    Which text is in your copy of the item: the one that was sent, or the one that you compare?

    `{**item, "text": text}` is a copy with the text that you have made."""
    todo = MyTodo()
    must_accept(todo, [{"text": " the  README's. \n", "status": "pending"}])
    same([text.strip() for text in stored(todo)], ["the  README's."], AS_SENT)
    same(
        stored(todo),
        ["the  README's."],
        "Store the text as you compare it: `{**item, 'text': text}`.",
    )
    must_accept(todo, [{"text": "x" * 400, "status": "pending"}])
    same([len(text) for text in stored(todo)], [400], AS_SENT)


@rule
def fields_kept(MyTodo):
    """Each item keeps all the fields that `fields` names, also those that a subclass adds.

    What do you store of an item, besides its text and its status?

    `{**item, "text": text, "status": status}` is a copy with all fields."""
    todo = MyTodo()
    must_accept(todo, [FIX | {"id": "7", "activeForm": "Fixing"}])
    same(
        (stored(todo, "id"), stored(todo, "activeForm")),
        (["7"], ["Fixing"]),
        "A field that `fields` names is lost. Begin the copy with all that was sent: "
        "`{**item, 'text': text, 'status': status}`.",
    )
    timed = with_field(MyTodo, minutes={"type": "integer"})()
    must_accept(timed, [FIX | {"minutes": 5}, DOCS | {"minutes": 0}])
    same(
        stored(timed, "minutes"),
        [5, 0],
        "A class that extends yours has one more field: take the names from `self.fields`, or copy "
        "the whole item. The number 0 is also a value, but it is false in an `if`.",
    )


@rule
def unchanged(MyTodo):
    """A list that is rejected changes nothing, and what was sent is never changed.

    When does `self.items` change: before or after all items are checked?

    Collect clean copies in a new list, and assign it to `self.items` after the last check."""
    no_text, no_status = FIX | {"text": " "}, FIX | {"status": "done"}
    for mistake in ([no_text], [no_status], [FIRST, FIX | {"status": "in_progress"}], [FIX, FIX]):
        todo = MyTodo()
        must_accept(todo, [FIRST])
        must_reject(todo, [DOCS, *mistake])
        same(
            stored(todo),
            ["Read the code"],
            "`self.items` changed before the error. Collect the copies in a new list, check all "
            "rules, and assign it to `self.items` after the last check.",
        )
    for last in ({"text": "Write docs"}, {"text": "Write docs", "status": "done"}):
        items = [{"text": " Fix ", "status": "Completed"}, last]
        before = deepcopy(items)
        with suppress(ValueError):
            MyTodo().update(items)
        same(
            items,
            before,
            "The items that were sent are in the history of the run: a model would read what it "
            "never wrote. Change only your own copies: `{**item, …}`, not `item['status'] = …`.",
        )
    todo, items = MyTodo(), [dict(FIX), dict(DOCS)]
    todo.update(items)
    items[0]["text"] = "Something else"
    items.append({"text": "More", "status": "pending"})
    same(
        stored(todo),
        ["Fix", "Docs"],
        "`self.items` contains the very dicts that were sent, so a change of one changes the "
        "other. Store a new list of copies: `{**item, …}` makes one.",
    )


@rule
def explained(MyTodo):
    """The message of the error says which rule was broken.

    Would you know from your message what to change in the list?

    For example: "at most 20 items are allowed", "only one item can be in_progress"."""
    todo = MyTodo()
    messages = [
        must_reject(todo, [FIX | {"status": "done"}]),
        must_reject(todo, [FIRST, DOCS | {"status": "in_progress"}]),
        must_reject(todo, [{"text": f"Step {n}", "status": "pending"} for n in range(21)]),
        must_reject(todo, [FIX, FIX]),
    ]
    assert len(set(messages)) == 4, (
        "Two broken rules have the same message. A model can correct its list only if the message "
        "says which rule was broken, so give each rule its own."
    )


@rule
def like_the_package(MyTodo):
    """In random updates of two lists, it accepts, rejects and stores the same as TodoManager.

    Only what the rules above say is compared: text, status, and a field that a subclass adds."""
    note = (
        "Play these updates by hand, up to the one that is named. `first` and `second` are two "
        "objects of a class that extends yours with the field `minutes`. Each has its own list, "
        "and whatever is in a text is only text."
    )
    compare(MyTodo, TodoManager, draw_updates, play_updates, note, tell=tell_updates, count=120)


@rule(level="tool")
def a_tool(MyTodo):
    """`tool()` returns a Tool whose name is todo.

    The program gives it to the agent loop, which calls its `run`.

    `return Tool(name="todo", description="…", input_schema={…}, run=self.update)`"""
    tool = MyTodo().tool()
    assert isinstance(tool, Tool), (
        f"`tool()` returned {shorten(repr(tool), 40)}. Is the `return` missing? A definition as a "
        "dict is not enough: `return Tool(name=…, description=…, input_schema=…, run=…)`."
    )
    same(tool.name, "todo", "The nag looks for a call with this name, and so does other code.")


@rule(level="tool")
def description(MyTodo):
    """Its description says what it is for, and to send the whole list each time.

    What does a model need to know that cannot see your code?

    "Write your plan and keep it up to date. Send the whole list each time."."""
    description = MyTodo().tool().description
    assert says_something(description) and asks_for_whole_list(description), (
        "The model has never seen your code. Say in the description what the tool is for, and that "
        "it must send the whole list each time: it could otherwise send only what has changed."
    )


@rule(level="tool")
def schema(MyTodo):
    """The API accepts its input_schema, and `items` is required: an array of objects.

    What does `update` take? The schema describes the same.

    An object with the property `items`, which is an array; what an array contains is described in
    its own `items`."""
    tool = MyTodo().tool()
    same(
        send_definition(tool),
        "accepted",
        "`input_schema` is a JSON Schema with `'type': 'object'`, `properties` and `required`. A "
        "`type` is 'string', not `str`, and `required` is a list of names beside `properties`.",
    )
    items = tool.input_schema.get("properties", {}).get("items", {})
    same(
        (items.get("type"), items.get("items", {}).get("type")),
        ("array", "object"),
        "`update` has one parameter, `items`. So the schema's `properties` have `items`, an "
        "array, whose own `items` are objects.",
    )
    same(
        list(tool.input_schema.get("required", [])),
        ["items"],
        "`'required': ['items']` is beside the outer `properties`, not inside them.",
    )


@rule(level="tool")
def all_fields(MyTodo):
    """An item in the schema has the properties of `self.fields`, with the enum of the status.

    What tells a model which three words it may write as a status?

    `"properties": self.fields`. A list that extends yours has more fields, and so a larger schema.
    """
    before = plain(MyTodo.fields)
    item = read_item(MyTodo().tool())
    same(plain(MyTodo.fields), before, "`tool()` has changed `fields`, which all lists share.")
    properties, required = item.get("properties", {}), item.get("required", [])
    same(sorted(properties), sorted(before), "`'properties': self.fields` has all four fields.")
    same(
        list(properties["status"].get("enum", [])),
        STATUSES,
        "Without the `enum` a model must guess the words. It is in `fields`: use the whole schema, "
        "`'properties': self.fields`, and not only the names.",
    )
    assert "text" in required, (
        "`'required': ['text']` is beside the inner `properties`: without it, a model may leave "
        "the text out, and your rules reject its list."
    )
    unknown = [one for one in required if one not in properties]
    same(unknown, [], "Each name in an item's `required` must be one of its `properties`.")
    owned = with_field(MyTodo, owner={"type": "string"})()
    properties = read_item(owned.tool()).get("properties", {})
    same(
        properties.get("owner"),
        {"type": "string"},
        "A list that extends yours has one more field, and its schema does not. Use `self.fields`, "
        "not a copy of it and not `MyTodo.fields`.",
    )


@rule(level="tool")
def runs_update(MyTodo):
    """A call of the tool updates the list that made it, and returns the rendered list.

    Which object's `update` does your tool call?

    `run=self.update`. An error is not caught: the agent loop sends it to the model."""
    first, second = MyTodo(), MyTodo()
    first.tool()
    tools = {"todo": second.tool()}
    call = call_tool(tools, "todo", {"items": [dict(FIX), dict(DOCS)]})
    same(call.ok or call.output, True, explain_call(call.output))
    same(
        (stored(first), stored(second)),
        ([], ["Fix", "Docs"]),
        "The tool is not bound to the list that made it. `run=self.update`, without parentheses, "
        "is the method of this object.",
    )
    same(call.output, second.render(), "`run` must return what `update` returns, for the model.")
    call = call_tool(tools, "todo", {"items": [dict(FIX), dict(FIX)]})
    same(
        (call.ok, stored(second)),
        (False, ["Fix", "Docs"]),
        "Let the ValueError through: the agent loop sends it to the model, marked as an error.",
    )

    class Other(MyTodo):  # type: ignore[misc, valid-type]
        def update(self, items):
            return "the update of a class that extends yours"

    call = call_tool({"todo": Other().tool()}, "todo", {"items": [dict(FIX)]})
    same(
        call.output,
        "the update of a class that extends yours",
        "A class that extends yours can have its own `update`. Call it through `self`: "
        "`run=self.update`, not `MyTodo.update`.",
    )


def must_accept(todo: Any, items: Any) -> Any:
    """Send a legal list, and return what `update` returns. An exception gets its likely cause."""
    old = todo.items
    try:
        return todo.update(deepcopy(items))  # a learner's code may change what is sent
    except Exception as problem:
        if isinstance(problem, ValueError):
            note = explain_rejected(items, old, str(problem))
        else:
            note = "" if is_list_of_dicts(todo.items) else LIST_OF_DICTS
        problem.note = note  # type: ignore[attr-defined]
        raise


def explain_rejected(items: list[Any], old: list[Any], said: str) -> str:
    """Return why a legal list was probably rejected with this message, or ""."""
    statuses = [item.get("status", "pending") for item in items]
    texts = {item["text"].lower() for item in items}
    started = statuses.count("in_progress")
    if any(one not in STATUSES for one in statuses):
        return TIDY
    if old and (texts & {item["text"].lower() for item in old} or len(old) == len(items) == 20):
        return ONLY_THE_NEW
    if len(items) == 20:
        return "20 items are allowed, and 21 are not: compare with `> 20`."
    if "fix it" in texts:
        return "Only equal texts are the same task: not a part of a text, and not other capitals."
    if not items:
        return "An empty list is a list, and no rule forbids it: look at the type, not `if items`."
    if "progress" in said and not started:
        return "A list with no item in progress is allowed: reject `> 1`, not `!= 1`."
    if "progress" in said and started == 1:
        return ONLY_THE_NEW if old else "One item in progress is allowed: reject `> 1`, not `>= 1`."
    return ""


def must_reject(todo: Any, items: Any) -> str:
    """Send a list that breaks a rule, and return the message. Fail if there is none."""
    wanted = Words("a ValueError whose message says what is wrong")
    with redirect_stdout(StringIO()) as printed:
        try:
            got = todo.update(deepcopy(items))
        except ValueError as problem:
            if says_something(str(problem)):
                return str(problem)
            note = "The message must say to a model which rule was broken, and what is allowed."
            raise Differs(problem, wanted, note) from None
    note = explain_accepted(items)
    if said := printed.getvalue().strip():
        note = f"Your code printed {shorten(said, 60)!r}: use `raise ValueError(…)`, not `print`."
    raise Differs(got, wanted, note)


def explain_accepted(items: Any) -> str:
    """Return why a list that breaks a rule was probably accepted."""
    if not isinstance(items, list):
        return (
            "This is no list, and neither is an empty dict. Look at the type first, as the given "
            "code does: `if not isinstance(items, list)`."
        )
    if not all(isinstance(one, dict) and str(one.get("text") or "").strip() for one in items):
        return (
            "An item of this list is no dict, or has no text. Keep the given check of each item: "
            "`str(item.get('text') or '').strip()` is the text, and empty if there is none."
        )
    statuses = [item.get("status") for item in items]
    if "progress" in statuses:
        return (
            "Compare the whole word: `in` also finds a part of a string, such as `progress` in "
            "`in_progress`. Look it up in a list: `self.fields['status']['enum']`."
        )
    if "IN_PROGRESS" in statuses:
        return "Count the statuses as you store them, in lower case and without whitespace."
    if statuses.count("in_progress") > 1:
        return "Your code accepts two or more in progress: raise a ValueError if there are `> 1`."
    if len(items) > 20 and "pending" not in statuses:
        return "All items count, also the completed ones: compare `len(items)`."
    if len(items) > 20:
        return "Your code accepts this many: any number `> 20` is too many, not only `== 21`."
    texts = [item["text"] for item in items]
    if len(set(texts)) < len(texts):
        return "Your code accepts two equal texts. Compare each text with all others of this list."
    if len({text.strip() for text in texts}) < len(texts):
        return "Compare the texts as you store them, without the whitespace around them."
    return "Your code accepts this list. Which condition should lead to a `raise ValueError(…)`?"


def says_something(text: str) -> bool:
    """Return whether a message has three letters or more, besides words that explain nothing.

    Letters are counted, not words, because not every script separates words by spaces.
    """
    generic = "an bad data error illegal input invalid item items none not the value valueerror"
    words = re.findall(r"[^\W\d_]+", str(text).lower())
    return len("".join(one for one in words if one not in [*generic.split(), "wrong"])) >= 3


def asks_for_whole_list(text: str) -> bool:
    """Return whether a description asks for the whole list, or is in another language."""
    english = r"(?i)\b(whole|entire|full|complete|all|every|replac\w+)\b"
    return re.search(rf"{english}|[^\x00-\x7f]", text) is not None


def stored(todo: Any, name: str = "text") -> list[Any]:
    """Return one field of each item in the list; None if it is not there."""
    if not is_list_of_dicts(todo.items):
        raise Differs(todo.items, Words("a list of dicts"), LIST_OF_DICTS)
    return [item.get(name) for item in todo.items]


def is_list_of_dicts(items: Any) -> bool:
    """Return whether other code can read these items."""
    return isinstance(items, list) and all(isinstance(item, dict) for item in items)


def with_field(MyTodo: Any, **field: Any) -> Any:
    """Return a class that extends MyTodo with one more field."""
    return type("MyTodo", (MyTodo,), {"fields": MyTodo.fields | field})


def send_definition(tool: Tool) -> str:
    """Send the tool's definition to the API. Return "accepted", or its error message."""
    import anthropic

    from lesson.practice import PracticeModel

    client: Any = PracticeModel(lambda request: [{"type": "text", "text": "Done."}]).client()
    messages = [{"role": "user", "content": "Hello"}]
    try:
        client.messages.create(
            model="practice", max_tokens=100, messages=messages, tools=[tool.spec]
        )
    except anthropic.APIStatusError as problem:
        body: Any = problem.body
        return str(body["error"]["message"])
    return "accepted"


def read_item(tool: Tool) -> dict[str, Any]:
    """Return the schema of an item in the tool's definition."""
    item: dict[str, Any] = plain(tool.input_schema)["properties"]["items"]["items"]
    return item


def explain_call(output: str) -> str:
    """Return the likely cause of a failed call of the tool."""
    if "callable" in output:
        return PARENTHESES
    if "cannot take this input" in output:
        return (
            "A model sends `{'items': […]}`, and `run` gets it by this name: the parameter of "
            "`run` must be called `items`, as in `run=self.update`."
        )
    return "The call ended with this error. `run` needs only the list: `run=self.update`."


# The random updates: pairs of the list's name and the items that are sent to it.

TEXTS = [
    "Fix",
    "fix",
    " Fix ",
    "Docs",
    "Docs\n",
    "Docs.",
    "Fix it",
    "Fix  it",
    "Use {name}",
    r"C:\new",
    "<b>",
    "A&B",
]
WRONG_STATUSES = ["done", "progress", "in progress", "pending!", "not completed"]
RIGHT_STATUSES = [*STATUSES, " completed", "Completed", "In_Progress"]
LIKE_THE_PACKAGE = Words("the same as a TodoManager in each update")


def draw_updates(random: Random, size: int) -> list[tuple[str, list[Any]]]:
    """Return some updates of two lists. A few of them have about 20 items, or break a rule."""
    updates = []
    for _ in range(random.randint(1, 2 * size)):
        texts = random.sample(TEXTS, random.randint(0, 4))
        if is_long := random.random() < 0.1:
            texts = [f"Step {n}" for n in range(random.randint(19, 22))]
        items: list[Any] = [draw_item(random, text, is_long) for text in texts]
        if random.random() < 0.08:
            items.append(random.choice(["Fix", {}, {"text": " "}, {"status": "pending"}]))
        updates.append((random.choice(["first", "second"]), items))
    return updates


def draw_item(random: Random, text: str, is_long: bool) -> dict[str, Any]:
    """Return an item that is legal by itself in most cases."""
    item: dict[str, Any] = {"text": text}
    if random.random() < 0.8:
        item["status"] = random.choice(["completed", "pending"] if is_long else RIGHT_STATUSES)
    if random.random() < 0.05:
        item["status"] = random.choice(WRONG_STATUSES)
    if random.random() < 0.2:
        item["minutes"] = random.choice([0, 5])
    return item


def play_updates(part: Any, updates: list[tuple[str, list[Any]]]) -> str:
    """Return LIKE_THE_PACKAGE, or the first update that does something else than TodoManager's."""
    mine, others = [
        {name: with_field(one, minutes={"type": "integer"})() for name in ("first", "second")}
        for one in (part, TodoManager)
    ]
    for number, (name, items) in enumerate(updates, 1):
        got, wanted = send(mine[name], items), send(others[name], items)
        if got != wanted:
            return f"update {number}: {name} {got}. A TodoManager {wanted}."
    left = {name: describe_items(todo) for name, todo in mine.items()}
    is_same = left == {name: describe_items(todo) for name, todo in others.items()}
    return LIKE_THE_PACKAGE if is_same else f"in the end, the lists are {left}"


def send(todo: Any, items: list[Any]) -> str:
    """Send a copy of `items`, change it, and return what the update did and what is stored."""
    sent = deepcopy(items)
    try:
        todo.update(sent)
        answer = "accepts it"
    except ValueError:
        answer = "rejects it"
    if sent != items:
        answer += ", but what was sent has changed"
    for item in sent:
        if isinstance(item, dict):
            item["text"] = "changed later"
    return f"{answer}, and has {describe_items(todo)}"


def describe_items(todo: Any) -> str:
    """Return the fields that the rules speak of: "Fix (pending), Docs (completed, 5 minutes)"."""
    if len(todo.items) > 8:
        return f"{len(todo.items)} items"
    fields = zip(*(stored(todo, name) for name in ("text", "status", "minutes")), strict=True)
    shown = [
        f"{text} ({status})" if minutes is None else f"{text} ({status}, {minutes} minutes)"
        for text, status, minutes in fields
    ]
    return ", ".join(shown) or "no items"


def tell_updates(updates: list[tuple[str, list[Any]]]) -> str:
    """Return the updates as Python. A list of more than eight items is shown in short."""
    lines = []
    for name, items in updates:
        shown = ", ".join(map(repr, items[:2] if len(items) > 8 else items))
        more = f", … {len(items)} items in all" if len(items) > 8 else ""
        lines.append(f"{name}.update([{shown}{more}])")
    return "\n".join(lines)
