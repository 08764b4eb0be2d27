"""The rules of `PriorityNag`: its reminder ends with the next task."""

import re
from copy import deepcopy
from random import Random
from typing import Any

from agentlib.todo import TodoManager
from agentlib.tools import Call

from .engine import rule, same
from .random_cases import compare

WORK = [Call("bash", {"command": "ls"}, "hello.py")]
TODO = [Call("todo", {"items": []}, "No todos.")]
LEVELS = ["high", "medium", "low"]
LONG = (
    'Let "a < b" & friends pass in the long helper of the API, ' + "and so on " * 40 + "to the end"
)
INSIDE = (
    "Put the sentence inside of the reminder, before `</reminder>`: the tags show the model who "
    "says it. `reminder.removesuffix('</reminder>')` is the reminder without its end."
)
NOT_NAMED = (
    "The reminder does not end with `Next: TEXT.`, with the text of the task alone and a full "
    "stop: find the best task in `self.todo.items`, and put the sentence before `</reminder>`."
)
WHOLE_ITEM = "An item is a dict: name the task by its text, `item['text']`."
OTHER_TASK = (
    "The reminder names another task. Compare the levels by number, not as strings: in the "
    'alphabet, low is before medium. `["high", "medium", "low"].index(…)` is 0 for high.'
)
SEVERAL = (
    "Name the text of the best task alone: the sentence says what is next, and all other tasks can "
    "wait."
)
UNCHANGED = "Use the text of the task unchanged: do not shorten it, escape it or change its case."
NOT_NOW = (
    "The reminder names a task of an older list. The model replaces its list often: look at "
    "`self.todo.items` when the reminder is due, each time, and keep nothing from the last one."
)
LAST_ONE = (
    "On a tie, the first task counts: `min` and `max` return the first of equal items, and a loop "
    "with `<=` or `>=` finds the last one."
)
NOT_PENDING = (
    'This task is not pending. Collect the items with `item["status"] == "pending"`, and choose '
    "among them: the model is working on the task in progress already."
)
NO_PENDING = (
    "No task is pending here, so there is nothing to name, and the reminder is still needed: "
    "return the one of MyNag."
)
NO_PRIORITIES = (
    "The items of this list have no priority, and then the first pending task is next: "
    '`item.get("priority", "medium")` gives all of them the same one.'
)
LOOKS_ONLY = (
    "Your nag changes the list, or an item in it. Only the model changes its list: `.sort()`, "
    "`.pop()` and `item[…] = …` change it, `sorted` and `min` do not."
)
ANOTHER_ROUND = (
    "It reminds in other rounds than MyNag. `super().__call__(calls)` counts, with all `calls`, "
    "once in each round; if it returns None, return None."
)
NEVER = (
    "It returns no reminder in any round. Does your code reach a `return` with it? To print it is "
    "not enough."
)
A_STRING = "The reminder is one string: return it, and do not print it."
ALL_OF_IT = (
    "The reminder of MyNag must still be there, with its text and its tags: add the sentence to "
    "what `super().__call__(calls)` returns."
)
RANDOM = (
    "The reminder names another task than the rules say. All pending tasks of the list count as "
    "they are now, texts are compared and shown exactly, and nothing is kept from earlier rounds."
)
CAUSES = (
    (
        "'NoneType' object has no attribute|unsupported operand.*NoneType|concatenate",
        "MyNag returns None in a round without a reminder: return None then, before you use it.",
    ),
    (
        r"no attribute '(removesuffix|replace|rstrip|rindex)'|super\(\) argument",
        "The reminder is the string that `super().__call__(calls)` returns.",
    ),
    (
        "has no attribute 'items'|Todo' object is not (iterable|subscriptable)",
        "The list is `self.todo`, and its tasks are in `self.todo.items`.",
    ),
    (
        r"min\(\)|max\(\)|^(IndexError|StopIteration)",
        "No task is pending, or the list is empty: return the reminder as it is, before you "
        "choose.",
    ),
    ("^KeyError: 'priority'$", NO_PRIORITIES),
    (
        "is not in list|^KeyError: (None|'high'|'medium'|'low')",
        "Your table of levels has no place for this priority. There are three, high, medium and "
        'low, and an item may have none: `item.get("priority", "medium")`.',
    ),
    (
        r"__call__\(\) (takes|missing|got)|reminder\(\) (takes|missing|got)",
        "It is called with the calls of a round: `def __call__(self, calls):`, and "
        "`super().__call__(calls)`.",
    ),
    (
        "'super' object (has no attribute|is not callable)|takes no arguments|is not callable",
        "Your class extends no nag: write `class PriorityNag(MyNag):`, and run the cell of MyNag "
        "before. Its reminder is `super().__call__(calls)`.",
    ),
    (
        "has no attribute '(todo|rounds|after)'",
        "MyNag sets this in its `__init__`: if you write your own, call "
        "`super().__init__(todo, after)`.",
    ),
    (
        r"__init__\(\) (takes|missing|got)",
        "It is made with `PriorityNag(todo, after=3)`: take both, and call "
        "`super().__init__(todo, after)`.",
    ),
    (
        "format string|Replacement index|bad escape|invalid group|^KeyError: '(it|login)'",
        "A text was read as a pattern: `format`, `%` and `re.sub` give braces, percent signs and "
        "backslashes a meaning. Use an f-string or `+`.",
    ),
    (
        "^KeyError: '[a-z]+'$",
        "An item has no such field. It has a `text` and a `status`, and perhaps a `priority`.",
    ),
    ("'list' object has no attribute|list indices", "`self.todo.items` is a list of dicts."),
    (
        "unsupported operand|cannot unpack|must be str|has no len|at least 1 argument|values to",
        "A value in this line is of another kind than the line needs: `reminder` is a string, "
        "`pending` a list of dicts, and the text of a task a string.",
    ),
)


class PriorityTodo(TodoManager):
    """A list with priorities, to try the nag on."""

    fields = TodoManager.fields | {
        "priority": {"type": "string", "enum": LEVELS, "default": "medium"}
    }


class Bare:
    """A list that keeps the items as they are: without ids and priorities, if there are none."""

    def __init__(self) -> None:
        self.items: list[dict[str, str]] = []

    def update(self, items: list[dict[str, str]]) -> str:
        self.items = [{"status": "pending", **item} for item in items]
        return self.render()

    def render(self) -> str:
        return "\n".join(f"- {item['text']}" for item in self.items)


def remind(PriorityNag: Any, *lists: list[dict[str, str]], kind: Any = PriorityTodo) -> Any:
    """Send these lists, and return the reminder that is due after the last one."""
    todo = kind()
    nag = PriorityNag(todo, after=1)
    for items in lists:
        todo.update(deepcopy(items))
        reminder = nag(WORK)
    assert reminder is None or isinstance(reminder, str), A_STRING
    return reminder


def next_of(reminder: Any) -> str:
    """Return the TEXT of "Next: TEXT." at the end of a reminder, or say what is missing."""
    assert isinstance(reminder, str), ANOTHER_ROUND if reminder is None else A_STRING
    whole = re.fullmatch(r"\s*(<reminder>.*)</reminder>\s*", reminder, re.DOTALL)
    if not whole:
        raise AssertionError(INSIDE if "Next:" in reminder else ALL_OF_IT)
    found = re.search(r"Next: (?!.*Next: )(.*)\.\s*$", whole[1], re.DOTALL)
    assert found, NOT_NAMED
    return found[1]


def marks(nag: Any, *rounds: list[Call]) -> str:
    """Return "R" for each round with a reminder, and "-" for one without."""
    return " ".join("R" if nag(calls) else "-" for calls in rounds)


@rule
def counts(PriorityNag):
    """It reminds in the same rounds as MyNag.

    Only the words of the reminder change. Who counts the rounds: your code, or MyNag?

    `super().__call__(calls)` counts, and returns a reminder or None. If None, return None."""
    todo = PriorityTodo()
    todo.update([{"text": "Add tests", "status": "pending", "priority": "high"}])
    found = marks(PriorityNag(todo), WORK, WORK, WORK, WORK)
    same(found, "- - R R", ANOTHER_ROUND if "R" in found else NEVER)
    same(marks(PriorityNag(todo, after=2), WORK * 4, WORK, WORK), "- R R", ANOTHER_ROUND)
    same(marks(PriorityNag(todo, after=2), WORK, WORK + TODO, WORK, WORK), "- - - R", ANOTHER_ROUND)


@rule
def names_the_task(PriorityNag):
    """Its reminder ends with `Next: TEXT.`, the text of the pending task, inside of the tags.

    Where are the tasks, and where is the reminder to which you add one?

    The tasks are in `self.todo.items`. Put the sentence before `</reminder>`."""
    tasks = [{"text": "Add tests", "priority": "high"}]
    reminder = remind(PriorityNag, tasks)
    assert "'text':" not in reminder, WHOLE_ITEM
    same(next_of(reminder), "Add tests", NOT_NAMED)
    before = remind(parent_of(PriorityNag), tasks).removesuffix("</reminder>")
    same([word for word in before.split() if word not in reminder], [], ALL_OF_IT)
    assert reminder.count("</reminder>") == 1, ALL_OF_IT
    reminder = remind(PriorityNag, [{"text": LONG, "priority": "high"}])
    same(next_of(reminder), LONG, UNCHANGED)


@rule
def highest(PriorityNag):
    """It names the pending task with the highest priority, and no other one.

    The practice model does the task that the reminder names, so it must be the right one.

    Map each word to a number, with a dict or its index in a list, and compare the numbers."""
    docs, test, shop = {"text": "Docs"}, {"text": "Test"}, {"text": "Shop"}
    low, medium, high = {"priority": "low"}, {"priority": "medium"}, {"priority": "high"}
    reminder = remind(PriorityNag, [docs | low, test | high, shop | medium])
    same(next_of(reminder), "Test", OTHER_TASK)
    assert reminder.count("Docs") < 2 and reminder.count("Shop") < 2, SEVERAL
    same(next_of(remind(PriorityNag, [docs | low, test | medium])), "Test", OTHER_TASK)
    same(next_of(remind(PriorityNag, [docs | medium, test | high])), "Test", OTHER_TASK)
    same(next_of(remind(PriorityNag, [docs | low, shop | low])), "Docs", LAST_ONE)
    same(next_of(remind(PriorityNag, [docs | high, test | high, shop | low])), "Docs", LAST_ONE)


@rule
def first_on_a_tie(PriorityNag):
    """On a tie, it names the first one in the list.

    The order of the list is the model's plan, so it decides. Which of two equal items does your
    code find?"""
    tasks = [{"text": "Ship it", "priority": "low"}]
    tasks += [{"text": text, "priority": "high"} for text in ("Fix the login", "Add tests")]
    same(next_of(remind(PriorityNag, tasks)), "Fix the login", LAST_ONE)


@rule
def pending(PriorityNag):
    """Only pending tasks count, and without one the reminder is that of MyNag.

    The model is already working on the task in progress. It needs the next one.

    Collect the items with the status pending. If there are none, return the reminder unchanged."""
    test = {"text": "Test", "status": "pending", "priority": "low"}
    for status in ("completed", "in_progress"):
        other = {"text": "List pending orders", "status": status, "priority": "high"}
        same(next_of(remind(PriorityNag, [other, test])), "Test", NOT_PENDING)
    docs = [{"text": "Docs", "status": "in_progress"}]
    # Only white space may differ.
    expected = remind(parent_of(PriorityNag), docs).split()
    same((remind(PriorityNag, docs) or "").split(), expected, NO_PENDING)
    for items in ([], [{"text": "Docs", "status": "completed"}]):
        # A nag that is silent when nothing is open is right as well.
        assert "Next:" not in (remind(PriorityNag, items) or ""), NO_PENDING


@rule
def without_priorities(PriorityNag):
    """Of a list without priorities, it names the first pending task.

    What does an item contain if the list has no such field? Each of your lists has this nag.

    `item.get("priority", "medium")` returns medium if there is no priority."""
    tasks = [{"text": "Docs", "status": "completed"}, {"text": "Test"}, {"text": "Fix"}]
    same(next_of(remind(PriorityNag, tasks, kind=TodoManager)), "Test", NO_PRIORITIES)
    same(next_of(remind(PriorityNag, tasks, kind=Bare)), "Test", NO_PRIORITIES)


@rule
def as_it_is_now(PriorityNag):
    """Each reminder names the best task of the list as it is then, and the same one again.

    When do you choose the task: when the nag is made, or when the reminder is due?"""
    test, docs = {"text": "Test", "priority": "high"}, {"text": "Docs", "priority": "low"}
    same(next_of(remind(PriorityNag, [test], [docs])), "Docs", NOT_NOW)
    same(next_of(remind(PriorityNag, [docs, test], [docs, test])), "Test", NOT_NOW)


@rule
def looks_only(PriorityNag):
    """It changes nothing in the list.

    Does your code change the list, or an item in it?

    `.sort()`, `.pop()` and `item[…] = …` change the list; `sorted` and `min` do not."""
    todo = PriorityTodo()
    todo.update([{"text": level, "priority": level} for level in ("low", "high", "medium")])
    before = deepcopy(todo.items)
    PriorityNag(todo, after=1)(WORK)
    same(todo.items, before, LOOKS_ONLY)


@rule
def as_the_solution(PriorityNag):
    """It names the same tasks as the solution, in 200 random runs on two lists.

    Is something left over from an earlier round, or from another nag? A text can contain braces,
    backslashes and tags."""
    compare(PriorityNag, extend(parent_of(PriorityNag)), draw, play, RANDOM, tell=tell)


def parent_of(kind: type) -> type:
    """Return the nag that a class extends: the nearest of its bases that works by itself."""
    for base in kind.__mro__[1:]:
        try:
            todo = TodoManager()
            todo.update([{"text": "Docs"}])
            if isinstance(base(todo, after=1)(WORK), str):
                return base
        except Exception:  # a helper class, or one that is not finished
            continue
    raise AssertionError(
        "Your class extends no nag that reminds: write `class PriorityNag(MyNag):`, and run the "
        "cell of MyNag before. Does MyNag pass its own check?"
    )


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
    *("0", "high", "Rename 'shop'", "100% of it", "Update your todos", "pending", LONG),
)
LISTS: dict[str, Any] = {
    "PriorityTodo": PriorityTodo,
    "TodoManager": TodoManager,
    "a bare list": Bare,
}


def draw(random: Random, size: int) -> tuple[str, int, list[Any]]:
    """Return the kind of a list, the threshold, and up to `size` rounds: calls, and a new list."""
    kind = random.choice(["PriorityTodo", "PriorityTodo", *LISTS])
    texts = random.sample(TEXTS, size + 1)
    rounds: list[Any] = []
    for number in range(size):
        is_new = number == 0 or random.random() < 0.3
        rounds.append(draw_items(random, texts, kind) if is_new else random.randint(1, 3))
    return kind, random.randint(1, 2), rounds


def draw_items(random: Random, texts: list[str], kind: str) -> list[dict[str, str]]:
    """Return some of the tasks with these `texts`, of which at most one is in progress."""
    items = []
    current = random.randrange(-1, len(texts))
    for number, text in enumerate(random.sample(texts, random.randrange(len(texts)))):
        status = random.choice(("pending", "pending", "completed"))
        items.append({"text": text, "status": "in_progress" if number == current else status})
        if kind == "PriorityTodo":
            items[-1]["priority"] = random.choice(LEVELS)
    return items


def tell(case: tuple[str, int, list[Any]]) -> str:
    """Return a case as the learner reads it."""
    kind, after, rounds = case
    lines = [f"With {kind}, and after={after}:"]
    for number, one in enumerate(rounds, 1):
        done = f"the list {one!r}" if isinstance(one, list) else f"{one} calls of bash"
        lines.append(f"  round {number}: {done}")
    return "\n".join(lines)


def play(part: Any, case: tuple[str, int, list[Any]]) -> list[Any]:
    """Return what the reminder of each round names, for one of two nags."""
    kind, after, rounds = case
    todo, empty = LISTS[kind](), LISTS[kind]()
    nag, other = part(todo, after=after), part(empty, after=after)
    found: list[Any] = []
    for one in rounds:
        if isinstance(one, list):
            todo.update(deepcopy(one))
        reminder = nag(TODO if isinstance(one, list) else WORK * one)
        other(WORK)
        found.append(read_end(reminder))
    return found


def read_end(reminder: Any) -> Any:
    """Return which task the end of a reminder names. What is no reminder is returned as it is."""
    if not isinstance(reminder, str):
        return reminder
    said = re.sub(r"\s*</reminder>\s*$", "", reminder)
    for text in TEXTS:
        if said.endswith(f"Next: {text}."):
            return f"Next: {text}."
    return "another end" if "Next:" in said else "the reminder of MyNag"
