"""Build, second part: a reminder that names the most important task."""

import json
from collections.abc import Mapping
from typing import Any

from ..todo import TodoManager
from .checking.blank import not_begun
from .checking.fixtures import PLANNING, WORK
from .checking.result import Result, check
from .checking.rule import Case, Expected, Rule, equal, saying, says
from .priority import FIELD, check_priority, mend

PLAIN = "<reminder>Update your todos.</reminder>"
OUR_LIST = type("PriorityTodo", (TodoManager,), {
    "fields": TodoManager.fields | {"priority": FIELD}})
LONG = 'Let "a < b" & friends pass in the long helper of the API'
TASKS = ("Write the docs", "Fix the login", "Add tests", "Rename the shop")


def names_only(task: str, others: bool = True) -> Expected:
    """A reminder that names this task; and, if `others` matter, none but this one."""
    never = [other for other in TASKS if other != task] if others else []
    only = " and no other task" if others else ""
    return says(task, never=never, what=f"a reminder that names {task!r}{only}")


def listed(*items: str) -> str:
    """The lines that make a list, from words such as "high pending Add tests".

    An item may begin with an id of its own: "7: high pending Add tests".
    """
    lines = []
    for words in items:
        id, colon, rest = words.rpartition(": ")
        level, status, text = rest.split(maxsplit=2)
        item = {"id": id} if colon else {}
        item |= {"text": text, "status": status}
        item |= {"priority": level} if level != "-" else {}
        lines.append(f"    {json.dumps(item)},")
    return "todo.update([\n" + "\n".join(lines) + "\n])"


def reminded(*items: str, last: str = "nag(WORK)") -> str:
    """Code that makes a list of these items and a nag for it, and asks the nag."""
    return (f"todo = PriorityTodo()\n{listed(*items)}\n"
            f"nag = PriorityNag(todo, after=1)\n{last}")


def tagged(came: Any) -> bool:
    """Whether this is one reminder, from the first tag to the last."""
    return isinstance(came, str) and came.strip().startswith("<reminder>") and (
        came.strip().endswith("</reminder>") and came.count("reminder>") == 2)


def same(came: Any) -> bool:
    """Whether the items before and after are alike in all that they hold."""
    before, after = ([item if isinstance(item, Mapping) else getattr(item, "__dict__", item)
                      for item in items] for items in came)
    return before == after


RULES = (
    Rule(
        "silent",
        "It is silent for as long as Nag is",
        "A reminder in every round is soon overheard, and each costs tokens.",
        "Begin with `class PriorityNag(Nag):` and leave the counting to Nag. What it says is a "
        "method of its own.",
        (Case("""
            todo = PriorityTodo()
            nag = PriorityNag(todo, after=3)
            [nag(WORK), nag(WORK)]
            """, saying("- -")),
         Case("""
            todo = PriorityTodo()
            nag = PriorityNag(todo)
            [nag(WORK), nag(WORK)]
            """, saying("- -")),
         Case("""
            todo = PriorityTodo()
            nag = PriorityNag(todo, after=3)
            [nag(WORK * 4), nag(WORK)]
            """, saying("- -", "four calls in one round are one round"))),
    ),
    Rule(
        "counts",
        "It reminds in round `after` and in each that follows, until the todo tool is used",
        "That is the Nag you know. Only its words are to change.",
        "If you wrote `__call__` or `__init__` anew, compare them with Nag's, or call "
        "`super()`. What you return is what the model reads: return it, do not print it.",
        (Case("""
            todo = PriorityTodo()
            todo.update([{"text": "Add tests", "status": "pending", "priority": "high"}])
            nag = PriorityNag(todo, after=2)
            nag(WORK)
            [nag(WORK), nag(WORK)]
            """, saying("R R")),
         Case("""
            todo = PriorityTodo()
            todo.update([{"text": "Add tests", "status": "pending", "priority": "high"}])
            nag = PriorityNag(todo)
            [nag(WORK), nag(WORK), nag(WORK)]
            """, saying("- - R", "where no `after` is given, it is 3")),
         Case("""
            todo = PriorityTodo()
            todo.update([{"text": "Add tests", "status": "pending", "priority": "high"}])
            nag = PriorityNag(todo, after=2)
            [nag([]), nag(WORK)]
            """, saying("- R", "a round without any call is a round, too")),
         Case("""
            todo = PriorityTodo()
            todo.update([{"text": "Add tests", "status": "pending", "priority": "high"}])
            nag = PriorityNag(todo, after=2)
            nag(WORK)
            nag(WORK)
            [nag(PLANNING), nag(WORK), nag(WORK + PLANNING)]
            """, saying("- - -")),
         Case("""
            from agentlib import Call
            refused = [Call("todo", {"items": 3}, "Error: items must be a list", ok=False)]
            nag = PriorityNag(PriorityTodo(), after=2)
            [nag(WORK), nag(refused), nag(WORK)]
            """, saying("- - -", "a refused call is a use of the tool, too"))),
    ),
    Rule(
        "highest",
        "It names the pending task with the highest priority, by its text",
        "A model that has lost its plan needs one task to go on with, not the advice to look for "
        "one.",
        "`self.todo.items` holds the tasks. Replace the method `reminder`, look for the best "
        "task, and put its text into what you return, whole and as it is.",
        (Case(reminded("low pending Write the docs", "high pending Fix the login",
                       "medium pending Add tests"), names_only("Fix the login", others=False)),
         Case(reminded("high pending Fix the login", "low pending Write the docs"),
              names_only("Fix the login", others=False)),
         Case(reminded("medium pending Add tests", "low pending Write the docs",
                       "high pending Fix the login"), names_only("Fix the login", others=False)),
         Case(reminded(f"high pending {LONG}"),
              says(LONG, what="a reminder with the text, whole and as it stands in the list")),
         Case(reminded("low pending Remove the highlight", "high pending Fix the login"),
              names_only("Fix the login", others=False),
              'A task\'s text may have "high" in it, too: compare `item["priority"]` alone.')),
    ),
    Rule(
        "alphabet",
        "Medium comes before low",
        "Sorted by the alphabet, the words stand as high, low, medium: nearly right, and so all "
        "the harder to notice.",
        "Give each word a number of your own, by a dict or by its place in a list, and compare "
        "the numbers.",
        (Case(reminded("low pending Write the docs", "medium pending Add tests"),
              names_only("Add tests", others=False)),
         Case(reminded("medium pending Add tests", "low pending Write the docs"),
              names_only("Add tests", others=False)),
         Case(reminded("low pending Write the docs", "- pending Add tests"),
              names_only("Add tests", others=False))),
    ),
    Rule(
        "pending",
        "Only pending tasks count",
        "What is completed needs no reminder, and what is in progress the model has begun: it is "
        "to see what comes after.",
        "Look at each item's `status` before you compare priorities.",
        (Case(reminded("high completed Write the docs", "medium pending Add tests"),
              names_only("Add tests", others=False)),
         Case(reminded("high completed List pending orders", "medium pending Add tests"),
              names_only("Add tests", others=False),
              'A task\'s text may have "pending" in it, too: compare `item["status"]` alone.'),
         Case(reminded("high in_progress Write the docs", "low pending Add tests"),
              names_only("Add tests", others=False)),
         Case(reminded("high completed Write the docs", "high in_progress Fix the login",
                       "low pending Rename the shop", "medium pending Add tests"),
              names_only("Add tests", others=False))),
    ),
    Rule(
        "only_one",
        "It names this one task, and no other",
        "A reminder that lists everything is a second todo list. One task is a next step.",
        "Return the text of the best task alone.",
        (Case(reminded("high completed Write the docs", "low pending Rename the shop",
                       "medium in_progress Fix the login", "high pending Add tests"),
              names_only("Add tests")),),
    ),
    Rule(
        "tie",
        "Of equals, the one that stands first in the list",
        "The order of the list is the model's plan, so among equals it decides.",
        "`min` and `max` return the first of equals. A loop with `<=` or `>=` ends with the last.",
        (Case(reminded("low pending Write the docs", "high pending Fix the login",
                       "high pending Add tests"), names_only("Fix the login")),
         Case(reminded("high completed Write the docs", "medium pending Add tests",
                       "medium pending Fix the login", "medium pending Rename the shop"),
              names_only("Add tests")),
         Case(reminded("10: high pending Fix the login", "9: high pending Add tests",
                       "1: high pending Rename the shop"), names_only("Fix the login"))),
    ),
    Rule(
        "nothing_pending",
        "With nothing pending it says what Nag says",
        "A list can be empty, or all done but for its last update. A crash there would stop the "
        "agent, and an empty name would confuse the model.",
        "What does `min([])` do? Look first whether there is anything to choose from; what Nag "
        "says is `super().reminder()`.",
        (Case("""
            todo = PriorityTodo()
            nag = PriorityNag(todo, after=1)
            nag(WORK)
            """, equal(PLAIN)),
         Case(reminded("high completed Add tests", "low completed Write the docs"), equal(PLAIN)),
         Case(reminded("high completed Add tests", "low in_progress Write the docs"),
              equal(PLAIN))),
    ),
    Rule(
        "as_it_is_now",
        "It looks at the list as it is when it reminds",
        "The model replaces its list again and again. A nag that remembers an old one reminds of "
        "what is done.",
        "Choose the task inside `reminder`, each time anew, from `self.todo.items`.",
        (Case("todo = PriorityTodo()\nnag = PriorityNag(todo, after=1)\n"
              + listed("high pending Add tests") + "\nnag(WORK)", names_only("Add tests")),
         Case(reminded("high pending Add tests", "low pending Rename the shop",
                       last="nag(WORK)\n" + listed("high completed Add tests",
                                                   "low pending Rename the shop") + "\nnag(WORK)"),
              names_only("Rename the shop"))),
    ),
    Rule(
        "looks_only",
        "Looking at the list does not change it",
        "The list belongs to the model. If the nag moves or marks tasks, the model's picture of "
        "its plan is no longer true.",
        "`items.sort()` and `items.pop()` change the list itself; `sorted(items)`, `min` and a "
        "loop only look.",
        (Case(reminded("low pending Write the docs", "high pending Fix the login",
                       "medium completed Add tests",
                       last='nag(WORK)\n[(item["text"], item["status"], item["priority"]) '
                            "for item in todo.items]"),
              equal([("Write the docs", "pending", "low"), ("Fix the login", "pending", "high"),
                     ("Add tests", "completed", "medium")])),
         Case("from copy import deepcopy\n" + reminded(
             "low pending Write the docs",
             last="before = deepcopy(todo.items)\nnag(WORK)\n[before, todo.items]"),
              Expected("the same items twice, before and after", same))),
    ),
    Rule(
        "tags",
        "The whole of it stands between <reminder> and </reminder>",
        "The reminder travels inside a tool's result. The tags tell the model which words are the "
        "harness's and which the tool's.",
        "Begin the text with <reminder> and end it with </reminder>.",
        (Case(reminded("high pending Add tests"), Expected(
            "a text that begins with <reminder> and ends with </reminder>, with each of the two "
            "once", tagged)),),
    ),
)


def check_nag(PriorityNag: Any = None, PriorityTodo: Any = ..., **settings: Any) -> Result:
    """How far a `PriorityNag` is: give it the nag and the todo list, both as classes.

    The nag may be anything that is made with `(todo, after=3)` and called with the calls of a
    round. Where the list is not right yet, the nag is tried with one of ours. `settings` are
    those of report.check.
    """
    nothing = not_begun("PriorityNag", PriorityNag, RULES)
    if nothing is not None:
        return nothing
    list_done = check_priority(PriorityTodo)
    ours, aside = not list_done.ok, ""
    if ours:
        aside = "It was tried with a list of ours, as your PriorityTodo is not ready."
        if PriorityTodo is ...:
            aside = ("It was tried with a list of ours. Give it yours: "
                     "`check_nag(PriorityNag, PriorityTodo)`.")
        elif list_done.note and list_done.begun:
            aside = f"It was tried with a list of ours. {list_done.note}"
        PriorityTodo = OUR_LIST
    names = {"PriorityNag": PriorityNag, "PriorityTodo": PriorityTodo,
             "WORK": WORK, "PLANNING": PLANNING}
    try:
        return check("PriorityNag", RULES, names, after="" if ours else "The build is done.",
                     aside=aside, **settings)
    finally:
        mend()
