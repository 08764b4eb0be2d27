"""The rules of MyTodo: what its `update` accepts and stores, and the tool that a model calls."""

import ast
import linecache
import re
import traceback
from contextlib import suppress
from copy import deepcopy
from typing import Any

from agentlib import TodoManager, Tool, call_tool
from lesson.common.learners_code import show

from .kit.engine import Differs, Words, rule, same
from .kit.lists import (
    BIG,
    DOCS,
    DONE,
    FIX,
    MISTAKES,
    NO_ITEMS,
    NO_LISTS,
    NO_TEXTS,
    OPEN,
    RAISE_VALUE_ERROR,
    STARTED,
    STATUSES,
    TEXTS,
    UNKNOWN,
    UNTIDY,
    VALUES,
    Lists,
    check_message,
    find_slip,
    is_accepted,
    is_foreign,
    same_items,
    stored,
    tell,
    try_stories,
)
from .kit.restore import cells_of
from .kit.telling import telling

REJECTS_ALL = (
    "Your code rejects this list, and no rule forbids it. Read the condition above the line that "
    "raises the error: of which list is it not true?"
)
WRONG_WAY = (
    "Your code rejects a short list, and accepts one of 21 tasks: the comparison of rule 3 is the "
    "wrong way round."
)
RULE_1_ALWAYS = (
    "Your code rejects one task that is `pending`. If the line is of rule 1, compare each status "
    "in `checked`, letter by letter, with the three words, in lower case. If it is of rule 4, do "
    "not compare a task with itself."
)
REJECTS_TWO = (
    "Your code rejects two pending tasks whose texts differ. Rule 2 counts only what is in "
    "progress. In rule 4, compare the texts alone, because a task may have no id."
)
COUNTS_OPEN = (
    "Your code rejects two pending tasks, and accepts two that are completed: rule 2 counts the "
    "tasks that are `in_progress`, and no others."
)
NEEDS_ONE = "Your code rejects a list in which no task is in progress: one or none may be."
REMEMBERS = (
    "Your code remembers an earlier list. Look only at the new items, and create what you collect "
    "inside of `update`: what is in the class body, in `self` or in a default stays from one call "
    "to the next."
)
NOTHING_STORED = "No task is stored: is `checked` emptied, or made again, below the given loop?"
FIELDS_GIVEN = "Keep the given `fields` as they are: the model reads the three words in the `enum`."
NOT_THE_OLD = "The new list replaces the old one: assign it to `self.items` in each update."
RETURNS = "`update` returns the list as text, because a model cannot read `self.items`."
GIVEN = (
    "Keep the two given rules, above your own: a text can be missing, empty, or only whitespace."
)
SPELLED = "Compare this word letter by letter with the three of rule 1."
ONE_IS_ALLOWED = "One task may be in progress, so rule 2 rejects `> 1`, and not `>= 1`."
LEFT_OUT = (
    "A status that is left out is pending. Keep the given line that puts it into `checked`, and "
    "look there, not in `items`."
)
TIDY = (
    "Capital letters and whitespace around a status do not count. Keep the given line that removes "
    "them with `strip` and `lower`, and look at `checked`, not at `items`."
)
STORED = (
    "Store the copies in `checked`: in them, a status that was left out is pending, and the others "
    "are in lower case."
)
NO_RULE = (
    "Your code accepts a status that is none of the three words. Look at each status in `checked`, "
    "below the loop and above the line `self.items = checked`, and raise a ValueError."
)
FOURTH = "Rule 1 has three words, and this word of your code is a fourth one: leave it out."
WHOLE_WORD = "Compare the whole word with a list: in a string, `in` also finds a part of a word."
LAST_ALONE = (
    "Your code looks at the last task alone. Below the given loop, `item`, `text` and `status` are "
    "those of the last task: write your own loop over `checked`."
)
FIRST_ALONE = "Your code does not look at the last task. Does something end your loop before it?"
ANY_STATUS = "This is none of the three words, and the status is not left out: reject it."
ANY_VALUE = (
    "A model can send a number, null or a list in each field. In `checked`, each text and each "
    "status is a string: look there, not in `items`."
)
TWO_STARTED = (
    "Your code accepts {} tasks in progress. Count those of the whole new list, below the given "
    "loop, where `checked` is complete."
)
MANY = (
    "Your code accepts this many: rule 3 counts tasks of any status, below the given loop, where "
    "`checked` is complete."
)
TWENTY = "20 tasks are allowed, and 21 are not. Your code rejects 20."
EMPTY = "An empty list breaks no rule. Look at its type, and not at `if items`."
EQUAL = (
    "Your code accepts two tasks with the same text. Compare each text with all others, and not "
    "only with its neighbour, whatever the status and the other fields of the two tasks."
)
BY_ID = (
    "Your code compares ids, and a task may have none. Rule 4 is about the texts: compare those."
)
TIDY_TEXTS = (
    "Compare and store the texts without the whitespace around them. Keep the given line that "
    "removes it with `strip`, and look at `checked`, not at `items`."
)
NOT_EQUAL = (
    "No two of these texts are equal: compare whole texts, and not a part of them, with their "
    "capitals and the spaces inside."
)
TEXT_CHANGED = "A text is stored as it was sent, but for the whitespace around it: change no more."
OTHER_FIELDS = "Your rules are about the status and the text: look at no other field of a task."
TOO_EARLY = "`self.items` changed before the error: write all rules above the line that sets it."
COPIES = "Store copies with all fields, `{**item, …}`: what was sent is in the history of the run."
CHANGED = f"Your code changes the items that were sent, or stores these very dicts. {COPIES}"
FIELDS_LOST = f"A field is lost. {COPIES} A model can send more than `fields` has, also a 0."
ORDER = "The order of the tasks is the model's plan: do not sort them, and drop none."
ONE_FOR_ALL = (
    "Two rules have the same message, so the model cannot learn which of them is broken. Write a "
    "message for each rule."
)
OTHER_RULE = (
    "The message must say which rule is broken, and name no other: what would a model that reads "
    "only this line change in its list?"
)
# Words of the messages of rules 2 and 4, of which one is needed, if the message is in English.
OF_RULE_2 = (
    r"(?s)^(?!.*(\b20\b|same text|duplicat|identical))"
    r"(?=.*\b(one(?! of)|1|single|two|2|both|many|more|another|multiple|already)\b"
    r"|(?!.*pending).*(progress|active|started|running))"
)
OF_RULE_4 = (
    r"(?s)^(?!.*(\b20\b|progress)).*(same|twice|once|duplicat|equal|identical|unique|double|repeat"
    r"|distinct|differ|already|two|cop(y|ies)|exist|again)"
)
IN_ENGLISH = "The exercise asks for English here, because this check looks for English words."
PARENTHESES = (
    "`run` must be the method itself, which gets `items` later. With parentheses, it is called as "
    "soon as the tool is made, and in quotes it is no method."
)
TAKES_ITEMS = "`run` is called with `items`, and must accept this list, as `update` does."
ANOTHER_LIST = (
    "The tool must replace what is in the list that made it: `run` is the `update` of that list, "
    "which gets the items as they were sent."
)
SWALLOWED = (
    "The input {} is wrong, and an error must say so: `run` is `update`, and no function that "
    "catches its error or fills in what was left out."
)
OWN_UPDATE = "A list that extends yours has its own `update`, and `run` must be that one."
NO_TOOL = "This is no Tool: `return Tool(name=…, description=…, input_schema=…, run=…)`."
GAP = "This gap is still `…`: fill it in."
OUTER = "Leave the outer schema as it is given: only `item` is yours."
# What `item` needs, by the name in it that differs.
OF_ITEM = {
    "item": "`item` is the schema of one task: a dict with three names, as the outer schema.",
    "type": "A task is an object, as the input is: the type is beside the properties.",
    "required": "`required` is beside the properties, and lists one name: the rest may be missing.",
    "properties": (
        "The properties are `self.fields`, in which the status has an `enum`: without it, a model "
        "must guess the words. Not a copy, and not `MyTodo.fields`: a list that extends yours can "
        "have more fields."
    ),
}
NO_WHOLE = (
    "The description must ask for the whole list in each call, and not for the changes alone or "
    "only at the beginning. The model has never seen your code."
)
NO_AIM = (
    "The description must also say what the tool is for: which work does the model do with it? The "
    "model has never seen your code."
)
# Parts of an English description: what asks for all tasks, what is denied, what asks for less, what
# denies the whole list, what asks to send something, for one call alone, for each call; and what
# the tool is for.
WHOLE = (
    r"(?<!for )\b((whole|entire|full|fully|complete)"
    r"(?! (file|text|project|code|message|history|task)\b)"
    r"|all|every|everything|replac\w+)\b"
)
NEGATED = r"(\b(not|never|instead of|rather than|sending)|n't)\b[^.,;:!?]*"
LESS = (
    r"\b(only|just) (the )?(updates|changes|changed|new)\b|\bthe changes?\b|\ba part of\b"
    r"|\b(send|give|pass|write)s? (only|just)\b(?! if| when| after)"
    r"|\bmay (send|write|give|list)\b|\bif you like\b"
)
NOT_WHOLE = (
    rf"(\b(not|never|no need|instead of|rather than)|n't)\b(?! only| just)( \w+){{0,4}}? {WHOLE}"
)
SENDS = (
    r"\b(re)?(send|sent|sending|writ\w+|give|pass|include|submit|provide|replac\w+|repeat|fill"
    r"|needs?|expects?|takes?|must|always|call|contain\w*|keep|set|update|put|please|list all)\b"
)
ONCE = (
    r"(?<!at )(?<!just )\bonce\b(?! an?\b| it\b| the\b| you\b| each\b| per\b)"
    r"|\bat the (beginning|start)\b|\bfirst (time|call|message)\b|\b(one|single) (time|call)\b"
)
AGAIN = (
    r"\b(each|every) (time|call|round|change|update)|\b(after|at|on|with) (each|every) step"
    r"|\b(always|whenever|up to date|updat\w+ (it|the|your|this))\b"
)
AIM = r"\b(plan|to[- ]?do|progress|steps?|work|job|track|organi|remember|goal|checklist|manage)"

# (pattern of an exception, likely cause and what to do)
CAUSES = (
    (
        "unhashable type: '(dict|ReadOnlyDict)'",
        "A set cannot have dicts: collect the texts of the tasks, and in a schema, write no braces "
        "around `self.fields`.",
    ),
    (
        "^KeyError: 'id'",
        "A model may leave this field out: use `item.get(…)`, and for rule 4, compare the texts.",
    ),
    (
        "'(NoneType|int|bool|list|dict)' object .*'(strip|lower|casefold)'|unhashable|concatenate",
        ANY_VALUE,
    ),
    (
        "'(str|NoneType)' object has no attribute 'get'|string indices",
        f"An item may be a string or null. {GIVEN}",
    ),
    ("^KeyError: 'status'", LEFT_OUT),
    (
        "list indices must be|'list' object has no attribute",
        "A list has no fields: look at each task in it, in a loop.",
    ),
    ("^UnboundLocalError.*'(item|text|status)'", LAST_ALONE),
    ("^ValueError", REJECTS_ALL),
    ("^NameError: name 'fields'", "Write `self.` before the name: `self.fields`."),
    ("^NameError: name 'items'", PARENTHESES),
    (
        "not supported between instances of 'int' and 'str'",
        "A number is compared with a string: write the number without quotes.",
    ),
    ("^KeyError: '(done|progress)'", RAISE_VALUE_ERROR),
    ("^NameError: name 'update'", "Write `self.` before the name: `self.update`."),
    ("All lists share `fields`", "All lists share `fields`: give them to the schema unchanged."),
    (
        "object has no attribute '(render|items|line)'",
        "Your class extends `Shown`, which has `render`: write `class MyTodo(Shown):`, and keep "
        "all that is given in one cell.",
    ),
    ("no attribute 'tool'", "Write the method `tool(self)` into MyTodo, indented like `update`."),
    (r"update\(\) missing|'str' object is not callable", PARENTHESES),
)


def explain_refusal(lists: Lists) -> str:
    """Return why a list of one pending task may be rejected."""
    if not lists.error_of(OPEN[:21]):
        return WRONG_WAY
    if not lists.error_of([STARTED[0], DOCS]):
        return NEEDS_ONE
    is_rule_1 = find_raise(lists, "pending") == find_raise(lists, "done")
    return find_slip(lists.kind, RULE_1_ALWAYS if is_rule_1 else REJECTS_ALL)


def find_words(kind: Any) -> list[str]:
    """Return the words in the strings of a learner's cell that are none of the three statuses."""
    found = set[str]()
    for file in cells_of(kind):
        with suppress(SyntaxError):
            for node in ast.walk(ast.parse("".join(linecache.getlines(file)))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found |= {node.value, *re.findall(r"[\w-]+", node.value)}
    return sorted(one for one in found if one.strip() and one.strip().lower() not in STATUSES)


def explain_word(lists: Lists, word: str) -> str:
    """Return why one task with this status, which is a legal one, may be rejected."""
    is_rule_1 = find_raise(lists, word) == find_raise(lists, "done")
    reason = find_slip(lists.kind, SPELLED) if is_rule_1 else ONE_IS_ALLOWED
    return f"Your code rejects one task that is `{word}`. {reason}"


def find_raise(lists: Lists, status: str) -> int | None:
    """Return the number of the line that rejects one task with this status, or None."""
    error = lists.error_of([FIX | {"status": status}])
    return traceback.extract_tb(error.__traceback__)[-1].lineno if error else None


@rule
def rendered(MyTodo):
    """A list that breaks no rule replaces the old one, and is returned as text. The two given rules
    still work.

    The model reads the returned string as the tool's result: this is how it sees its plan.

    The last two lines of `update` are `self.items = …` and `return self.render()`."""
    lists, two = Lists(MyTodo), [FIX | {"text": "Add tests"}, DOCS]
    with telling(lists.lines):
        lists.accept([FIX], note=explain_refusal(lists))
        note = REJECTS_TWO if lists.error_of(DONE[:2]) else COUNTS_OPEN
        lists.accept(two, note=find_slip(MyTodo, note))
        lists.accept([FIX], [FIX], two, note=REMEMBERS)
        todo, got = lists.accept([FIX], two, [DOCS], note=REMEMBERS)
        same(stored(todo), ["Docs"], NOT_THE_OLD if stored(todo) else NOTHING_STORED)
        same(got, todo.render(), RETURNS)
        for items in [*NO_LISTS, *([DOCS, item] for item in [*NO_ITEMS, *NO_TEXTS])]:
            lists.reject(items, note=GIVEN)


@rule
def a_status(MyTodo):
    """Rule 1: each status is pending, in_progress or completed, and pending if it is left out.

    Which list has the statuses in lower case, `items` or `checked`? Go through it with a `for`.

    In the loop: `if item["status"] not in` a list of the three words."""
    lists = Lists(MyTodo)
    with telling(lists.lines):
        sent = [*((word, word, explain_word(lists, word)) for word in STATUSES)]
        sent += [(" In_Progress\n", "in_progress", TIDY), ("COMPLETED", "completed", TIDY)]
        todo, _ = lists.accept([{"text": "Docs"}], note=LEFT_OUT)
        same(stored(todo, "status"), ["pending"], STORED)
        for status, expected, note in sent:
            todo, _ = lists.accept([FIX | {"status": status}], note=note)
            same(stored(todo, "status"), [expected], STORED)
        for word in UNKNOWN:
            wrong = FIX | {"status": word}
            note = NO_RULE if word == "done" else f"Your code accepts {word!r}. {WHOLE_WORD}"
            lists.reject([wrong], note=find_slip(MyTodo, note))
            lists.reject([wrong, DOCS], note=LAST_ALONE)
            lists.reject([DOCS, wrong], note=FIRST_ALONE)
            lists.reject([*OPEN[:19], wrong], note=FIRST_ALONE)
        for word in find_words(MyTodo):
            lists.reject([FIX | {"status": word}], note=f"Your code accepts {word!r}. {FOURTH}")
        for value in VALUES:
            note = f"The status is {value!r}. {ANY_STATUS}"
            items = [DOCS, FIX | {"status": value}]
            # Null is nothing, which may be pending, or a value that is none of the three.
            if value is not None or lists.error_of(items):
                lists.reject(items, note=note)
            else:
                same(stored(lists.send(items)[0], "status"), ["pending"] * 2, note)


@rule
def one_at_a_time(MyTodo):
    """Rule 2: at most one task is in progress.

    How many items of the new list are in progress? Count them, in a loop or with `sum`.

    Raise a ValueError if there are two or more: `if count > 1`."""
    lists, (first, second, third) = Lists(MyTodo), STARTED
    with telling(lists.lines):
        lists.accept(STARTED[:1], STARTED[1:2], note=REMEMBERS)
        for items in ([first, second], [first, DONE[0], second], [first, second, DONE[0], third]):
            many = sum(item["status"] == "in_progress" for item in items)
            lists.reject(items, note=find_slip(MyTodo, TWO_STARTED.format(many)))
        lists.reject([first, DOCS | {"status": " IN_PROGRESS"}], note=TIDY)
        lists.reject([*OPEN[:18], first, second], note=TWO_STARTED.format(2))
        started = [item | {"status": "in_progress"} for item in OPEN[:20]]
        lists.reject(started, note=TWO_STARTED.format(20))


@rule
def at_most_twenty(MyTodo):
    """Rule 3: the list has at most 20 tasks.

    The model reads its plan in every todo result, so a long plan costs tokens each time.

    Compare `len(items)` with 20: 20 items are allowed, and 21 are not."""
    lists = Lists(MyTodo)
    with telling(lists.lines):
        for many in (OPEN, DONE):
            lists.reject(many, note=MANY)
            lists.reject(many[:21], note=MANY)
            lists.accept(many[:20], note=TWENTY)
            lists.accept(many[:20], many[5:25], note=REMEMBERS)
        lists.reject([{"text": f"Step {number}"} for number in range(500)], note=MANY)
        lists.reject([FIX], OPEN[:21], note=MANY)
        todo, got = lists.accept([], note=EMPTY)
        same(got, todo.render(), RETURNS)


@rule
def no_equal_texts(MyTodo):
    """Rule 4: no two tasks have the same text. Whitespace around a text is not stored.

    If one of two equal tasks is completed, the list does not show which one. Collect the texts.

    With a list of the stored texts, `len(set(texts)) < len(texts)` if two of them are equal."""
    lists, same_text = Lists(MyTodo), [FIX, FIX | {"status": "completed"}]
    with telling(lists.lines):
        same_id = [FIX | {"id": "1"}, DOCS | {"id": "1"}]
        note = BY_ID if lists.error_of(same_id) and not lists.error_of([FIX, FIX]) else EQUAL
        for items in ([FIX, FIX], [FIX, DOCS, FIX], [DOCS, *same_text], [same_text[1]] * 2):
            lists.reject(items, note=find_slip(MyTodo, note))
        lists.reject([FIX | {"id": "1"}, FIX | {"id": "2"}], note=EQUAL)
        for items in ([FIX] * 3, [*OPEN[:18], FIX, FIX], [*OPEN[:19], OPEN[0]]):
            lists.reject(items, note=EQUAL)
        for text in (" Fix\n", "\tFix"):
            lists.reject([FIX, FIX | {"text": text}], note=TIDY_TEXTS)
        for text in TEXTS:
            todo, _ = lists.accept([{"text": f" {text}\n"}], note=NOT_EQUAL)
            (found,) = stored(todo)
            same(found, text, TIDY_TEXTS if str(found).strip() == text else TEXT_CHANGED)
        todo, _ = lists.accept([{"text": f" {text}\n"} for text in TEXTS], note=NOT_EQUAL)
        same(sorted(stored(todo)), sorted(TEXTS), TEXT_CHANGED)
        for value in VALUES:
            error = lists.error_of([DOCS, FIX | {"text": value}])
            if error and not isinstance(error, ValueError):
                raise error


@rule
def unchanged(MyTodo):
    """A list that is rejected changes nothing. Items are stored as copies, in their order.

    When does `self.items` change: before or after all items are checked? What do you store?

    Collect copies with all fields in a new list, and assign it below the last rule."""
    lists = Lists(MyTodo)
    with telling(lists.lines):
        for mistake in [*MISTAKES, UNTIDY, [{"text": "Fix"}]]:
            sent, (todo, _) = deepcopy(mistake), lists.send([STARTED[0]])
            before = deepcopy(todo.items)
            lists.lines.append(tell(mistake))
            with suppress(Exception):
                todo.update(sent)
                before = todo.items  # another rule fails if it must be rejected
            same_items(sent, mistake, CHANGED)
            same_items(todo.items, before, TOO_EARLY)
        todo, _ = lists.send([FIX])
        for _ in range(6):  # also if a model makes one mistake again and again
            lists.lines.append(tell(OPEN[:21]))
            same(is_accepted(todo, OPEN[:21]), False, REMEMBERS)
        for name in ("id", "activeForm"):
            for value in VALUES:
                error = lists.error_of([DOCS, FIX | {name: value}])
                if error and not isinstance(error, ValueError):
                    error.note = f"The {name} was {value!r}. {OTHER_FIELDS}"  # type: ignore[attr-defined]
                    raise error
        if issubclass(MyTodo, TodoManager):  # it stores only what its `fields` describe
            lists = Lists(type(with_minutes(MyTodo)))
        else:
            item = FIX | {"id": 5, "minutes": None, "tags": ["b", "a"]}
            sent = [deepcopy(item)]
            todo, _ = lists.send([FIX | {"id": "1"}])
            lists.lines.append(tell(sent))
            todo.update(sent)
            same_items(sent, [item], CHANGED)
            same_items(todo.items, [item], FIELDS_LOST)
        todo, sent = lists.kind(), deepcopy(BIG)
        todo.update(sent)
        same_items(sent, BIG, CHANGED)
        sent[0] |= {"text": "Something else", "minutes": 99}
        assert "Something else" not in stored(todo), CHANGED
        names = ("id", "activeForm", "minutes")
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
    lists = Lists(MyTodo)
    no_status = [lists.error_of([FIX | {"status": value}]) for value in ("done", *VALUES[1:])]
    three, *others = (lists.error_of(items) for items in (OPEN[:21], STARTED, [FIX, FIX]))
    for error in (three, *others):
        if is_foreign(str(error)):
            raise Differs(Words(str(error)), Words("a message in English"), IN_ENGLISH)
    with telling(lists.lines):
        said = [str(one) for one in (no_status[0], three, *others)]
        for one in said:
            if said.count(one) > 1:
                raise Differs(Words(one), Words("another message"), ONE_FOR_ALL)
        for error in no_status:
            check_message(error, STATUSES)
            check_message(error, [], r"(?s)^(?!.*\b20\b)", OTHER_RULE)
        check_message(three, ["20"], r"(?<!\d)20(?!\d)")
        for error, of_rule in zip(others, (OF_RULE_2, OF_RULE_4), strict=True):
            check_message(error, [], of_rule, OTHER_RULE)


@rule
def all_together(MyTodo):
    """Lists of up to seven tasks, one after the other, are rejected or stored as the rules say.

    Does your code look at every task, wherever it is in the list, and at nothing else?

    Write down which tasks your loop looks at in the last list of "What was tried"."""
    try_stories(MyTodo, {"status": "pending"})


@rule(level="tool")
def a_tool(MyTodo):
    """`tool()` returns a Tool, whose name is todo.

    The program gives it to the agent loop, which calls its `run`.

    The method is given. Paste it into the class, indented like `update`."""
    with telling(["MyTodo().tool()"]):
        tool = MyTodo().tool()
        if tool is None:
            raise Differs(
                tool, Words("a Tool"), "The method returns None: is its `return` missing?"
            )
        if not isinstance(tool, Tool):
            raise Differs(Words(type(tool).__name__), Words("a Tool"), NO_TOOL)
        same(tool.name, "todo", "The nag looks for a call with this name, and so does other code.")


def with_minutes(part: Any) -> Any:
    """Return a list of a class that extends `part` with one more field."""
    return type("MyTodo", (part,), {"fields": part.fields | {"minutes": {"type": "integer"}}})()


@rule(level="tool")
def schema(MyTodo):
    """Rule 1: `item` is an object with the properties `self.fields`. Only `text` is required.

    The outer schema is an object, too. What are the names of its three entries?

    `item = {"type": "object", "properties": self.fields, "required": ["text"]}`"""
    longer = "class Longer(MyTodo):\n    fields = MyTodo.fields | {'minutes': …}\n\nLonger()"
    for todo, made in ((MyTodo(), "MyTodo()"), (with_minutes(MyTodo), longer)):
        with telling([f"{made}.tool().input_schema"]):
            found = todo.fields.get("status", {})
            if sorted(found.get("enum", [])) != sorted(STATUSES):
                raise Differs(found, Words(f'a schema with "enum": {STATUSES}'), FIELDS_GIVEN)
            same(todo.fields.get("text", {}).get("type"), "string", FIELDS_GIVEN)
            item = find_item(todo.tool().input_schema)
            assert item is not ..., GAP
            assert isinstance(item, dict), OF_ITEM["item"]
            same(item.get("type"), "object", OF_ITEM["type"])
            same(item.get("required"), ["text"], OF_ITEM["required"])
            found = item.get("properties")
            if isinstance(found, dict):  # further keywords, such as a description, are allowed
                pairs = {name: todo.fields.get(name, {}) for name in found}
                if all(one.items() <= dict(found[name]).items() for name, one in pairs.items()):
                    found = pairs
            same(found, todo.fields, OF_ITEM["properties"])


def find_item(schema: Any) -> Any:
    """Return the schema of one task, or raise Differs if the one around it is not the given one."""
    try:
        items = schema["properties"]["items"]
        given = [schema["type"], [*schema["properties"]], items["type"], schema["required"]]
        same(given, ["object", ["items"], "array", ["items"]])
        return items["items"]
    except (KeyError, TypeError, AssertionError):
        raise Differs(schema, Words("the schema that is given"), OUTER) from None


@rule(level="tool")
def description(MyTodo):
    """Rule 2: the description says what the tool is for, and asks for the whole list each time.

    What does a model need to know that cannot see your code?

    "Write your plan and keep it up to date. Send the whole list each time."."""
    with telling(["MyTodo().tool().description"]):
        text = MyTodo().tool().description
        assert text is not ..., GAP
        if not isinstance(text, str):
            raise Differs(text, Words("a string"), "The description is a string, in quotes.")
        if is_foreign(text):
            raise Differs(text, Words("a description in English"), IN_ENGLISH)
        if not asks_for_all(text):
            raise Differs(text, Words("a description that asks for the whole list"), NO_WHOLE)
        if not has_aim(text):
            raise Differs(text, Words("a description that says what the tool is for"), NO_AIM)


def asks_for_all(text: str) -> bool:
    """Return whether a description asks for the whole list in each call, as far as we can tell."""
    text = text.lower()
    is_once = re.search(ONCE, text) and not re.search(AGAIN, text)
    is_less = re.search(NOT_WHOLE, text) or re.search(LESS, re.sub(NEGATED, " ", text))
    return bool(re.search(WHOLE, text) and re.search(SENDS, text) and not is_less and not is_once)


def has_aim(text: str) -> bool:
    """Return whether a description says more than to send the list, as far as we can tell."""
    sentences = [one for one in re.split(r"[.:;!?\n]", text.lower()) if len(one.split()) > 2]
    others = [one for one in sentences if not re.search(rf"{WHOLE}|\b(send|sent|omit)\b", one)]
    return bool(others or re.search(AIM, text.lower()))


@rule(level="tool")
def runs_update(MyTodo):
    """Rule 3: a call of the tool updates the list that made it, and returns it rendered.

    Which object's `update` does your tool call? The method is an object as well.

    `run=self.update`. An error is not caught: the agent loop sends it to the model."""
    lines = ["todo, other = MyTodo(), MyTodo()", "tools = {'todo': …, 'other': …}  # of both"]
    todo, other = MyTodo(), MyTodo()
    with telling(lines):
        assert todo.tool().run is not ..., GAP
        tools = {"todo": todo.tool(), "other": other.tool()}
        calls = [("todo", todo, [OPEN[0]]), ("todo", todo, [FIX, DOCS]), ("other", other, [DOCS])]
        for name, one, items in calls:
            lines.append(f"call_tool(tools, {name!r}, {show({'items': items})})")
            call = call_tool(tools, name, {"items": deepcopy(items)})
            if not call.ok:
                note = TAKES_ITEMS if callable(tools[name].run) else PARENTHESES
                raise Differs(call.output, Words("the list as text"), note)
            texts = [item["text"] for item in items]
            same(stored(one), texts, ANOTHER_LIST)
            same(call.output, one.render(), "`run` returns what `update` returns, for the model.")
        kept = stored(todo)
        todo.tool()
        same(stored(todo), kept, "`tool` only returns the definition: it changes no list.")
        empty = MyTodo()
        empty.update([FIX])
        call_tool({"todo": empty.tool()}, "todo", {"items": []})
        same(stored(empty), [], ANOTHER_LIST)
        for sent in ({"items": [FIX, FIX]}, {"items": OPEN[:21]}, {}, {"todos": [FIX]}):
            lines[2:] = [f"call_tool(tools, 'todo', {show(sent)})"]
            call = call_tool(tools, "todo", deepcopy(sent))
            said = f"accepted, with the output {call.output!r}" if call.ok else "rejected"
            got = Words(f"{said}, and the list has {stored(todo)}")
            same(got, Words("rejected, and the list has ['Fix', 'Docs']"), SWALLOWED.format(sent))
        longer = type("MyTodo", (MyTodo,), {"update": lambda self, items: "the longer list"})
        lines[:] = [
            "class Longer(MyTodo):\n    def update(self, items): …\n",
            "call_tool({'todo': Longer().tool()}, 'todo', {'items': []})",
        ]
        call = call_tool({"todo": longer().tool()}, "todo", {"items": []})
        same(call.output, "the longer list", OWN_UPDATE)
