"""Cells of MyTodo as learners write them: right ones, and typical mistakes."""

FIELDS = """
from agentlib import Tool
from lesson.exercises.shown_list import Shown

class MyTodo(Shown):
    fields = {
        "id": {"type": "string"},
        "text": {"type": "string"},
        "status": {"type": "string", "enum": ["pending", "in_progress", "completed"]},
        "activeForm": {"type": "string"},
    }
"""
GIVEN = """
    def update(self, items):
        if not isinstance(items, list):
            raise ValueError("items must be a list")
        checked = []
        for item in items:
            if not isinstance(item, dict) or not str(item.get("text") or "").strip():
                raise ValueError("each item must be a dict with a text that is not empty")
            # A clean copy: what was sent is in the history of the run, and stays as it is.
            text = str(item["text"]).strip()
            status = str(item.get("status", "pending")).strip().lower()
            checked.append({**item, "text": text, "status": status})
"""
RULES = """
        allowed = ["pending", "in_progress", "completed"]
        for item in checked:
            if item["status"] not in allowed:
                raise ValueError(f"the status {item['status']!r} is none of {allowed}")
        if sum(item["status"] == "in_progress" for item in checked) > 1:
            raise ValueError("only one task can be in_progress at a time")
        if len(checked) > 20:
            raise ValueError("at most 20 items")
        seen = set()
        for item in checked:
            if item["text"] in seen:
                raise ValueError("two items have the same text")
            seen.add(item["text"])
"""
END = """
        self.items = checked
        return self.render()
"""
UPDATE = GIVEN + RULES + END
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
IN_THE_LOOP = (
    FIELDS
    + """
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
    + TOOL
)
WITH_HELPERS = (
    '''
from dataclasses import dataclass, field
from agentlib import Tool
from lesson.exercises.shown_list import Shown

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
RIGHT = {
    "run as in the course": PLAIN.replace(
        "self.update,\n", 'lambda **kw: self.update(kw["items"]),\n'
    ),
    "all rules in one loop": IN_THE_LOOP,
    "with helpers, match and a dataclass": WITH_HELPERS,
}
# What the exercise gives: it has no rules yet.
START = FIELDS + GIVEN + END
COPY = 'checked.append({**item, "text": text, "status": status})'
BEFORE_THE_COPY = "            text = str("
LIST = """        if not isinstance(items, list):
            raise ValueError("items must be a list")
"""
STATUS = """        for item in checked:
            if item["status"] not in allowed:
                raise ValueError(f"the status {item['status']!r} is none of {allowed}")
"""
STATUS_OF_ITEMS = """        for item in items:
            if item.get("status") not in allowed:
                raise ValueError(f"a status is none of {allowed}")
"""
STATUS_OF_THE_LAST = """        if status not in allowed:
            raise ValueError(f"the status {status!r} is none of {allowed}")
"""
STATUS_OF_THE_LIST = """        if checked["status"] not in allowed:
            raise ValueError(f"a status is none of {allowed}")
"""
ONE_IS_KEPT = """        started = [item for item in checked if item["status"] == "in_progress"]
        for item in started[1:]:
            item["status"] = "pending"
"""
STATUS_AS_SENT = 'item.get("status", "pending")'
BEFORE_RULES = (
    "        allowed =",
    '        stored_texts = {item["text"] for item in self.items}\n        allowed =',
)
STATUS_BY_KEY = """        for item in checked:
            {"pending": 1, "in_progress": 2, "completed": 3}[item["status"]]
"""
STRING = """            if not isinstance(item.get("status", ""), str):
                raise ValueError("the status must be a string")
"""
ONE = """        if sum(item["status"] == "in_progress" for item in checked) > 1:
            raise ValueError("only one task can be in_progress at a time")
"""
ONE_IN_THE_LOOP = """            if sum(item["status"] == "in_progress" for item in checked) > 1:
                raise ValueError("only one task can be in_progress at a time")
"""
COUNT = 'sum(item["status"] == "in_progress" for item in checked)'
ONE_RAISES = """        for item in checked:
            if item["status"] == "in_progress":
                raise ValueError("only one task can be in_progress at a time")
"""
COUNTED = """        count = 0
        for item in checked:
            if item["status"] == "in_progress":
                count += 1
        if count > 1:
            raise ValueError("only one task can be in_progress at a time")
"""
COUNTED_ANEW = COUNTED.replace(
    "        for item in checked:\n", "        for item in checked:\n            count = 0\n"
)
IDS = """        ids = [item["id"] for item in checked if "id" in item]
        if len(set(ids)) < len(ids):
            raise ValueError("two items have the same id")
"""
SET_OF_DICTS = """        if len(set(checked)) < len(checked):
            raise ValueError("two items have the same text")
"""
EACH_WITH_EACH = """        for item in checked:
            for other in checked:
                if item["text"] == other["text"]:
                    raise ValueError("two items have the same text")
"""
TWENTY = """        if len(checked) > 20:
            raise ValueError("at most 20 items")
"""
TWENTY_IN_THE_LOOP = """            if len(checked) > 20:
                raise ValueError("at most 20 items")
"""
EQUAL = """        seen = set()
        for item in checked:
            if item["text"] in seen:
                raise ValueError("two items have the same text")
            seen.add(item["text"])
"""
TWO = 'raise ValueError("only one task can be in_progress at a time")'
RUN = "            self.update,\n"
SCHEMA = '"properties": {"items": {"type": "array", "items": item}}'
ITEM = '{"type": "object", "properties": self.fields, "required": ["text"]}'
DESCRIPTION = "Write your plan for several steps. Send the whole list each time."
ERROR_AS_TEXT = """
    def tool(self):
        def run(items):
            try:
                return self.update(items)
            except ValueError as error:
                return f"Error: {error}"

"""
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
REST = '"in_progress", "completed"]\n        for'
EQUAL_RAISES = '            raise ValueError("two items have the same text")\n'
TEXT = 'str(item["text"]).strip()'
ADD = 'seen.add(item["text"])'
EVERY_RULE = "one item in_progress, and no text twice"
WRONG = [
    ("a_status", START, "none of the three words"),
    ("a_status", ("self.items = checked", "self.items = items"), "Store the copies"),
    ("a_status", (STATUS, STATUS_OF_ITEMS), "not in `items`"),
    (
        "a_status",
        ("for item in checked:\n            if", "for item in items:\n            if"),
        "puts it into",
    ),
    ("a_status", (STATUS, STATUS_OF_THE_LAST), "the last task alone"),
    (
        "a_status",
        ('item["status"] not in allowed', 'item["status"] not in str(allowed)'),
        "part of a",
    ),
    ("a_status", (".lower()", ".lower().replace(' ', '_')"), "makes a legal value"),
    (
        "a_status",
        ('item.get("status", "pending")', 'item.get("status") or "pending"'),
        "left out: rej",
    ),
    *(
        ("a_status", (f'"{word}"]', f'"{wrong}"]'), f"one task that is `{word}`. Compare")
        for word, wrong in [("completed", "complete"), ("completed", "Completed")]
    ),
    ("a_status", ('"in_progress", "completed"]', '"in progress", "completed"]'), "Compare this"),
    ("a_status", (") > 1:", ") >= 1:"), "one task that is `in_progress`. One task may be"),
    ("a_status", (ONE, ONE_RAISES), "one task that is `in_progress`. One task may be"),
    ("rendered", (") > 1:", ") != 1:"), "no task is in progress: one or none may be"),
    ("rendered", ("> 20:", "< 20:"), "of rule 3 is the wrong way round"),
    ("at_most_twenty", ("> 20:", ">= 20:"), "Your code rejects 20"),
    ("rendered", (EQUAL, EACH_WITH_EACH), "also compared with itself"),
    ("rendered", (EQUAL, SET_OF_DICTS), "A set cannot have dicts"),
    ("one_at_a_time", (ONE, COUNTED_ANEW), "made anew"),
    ("one_at_a_time", (ONE, COUNTED.replace("in_progress", "in progress")), "an underscore"),
    ("one_at_a_time", (ONE, COUNTED.replace("+=", "=+")), "sets it to 1"),
    ("one_at_a_time", (ONE, ONE_IS_KEPT), "makes a legal value"),
    ("one_at_a_time", (") > 1:", ") == 2:"), "accepts 3 tasks in progress"),
    ("one_at_a_time", (COUNT, 'checked.count("in_progress")'), "statuses or texts"),
    ("unchanged", (EQUAL, EQUAL + IDS), "look at no other field"),
    ("rendered", (f'"pending", {REST}', f'"pendig", {REST}'), "letter by letter"),
    ("rendered", (COUNT, COUNT.replace('== "in_progress"', '!= "completed"')), "and no others"),
    ("rendered", ('["text"] in seen', '["id"] in seen'), "compare the texts"),
    (
        "no_equal_texts",
        ('if item["text"] in seen', 'if item.get("id") and item["id"] in seen'),
        ('seen.add(item["text"])', 'seen.add(item.get("id"))'),
        "compares ids",
    ),
    (
        "no_equal_texts",
        (EQUAL, "        if any(checked.count(item) > 1 for item in checked):\n" + EQUAL_RAISES),
        "statuses or texts",
    ),
    *(
        ("no_equal_texts", (TEXT, TEXT + change), "change no more")
        for change in (".capitalize()", "[:200]")
    ),
    *(
        (
            "no_equal_texts",
            ('item["text"] in', f'item["text"]{part} in'),
            (ADD, f'seen.add(item["text"]{part})'),
            "whole",
        )
        for part in ("[:8]", "[:50]", "[-50:]")
    ),
    *(
        (
            "a_status",
            ('"completed"]\n        for', f'"completed", "{word}"]\n        for'),
            "fourth",
        )
        for word in ("cancelled", "blocked", "todo")
    ),
    (
        "at_most_twenty",
        ("len(checked) > 20", "len(self.items) + len(checked) > 20"),
        "earlier list",
    ),
    ("at_most_twenty", ("len(checked) > 20", "20 < len(checked) < 100"), "rule 3 counts tasks"),
    *(
        (rule, (old, old.replace("in checked", "in checked[:15]")), words)
        for rule, old, words in (
            ("a_status", STATUS, "does not look at the last task"),
            ("one_at_a_time", ONE, "accepts 2 tasks in progress"),
            ("no_equal_texts", EQUAL, "with the same text"),
        )
    ),
    (
        "unchanged",
        (COPY, COPY.replace("status})", "status, 'id': str(item.get('id', ''))})")),
        "lost",
    ),
    ("schema", ('"enum": ["pending", "in_progress", "completed"]', ""), "Keep the given `fields`"),
    (
        "description",
        (DESCRIPTION, "Plans tasks. The whole list is shown each time."),
        "must ask for",
    ),
    (
        "runs_update",
        ("        item = {", "        self.items = []\n        item = {"),
        "changes no list",
    ),
    (
        "rendered",
        ("        allowed =", "        checked = []\n        allowed ="),
        "No task is stored",
    ),
    (
        "rendered",
        ("for item in checked:", "for item in checked.reverse():"),
        "`sort` and `update` return",
    ),
    ("rendered", ("class MyTodo(Shown)", "class MyTodo"), "extends `Shown`"),
    (
        "a_tool",
        ("        return Tool(", "        return {'name': 'todo'}\n        return Tool("),
        "is no Tool",
    ),
    ("a_status", (" not in allowed", "[:4] not in [one[:4] for one in allowed]"), "part of a word"),
    ("rendered", (EQUAL, EQUAL.replace('["text"]', '.get("id")')), "compare the texts alone"),
    (
        "rendered",
        ('"pending", "in_progress", "completed"]\n        for', '"Pending"]\n        for'),
        "rejects one task that is `pending`",
    ),
    ("rendered", ("> 20:", '> "20":'), "without quotes"),
    ("a_status", (STATUS, STATUS_BY_KEY), "raise a ValueError"),
    ("rendered", ("if len(checked) > 20:", "if checked:"), "no rule forbids it"),
    ("rendered", ("seen = set()", "seen = stored_texts"), BEFORE_RULES, "remembers an earlier"),
    ("rendered", ("not isinstance(item, dict) or ", ""), "a string or null"),
    ("a_status", (STATUS, f"{STATUS}            break\n"), "does not look at the last task"),
    ("a_status", ('str(item.get("status", "pending"))', STATUS_AS_SENT), "can send a number, null"),
    (
        "no_equal_texts",
        ('if item["text"] in', 'if item["text"].lower() in'),
        ('add(item["text"])', 'add(item["text"].lower())'),
        "their capitals",
    ),
    ("rendered", (STATUS, STATUS_OF_THE_LIST), "A list has no fields"),
    # As in the course that the lesson follows: a model that sends no id gets a KeyError.
    ("rendered", (COPY, COPY.replace("**item", '"id": item["id"]')), "may leave this field out"),
    (
        "rendered",
        ("(self, items):", "(self, items, seen=set()):"),
        ("        seen = set()\n", ""),
        "default",
    ),
    ("rendered", (" not in allowed", ' != "pending" or "completed"'), "is always true"),
    ("one_at_a_time", (ONE, ""), (BEFORE_THE_COPY, ONE_IN_THE_LOOP + BEFORE_THE_COPY), "complete"),
    (
        "one_at_a_time",
        (
            'sum(item["status"] == "in_progress" for item in checked)',
            'sum(item.get("status") == "in_progress" for item in items)',
        ),
        "not at `items`",
    ),
    ("one_at_a_time", (TWO, "raise Exception('one at a time')"), "is not a ValueError"),
    ("one_at_a_time", (TWO, "return ValueError('one at a time')"), "`return` and `print` do not"),
    (
        "at_most_twenty",
        (TWENTY, "        assert len(items) < 21, 'too many'\n"),
        "an AssertionError",
    ),
    (
        "at_most_twenty",
        (TWENTY, ""),
        (BEFORE_THE_COPY, TWENTY_IN_THE_LOOP + BEFORE_THE_COPY),
        "complete",
    ),
    ("at_most_twenty", (TWENTY, "        checked = checked[:20]\n"), "drops a task of this list"),
    ("no_equal_texts", (EQUAL, ""), "Your code accepts two tasks with the same text"),
    (
        "no_equal_texts",
        ("in seen:", 'in seen and item["status"] != "completed":'),
        "whatever the status",
    ),
    (
        "no_equal_texts",
        ('item["text"] in seen', "item in old"),
        ('seen.add(item["text"])', "old.append(item)"),
        ("seen = set()", "old = []"),
        "the other fields",
    ),
    (
        "no_equal_texts",
        (
            'for item in checked:\n            if item["text"]',
            'for item in items:\n            if item["text"]',
        ),
        "not at `items`",
    ),
    (
        "unchanged",
        (BEFORE_THE_COPY, f"            item.setdefault('status', 'pending')\n{BEFORE_THE_COPY}"),
        "changes the items that were sent",
    ),
    (
        "unchanged",
        ("**item", "**{name: item[name] for name in self.fields if name in item}"),
        "A field is lost",
    ),
    ("messages", (TWO, 'raise ValueError("invalid plan")'), "say which rule is broken"),
    (
        "messages",
        (TWO, f"raise ValueError({EVERY_RULE!r})"),
        ("two items have the same text", EVERY_RULE),
        "Two rules have the same message",
    ),
    ("messages", ("at most 20", "at most 200"), "what is allowed"),
    ("messages", ('f"the status', '"the status'), "an f-string"),
    ("messages", (TWO, 'raise ValueError("at most 20 items in progress")'), "name no other"),
    ("messages", ("two items have the same text", "two items are in progress"), "name no other"),
    ("messages", (" is none of {allowed}", " is none of {allowed}, max 20"), "name no other"),
    ("messages", ("two items have the same text", "bad items"), "say which rule is broken"),
    ("messages", (TWO, 'raise ValueError("two items have the same text")'), "the same message"),
    (
        "messages",
        ("is none of {allowed}", "is not pending, in progress or completed"),
        "does not contain `in_progress`",
    ),
    ("messages", (BEFORE_THE_COPY, STRING + BEFORE_THE_COPY), "what is allowed"),
    ("a_tool", FIELDS + UPDATE, "Write the method `tool(self)`"),
    ("schema", FIELDS + UPDATE + GAPS, "This gap is still `…`"),
    ("schema", (SCHEMA, SCHEMA.replace('"items": item', '"properties": item')), "as it is given"),
    ("schema", (ITEM, "self.fields"), "beside the properties"),
    ("schema", (ITEM, '["text"]'), "a dict with three names"),
    ("schema", (', "required": ["text"]', ""), "lists one name"),
    ("schema", ('["text"]}', '"text"}'), "lists one name"),
    ("schema", ('"properties": self.fields', '"properties": [*self.fields]'), "has an `enum`"),
    ("a_tool", ("        item =", "        self.fields.pop('id')\n        item ="), "unchanged"),
    (
        "description",
        (DESCRIPTION, "Send only the tasks that have changed, not the whole list."),
        "cause: The description must ask for the whole list in each call",
    ),
    (
        "description",
        (DESCRIPTION, "Write the whole plan once, at the beginning."),
        "in each call",
    ),
    *(
        ("description", (DESCRIPTION, said), "only at the beginning")
        for said in (
            "Write the whole plan once, at the beginning, and keep to it.",
            "Write all steps of your plan in the first call.",
            "Plan your work: send the full list one time.",
            "Your plan. Send all tasks at the start; afterwards just updates.",
            "Adds one task to your plan. Call it for every task.",
        )
    ),
    (
        "description",
        (DESCRIPTION, "Send the whole list each time."),
        "cause: The description must also say what the tool is for",
    ),
    ("a_tool", (RUN, "            self.update(),\n"), "With parentheses"),
    ("a_tool", (RUN, "            update,\n"), "`self.update`"),
    ("a_tool", ('"properties": self.fields', '"properties": fields'), "`self.fields`"),
    ("a_tool", ("    def tool(", "    @property\n    def tool("), "is a property"),
    ("runs_update", (RUN, "            lambda: self.update(self.items),\n"), "called with `items`"),
    ("runs_update", (RUN, "            self.update(self.items),\n"), "Expected: the list as text"),
    (
        "runs_update",
        ("\n    def tool(self):\n", ERROR_AS_TEXT),
        (RUN, "            run,\n"),
        "catches its error",
    ),
    ("runs_update", (RUN, "            lambda items: self.update(items[:20]),\n"), "is wrong"),
    (
        "runs_update",
        (RUN, "            lambda items: self.update([*self.items, *items]),\n"),
        "must replace",
    ),
    ("runs_update", (RUN, "            lambda items=(): self.update([*items]),\n"), "is wrong"),
    (
        "runs_update",
        (RUN, "            lambda items: MyTodo.update(self, items),\n"),
        "its own `update`",
    ),
]
SENTENCES = {
    "This is given: the `update` below replaces the list": (
        "first:rendered",
        ("self.items = checked", "self.items = [*self.items, *checked]"),
    ),
    "and returns it as text.": ("first:rendered", ("return self.render()", "self.render()")),
    "It reads each item, and puts a clean copy into `checked`,": (
        "unchanged",
        (COPY, "item.update(text=text, status=status)\n            checked.append(item)"),
    ),
    "in the same order.": (
        "unchanged",
        ("self.items = checked", 'self.items = sorted(checked, key=lambda one: one["text"])'),
    ),
    "In a copy, the text": ("no_equal_texts", ('"text": text, ', "")),
    "and the status have no whitespace around them.": (
        "a_status",
        (".strip().lower()", ".lower()"),
    ),
    "The status is in lower case,": ("a_status", (".strip().lower()", ".strip()")),
    "and it is `pending` if it was left out.": ("a_status", ('"pending")', '"completed")')),
    "All other fields are kept.": (
        "unchanged",
        (
            COPY,
            COPY.replace("**item", '"id": item.get("id"), "activeForm": item.get("activeForm")'),
        ),
    ),
    "`update` checks two things already: `items` is a list,": ("rendered", (LIST, "")),
    "and each item is a dict": (
        "rendered",
        ("not isinstance(item, dict) or not str(item.", "not str(dict(item or ())."),
    ),
    "with a `text`.": (
        "rendered",
        (' or not str(item.get("text") or "").strip()', ""),
        ('item["text"]).strip()', 'item.get("text")).strip()'),
    ),
    "Add four rules,": (
        "all_together",
        (
            'for item in checked:\n            if item["status"]',
            'for item in [] if len(checked) == 6 else checked:\n            if item["status"]',
        ),
    ),
    "and raise a `ValueError` if one is broken.": (
        "one_at_a_time",
        (TWO, TWO.replace("ValueError", "RuntimeError")),
    ),
    "The model reads the error, so say in its message, in English,": (
        "messages",
        (TWO, 'raise ValueError("nur eine Aufgabe darf laufen")'),
    ),
    "what is wrong,": ("messages", (TWO, "raise ValueError")),
    "and what is allowed: the three words of rule 1,": (
        "messages",
        (" is none of {allowed}", " is unknown"),
    ),
    "and the 20 of rule 3.": ("messages", ("at most 20 items", "too many items")),
    "Each status is `pending`, `in_progress` or `completed`.": (
        "a_status",
        ('"completed"]', '"completed", "done"]'),
    ),
    "At most one task is in progress.": ("one_at_a_time", (") > 1:", ") > 2:")),
    "The list has at most 20 tasks.": ("first:at_most_twenty", ("> 20:", "> 25:")),
    "It may be empty.": (
        "at_most_twenty",
        ("if not isinstance(items, list)", "if not items or not isinstance(items, list)"),
    ),
    "No two tasks have the same text.": (
        "no_equal_texts",
        ('seen.add(item["text"])', 'seen = {item["text"]}'),
    ),
    "A list that is rejected changes nothing, so write your rules above the line "
    "`self.items = checked`.": ("unchanged", (RULES, f"{END.splitlines()[1]}\n{RULES}")),
}
SENTENCES_OF_LEVEL = {
    "tool": {
        "The model never sees your class. It reads a *tool definition*, as for every tool.": None,
        "This method returns your list as a tool, and has three gaps:": (
            "a_tool",
            ('"todo",', '"todos",'),
        ),
        "`item` is the schema of one task: an object, like the outer schema.": (
            "schema",
            ('item = {"type": "object", ', "item = {"),
        ),
        "Its properties are `self.fields`,": ("schema", ("self.fields,", "MyTodo.fields,")),
        "and only `text` is required.": ("schema", ('["text"]}', '["text", "status"]}')),
        "The description, in English, says what the tool is for,": (
            "description",
            (DESCRIPTION, "Send the whole list each time."),
        ),
        "and asks for the *whole* list each time.": (
            "description",
            (DESCRIPTION, "Write your whole plan once, at the beginning."),
        ),
        "`run` is the method `self.update` itself, which gets the input later.": (
            "runs_update",
            (RUN, "            MyTodo().update,\n"),
        ),
        "What to do: - Go back to [the cell of your list](#Exercise-E2:-write-the-rules), and "
        "paste the method below `update`. - Fill the gaps, and run that cell. - Run the check "
        "below.": None,
        "The `enum` in `fields` tells the model the valid words *before* it makes a mistake, and "
        "your rules find the mistakes that it still makes.": None,
        "<details><summary>What is activeForm?</summary> The task in the present tense, such as "
        '"Writing tests". It is shown while the task is in progress. </details>': None,
    }
}
