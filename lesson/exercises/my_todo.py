"""The rules of MyTodo: what its `update` accepts and stores, and the tool that a model calls.

LISTS is what the rules of a list that extends this one send again: both must do the same.
"""

import re
import traceback
from copy import deepcopy
from typing import Any

from agentlib import Call, TodoManager, Tool, call_tool
from lesson.learners_code import Raised, show

from .kit.engine import Differs, Words, rule, same

STATUSES = ["pending", "completed"]
FIX, DOCS = {"text": "Fix", "status": "pending"}, {"text": "Docs", "status": "pending"}
FIRST = {"id": "1", "text": "Read the code", "status": "in_progress"}
STARTED = [{"text": text, "status": "in_progress"} for text in ("Fix", "Docs", "Add tests")]
DONE = [{"text": f"Step {n}", "status": "completed"} for n in range(30)]
OPEN = [{"text": f"Step {n}", "status": "pending"} for n in range(30)]
# Texts that are not the same, and statuses that are none.
TEXTS = [
    "Fix",
    "fix",
    "Fix it",
    "Fix.",
    "Fix  it",
    "the README's\n{name}",
    r"C:\new <b>",
    "x" * 400,
]
UNKNOWN = ["done", "progress", "in progress", "in-progress", "completed!", "pending completed"]
# A field can have any of these values of JSON, also one that is empty or of another type.
EMPTY, OTHERS = [None, "", [], {}], [5, True, ["Fix"], {"text": "Fix"}]
NO_LISTS: list[Any] = ["Fix", ({"text": "Fix"},), {"text": "Fix"}, *EMPTY[:2], {}, *OTHERS[:2]]
NO_ITEMS: list[Any] = ["Fix", *EMPTY[:3], *OTHERS[:3]]
NO_TEXTS = [{}, {"id": "1"}, *({"text": value} for value in [" \n", *EMPTY])]
# Twenty items with all fields, in no order.
MIXED = [f"{n * 7 % 20} {TEXTS[n % 7]}" for n in range(20)]
BIG = [
    {"id": f"{n}", "text": text, "status": STATUSES[n % 2], "activeForm": text, "minutes": n % 9}
    for n, text in enumerate(MIXED)
]
UNTIDY = [FIX | {"status": " In_Progress\n"}, {"text": "\tDocs ", "status": "COMPLETED"}]

# The last item of each breaks one of the five rules.
MISTAKES = [
    *([FIX, item] for item in [*NO_TEXTS, *({**DOCS, "status": status} for status in UNKNOWN)]),
    STARTED,
    OPEN[:21],
    [DOCS, FIX, {"text": " Fix\n", "status": "completed"}],
]
LISTS: list[list[Any]] = [
    *([], [FIX], STARTED[:1], DONE[:20], BIG, UNTIDY, [{"text": text} for text in TEXTS]),
    *([FIX | {name: value}] for name in [*FIRST, "activeForm"] for value in [*EMPTY, *OTHERS]),
    *MISTAKES,
]

TOO_STRICT = (
    "Your code rejects this list, and no rule forbids it: a task may have no id, and one task or "
    "none may be in progress. Two typical mistakes: `a != 1 or a != 2` is always true, and a task "
    "that is compared with itself is always the same."
)
NOT_THE_OLD = "A new list replaces the old one: assign one, `self.items = …`, in each update."
REMEMBERS = (
    "Your code remembers an earlier list. Look only at the new items, and create what you collect "
    "inside of `update`: a list in the class body, in `self` or in a default, `texts=[]`, stays "
    "from one call to the next."
)
GIVEN = (
    "Keep the two given rules, above your own. `str(item.get('text') or '').strip()` is the text, "
    "and it is empty if there is none."
)
RAISE = (
    'Your code does not reject this list: `raise ValueError("…")` does, and it ends `update`. '
    "`return` and `print` do not."
)
DROPS = (
    "Your code does not store all of these tasks, and does not say so. Reject the whole list, with "
    '`raise ValueError("…")`: the model must learn what is wrong.'
)
RAISE_VALUE_ERROR = (
    'This is another error: write `raise ValueError("…")`. `assert` raises an AssertionError, '
    "and an `Exception` is not a ValueError."
)
ANY_VALUE = (
    "A model can send a number, null or a list in each field. Look at `checked`, in which each "
    "text and each status is a string: `str(…)` makes one of any value."
)
LEFT_OUT = (
    "A status that is left out is pending. Keep the given line with `item.get`, which puts it into "
    "`checked`, and look there, not in `items`."
)
TIDY = (
    "Capital letters and whitespace around a status do not count. Keep the given line that removes "
    "them with `strip` and `lower`, and look at `checked`, not at `items`."
)
STORED = (
    "Keep the given lines that make the copies, and store these: `self.items = checked`. In them, "
    "a status that was left out is pending, and the others are in lower case."
)
NO_RULE = (
    "Your code accepts a status that is none of the three words. Compare each status in `checked`, "
    "below the loop and above the line `self.items = checked`, and raise a ValueError."
)
LAST_ALONE = (
    "Your code looks at the last task alone. Below the given loop, `item`, `text` and `status` are "
    "those of the last task: write your own loop, `for item in checked:`."
)
FIRST_ALONE = "Your code does not look at the last task. Does something end your loop before it?"
WHOLE_WORD = (
    "Compare the whole word, `status not in` a list of the three: in a string, `in` also finds a "
    "part of a word."
)
TIDY_TEXTS = (
    "Compare and store the texts without the whitespace around them. Keep the given line that "
    "removes it with `strip`, and look at `checked`, not at `items`."
)
TOO_EARLY = (
    "`self.items` changed before the error: write all rules above the line `self.items = checked`."
)
COPIES = (
    "Store copies of the items in a new list: `{**item, 'text': text, 'status': status}` makes one "
    "with all fields. What was sent is in the history of the run, and stays as it is."
)
CHANGED = f"The items that were sent have changed. {COPIES}"
ALIAS = f"`self.items` has the very dicts that were sent. {COPIES}"
ORDER = "The order of the tasks is the model's plan: do not sort them, and drop none."
FIELDS_LOST = (
    "A field is lost. Begin each copy with all that was sent, `{**item, …}`: a model can send "
    "fields that are not in `fields`, and 0 is also a value."
)
MESSAGE = "The model reads this message: say which rule it is, and what is allowed."
ONE_FOR_ALL = (
    "Two rules have the same message, so the model cannot learn which of them is broken. Write a "
    "message for each rule."
)
PARENTHESES = (
    "`run` is the method itself, which gets `items` later: write `run=self.update`, without "
    "parentheses. With them, it is called as soon as the tool is made."
)
TAKES_ITEMS = "`run` is called with `items`, and must accept this list: write `run=self.update`."
GAP = "This gap is still `…`: fill it in."
OUTER = "Leave the outer schema as it is given: only `item` is yours."
OF_A_TASK = Words("the schema of a task")
# What `item` needs, by the place in it that differs.
OF_ITEM = {
    "item['type']": (
        'A task is an object, as the input is: `"type": "object"` is beside `properties` and '
        "`required`."
    ),
    "item['properties']": (
        "The properties are `self.fields` itself, in which the status has an `enum`: without it, "
        "a model must guess the words."
    ),
    "item['required']": '`required` is a list with one name, `["text"]`: the rest can be left out.',
    "item": "`item` is the schema of one task: a dict with three names, as the outer schema.",
}
SELF_FIELDS = (
    "A list that extends yours has one more field, and its schema does not. Use `self.fields`, not "
    "a copy of it and not `MyTodo.fields`."
)
NO_WHOLE = (
    "The description must ask for the whole list in each call, and not for the changes alone or "
    "only at the beginning. The model has never seen your code."
)
NO_AIM = (
    "The description must also say what the tool is for: which work does the model do with it? The "
    "model has never seen your code."
)
# Words that say nothing about any rule, and those that say nothing about one of rules 2 and 4.
VAGUE = """
    a again an and are bad be because broke broken by cannot check correct data do does error
    errors failed fix found for good has have illegal in incorrect input invalid is it item items
    list lists made must new no none not of ok or plan please problem reject rejected rule rules
    send sent something sorry task tasks that the there these this to todo todos try valid value
    values violated violates violation was were with wrong you your
""".split()
VAGUE_OF_2_AND_4 = "allowed length limit long many max maximum more much status statuses too two"
OF_RULE_2 = "active busy one only progress running single started time"
OF_RULE_4 = "double duplicate duplicated duplicates equal identical same text texts twice unique"
# A description is English if half of its words are of these.
ENGLISH = [
    *VAGUE,
    *"all always at call changed changes complete each entire every full here job keep new".split(),
    *"only plans progress replaces so status step steps time update updates use whole".split(),
    *"work write writes".split(),
]
# Parts of English sentences: what asks for all tasks, for a part of them, for one call alone; and
# what says what the tool is for.
WHOLE = r"\b(?<!for )(whole|entire|full|fully|complete|all|every|everything|replac\w+)\b"
NOT = r"(\b(not|never|no need|instead of|rather than)|n't)\b(?! only| just|.* less)"
NOT_WHOLE = rf"{NOT}( \w+){{0,4}}? {WHOLE}"
ONLY_A_PART = r"\b(?<!n't )(?<!not )(?<!never )(send|give|pass)s? (only|just)\b(?! if| when| after)"
ONCE = r"(?<!at )\bonce\b(?! an?\b| it\b| the\b| you\b| each\b)|\bat the (beginning|start)\b"
AGAIN = r"\b(each|every) (time|call|round|step|change)|\b(always|whenever|again|keep|replaces?)\b"
AIM = r"\b(plan|to[- ]?do|progress|steps?|work|job|track|organi|remember|goal|checklist|manage)"
ABOUT_SENDING = rf"{WHOLE}|\b(send|sent|only|leave|omit)\b"

# (pattern of an exception, likely cause and what to do)
CAUSES = (
    (
        "'(NoneType|int|bool|list|dict)' object .*'(strip|lower|casefold)'|unhashable|concatenate",
        ANY_VALUE,
    ),
    ("'str' object has no attribute 'get'|string indices", f"An item may be a string. {GIVEN}"),
    ("^KeyError: 'status'", LEFT_OUT),
    (
        "list indices must be|'list' object has no attribute",
        "A list has no fields: look at each task in it, `for item in checked:`.",
    ),
    ("^UnboundLocalError.*'(item|text|status)'", LAST_ALONE),
    ("^ValueError", TOO_STRICT),
    ("^NameError: name '(fields|update)'", "Write `self.` before the name: `self.fields`."),
    ("All lists share `fields`", "`fields` is shared by all lists: give `self.fields` as it is."),
    ("no attribute 'tool'", "Write the method `tool(self)` into MyTodo, indented like `update`."),
    ("'Tool' object is not callable", "`tool` is a method: write it without `@property`."),
    (r"update\(\) missing|'str' object is not callable", PARENTHESES),
)


class Calls:
    """Make lists of a class. What is raised in `with Calls(MyTodo) as calls:` gets `tried`.

    These are the calls of the list that was used last, as a learner would write them.
    """

    def __init__(self, part: Any) -> None:
        self.part, self.lines = part, list[str]()

    def make(self) -> Any:
        """Return a new list, whose calls of `update` are recorded."""
        self.lines = ["todo = MyTodo()"]
        return Recorded(self.part(), self)

    def use(self, tools: dict[str, Tool], name: str, sent: Any) -> Call:
        """Call a tool."""
        self.lines.append(f"call_tool(tools, {name!r}, {show(sent)})")
        return call_tool(tools, name, deepcopy(sent))

    def __enter__(self) -> "Calls":
        return self

    def __exit__(self, kind: Any, problem: Any, trace: Any) -> None:
        if problem is not None:
            problem.tried = "\n".join(self.lines)


class Recorded:
    """A learner's list, and its calls."""

    def __init__(self, todo: Any, calls: Calls) -> None:
        self.todo, self.calls, self.lines = todo, calls, calls.lines

    def update(self, items: Any) -> Any:
        self.lines.append(f"todo.update({show(items)})")
        self.calls.lines = self.lines
        return self.todo.update(items)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.todo, name)


@rule
def rendered(MyTodo):
    """A list that breaks no rule replaces the old one, and is returned as text. The two given rules
    still work.

    The model reads the returned string as the tool's result: this is how it sees its plan.

    The last two lines of `update` are `self.items = …` and `return self.render()`."""
    with Calls(MyTodo) as calls:
        two = [FIX | {"text": "Add tests"}, DOCS]
        for items in ([FIX], two):
            accept(calls.make(), items)
        other, todo = calls.make(), calls.make()
        accept(todo, [FIX])
        same(other.items, [], f"All objects share one list. {NOT_THE_OLD}")
        accept(todo, [FIX], REMEMBERS)
        accept(todo, two, REMEMBERS)
        same(f"{len(stored(todo))} items", "2 items", NOT_THE_OLD)
        got = accept(todo, [DOCS])
        note = "The last line is `return self.render()`, with `return` and with `()`."
        same(got, todo.render(), f"{note} A model cannot read the list itself.")
        for items in [*NO_LISTS, *([DOCS, item] for item in [*NO_ITEMS, *NO_TEXTS])]:
            reject(calls.make(), items, GIVEN)


@rule
def a_status(MyTodo):
    """Rule 1: each status is pending, in_progress or completed, and pending if it is left out.

    Which list has the statuses in lower case: `items` or `checked`?

    Below the given loop: `for item in checked:`, and in it `if item["status"] not in` a list."""
    with Calls(MyTodo) as calls:
        todo = calls.make()
        accept(todo, [FIRST, {"text": "Docs"}, DONE[0]], LEFT_OUT)
        expected = {"read the code": "in_progress", "docs": "pending", "step 0": "completed"}
        same(by_text(todo, "status"), expected, STORED)
        todo = calls.make()
        accept(todo, UNTIDY, TIDY)
        same(by_text(todo, "status"), {"fix": "in_progress", "docs": "completed"}, STORED)
        for word in UNKNOWN:
            wrong = FIX | {"status": word}
            todo = calls.make()
            note = NO_RULE if word == "done" else f"Your code accepts {word!r}. {WHOLE_WORD}"
            if not error_of(todo, [wrong]) and stored(todo, "status") != [word]:
                note = f"{word!r} is none of the three, and your code makes one of it: reject it."
            reject(calls.make(), [wrong], note)
            reject(calls.make(), [wrong, DOCS], LAST_ALONE)
            reject(calls.make(), [DOCS, wrong], FIRST_ALONE)
        for value in [*EMPTY, 0, False, *OTHERS]:
            todo = calls.make()
            if not takes(todo, "status", value):
                continue
            got = Words(f"accepted, as {todo.items[1].get('status')!r}")
            if value is None:  # nothing, or a value that is none of the three
                same(got, Words("accepted, as 'pending'"), "Reject null, or store pending.")
                continue
            note = "This is none of the three words, and the status is not left out: reject it."
            raise Differs(got, Words("a ValueError"), f"The status is {value!r}. {note}")


@rule
def one_at_a_time(MyTodo):
    """Rule 2: at most one task is in progress.

    How many items of the new list are in progress?

    Count them, and raise a ValueError if there are two or more."""
    with Calls(MyTodo) as calls:
        todo = calls.make()
        accept(todo, STARTED[:1], "One task in progress is allowed: reject `> 1`, not `>= 1`.")
        accept(todo, STARTED[1:2], REMEMBERS)
        note = (
            "Your code accepts two or more in progress. Count them below the given loop, where "
            "`checked` is complete, and raise a ValueError if there are `> 1`."
        )
        first, second, _ = STARTED
        for items in ([first, DONE[0], second], [first, second, DONE[0]], STARTED):
            reject(calls.make(), items, note)
        reject(calls.make(), [FIRST, FIX | {"status": " IN_PROGRESS"}], TIDY)


@rule
def at_most_twenty(MyTodo):
    """Rule 3: the list has at most 20 tasks.

    The model reads its plan in every todo result, so a long plan costs tokens each time.

    Compare `len(items)`: 20 items are allowed, and 21 are not."""
    note = (
        "Your code accepts this many: raise a ValueError if there are `> 20`, of any status. (If "
        "you count those in `checked`, do it below the given loop, where it is complete.)"
    )
    with Calls(MyTodo) as calls:
        for many in (OPEN, DONE):
            reject(calls.make(), many, note)
            reject(calls.make(), many[:21], note)
            twenty = "20 items are allowed, and 21 are not: compare with `> 20`."
            accept(calls.make(), many[:20], twenty)
        empty = "An empty list breaks no rule. Look at its type, and not at `if items`."
        accept(calls.make(), [], empty)


@rule
def no_equal_texts(MyTodo):
    """Rule 4: no two tasks have the same text. Whitespace around a text is not stored.

    If one of two equal tasks is completed, the list does not show which one.

    Make a list of the stored texts: `len(set(texts)) < len(texts)` if two of them are equal."""
    with Calls(MyTodo) as calls:
        alone = (
            "Your code accepts two tasks with the same text. Compare each text in `checked` with "
            "all others, whatever the status and the other fields of the two tasks."
        )
        reject(calls.make(), [FIX, DOCS, FIX], alone)
        reject(calls.make(), [DOCS, FIX, FIX], alone)
        for more in ({"status": "completed"}, {"status": "in_progress"}, {"id": "2"}):
            for pair in ([FIX, FIX | more], [FIX | more, FIX]):
                reject(calls.make(), [DOCS, *pair], alone)
        reject(calls.make(), [FIX | {"status": "completed"}] * 2, alone)
        for pair in ([FIX, FIX | {"text": " Fix\n"}], [FIX | {"text": "\tFix"}, FIX]):
            reject(calls.make(), pair, TIDY_TEXTS)
        todo, ids = calls.make(), [*"123456", "Fix", "x" * 400]
        sent = [{"id": one, "text": f" {text}\n"} for one, text in zip(ids, TEXTS, strict=True)]
        only = "Only equal texts are the same task: not a part of a text, other capitals, or an id."
        accept(todo, sent, only)
        found = dict(zip(stored(todo, "id"), stored(todo), strict=True))
        for one, text in zip(ids, TEXTS, strict=True):
            got = found.get(one, text)  # another rule asks for the id
            same(got.strip(), text, "Inside a text, nothing is changed.")
            same(got, text, TIDY_TEXTS)
        for value in OTHERS:
            takes(calls.make(), "text", value)


@rule
def unchanged(MyTodo):
    """A list that is rejected changes nothing. Items are stored as copies, in their order.

    When does `self.items` change: before or after all items are checked? What do you store?

    Collect copies with all fields in a new list, and assign it below the last rule."""
    with Calls(MyTodo) as calls:
        for mistake in [*MISTAKES, UNTIDY, [{"text": "Fix"}]]:
            todo, sent = calls.make(), deepcopy(mistake)
            accept(todo, [FIRST])
            before = deepcopy(todo.items)
            error = error_of(todo, sent)
            same_items(sent, mistake, CHANGED)
            if error:  # otherwise another rule fails
                same_items(todo.items, before, TOO_EARLY)
                accept(todo, [DOCS, FIX], f"The list before was rejected. {REMEMBERS}")
        for name in ("id", "activeForm"):
            for value in [*EMPTY, *OTHERS]:
                takes(calls.make(), name, value)
        if issubclass(MyTodo, TodoManager):  # it stores only what its `fields` describe
            calls.part = type(with_minutes(MyTodo))
        lists = calls.make(), calls.make()
        for todo in lists:
            sent = deepcopy(BIG)
            todo.update(sent)
            same_items(sent, BIG, CHANGED)
            sent[0] |= {"text": "Something else", "minutes": 99}
        for todo in lists:
            found, names = stored(todo), ("id", "activeForm", "minutes")
            assert "Something else" not in found, ALIAS
            found = [{name: item.get(name) for name in names} for item in todo.items]
            for one in found:
                if None in one.values():
                    raise Differs(one, Words("a value in each field that was sent"), FIELDS_LOST)
            same_items(found, [{name: item[name] for name in names} for item in BIG], ORDER)


@rule
def messages(MyTodo):
    """The message of each error names the rule and what is allowed.

    What would you have to read to write a better list?

    Put the three words, or the 20, into the message: `f"… one of {allowed}"`."""
    three = ["pending", "in_progress", "completed"]
    no_status = [[FIX | {"status": value}] for value in ("done", *EMPTY, *OTHERS)]
    with Calls(MyTodo) as calls:
        for mistake, words, vague in (
            *((one, three, "") for one in no_status),
            (OPEN[:21], ["20"], ""),
            (STARTED, [], f"{VAGUE_OF_2_AND_4} {OF_RULE_4}"),
            ([FIX, FIX], [], f"{VAGUE_OF_2_AND_4} {OF_RULE_2}"),
        ):
            error = error_of(calls.make(), deepcopy(mistake))
            # Any other error fails at another rule, and the package has its own messages.
            if isinstance(error, ValueError) and is_raised_by_learner(error):
                check_message(str(error), words, vague=vague)
        said: list[str] = []
        for mistake in (no_status[0], OPEN[:21], STARTED, [FIX, FIX]):
            error = error_of(calls.make(), deepcopy(mistake))
            if isinstance(error, ValueError) and is_raised_by_learner(error):
                if str(error) in said:
                    raise Differs(Words(str(error)), Words("another message"), ONE_FOR_ALL)
                said.append(str(error))


@rule(level="tool")
def a_tool(MyTodo):
    """`tool()` returns a Tool, whose name is todo.

    The program gives it to the agent loop, which calls its `run`.

    The method is given. Paste it into the class, indented like `update`."""
    tool = MyTodo().tool()
    assert isinstance(tool, Tool), (
        "Is the `return` missing? A definition as a dict is not enough: "
        "`return Tool(name=…, description=…, input_schema=…, run=…)`."
    )
    same(tool.name, "todo", "The nag looks for a call with this name, and so does other code.")


@rule(level="tool")
def schema(MyTodo):
    """Rule 1: `item` is an object with the properties `self.fields`. Only `text` is required.

    The outer schema is of the same kind: it is an object, too. What are its three names?

    `item = {"type": "object", "properties": self.fields, "required": ["text"]}`"""
    with Calls(MyTodo) as calls:
        calls.lines = ["MyTodo().tool().input_schema"]
        same_schema(MyTodo(), "")
        longer = "class Longer(MyTodo):\n    fields = MyTodo.fields | {'minutes': …}\n"
        calls.lines = [longer, "Longer().tool().input_schema"]
        same_schema(with_minutes(MyTodo), SELF_FIELDS)


@rule(level="tool")
def description(MyTodo):
    """Rule 2: the description says what the tool is for, and asks for the whole list each time.

    What does a model need to know that cannot see your code?

    "Write your plan and keep it up to date. Send the whole list each time."."""
    with Calls(MyTodo) as calls:
        calls.lines = ["MyTodo().tool().description"]
        text = MyTodo().tool().description
        assert text is not ..., GAP
        if not isinstance(text, str):
            raise Differs(text, Words("a string"), "The description is a string, in quotes.")
        if not asks_for_all(text):
            raise Differs(text, Words("a description that asks for the whole list"), NO_WHOLE)
        if not has_aim(text):
            raise Differs(text, Words("a description that says what the tool is for"), NO_AIM)


@rule(level="tool")
def runs_update(MyTodo):
    """Rule 3: a call of the tool updates the list that made it, and returns it rendered.

    Which object's `update` does your tool call?

    `run=self.update`. An error is not caught: the agent loop sends it to the model."""
    with Calls(MyTodo) as calls:
        other, todo = calls.make(), calls.make()
        assert todo.tool().run is not ..., GAP
        tools = {"todo": todo.tool(), "other": other.tool()}
        calls.lines = [
            "todo, other = MyTodo(), MyTodo()",
            "tools = {'todo': todo.tool(), 'other': other.tool()}",
        ]
        for name, one, items in (("todo", todo, [FIX, DOCS]), ("other", other, [DOCS])):
            call = calls.use(tools, name, {"items": items})
            note = TAKES_ITEMS if callable(tools[name].run) else PARENTHESES
            if not call.ok:
                raise Differs(call.output, Words("the list as text"), note)
            texts = [item["text"] for item in items]
            same(stored(one), texts, "The tool updates another list: `run=self.update`.")
            note = "`run` must return what `update` returns, for the model."
            same(call.output, one.render(), note)
        for sent in ({"items": [FIX, FIX]}, {}, {"todos": [FIX]}):
            call = calls.use(tools, "todo", sent)
            note = (
                "Write `run=self.update`, and no function that catches an error or fills in what "
                f"was left out. The input {sent} is wrong, and an error must say so."
            )
            said = f"accepted, with the output {call.output!r}" if call.ok else "rejected"
            got = f"{said}, and the list has {stored(todo)}"
            same(Words(got), Words("rejected, and the list has ['Fix', 'Docs']"), note)
            check_message(call.output, [], note)
        calls.lines = [
            "class Longer(MyTodo):\n    def update(self, items): …\n",
            "tools = {'todo': Longer().tool()}",
        ]
        longer = type("MyTodo", (MyTodo,), {"update": lambda self, items: "the longer list"})
        call = calls.use({"todo": longer().tool()}, "todo", {"items": []})
        note = "A list that extends yours has its own `update`: call it with `self.update`."
        same(call.output, "the longer list", note)


def accept(todo: Any, items: list[Any], note: str = TOO_STRICT) -> Any:
    """Send a legal list, and return what `update` returns. `note` says why it may be rejected."""
    try:
        return todo.update(deepcopy(items))  # a learner's code may change what is sent
    except ValueError as problem:
        problem.note = note  # type: ignore[attr-defined]
        raise


def reject(todo: Any, items: Any, note: str) -> ValueError:
    """Send a list that breaks a rule. Return the ValueError, or raise Differs.

    `note` says why it may be accepted.
    """
    tried = f"todo.update({show(items)})"
    try:
        got = todo.update(deepcopy(items))
    except ValueError as problem:
        return problem
    except Exception as problem:
        # By a line of the learner's own, and not by one that fails.
        line = traceback.extract_tb(problem.__traceback__)[-1].line or ""
        if is_raised_by_learner(problem) and line.startswith(("raise", "assert")):
            got, expected = Words(show(Raised(problem))), Words("a ValueError")
            raise Differs(got, expected, RAISE_VALUE_ERROR, tried) from problem
        problem.tried = tried  # type: ignore[attr-defined]
        raise
    is_stored = not isinstance(got, Exception | None) and got == todo.render()
    if is_stored and isinstance(items, list) and len(todo.items) < len(items):
        note = DROPS
    lines = [*show(got).splitlines(), ""]
    got = "\n".join([*lines[:3], "…"] if len(lines) > 5 else lines)
    raise Differs(Words(got.strip()), Words("a ValueError"), note if is_stored else RAISE, tried)


def is_raised_by_learner(problem: BaseException) -> bool:
    """Return whether an exception was raised by code that is not of this project."""
    frame, _ = [*traceback.walk_tb(problem.__traceback__)][-1]
    return frame.f_globals.get("__name__", "").partition(".")[0] not in ("agentlib", "lesson")


def error_of(todo: Any, items: Any) -> Exception | None:
    """Send these very items, and return the exception of any kind, or None."""
    try:
        todo.update(items)
    except Exception as problem:
        return problem
    return None


def is_accepted(todo: Any, items: Any) -> bool:
    """Send a copy of these items, and return whether the list accepts them."""
    try:
        todo.update(deepcopy(items))
    except ValueError:
        return False
    return True


def takes(todo: Any, name: str, value: Any) -> bool:
    """Send a field with any value, and return whether the list accepts it.

    A ValueError may reject it, and no other error.
    """
    try:
        return is_accepted(todo, [DOCS, FIX | {name: value}])
    except Exception as problem:
        problem.note = f"The {name} was {value!r}. {ANY_VALUE}"  # type: ignore[attr-defined]
        raise


def check_message(message: str, words: list[str], note: str = MESSAGE, vague: str = "") -> None:
    """Raise Differs if an error's message lacks one of these words, or any word that says much.

    The words of VAGUE and of `vague` do not. In another language, any word does. `note` says what
    to do.
    """
    found = re.findall(r"[^\W\d_]+", message.lower())
    # Bytes are counted: some scripts have no spaces between words, or words of two letters.
    says = "".join(one for one in found if one not in VAGUE + vague.split())
    says_much = len(says.encode()) >= 3
    lost = [f"`{word}`" for word in words if word not in message.lower()]
    if lost or not says_much:
        if lost:
            note = f"The message does not contain {', '.join(lost)}. {note}"
        expected = " ".join(["a message with", *words] if words else ["a message that says why"])
        raise Differs(message, Words(expected), note)


def is_english(text: str) -> bool:
    """Return whether half of the words of a description are English ones that we know."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    return 2 * sum(word in ENGLISH for word in words) >= len(words)


def asks_for_all(text: str) -> bool:
    """Return whether a description asks for the whole list in each call, as far as we can tell."""
    text = text.lower()
    if not is_english(text):
        return len(text.split()) > 2 or not text.isascii()
    parts = re.split(r"[.,:;!?()\n—–]| - |\bbut\b", text)
    asks = any(re.search(WHOLE, one) and not re.search(NOT_WHOLE, one) for one in parts)
    is_once = re.search(ONCE, text) and not re.search(AGAIN, text)
    return asks and not is_once and not re.search(ONLY_A_PART, text)


def has_aim(text: str) -> bool:
    """Return whether a description says more than to send the list, as far as we can tell."""
    text = text.lower()
    sentences = [one for one in re.split(r"[.:;!?\n]", text) if len(one.split()) > 2]
    others = [one for one in sentences if not re.search(ABOUT_SENDING, one)]
    return bool(not is_english(text) or others or re.search(AIM, text))


def stored(todo: Any, name: str = "text") -> list[Any]:
    """Return one field of each item in the list; None if it is not there."""
    assert isinstance(todo.items, list) and all(isinstance(one, dict) for one in todo.items), (
        "Other code reads the plan from `self.items`: a list with one dict for each item."
    )
    return [item.get(name) for item in todo.items]


def by_text(todo: Any, name: str) -> dict[str, Any]:
    """Return one field of each item by its text, in lower case.

    Neither the order nor a changed text is what is tried with it.
    """
    texts = [str(text).strip().lower() for text in stored(todo)]
    return dict(zip(texts, stored(todo, name), strict=True))


def same_items(got: list[Any], expected: list[Any], note: str) -> None:
    """Raise Differs with the first item that differs."""
    for one, other in zip(got, expected, strict=False):
        same(one, other, note)
    same(f"{len(got)} items", f"{len(expected)} items", note)


def with_minutes(part: Any) -> Any:
    """Return a list of a class that extends `part` with one more field."""
    return type("MyTodo", (part,), {"fields": part.fields | {"minutes": {"type": "integer"}}})()


def same_schema(todo: Any, note: str) -> None:
    """Raise Differs at the first place at which the schema of the list's tool is another one.

    `note` is the likely cause, by default one for each place. The second call must not differ.
    """
    item = {"type": "object", "properties": deepcopy(todo.fields), "required": ["text"]}
    for _ in range(2):
        got = todo.tool().input_schema
        shared = "Your `tool` changes `fields`, which all lists share."
        same_place(todo.fields, item["properties"], "fields['properties']", shared)
        items = {"type": "array", "items": OF_A_TASK}
        outer = {"type": "object", "properties": {"items": items}, "required": ["items"]}
        same_place(got, outer, "input_schema", OUTER)
        same_place(got["properties"]["items"]["items"], item, "item", note)


def same_place(got: Any, expected: Any, place: str, note: str) -> None:
    """Raise Differs with the first place at which a schema is not the expected one.

    Further keywords, such as a description, are allowed, and further properties are not.
    """
    if expected is OF_A_TASK:  # compared after the outer schema
        return
    here = note or next(said for start, said in OF_ITEM.items() if place.startswith(start))
    if got is ...:
        raise Differs(Words(f"{place} is …"), expected, GAP)
    if not isinstance(got, dict) or not isinstance(expected, dict):
        if got != expected:
            raise Differs(Words(f"{place} is {show(got)}"), expected, here)
        return
    for name, value in expected.items():
        if name in got:
            same_place(got[name], value, f"{place}[{name!r}]", note)
        else:
            has = ", ".join(map(repr, got))
            said = OF_ITEM.get(f"{place}[{name!r}]", here)
            raise Differs(Words(f"{place} has no {name!r}, but {has}"), {name: value}, said)
    if place.endswith("['properties']") and len(got) > len(expected):
        raise Differs(Words(f"{place} has {[*got]}"), Words(f"{[*expected]}"), here)
