"""The exercise "A reminder that names a task": `PriorityNag` extends the learner's `MyReminder`."""

import re
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

from agentlib.todo import TodoManager

from .check_priority import check_priority
from .checking import case, check, exercise, hint, rule, why
from .checking.expected import Expected, saying, says
from .checking.fixtures import PLANNING, WORK

LONG_TEXT = 'Let "a < b" & friends pass in the long helper of the API'
FIVE = [
    {"text": "Write docs", "status": "completed", "priority": "high"},
    {"text": "Fix login", "status": "in_progress", "priority": "high"},
    {"text": "Add tests", "status": "pending", "priority": "high"},
    {"text": "Run them", "status": "pending", "priority": "high"},
    {"text": "Rename shop", "status": "pending", "priority": "low"},
]


def names(task: str, *never: str) -> Expected:
    """Expect a reminder that contains this task, and none of those in `never`."""
    return says(task, never=never, what=f"a reminder that names {task!r} outside of the list")


def is_tagged(got: str) -> bool:
    """Return whether this is one reminder, from the first tag to the last, with the list."""
    is_whole = re.fullmatch("<reminder>.*</reminder>", got.strip(), re.DOTALL)
    return bool(is_whole) and got.count("reminder>") == 2 and "(the list)" in got


def remind(PriorityNag: Any, todo: TodoManager, *lists: Sequence[dict[str, str]]) -> Any:
    """Send these lists, and return the last one's reminder, with "(the list)" instead of it."""
    nag = PriorityNag(todo, after=1)
    for items in lists:
        shown = todo.update(items)
        reminder = nag(WORK)
    return reminder.replace(shown, "(the list)") if isinstance(reminder, str) else reminder


@rule("It reminds in the same rounds as MyReminder")
@why("Only the words of the reminder change. A reminder in every round costs tokens.")
@hint("Who counts the rounds: your code, or MyReminder?")
@hint("`super().__call__(calls)` counts, and returns a reminder or None. If None, return None.")
@case(saying("- - R"), rounds=[WORK, WORK * 4, WORK])
@case(saying("- - R R"), rounds=[WORK] * 4, hint="A reminder does not set the count back.")
@case(saying("- - - -"), rounds=[WORK, WORK + PLANNING, WORK, WORK], hint="Pass on all `calls`.")
def counts(PriorityNag, PriorityTodo, rounds):
    todo = PriorityTodo()
    todo.update([{"text": "Add tests", "status": "pending", "priority": "high"}])
    nag = PriorityNag(todo, after=3)
    return [nag(calls) or None for calls in rounds]


@rule("Rule 1: between its tags, it contains the list, as `render` returns it at that moment")
@why("This brings the plan back into the window, and the tags show who says it.")
@hint("Which string does `super().__call__(calls)` return?")
@hint("Keep the reminder of MyReminder, and add a sentence to it.")
@case("one string from <reminder> to </reminder>, with (the list)", is_tagged)
def shows_the_list(PriorityNag, PriorityTodo):
    return remind(PriorityNag, PriorityTodo(), FIVE[:3])


@rule("Rule 2: outside of the list, it names the pending task with the highest priority alone")
@why("The practice model does the task that the reminder names, so it must be the right one.")
@hint("Where are the tasks, and where is the reminder to which you add one?")
@hint("Find the best task in `items`, and put its whole text before `</reminder>`.")
@case(names("Test"), plan={"Docs": "low", "Test": "high"})
@case(names("Docs"), plan={"Docs": "medium"}, hint="There are three levels: medium is also one.")
@case(names("Test"), plan={"Test": "high", "Docs": "medium"})
@case(names("Test"), plan={"Docs": "medium", "Test": "high"})
@case(names("Test"), plan={"Docs": "low", "Shop": "low", "Test": "medium"})
@case(names("Test"), plan={"Docs": "low", "Shop": "medium", "Test": "high", "Cart": "medium"})
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
    "a reminder that names one task outside of the list",
    lambda got: sum(item["text"] in got for item in FIVE) == 1,
    hint="Name the best task in the reminder, and no other task: it says what is next.",
)
def only_one(PriorityNag, PriorityTodo):
    return remind(PriorityNag, PriorityTodo(), FIVE)


@highest.also
@case(
    "a reminder with the text of the task, and not with the whole item",
    lambda got: "Test" in got and not re.search(r"""['"]text['"]\s*:""", got),
    hint="An item is a dict: name it by its `text`, `item['text']`.",
)
def only_its_text(PriorityNag, PriorityTodo):
    return remind(PriorityNag, PriorityTodo(), [{"text": "Test", "priority": "high"}])


@highest.also
@case(
    names("Rename", "Add tests"),
    hint="The model replaces its list often. Choose the task when the reminder is due, each time.",
)
def as_it_is_now(PriorityNag, PriorityTodo):
    lists = [[{"text": text, "priority": "high"}] for text in ("Add tests", "Rename")]
    return remind(PriorityNag, PriorityTodo(), *lists)


@rule("Rule 3: on a tie, it names the first one in the list")
@why("The order of the list is the model's plan, so it decides.")
@hint("Which of two equal items does your code find?")
@hint("`min` and `max` return the first of equal items. A loop with `<=` or `>=` finds the last.")
@case(names("Fix login", "Add tests"))
def tie(PriorityNag, PriorityTodo):
    items = [{"text": text, "priority": "high"} for text in ("Fix login", "Add tests")]
    return remind(PriorityNag, PriorityTodo(), items)


@rule("Rule 4: only pending tasks count, and without one it names none")
@why("The model is already working on the task in progress. It needs the next one.")
@hint("Which statuses can a task have, and what is left to choose from if the list is empty?")
@hint("Collect the items with the status pending. If there are none, return MyReminder's text.")
@case(names("Test", "orders"), first={"text": "List pending orders", "status": "completed"})
@case(names("Test", "Docs"), first={"text": "Docs", "status": "in_progress"})
def pending(PriorityNag, PriorityTodo, first):
    items = [first | {"priority": "high"}, {"text": "Test", "priority": "high"}]
    return remind(PriorityNag, PriorityTodo(), items)


@pending.also
@case(says("(the list)", never=["Docs"]), items=[])
@case(says("(the list)", never=["Docs"]), items=[{"text": "Docs", "status": "in_progress"}])
def nothing_pending(PriorityNag, PriorityTodo, items):
    return remind(PriorityNag, PriorityTodo(), items)


@rule("Rule 5: of a list without priorities, it names the first pending task")
@why("Then the same reminder works with each of your lists.")
@hint("What does `item` contain if the list has no such field?")
@hint('`item.get("priority", "medium")` returns medium if there is no priority.')
@case(names("Test", "Fix"))
def without_priorities(PriorityNag):
    items = [{"text": "Docs", "status": "completed"}, {"text": "Test"}, {"text": "Fix"}]
    return remind(PriorityNag, TodoManager(), items)


@rule("Rule 6: it changes nothing in the list")
@why("The list is the model's plan, so only the model changes it.")
@hint("Does your code change the list, or an item in it?")
@hint("`.sort()`, `.pop()` and `item[…] = …` change the list; `sorted` and `min` do not.")
@case("the same items before and after the reminder", lambda got: got[0] == got[1])
def looks_only(PriorityNag, PriorityTodo):
    todo = PriorityTodo()
    todo.update([{"text": level, "priority": level} for level in ("low", "high", "medium")])
    before = deepcopy(todo.items)
    PriorityNag(todo, after=1)(WORK)
    return before, todo.items


@exercise(
    order=7,
    title="A reminder that names a task",
    needs=("MyNag", "MyReminder"),
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
    if check_priority.exercise.check(PriorityTodo).ok:
        return None
    lent = {"PriorityNag": PriorityNag, "PriorityTodo": check_priority.exercise.make_solution()}
    aside = "It was tried with our list, because your PriorityTodo is not ready."
    result = check(check_priority_nag.exercise, lent)
    return replace(result, aside=aside) if result.begun else result
