"""Cells of MyTodo as learners write them: right ones, and typical mistakes."""

FIELDS = """
from agentlib import Tool
from lesson.shown_list import Shown

class MyTodo(Shown):
    fields = {
        "id": {"type": "string"},
        "text": {"type": "string"},
        "status": {"type": "string", "enum": ["pending", "in_progress", "completed"]},
        "activeForm": {"type": "string"},
    }
"""
UPDATE = """
    def update(self, items):
        if not isinstance(items, list):
            raise ValueError("items must be a list")
        if len(items) > 20:
            raise ValueError("at most 20 items")
        clean, seen = [], set()
        for item in items:
            text = isinstance(item, dict) and str(item.get("text") or "").strip()
            if not text:
                raise ValueError("an item needs a text")
            status = str(item.get("status", "pending")).strip().lower()
            allowed = self.fields["status"]["enum"]
            if status not in allowed:
                raise ValueError(f"the status {status!r} is none of {allowed}")
            if text in seen:
                raise ValueError("two items have the same text")
            seen.add(text)
            clean.append({**item, "text": text, "status": status})
        if sum(item["status"] == "in_progress" for item in clean) > 1:
            raise ValueError("only one task can be in_progress at a time")
        self.items = clean
        return self.render()
"""
TOOL = """
    def tool(self):
        item = {"type": "object", "properties": self.fields, "required": ["text"]}
        return Tool(
            "todo",
            "Write your plan for several steps. Send the whole list each time.",
            {
                "type": "object",
                "properties": {"items": {"type": "array", "items": item}},
                "required": ["items"],
            },
            self.update,
        )
"""
PLAIN = FIELDS + UPDATE + TOOL
FIRST = {"without a tool": FIELDS + UPDATE, "the package's": "MyTodo = TodoManager"}
WITH_HELPERS = (
    '''
from dataclasses import dataclass, field
from agentlib import Tool
from lesson.shown_list import Shown

STATUSES = ("pending", "in_progress", "completed")


class Rejected(ValueError):
    """A list that is no plan."""


def require(is_right, said):
    if not is_right:
        raise Rejected(said)


def tidy(item):
    match item:
        case {"text": str(text), **others} if text.strip():
            status = str(others.get("status", "pending")).strip().lower()
            require(status in STATUSES, f"a status is one of {STATUSES}")
            return {"text": text.strip(), "status": status} | {
                name: value for name, value in others.items() if name != "status"
            }
        case _:
            raise Rejected("an item is a dict with a text")


@dataclass
class MyTodo(Shown):
    items: list = field(default_factory=list)
'''
    + FIELDS[FIELDS.index("    fields") :]
    + """
    def update(self, items):
        require(isinstance(items, list), "items is a list")
        require(len(items) < 21, "no more than 20 items")
        new = list(map(tidy, items))
        require(len({one["text"] for one in new}) == len(new), "each text only once")
        started = [one for one in new if one["status"] == "in_progress"]
        require(len(started) <= 1, "one item in progress, not more")
        self.items = new
        return self.render()

    def tool(self):
        def run(items):
            return self.update(items)

        properties = {name: dict(schema) for name, schema in self.fields.items()}
        item = {"type": "object", "properties": properties, "required": ["text"]}
        items = {"type": "array", "items": item, "maxItems": 20}
        return Tool(
            name="todo",
            description="Replaces your todo list: send every item, also those that are done.",
            input_schema={"type": "object", "properties": {"items": items}, "required": ["items"]},
            run=run,
            asks=False,
        )
"""
)
RIGHT = {"with helpers, match and a dataclass": WITH_HELPERS}
START = (
    FIELDS
    + """
    def update(self, items):
        if not isinstance(items, list):
            raise ValueError("items must be a list")
        for item in items:
            if not isinstance(item, dict) or not str(item.get("text") or "").strip():
                raise ValueError("each item must be a dict with a text that is not empty")
        self.items = items
        return self.render()
"""
)
COPY = 'clean.append({**item, "text": text, "status": status})'
RUN = "            self.update,\n"
LIST = """        if not isinstance(items, list):
            raise ValueError("items must be a list")
"""
TWENTY = """        if len(items) > 20:
            raise ValueError("at most 20 items")
"""
TWO = 'raise ValueError("only one task can be in_progress at a time")'
SCHEMA = '"properties": {"items": {"type": "array", "items": item}}'
ITEM = '"properties": self.fields, "required": ["text"]}'
GAPS = """
    def tool(self):
        item = ...
        return Tool(
            name="todo",
            description=...,
            input_schema={
                "type": "object",
                "properties": {"items": {"type": "array", "items": item}},
                "required": ["items"],
            },
            run=...,
        )
"""
WRONG = [
    ("a_status", START, "as they were sent"),
    ("a_status", ("self.items = clean", "self.items = items"), "as they were sent"),
    # As in the course that the lesson follows: a model that sends no id gets a KeyError.
    ("rendered", (COPY, COPY.replace("**item", '"id": item["id"]')), "may leave this field out"),
    (
        "rendered",
        ("(self, items):", "(self, items, seen=set()):"),
        ("clean, seen = [], set()", "clean = []"),
        "default",
    ),
    ("one_at_a_time", (TWO, "raise Exception('one at a time')"), "is not a ValueError"),
    ("one_at_a_time", (TWO, "return ValueError('one at a time')"), "`return` and `print` do not"),
    (
        "at_most_twenty",
        (TWENTY, "        assert len(items) < 21, 'too many'\n"),
        "an AssertionError",
    ),
    (
        "no_equal_texts",
        ("if text in seen:", "if text in seen and status != 'completed':"),
        "whatever their status",
    ),
    ("a_tool", FIELDS + UPDATE, "Write the method `tool(self)`"),
    ("schema", FIELDS + UPDATE + GAPS, "This gap is still `…`"),
    ("schema", (SCHEMA, SCHEMA.replace('"items": item', '"properties": item')), "as it is given"),
    ("schema", ('["text"]}', '"text"}'), "is a list of one name"),
    ("schema", ('"properties": self.fields', '"properties": [*self.fields]'), "with the `enum`"),
    (
        "schema",
        ("        item =", "        self.fields.pop('id')\n        item ="),
        "`fields`",
    ),
    ("a_tool", (RUN, "            self.update(),\n"), "without parentheses"),
    ("runs_update", (RUN, "            lambda items=(): self.update([*items]),\n"), "is wrong"),
    (
        "runs_update",
        (RUN, "            lambda items: MyTodo.update(self, items),\n"),
        "its own `update`",
    ),
]
SENTENCES = {
    "The `update` below replaces the list": (
        "rendered",
        ("self.items = clean", "self.items = [*self.items, *clean]"),
    ),
    "and returns it as text.": ("rendered", ("return self.render()", "self.render()")),
    "It has two rules already, as an example: `items` is a list,": ("rendered", (LIST, "")),
    "and each item is a dict": (
        "rendered",
        ("isinstance(item, dict) and str(item.", "str(dict(item or ())."),
    ),
    "with a `text`.": (
        "rendered",
        ('raise ValueError("an item needs a text")', 'text = "(no text)"'),
    ),
    "Add the others,": None,
    "and raise a `ValueError` if one is broken.": (
        "one_at_a_time",
        (TWO, TWO.replace("ValueError", "RuntimeError")),
    ),
    "The model reads its message, so it names the rule": ("messages", (TWO, "raise ValueError")),
    "and what is allowed: the three words of rule 1,": (
        "messages",
        (" is none of {allowed}", " is unknown"),
    ),
    "and the 20 of rule 3.": ("messages", ("at most 20 items", "too many items")),
    "A field can have any value, such as 5 or null, and that raises no other error.": (
        "any_value",
        ('str(item.get("status", "pending")).strip()', 'item.get("status", "pending").strip()'),
    ),
    "A status is `pending`, `in_progress` or `completed`.": (
        "a_status",
        ("if status not in allowed", "if status not in [*allowed, 'done']"),
    ),
    "If it is left out, store `pending`.": ("a_status", ('"pending")', '"completed")')),
    "Capital letters": ("a_status", (".strip().lower()", ".strip()")),
    "and whitespace around it do not matter.": ("a_status", (".strip().lower()", ".lower()")),
    "Store the word in lower case, without the whitespace.": (
        "a_status",
        (COPY, COPY.replace('"status": status', '"status": item.get("status") or status')),
        ('sum(item["status"] ==', 'sum(item["status"].strip().lower() =='),
    ),
    "At most one task is in progress.": ("one_at_a_time", (") > 1:", ") > 2:")),
    "The list has at most 20 tasks.": ("at_most_twenty", ("> 20:", "> 25:")),
    "No two tasks have the same text.": ("no_equal_texts", ("seen.add(text)", "seen = {text}")),
    "Whitespace around the text is not stored.": ("no_equal_texts", ('"text": text, ', "")),
    "A list that is rejected changes nothing.": (
        "unchanged",
        ("        if sum(", "        self.items, old = clean, self.items\n        if sum("),
    ),
    "The items that were sent are never changed: store copies,": (
        "unchanged",
        (COPY, "item.update(text=text, status=status)\n            clean.append(item)"),
    ),
    "in the same order,": (
        "unchanged",
        ("self.items = clean", 'self.items = sorted(clean, key=lambda one: one["text"])'),
    ),
    "and keep all their fields.": (
        "unchanged",
        (
            COPY,
            COPY.replace("**item", '"id": item.get("id"), "activeForm": item.get("activeForm")'),
        ),
    ),
}
SENTENCES_OF_LEVEL = {
    "tool": {
        "The model never sees your class. It reads a *tool definition*, as for every tool.": None,
        "This method returns the one of your list, and has three gaps:": (
            "a_tool",
            ('"todo",', '"todos",'),
        ),
        "`item` is the schema of one task: an object, like the outer schema.": (
            "schema",
            ('item = {"type": "object", ', "item = {"),
        ),
        "Its properties are `self.fields`,": ("schema", ("self.fields,", "MyTodo.fields,")),
        "and only `text` is required.": ("schema", ('["text"]}', '["text", "status"]}')),
        "The description says what the tool is for,": (
            "description",
            ("Write your plan for several steps. Send the whole list each time.", "Whole list."),
        ),
        "and asks for the *whole* list each time.": (
            "description",
            (" Send the whole list each time.", ""),
        ),
        "`run` is the function that gets the input, `self.update`.": (
            "runs_update",
            (RUN, "            MyTodo().update,\n"),
        ),
        "What to do: - Go back to the cell of your list, and paste the method below `update`. "
        "- Fill the gaps, and run that cell. - Run the check below.": None,
        "The `enum` in `fields` tells the model the valid words *before* it makes a mistake, and "
        "your rules find the mistakes that it still makes.": None,
        "<details><summary>What is activeForm?</summary> The task in the present tense, such as "
        '"Writing tests". It is shown while the task is in progress. </details>': None,
    }
}
