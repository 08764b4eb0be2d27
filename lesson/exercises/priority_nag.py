"""Build, second part: a reminder that names the most important task."""

from copy import deepcopy
from dataclasses import replace
from typing import Any

from agentlib.tools import Call

from .checking.check import Subject, check, examine
from .checking.expected import Expected, saying, says
from .checking.fixtures import PLANNING, WORK
from .checking.result import Further, Result, Way
from .checking.rule import Rules, case, hint, why
from .priority import PRIORITY
from .ways import NagLevelByLevel, PriorityInCheck

RULES = Rules()
OURS = "from lesson.exercises.ways import PriorityInCheck as PriorityTodo"
PLAIN = "<reminder>Update your todos.</reminder>"
THRICE = Expected(
    f"[None, {PLAIN!r}, {PLAIN!r}, {PLAIN!r}]",
    lambda came: [text or None for text in came] == [None, PLAIN, PLAIN, PLAIN],
)


def names(task: str, *never: str) -> Expected:
    """A reminder that names this task, and none of those in `never`."""
    only = " and no other task" if never else ""
    return says(task, never=never, what=f"a reminder that names {task!r}{only}")


def is_tagged(came: str) -> bool:
    """Whether this is one reminder, from the first tag to the last."""
    text = came.strip()
    is_whole = text.startswith("<reminder>") and text.endswith("</reminder>")
    return is_whole and text.count("reminder>") == 2


@RULES.add("It is silent for as long as Nag is")
@why("A reminder in every round is soon ignored, and each costs tokens.")
@hint("Begin with `class PriorityNag(Nag):`, and leave the counting to Nag.")
@case(saying("- -"), rounds=[WORK, WORK])
@case(saying("- -"), rounds=[WORK * 4, WORK], hint="Count rounds, not calls: this is the second.")
def silent(PriorityNag, PriorityTodo, rounds):
    nag = PriorityNag(PriorityTodo())
    return [nag(calls) for calls in rounds]


@silent.also
@case(saying("- -"), hint="What the class body holds is shared by all nags: make it in `__init__`.")
def silent_beside_another(PriorityNag, PriorityTodo):
    todo = PriorityTodo()
    one, other = PriorityNag(todo, after=2), PriorityNag(todo, after=2)
    return [one(WORK), other(WORK)]


@RULES.add("It reminds in round `after` and in each that follows, until the todo tool is used")
@why("That is the Nag you know. Only its words are to change.")
@hint("If you wrote `__call__` or `__init__`, compare them with Nag's, line by line.")
@case(saying("- R R"), rounds=[WORK] * 3, hint="A reminder does not set the count back.")
@case(saying("- R"), rounds=[[], WORK], hint="A round without any call is a round, too.")
@case(saying("- R"), rounds=[WORK * 2, WORK * 2], hint="Two calls are not a todo call.")
@case(saying("- R -"), rounds=[WORK, WORK, PLANNING], hint="A round with a todo call is silent.")
@case(saying("- - - R"), rounds=[WORK, PLANNING, WORK, WORK], hint="A todo call sets it to 0.")
@case(saying("- - -"), rounds=[WORK, WORK + PLANNING, WORK], hint="Look at every call of a round.")
def counts(PriorityNag, PriorityTodo, rounds):
    todo = PriorityTodo()
    todo.update([{"text": "Add tests", "status": "pending", "priority": "high"}])
    nag = PriorityNag(todo, after=2)
    return [nag(calls) for calls in rounds]


@counts.also
@case(saying("- - R - -"), hint="Unless it is given, `after` is 3. A refused call is a use, too.")
def counts_by_default(PriorityNag, PriorityTodo):
    todo = PriorityTodo()
    todo.update([{"text": "Add tests", "status": "pending", "priority": "high"}])
    nag = PriorityNag(todo)
    refused = [Call("todo", {"items": 3}, "Error: items must be a list", ok=False)]
    return [nag(calls) for calls in (WORK, WORK, WORK, refused, WORK)]


@RULES.add("It names the pending task with the highest priority, by its text")
@why("A model that has lost its plan needs a task to go on with, not advice to look for one.")
@hint("`self.todo.items` holds the tasks. What Nag says is its method `reminder`: replace it.")
@hint("Look for the best task, and put its text into what you return, whole and as it is.")
@case(names("Test"), plan=[("Docs", "pending", "low"), ("Test", "pending", "high")])
@case(names("Test"), plan=[("Test", "pending", "high"), ("Docs", "pending", "medium")])
@case(
    names('Let "a < b" & friends pass in the long helper of the API'),
    plan=[('Let "a < b" & friends pass in the long helper of the API', "pending", "high")],
    hint="Put the text in as it is: not shortened, not escaped, not in other letters.",
)
@case(
    names("Test"),
    plan=[("Remove the highlight", "pending", "low"), ("Test", "pending", "high")],
    hint='A task\'s text may contain "high", too: compare `item["priority"]` alone.',
)
@case(
    names("Test"),
    plan=[(f"Task {n}", "pending", "low") for n in range(19)] + [("Test", "pending", "high")],
    hint="Look at every item, however long the list is.",
)
def highest(PriorityNag, PriorityTodo, plan):
    todo = PriorityTodo()
    todo.update([{"text": text, "status": s, "priority": p} for text, s, p in plan])
    return PriorityNag(todo, after=1)(WORK)


@RULES.add("Medium comes before low")
@why("By the alphabet it is high, low, medium: nearly right, and so the harder to notice.")
@hint("Give each word a number, by a dict or by its place in a list, and compare the numbers.")
@case(names("Test"), plan=[("Docs", "low"), ("Test", "medium")])
@case(names("Test"), plan=[("Test", "medium"), ("Docs", "low")])
def alphabet(PriorityNag, PriorityTodo, plan):
    todo = PriorityTodo()
    todo.update([{"text": text, "status": "pending", "priority": p} for text, p in plan])
    return PriorityNag(todo, after=1)(WORK)


@RULES.add("Only pending tasks count")
@why("The model has begun what is in progress: it should see what comes next.")
@hint('Look at each item\'s status before you compare priorities, at `item["status"]` alone.')
@case(names("Test"), text="Docs", status="completed")
@case(names("Test"), text="List pending orders", status="completed")
@case(names("Test"), text="Docs", status="in_progress")
def pending(PriorityNag, PriorityTodo, text, status):
    todo = PriorityTodo()
    first = {"text": text, "status": status, "priority": "high"}
    todo.update([first, {"text": "Test", "status": "pending", "priority": "medium"}])
    return PriorityNag(todo, after=1)(WORK)


@RULES.add("It names this one task, and no other")
@why("A reminder that lists everything is a second todo list. One task is a next step.")
@hint("Return the text of the best task alone.")
@case(names("Add tests", "Write docs", "Rename shop", "Fix login"))
def only_one(PriorityNag, PriorityTodo):
    todo = PriorityTodo()
    todo.update(
        [
            {"text": "Write docs", "status": "completed", "priority": "high"},
            {"text": "Rename shop", "status": "pending", "priority": "low"},
            {"text": "Fix login", "status": "in_progress", "priority": "medium"},
            {"text": "Add tests", "status": "pending", "priority": "high"},
        ]
    )
    return PriorityNag(todo, after=1)(WORK)


@RULES.add("Of equals, the one that stands first in the list")
@why("The order of the list is the model's plan, so among equals it decides.")
@hint("`min` and `max` return the first of equals. A loop with `<=` or `>=` ends with the last.")
@case(names("Fix login", "Add tests"), ids=["10", "9"], level="high")
@case(names("Fix login", "Add tests"), ids=["3", "20"], level="medium")
@case(names("Fix login", "Add tests"), ids=["20", "3"], level="low")
def tie(PriorityNag, PriorityTodo, ids, level):
    todo = PriorityTodo()
    texts = ["Fix login", "Add tests"]
    todo.update([{"id": i, "text": t, "priority": level} for i, t in zip(ids, texts, strict=True)])
    return PriorityNag(todo, after=1)(WORK)


@RULES.add("With nothing pending it says what Nag says")
@why("A list can be empty, or all done. A crash there would stop the agent.")
@hint("Look first whether anything is pending. What Nag says is `super().reminder()`.")
@case(THRICE, items=[])
@case(THRICE, items=[{"text": "Add tests", "status": "completed", "priority": "high"}])
@case(THRICE, items=[{"text": "Add tests", "status": "in_progress", "priority": "high"}])
def nothing_pending(PriorityNag, PriorityTodo, items):
    todo = PriorityTodo()
    todo.update(items)
    nag = PriorityNag(todo, after=2)
    return [nag(WORK), nag(WORK), nag(WORK), nag(WORK)]


@RULES.add("It looks at the list as it is when it reminds")
@why("The model replaces its list again and again: an old one names what is done.")
@hint("Choose the task inside `reminder`, each time again, from `self.todo.items`.")
@case(names("Rename", "Add tests"))
def as_it_is_now(PriorityNag, PriorityTodo):
    todo = PriorityTodo()
    nag = PriorityNag(todo, after=1)
    todo.update([{"text": "Add tests", "priority": "high"}, {"text": "Rename"}])
    nag(WORK)
    todo.update([{"text": "Add tests", "status": "completed"}, {"text": "Rename"}])
    return nag(WORK)


@RULES.add("Looking at the list does not change it")
@why("The list belongs to the model, which does not see what the nag moves or marks.")
@hint("`.sort()`, `.pop()` and `item[…] = …` change the list; `sorted` and `min` only look.")
@case("the same items twice, before and after", lambda came: came[0] == came[1])
def looks_only(PriorityNag, PriorityTodo):
    todo = PriorityTodo()
    levels = ["low", "high", "medium"]
    todo.update([{"text": f"For the {level} one", "priority": level} for level in levels])
    before = deepcopy(todo.items)
    PriorityNag(todo, after=1)(WORK)
    return [before, todo.items]


@RULES.add("The whole of it stands between <reminder> and </reminder>")
@why("It travels inside a tool's result: the tags tell which words are the harness's.")
@hint("Begin the text with <reminder> and end it with </reminder>.")
@case("one text that begins with <reminder> and ends with </reminder>", is_tagged)
def tags(PriorityNag, PriorityTodo):
    todo = PriorityTodo()
    todo.update([{"text": "Add tests", "status": "pending", "priority": "high"}])
    return PriorityNag(todo, after=1)(WORK)


FURTHER = Further(
    "Why is `min` enough here, and `sorted` more than is needed?",
    "One task is wanted, not an order. `min` goes through the list once and takes the first of "
    "equals; sorting puts all of them in order, and then drops all but one.",
    (
        Way(
            "level by level",
            NagLevelByLevel,
            "No numbers, no key function: it reads as it is said. But it goes through the list up "
            "to three times, and a fourth level would need a fourth pass.",
        ),
    ),
)
NAG = Subject("PriorityNag", RULES, "The build is done.", FURTHER)


def check_nag(PriorityNag: Any = None, PriorityTodo: Any = ..., **settings: Any) -> Result:
    """How far a `PriorityNag` is: give it the nag and the todo list, both as classes.

    The nag may be anything that is made with `(todo, after=3)` and called with the calls of a
    round. Where the list is not right yet, the nag is tried with one of ours. `settings` are
    those of check.examine.
    """
    ready = examine(PRIORITY, {"PriorityTodo": None if PriorityTodo is ... else PriorityTodo})
    if ready.ok:
        return check(NAG, {"PriorityNag": PriorityNag, "PriorityTodo": PriorityTodo}, **settings)
    aside = "It was tried with a list of ours, as your PriorityTodo is not ready."
    if PriorityTodo is ...:
        aside = "It was tried with a list of ours. Give it yours: "
        aside += "`check_nag(PriorityNag, PriorityTodo)`."
    elif ready.note and ready.begun:
        aside = f"It was tried with a list of ours. {ready.note}"
    made = {"PriorityNag": PriorityNag, "PriorityTodo": PriorityInCheck}
    result = check(NAG, made, aside=aside, **settings)
    if result.miss is None:
        return result
    return replace(result, miss=replace(result.miss, tried=f"{OURS}\n{result.miss.tried}"))
