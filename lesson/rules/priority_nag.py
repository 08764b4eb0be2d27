"""The rules of `PriorityNag`: its reminder ends with the next task."""

import re
from copy import deepcopy
from random import Random
from typing import Any

from agentlib.todo import TodoManager
from agentlib.tools import Call

from .engine import rule, same
from .priority_todo import LEVELS, parent_of
from .priority_todo import extend as extend_list
from .random_cases import compare

WORK = [Call("bash", {"command": "ls"}, "hello.py")]
TODO = [Call("todo", {"items": []}, "No todos.")]
ANOTHER_ROUND = (
    "It reminds in other rounds than MyNag. `super().__call__(calls)` counts, with all `calls`, "
    "once in each round; if it returns None, return None, and otherwise return a string."
)
NOT_NAMED = (
    "The reminder is that of MyNag, whole, with `Next: TEXT.` before its end, and TEXT is the text "
    "of the task alone. `reminder.removesuffix('</reminder>')` is the reminder without its end."
)
OTHER_TASK = (
    "The reminder names another task. Compare the levels by number, not as strings: in the "
    'alphabet, low is before medium. `["high", "medium", "low"].index(…)` is 0 for high.'
)
LAST_ONE = (
    "On a tie, the first task counts: `min` and `max` return the first of equal items, and a loop "
    "with `<=` or `>=` finds the last one."
)
NOT_PENDING = (
    'This task is not pending. Collect the items with `item["status"] == "pending"`, and choose '
    "among them: the model is working on the task in progress already."
)
NO_PENDING = "No task is pending here, so there is nothing to name: return the reminder of MyNag."
NO_PRIORITIES = (
    "The items of this list have no priority, and then the first pending task is next: "
    '`item.get("priority", "medium")` gives all of them the same one.'
)
LOOKS_ONLY = (
    "Your nag changes the list, or an item in it. Only the model changes its list: `.sort()`, "
    "`.pop()` and `item[…] = …` change it, `sorted` and `min` do not."
)
NO_NAG = (
    "Your class extends no nag: write `class PriorityNag(MyNag):`, and run the cell of MyNag "
    "before. Its reminder is `super().__call__(calls)`."
)
RANDOM = (
    "The reminder names another task than the rules say, or another text. Look at "
    "`self.todo.items` when the reminder is due, each time, and keep nothing from earlier rounds. "
    "The text of the task is used unchanged."
)
CAUSES = (
    (
        "'NoneType' object has no attribute|unsupported operand.*NoneType|concatenate",
        "MyNag returns None in a round without a reminder: return None then, before you use it.",
    ),
    (
        r"no attribute '(removesuffix|replace|rindex|reminder)'|super\(\) argument",
        "The reminder is the string that `super().__call__(calls)` returns.",
    ),
    (
        "has no attribute 'items'|Todo.* object is not (iterable|subscriptable)",
        "The list is `self.todo`, and its tasks are in `self.todo.items`.",
    ),
    (
        r"min\(\)|max\(\)|^(IndexError|StopIteration)",
        "No task is pending, or the list is empty: return the reminder as it is, before you "
        "choose.",
    ),
    ("^KeyError: ('priority'|None)$|None is not in list", NO_PRIORITIES),
    (
        "is not in list|^KeyError: '(high|medium|low)'",
        "Your table of levels has no place for this priority: name high, medium and low in it.",
    ),
    (
        r"__call__\(\) (takes|missing|got)|reminder\(\) (takes|missing|got)",
        "It is called with the calls of a round: `def __call__(self, calls):`, and "
        "`super().__call__(calls)`.",
    ),
    (
        r"has no attribute '(todo|rounds|after)'|__init__\(\) (takes|missing|got)",
        "It is made with `PriorityNag(todo, after=3)`: if you write your own `__init__`, take "
        "both, and call `super().__init__(todo, after)`.",
    ),
    (
        "format string|bad escape|invalid group|^KeyError: 'login'|^ValueError|Replacement index",
        "A text was read as a pattern: `format`, `%` and `re.sub` give braces, percent signs and "
        "backslashes a meaning. Use an f-string or `+`.",
    ),
)


PriorityTodo = extend_list(TodoManager)


def task(text: str, priority: str = "", status: str = "pending") -> dict[str, str]:
    """Return an item of a list, without a priority if there is none."""
    return {"text": text, "status": status} | ({"priority": priority} if priority else {})


def remind(nag_class: Any, *items: dict[str, str], kind: Any = PriorityTodo) -> Any:
    """Return the reminder of a list with these items."""
    todo = kind()
    todo.update(deepcopy([*items]))
    before = deepcopy(todo.items)
    reminder = nag_class(todo, after=1)(WORK)
    same(todo.items, before, LOOKS_ONLY)
    return reminder


def next_of(PriorityNag: Any, *items: dict[str, str], kind: Any = PriorityTodo) -> str:
    """Return the TEXT of "Next: TEXT." at the end of a reminder, or say what is missing."""
    reminder = remind(PriorityNag, *items, kind=kind)
    assert isinstance(reminder, str), ANOTHER_ROUND
    found = re.fullmatch(r"\s*<reminder>.*Next: (.*)\.\s*</reminder>\s*", reminder, re.DOTALL)
    assert found, NOT_NAMED if kind is PriorityTodo else NO_PRIORITIES
    return found[1]


def play_rounds(nag: Any, *rounds: list[Call]) -> str:
    """Return "reminds" for each round with a reminder, and "silent" for one without."""
    return ", ".join("reminds" if nag(calls) else "silent" for calls in rounds)


@rule
def counts(PriorityNag):
    """It reminds in the same rounds as MyNag.

    Only the words of the reminder change. Who counts the rounds: your code, or MyNag?

    `super().__call__(calls)` counts, and returns a reminder or None. If None, return None."""
    parent_of(PriorityNag, "__call__", NO_NAG)
    todo = PriorityTodo()
    todo.update([task("Add tests", "high")])
    got = play_rounds(PriorityNag(todo), WORK, WORK, WORK, WORK)
    same(got, "silent, silent, reminds, reminds", ANOTHER_ROUND)
    got = play_rounds(PriorityNag(todo, after=2), WORK, WORK + TODO, WORK, WORK)
    same(got, "silent, silent, silent, reminds", ANOTHER_ROUND)


@rule
def names_the_task(PriorityNag):
    """Its reminder ends with `Next: TEXT.`, the text of the pending task, inside of the tags.

    Where are the tasks, and where is the reminder to which you add one?

    The tasks are in `self.todo.items`. Put the sentence before `</reminder>`."""
    same(next_of(PriorityNag, task("Add tests", "high")), "Add tests", NOT_NAMED)
    reminder = remind(PriorityNag, task("Add tests", "high"))
    before = remind(parent_of(PriorityNag, "__call__"), task("Add tests", "high"))
    lost = [word for word in before.split("</reminder>")[0].split() if word not in reminder]
    same([*lost, reminder.count("</reminder>")], [1], NOT_NAMED)


@rule
def highest(PriorityNag):
    """It names the pending task with the highest priority, and the first one on a tie.

    The practice model does the task that the reminder names, so it must be the right one.

    Map each word to a number, with a dict or its index in a list, and compare the numbers."""
    docs, test, shop = task("Docs", "low"), task("Test", "high"), task("Shop", "medium")
    same(next_of(PriorityNag, docs, test, shop), "Test", OTHER_TASK)
    same(next_of(PriorityNag, docs, shop), "Shop", OTHER_TASK)
    same(next_of(PriorityNag, shop, test), "Test", OTHER_TASK)
    same(next_of(PriorityNag, docs, test, task("Fix", "high")), "Test", LAST_ONE)


@rule
def pending(PriorityNag):
    """Only pending tasks count, and without one the reminder is that of MyNag.

    The model is already working on the task in progress. It needs the next one.

    Collect the items with the status pending. If there are none, return the reminder unchanged."""
    test, orders = task("Test", "low"), "List pending orders"
    same(next_of(PriorityNag, task(orders, "high", "completed"), test), "Test", NOT_PENDING)
    same(next_of(PriorityNag, task(orders, "high", "in_progress"), test), "Test", NOT_PENDING)
    docs = task("Docs", "high", "in_progress")
    expected = remind(parent_of(PriorityNag, "__call__"), docs)
    same((remind(PriorityNag, docs) or "").split(), expected.split(), NO_PENDING)


@rule
def without_priorities(PriorityNag):
    """Of a list without priorities, it names the first pending task.

    What does an item contain if the list has no such field? Each of your lists has this nag.

    `item.get("priority", "medium")` returns medium if there is no priority."""
    tasks = [task("Docs", status="completed"), task("Test"), task("Fix")]
    same(next_of(PriorityNag, *tasks, kind=TodoManager), "Test", NO_PRIORITIES)


@rule
def as_the_solution(PriorityNag):
    """It names the same tasks as the solution, in 200 random runs on two lists.

    Is something left over from an earlier round, or from another nag? A text can contain braces,
    backslashes and tags."""
    solution = extend(parent_of(PriorityNag, "__call__"))
    compare(PriorityNag, solution, draw, play, RANDOM, tell=tell)


def extend(MyNag: Any) -> Any:
    """Return the solution on this base."""

    class PriorityNag(MyNag):  # type: ignore[misc]
        def __call__(self, calls: Any) -> str | None:
            reminder = super().__call__(calls)
            tasks = [item for item in self.todo.items if item["status"] == "pending"]
            if reminder is None or not tasks:
                return reminder
            best = min(tasks, key=lambda item: LEVELS.index(item.get("priority", "medium")))
            return f"{reminder.removesuffix('</reminder>')} Next: {best['text']}.</reminder>"

    return PriorityNag


TEXTS = (
    *("Add tests", "add tests", "Fix the {login}", "Write <b>docs</b> & more", "Use C:\\new\\1"),
    *("0", "high", "Rename 'shop'", "100% of it", "pending", "and so on " * 40 + "to the end"),
)
Case = tuple[type, int, list[list[dict[str, str]]]]  # the list, the threshold, what is sent


def draw(random: Random, size: int) -> Case:
    """Return a list, the threshold, and up to three lists, each with up to `size` tasks."""
    kind = random.choice((PriorityTodo, PriorityTodo, TodoManager))
    levels = LEVELS if kind is PriorityTodo else [""]
    sent = []
    for _ in range(random.randint(1, min(size, 3))):
        items = [task(text, random.choice(levels)) for text in random.sample(TEXTS, size)]
        for item in items[1::2]:
            item["status"] = random.choice(("pending", "completed"))
        items[0]["status"] = random.choice(("pending", "in_progress"))
        sent.append(random.sample(items, size))
    return kind, random.randint(1, 2), sent


def tell(case: Case) -> str:
    """Return a case as the learner reads it."""
    kind, after, sent = case
    lines = [f"todo = {kind.__name__}()", f"nag = PriorityNag(todo, after={after})"]
    return "\n".join([*lines, *(f"todo.update({one!r}), and two rounds" for one in sent)])


def play(part: Any, case: Case) -> list[Any]:
    """Return how the reminders end, two for each list, for one of two nags."""
    kind, after, sent = case
    todo = kind()
    nag, other = part(todo, after=after), part(kind(), after=after)
    found: list[Any] = []
    for items in sent:
        todo.update(deepcopy(items))
        for _ in range(2):
            found.append(
                re.sub(r".*(?=Next: )|\s*</reminder>\s*$", "", nag(WORK) or "", flags=re.S)
            )
            other(WORK)
    return found
