"""The exercise "A nag that names a task": its reminder names the most important task."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from agentlib.todo import TodoManager

from .check_priority import check_priority
from .checking import case, check, exercise, hint, rule, why
from .checking.expected import Expected, saying, says
from .checking.fixtures import PLANNING, WORK

LEVELS = ["low", "high", "medium"]
LONG_TEXT = 'Let "a < b" & friends pass in the long helper of the API'
FIVE = [
    {"text": "Write docs", "status": "completed", "priority": "high"},
    {"text": "Fix login", "status": "in_progress", "priority": "high"},
    {"text": "Add tests", "status": "pending", "priority": "high"},
    {"text": "Run them", "status": "pending", "priority": "high"},
    {"text": "Rename shop", "status": "pending", "priority": "low"},
]
PLAIN = "<reminder>Update your todos.</reminder>"


def names(task: str, *never: str) -> Expected:
    """Expect a reminder that contains this task, and none of those in `never`."""
    only = " and no other task" if never else ""
    return says(task, never=never, what=f"a reminder that names {task!r}{only}")


def is_tagged(got: str) -> bool:
    """Return whether this is one reminder, from the first tag to the last."""
    text = got.strip()
    is_whole = text.startswith("<reminder>") and text.endswith("</reminder>")
    return is_whole and text.count("reminder>") == 2


def is_about_one_task(got: str) -> bool:
    """Return whether the reminder names one of the tasks in FIVE."""
    return sum(item["text"] in got for item in FIVE) == 1


def remind(PriorityNag: Any, todo: TodoManager, items: Sequence[dict[str, str]]) -> Any:
    """Give `todo` these items, and return what a nag says in the third round of work."""
    todo.update(items)
    nag = PriorityNag(todo)
    return [nag(WORK) for _ in range(3)][-1]


@rule("It reminds in round `after` and in each one that follows, until a todo call")
@why("This is what Nag does. Only its words change. A reminder in every round costs tokens.")
@hint("Who counts the rounds: your code, or Nag's?")
@hint("Start with `class PriorityNag(Nag):`, and let Nag count.")
@hint("If you wrote `__call__` or `__init__`, compare them with Nag's, line by line.")
@case(saying("- R"), rounds=[WORK, WORK])
@case(
    saying("- R"),
    rounds=[WORK * 4, WORK],
    hint="Count rounds, not calls. Nag does: override `reminder`, and no `__call__`.",
    note="Count once per round, not once per call.",
)
@case(saying("- R R"), rounds=[WORK] * 3, hint="A reminder does not set the count back.")
@case(saying("- - - R"), rounds=[WORK, PLANNING, WORK, WORK], hint="A todo call sets it to 0.")
@case(saying("- - -"), rounds=[WORK, WORK + PLANNING, WORK], hint="Look at every call of a round.")
def counts(PriorityNag, PriorityTodo, rounds):
    todo = PriorityTodo()
    todo.update([{"text": "Add tests", "status": "pending", "priority": "high"}])
    nag = PriorityNag(todo, after=2)
    return [nag(calls) or None for calls in rounds]


@counts.also
@case(saying("- -"), hint="All nags share what is in the class body: create it in `__init__`.")
def counts_for_itself(PriorityNag, PriorityTodo):
    todo = PriorityTodo()
    one, other = PriorityNag(todo), PriorityNag(todo)
    one(WORK)
    return [one(WORK) or None, other(WORK) or None]


@rule("Rule 1: it names the pending task with the highest priority, and no other")
@why("The practice model does the task that the reminder names, so it must be the right one.")
@hint("Which of Nag's methods returns the words, and where are the tasks?")
@hint("The tasks are in `self.todo.items`. Nag's words are in its method `reminder`: override it.")
@hint("Find the best task, and put its whole text into the string that you return.")
@case(names("Test"), plan={"Docs": "low", "Test": "high"})
@case(names("Docs"), plan={"Docs": "medium"}, hint="There are three levels: medium is also one.")
@case(names("Test"), plan={"Test": "high", "Docs": "medium"})
@case(
    names("Test"),
    plan={"Docs": "low", "Test": "medium"},
    hint="Does medium come before low in your code? In the alphabet it does not: map each word to "
    "a number, with a dict or its index in a list, and compare the numbers.",
)
@case(names("Docs"), plan={"Docs": "low"}, hint="There are three levels: low is also one.")
@case(
    names(LONG_TEXT),
    plan={LONG_TEXT: "high"},
    hint="Use the text unchanged: do not shorten it or escape it.",
)
def highest(PriorityNag, PriorityTodo, plan):
    items = [{"text": text, "priority": priority} for text, priority in plan.items()]
    return remind(PriorityNag, PriorityTodo(), items)


@highest.also
@case(
    "a reminder that contains the text of one task",
    is_about_one_task,
    hint="Name the best task in the reminder, and no other task: it says what is next.",
)
def only_one(PriorityNag, PriorityTodo):
    return remind(PriorityNag, PriorityTodo(), FIVE)


@highest.also
@case(
    names("Rename", "Add tests"),
    hint="The model replaces its list often. Choose the task inside `reminder`, each time, from "
    "`self.todo.items`.",
)
def as_it_is_now(PriorityNag, PriorityTodo):
    todo = PriorityTodo()
    nag = PriorityNag(todo, after=1)
    for text in ("Add tests", "Rename"):
        todo.update([{"text": text, "priority": "high"}])
        reminder = nag(WORK)
    return reminder


@rule("Rule 2: on a tie, it names the first one in the list")
@why("The order of the list is the model's plan, so it decides.")
@hint("Which of two equal items does your code find?")
@hint("`min` and `max` return the first of equal items. A loop with `<=` or `>=` finds the last.")
@case(names("Fix login"))
def tie(PriorityNag, PriorityTodo):
    texts = {"10": "Fix login", "9": "Add tests"}
    items = [{"id": id, "text": text, "priority": "high"} for id, text in texts.items()]
    return remind(PriorityNag, PriorityTodo(), items)


@rule("Rule 3: only pending tasks count")
@why("The model is already working on the task in progress. It needs the next one.")
@hint("Which statuses can a task have, and which one is next?")
@hint('Look at `item["status"]` of each item before you compare priorities.')
@case(names("Test"), first={"text": "List pending orders", "status": "completed"})
@case(names("Test"), first={"text": "Docs", "status": "in_progress"})
def pending(PriorityNag, PriorityTodo, first):
    items = [first | {"priority": "high"}, {"text": "Test", "priority": "high"}]
    return remind(PriorityNag, PriorityTodo(), items)


@rule("Rule 4: if no task is pending, it returns Nag's reminder")
@why("A list can be empty, or all done. An exception there would stop the agent.")
@hint("What is left to choose from if the list is empty, or all done?")
@hint("First test whether any task is pending. `super().reminder()` returns Nag's reminder.")
@case(PLAIN, items=[])
@case(PLAIN, items=[{"text": "Add tests", "status": "in_progress", "priority": "high"}])
def nothing_pending(PriorityNag, PriorityTodo, items):
    return remind(PriorityNag, PriorityTodo(), items)


@rule("Rule 5: it changes nothing in the list, and is between its tags")
@why("The list is the model's plan. The tags show which words are from the harness.")
@hint("Does your code change the list, or an item in it?")
@hint("`.sort()`, `.pop()` and `item[…] = …` change the list; `sorted` and `min` do not.")
@case(LEVELS)
def looks_only(PriorityNag, PriorityTodo):
    todo = PriorityTodo()
    remind(PriorityNag, todo, [{"text": f"A {p} one", "priority": p} for p in LEVELS])
    return [item["priority"] for item in todo.items if item["status"] == "pending"]


@looks_only.also
@case(
    "one string that begins with <reminder> and ends with </reminder>",
    is_tagged,
    hint="How does the string begin, and how does it end? It needs <reminder> and </reminder>.",
)
def tags(PriorityNag, PriorityTodo):
    return remind(PriorityNag, PriorityTodo(), FIVE)


@exercise(
    order=7,
    title="A nag that names a task",
    after="You have built a list and its nag.",
    question="Why is `min` enough here, and `sorted` more than is needed?",
    answer="You need one task, not an order. `min` goes through the list once and returns the "
    "first of equal items; `sorted` orders all items, and you use one of them.",
)
def check_priority_nag(PriorityNag=None, PriorityTodo=None):
    """Check a `PriorityNag`: pass the nag and the todo list, both as classes.

    The nag is made with `(todo, after=3)` and called with the calls of a round. If the list does
    not pass its own check, the nag is tried with our list.
    """
    if check_priority(PriorityTodo).ok:
        return None
    lent = {"PriorityNag": PriorityNag, "PriorityTodo": check_priority.exercise.make_solution()}
    aside = "It was tried with our list, because your PriorityTodo is not ready."
    result = check(check_priority_nag.exercise, lent)
    return replace(result, aside=aside) if result.begun else result
