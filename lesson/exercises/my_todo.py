"""The rules of MyTodo: what its `update` accepts and stores, and the tool that a model calls."""

import ast
import re
from contextlib import suppress
from copy import deepcopy
from functools import partial
from itertools import combinations
from typing import Any

from agentlib import Tool, call_tool
from exerciselib.engine import Differs, same, trying
from exerciselib.learners_code import Cell, Raised
from exerciselib.page import Observation, Page, Trial
from exerciselib.show_value import Words, show
from lesson.common.solutions import read_solutions

from .kit.lists import (
    BIG,
    DOCS,
    FIX,
    MISTAKES,
    NO_ITEMS,
    NO_LISTS,
    NO_STATUSES,
    NO_TEXTS,
    OPEN,
    SIMILAR_TEXTS,
    STARTED,
    STATUSES,
    UNTIDY,
    VALUES,
    is_raised_by_learner,
    make_random,
    show_call,
    stored,
)
from .kit.updates import (
    answers_alike,
    changes_nothing_else,
    list_dicts,
    list_values,
    observe,
    read_update,
    stores,
)

PAGE = Page("MyTodo", __file__, read_solutions())
# In a description: what asks for all tasks, what asks for some alone, and what the tool is for.
WHOLE = r"\b(whole|entire|full|complete|all|every|everything|each (task|item))\b"
ALL = rf"(?i){WHOLE}|replac|overwrit|leav\w+ out no|(not|n't|never) (leav|omit|skip|drop|forget)"
SOME = rf"(?i)(not|n't|never|no need to|instead of|rather than) (send |give )?(the |your )?{WHOLE}"
OF_TASKS = r"(?i)(list|plan|task|to-?do|step|item)"
# The first words of sentences of the page, which several trials name.
GAP = "This gap is still"
TASK, PROPERTIES = "The schema of a task", 'In `item`, `"properties"` must be'
REPLACE = "A call must replace the list"


def replaces(step: Observation, our: Observation) -> None:
    """Raise Differs if a list of pending tasks does not replace the old one, or is not returned."""
    if isinstance(our.got, Raised) or any(item["status"] != "pending" for item in our.seen.sent):
        return  # this is another rule's
    answers_alike(step, our)
    leaves_other_lists(step, our)
    texts = [list_values(either, "text") for either in (step, our)]
    same(*texts, "The new list must replace")
    if step.key[0] != "the list":
        raise Differs(step.got, Words("the list as text"), "`update` must return the list")


def leaves_other_lists(step: Observation, our: Observation) -> None:
    """Raise Differs if a list has changed that got no update."""
    if step.seen.others:
        raise Differs(step.seen.others, Words("no tasks in another list"), "Another list has")


def rejects(step: Observation, our: Observation) -> None:
    """Raise Differs if a list accepts what our solution rejects. It may also reject more."""
    if isinstance(our.got, Raised):
        answers_alike(step, our)


def stores_status(step: Observation, our: Observation) -> None:
    """Raise Differs if a status is not accepted, or not stored, as by our solution.

    Null may be accepted as pending, or rejected.
    """
    if not isinstance(step.got, Raised) and our.seen.sent[-1].get("status", "") is None:
        same(list_values(step, "status"), ["pending", "pending"])
        return
    if isinstance(our.got, Raised):
        answers_alike(step, our)
        return  # what the list then has is another rule's
    if isinstance(step.got, Raised) and read_rule(str(step.got.problem).lower()) == 2:
        return  # so is a task in progress that rule 2 rejects
    answers_alike(step, our)
    statuses = [list_values(either, "status") for either in (step, our)]
    same(*statuses, "Store all copies")


def stores_texts(step: Observation, our: Observation) -> None:
    """Raise Differs if two lists answer differently, or have other texts. Any order will do."""
    answers_alike(step, our)
    if not isinstance(our.got, Raised):
        same(*(sorted(map(str, list_values(either, "text"))) for either in (step, our)))


def accepts_no_other_word(MyTodo: Any) -> None:
    """Raise Differs if the list accepts a word of the learner's cell that is not a status."""
    for word in find_words(MyTodo):
        sent, todo = [FIX | {"status": word}], MyTodo()
        with trying([f"todo = {MyTodo.__name__}()", show_call(sent)]), suppress(ValueError):
            shown = Words(show(todo.update(sent)))
            raise Differs(shown, Words("a ValueError"), "Rule 1 allows three words")


def find_words(cls: Any) -> list[str]:
    """Return the words in the strings of a learner's cell that are not statuses."""
    words = set[str]()
    with suppress(SyntaxError):
        for node in ast.walk(ast.parse(Cell(cls).text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words |= {node.value, *re.findall(r"[\w-]+", node.value)}
    return sorted(word for word in words if word.strip() and word.strip().lower() not in STATUSES)


def raises_no_other(step: Observation, our: Observation) -> None:
    """Raise Differs if an update raises an error other than a ValueError."""
    if isinstance(step.got, Raised) and not isinstance(step.got.problem, ValueError):
        raise Differs(step.got, Words("the list, or a ValueError"))


def leaves_all(step: Observation, our: Observation) -> None:
    """Raise Differs if what was sent changes, or a list after one that must be rejected."""
    same(step.seen.sent, our.seen.sent)
    if isinstance(step.got, Raised) and isinstance(our.got, Raised):
        for name in ("text", "status"):
            same(*(list_values(either, name) for either in (step, our)))


def keeps_fields(step: Observation, our: Observation) -> None:
    """Raise Differs if a field of a task is lost, or if the tasks are in another order."""
    same(step.seen.sent, our.seen.sent)
    if step.seen.is_shared:
        raise Differs(Words("the dicts that were sent"), Words("copies of them in `todo.items`"))
    stores(step, our, ("id", "activeForm", "minutes", "tags"))


def key_with_sent(step: Observation) -> Any:
    """Return what a mistake must have in common, also in what it does to the items sent."""
    return step.key, repr(step.seen.sent), step.seen.is_shared


def key_with_rule(step: Observation) -> Any:
    """Return what a mistake must have in common, also the rule that rejects a list.

    A learner's own rule is not a slip in one of the four.
    """
    problem = getattr(step.got, "problem", None)
    return step.key, read_rule(str(problem).lower()) if problem else 0


def text_of_changes(step: Observation, our: Observation) -> str:
    """Return what has changed, for the patterns of the page."""
    if step.seen.sent != our.seen.sent or step.seen.is_shared:
        return "sent"
    if isinstance(our.got, Raised):
        return "early"
    texts = [list_values(either, "text") for either in (step, our)]
    return "order" if texts[0] != texts[1] else "fields"


def with_fields(cls: Any, **fields: dict[str, Any]) -> Any:
    """Return a class that extends a list with the schemas of these fields."""
    return type("MyTodo", (cls,), {"fields": cls.fields | fields})


def what_was_accepted(step: Observation, our: Observation) -> str:
    """Return what was sent, if a list accepts it and should not, or what it rejects, and how."""
    if isinstance(step.got, Raised):
        is_wrong = isinstance(step.got.problem, ValueError) and not isinstance(our.got, Raised)
        return name_rejected(step, str(step.got.problem).lower()) if is_wrong else ""
    if not isinstance(our.got, Raised):
        return ""
    if step.key[0] != "the list":
        return f"returned {step.got}"
    return "mended" if is_mended(step.seen.sent, step.seen.items) else repr(step.seen.sent)


def name_rejected(step: Observation, message: str) -> str:
    """Return which rule has rejected a list, by its message, how many tasks, and after what."""
    rule = read_rule(message)
    earlier = len(step.tried().splitlines()) - 2
    statuses = [item.get("status", "left out") for item in list_dicts(step.seen.sent)]
    return f"rejects by rule {rule}: {len(statuses)} tasks, {statuses[-1:]}, after {earlier}"


def read_rule(message: str) -> int:
    """Return the number of the rule that an error is about, or 0 for one of the learner's own."""
    if re.search(r"active_?form|\bids?\b|character|\blong|short|nothing|left to do", message):
        return 0
    words = {1: "pending", 2: "progress", 3: r"\b20\b", 4: "text|same|twice|equal|duplic"}
    return next((number for number, word in words.items() if re.search(word, message)), 0)


def is_mended(sent: Any, kept: list[Any]) -> bool:
    """Return whether a list is stored with fewer tasks, or with another value of a field."""
    if not isinstance(sent, list) or len(kept) < len(sent):
        return isinstance(sent, list)
    pairs = [(one, other) for one, other in zip(sent, kept, strict=False) if isinstance(one, dict)]
    values = [(str(one[name]), str(other.get(name))) for one, other in pairs for name in one]
    return any(one.strip().lower() != other.strip().lower() for one, other in values)


def values_of(_: Observation, our: Observation) -> dict[str, str]:
    """Return what the sentences name: a status, how many tasks there are, and what is broken."""
    tasks = list_dicts(our.seen.sent)
    statuses = [one.get("status") for one in tasks] or [""]
    return {
        "word": statuses[-1] if isinstance(statuses[-1], str) else repr(statuses[-1]),
        "many": str(statuses.count("in_progress")),
        "tasks": str(len(tasks)),
        "broken": str(our.got.problem) if isinstance(our.got, Raised) else "no rule is broken",
    }


def says_what_is_wrong(MyTodo: Any) -> None:
    """Raise Differs if two rules have one message, or if one lacks the words that it must have."""
    advice = PAGE.find_sentence("The model reads this message")
    other = PAGE.find_sentence("The message must say which rule")
    no_status = [[FIX | {"status": value}] for value in ("done", *VALUES[1:])]
    asked: list[tuple[Any, list[str], str]] = [
        *((items, STATUSES, "the three words") for items in no_status),
        (OPEN[:21], ["20"], "at most 20 tasks"),
        (STARTED, [], "one task in progress"),
        ([FIX, FIX], [], "the same text"),
    ]
    steps = [next(observe(MyTodo, [items])) for items, *_ in asked]
    problems = [getattr(step.got, "problem", None) for step in steps]
    of_rules = [str(one) for one in (problems[0], *problems[-3:])]
    for (_, words, right), step, problem in zip(asked, steps, problems, strict=True):
        message = str(problem)
        with trying([step.tried()]):
            # Null may be accepted.
            is_own = isinstance(problem, ValueError) and is_raised_by_learner(problem)
            if is_own and len(re.findall(r"\w+", message)) < 3:
                raise Differs(message, Words("a message of three words or more"), advice)
            if of_rules.count(message) > 1:
                note = other.replace("{words}", right)
                raise Differs(Words(message), Words("another message"), note)
            if not is_own:
                continue
            if lost := [f"`{word}`" for word in words if word not in message.lower()]:
                expected = Words(" ".join(["a message with", *words]))
                lost_20 = words is STATUSES and "20" not in str(problems[-3])
                more = " That of rule 3 does not contain `20`." if lost_20 else ""
                note = f"It does not contain {', '.join(lost)}.{more} {advice}"
                raise Differs(message, expected, note)
            if re.search(r"\{[a-z][^{},]*\}", message):
                raise Differs(Words(message), Words("a message without braces"), advice)


def is_a_tool(MyTodo: Any) -> None:
    """Raise Differs if `tool` does not return a Tool with its name."""
    with trying(["MyTodo().tool()"]):
        tool = MyTodo().tool()
        if not isinstance(tool, Tool):
            got = tool if tool is None else Words(type(tool).__name__)
            raise Differs(got, Words("a Tool"), "`tool` returns no Tool")
        same(tool.name, "todo", "The name of the tool")


def has_schema(MyTodo: Any) -> None:
    """Raise Differs if the schema of a task is another one, also of a list with more fields."""
    todo = MyTodo()
    before = deepcopy(todo.fields)
    with trying(["todo = MyTodo()", "todo.tool()", "todo.fields"]), suppress(AttributeError):
        todo.tool()
        same(todo.fields, before, "Your code changes `fields`")
    longer = "class Longer(MyTodo):\n    fields = MyTodo.fields | {'minutes': …}\n\nLonger()"
    for cls, made in ((MyTodo, "MyTodo()"), (with_fields(MyTodo, minutes={}), longer)):
        todo = cls()
        with trying([f"{made}.tool().input_schema"]):
            status = todo.fields.get("status", {})
            if sorted(status.get("enum", [])) != sorted(STATUSES):
                raise Differs(status, Words(f'a schema with "enum": {STATUSES}'), PROPERTIES)
            same(todo.fields.get("text", {}).get("type"), "string", PROPERTIES)
            item = find_item(todo.tool().input_schema)
            if not isinstance(item, dict):
                raise Differs(item, Words("a dict"), GAP if item is ... else TASK)
            same(item.get("type"), "object", TASK)
            same(item.get("required"), ["text"], 'In `item`, `"required"` must be')
            if extra := item.keys() & {"enum", "const"}:
                raise Differs(item, Words(f"a task without {extra.pop()!r}"), "These words are for")
            fields = item.get("properties")
            if isinstance(fields, dict):  # further keywords, such as a description, are allowed
                ours = {name: todo.fields.get(name, {}) for name in fields}
                if all(own.items() <= dict(fields[name]).items() for name, own in ours.items()):
                    fields = ours
            same(fields, todo.fields, PROPERTIES)


def find_item(schema: Any) -> Any:
    """Return the schema of one task, or raise Differs if the one around it is not the given one."""
    try:
        items = schema["properties"]["items"]
        outer = [schema["type"], [*schema["properties"]], items["type"], schema["required"]]
        same(outer, ["object", ["items"], "array", ["items"]])
        return items["items"]
    except (KeyError, TypeError, AssertionError):
        raise Differs(schema, Words("the schema that is given"), "Leave the outer schema") from None


def has_description(MyTodo: Any) -> None:
    """Raise Differs if the description does not say what it must, as far as we can tell."""
    with trying(["MyTodo().tool().description"]):
        text = MyTodo().tool().description
        if not isinstance(text, str):
            note = GAP if text is ... else "The description must be a string"
            raise Differs(text, Words("a string"), note)
        asks = re.search(ALL, text) and re.search(OF_TASKS, text) and not re.search(SOME, text)
        if not asks or len(text.split()) < 6:
            expected = Words("what the tool is for, in a sentence that asks for the whole list")
            raise Differs(text, expected, "The description must say")


def updates_its_list(MyTodo: Any) -> None:
    """Raise Differs if a call of the tool does not update the list that made it."""
    lines = ["todo, other = MyTodo(), MyTodo()", "tools = {'todo': …, 'other': …}  # of both"]
    todo, other = MyTodo(), MyTodo()
    with trying(lines):
        if todo.tool().run is ...:
            raise Differs(..., Words("a method"), GAP)
        tools = {"todo": todo.tool(), "other": other.tool()}
        calls = [("todo", todo, [OPEN[0]]), ("todo", todo, [FIX, DOCS]), ("other", other, [DOCS])]
        for name, list_, items in calls:
            lines.append(f"call_tool(tools, {name!r}, {show({'items': items})})")
            call = call_tool(tools, name, {"items": deepcopy(items)})
            if not call.ok:
                is_method = callable(tools[name].run)
                note = "`run` is called with `items`" if is_method else "`run` must be the method"
                raise Differs(call.output, Words("the list as text"), note)
            texts = [item["text"] for item in items]
            same(stored(list_), texts, REPLACE)
            same(call.output, list_.render(), REPLACE)
        empty = MyTodo()
        empty.update(deepcopy([FIX]))
        call_tool({"todo": empty.tool()}, "todo", {"items": []})
        same(stored(empty), [], REPLACE)
        for sent in ({"items": [FIX, FIX]}, {"items": OPEN[:21]}, {}, {"todos": [FIX]}):
            lines[2:] = [f"call_tool(tools, 'todo', {show(sent)})"]
            call = call_tool(tools, "todo", deepcopy(sent))
            verdict = f"accepted, with the output {call.output!r}" if call.ok else "rejected"
            got = Words(f"{verdict}, and the list has {stored(todo)}")
            same(got, Words("rejected, and the list has ['Fix', 'Docs']"), "This input is wrong")
        longer = type("MyTodo", (MyTodo,), {"update": lambda self, items: "the longer list"})
        lines[:] = [
            "class Longer(MyTodo):\n    def update(self, items): …\n",
            "call_tool({'todo': Longer().tool()}, 'todo', {'items': []})",
        ]
        call = call_tool({"todo": longer().tool()}, "todo", {"items": []})
        same(call.output, "the longer list", "A class that extends yours")


UPDATES = {
    title: PAGE.stories(title, read_update)
    for title in PAGE.sections
    if "\n@ " in PAGE.sections[title]
}
GIVEN = [[items] for items in [*NO_LISTS, *([DOCS, item] for item in [*NO_ITEMS, *NO_TEXTS])]]
WORDS = [FIX | {"status": word} for word in NO_STATUSES]
LEGAL, UNTIDY_STATUS = UPDATES["a_status"]
STATUS = [[*LEGAL, *([one] for one in WORDS), LEGAL[0]], UNTIDY_STATUS]
PLACES = [[[one], [one, DOCS], [DOCS, one], [*OPEN[:19], one]] for one in WORDS]
OTHER_STATUS = [[[DOCS, FIX | {"status": value}]] for value in VALUES]
# A real model sends all fields.
FULL = [one | {"id": f"{n}", "activeForm": f"Doing {n}"} for n, one in enumerate(OPEN[:21])]
SAME_ID, OTHER_ID = ([FIX | {"id": "1"}, one] for one in (DOCS | {"id": "1"}, FIX | {"id": "2"}))
EQUAL = [[*UPDATES["no_equal_texts"][0], SAME_ID, OTHER_ID], [OTHER_ID]]
SAME_FIELD = [[[one | {"activeForm": "1"} for one in (FIX, DOCS)]]]
SPACES = [[[FIX, FIX | {"text": text}]] for text in (" Fix\n", "\tFix")]
SENT_TEXTS = [{"text": f" {text}\n"} for text in SIMILAR_TEXTS]
# Two at a time, so that the feedback shows the two that a part takes for equal, and no other.
PAIRS = [[[*both]] for both in combinations(SENT_TEXTS, 2)]
NOT_EQUAL = [[[one] for one in SENT_TEXTS], *PAIRS, [SENT_TEXTS]]
OTHER_TEXT = [[[DOCS, FIX | {"text": value}]] for value in VALUES]
BROKEN = [[STARTED[:1], items] for items in [*MISTAKES, UNTIDY, [{"text": "Fix"}]]]
OTHER_FIELD = [[[DOCS, FIX | {name: value}]] for name in ("id", "activeForm") for value in VALUES]
ODD = FIX | {"id": 5, "minutes": None, "tags": ["b", "a"]}
IN_ORDER = [DOCS | {"id": "1"}, STARTED[0] | {"id": "2"}]
RANDOM = make_random()
Rejects = partial(Trial, key=key_with_rule, values=values_of, text=what_was_accepted)
Changes = partial(Trial, key=key_with_sent, text=text_of_changes)

PAGE.add_rules(
    observe,
    {
        "rendered": [Rejects(UPDATES["rendered"], replaces), Rejects(GIVEN, rejects)],
        "a_status": [
            Rejects(STATUS, stores_status),
            Rejects(PLACES, rejects),
            accepts_no_other_word,
            Rejects(OTHER_STATUS, stores_status),
        ],
        "one_at_a_time": [Rejects(UPDATES["one_at_a_time"], answers_alike)],
        "at_most_twenty": [Rejects([*UPDATES["at_most_twenty"], [FULL[:20], FULL]], stores_texts)],
        "no_equal_texts": [
            Rejects(EQUAL, rejects),
            Rejects(SAME_FIELD, answers_alike),
            Rejects(SPACES, rejects),
            Rejects(NOT_EQUAL, stores_texts),
            Trial(OTHER_TEXT, raises_no_other),
        ],
        "unchanged": [
            Changes(BROKEN, leaves_all),
            Rejects(UPDATES["unchanged"], rejects),
            Trial(OTHER_FIELD, raises_no_other),
            Changes([[[FIX | {"id": "1"}], [ODD], BIG, IN_ORDER]], keeps_fields),
            Changes(RANDOM, changes_nothing_else),
            Changes(RANDOM, leaves_other_lists),
        ],
        "messages": [says_what_is_wrong],
        "all_together": [Rejects(RANDOM, partial(stores, names=("text", "status")))],
        "a_tool": [is_a_tool],
        "schema": [has_schema],
        "description": [has_description],
        "runs_update": [updates_its_list],
    },
)
