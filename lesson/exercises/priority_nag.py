"""The rules of `PriorityNag`: its reminder ends with the next task."""

import re
from copy import deepcopy
from typing import Any

from agentlib.todo import TodoManager
from lesson.common.learners_code import show
from lesson.exercises.shown_list import Shown

from .kit.engine import Differs, Words, rule
from .kit.lists import LEVELS
from .kit.nags import (
    NO_F_STRING,
    STORIES,
    WORK,
    Board,
    call_nag,
    check_only_reads,
    cut,
    make_calls,
    try_random,
    try_stories,
)
from .kit.page import parent_of
from .kit.telling import telling

NO_NAG = (
    "Your class extends no nag: write `class PriorityNag(MyNag):`, and run the cell of MyNag "
    "before. Its reminder is `super().__call__(calls)`."
)
NO_CALL = (
    "Your class has no `__call__`, which is the only method that each nag has: write "
    "`def __call__(self, calls):`, and begin with `super().__call__(calls)`."
)
ANOTHER_ROUND = (
    "It reminds in other rounds than MyNag. `super().__call__(calls)` counts, with all `calls`, "
    "once in each round; if it returns None, return None, and otherwise return a string. Is a "
    "`return` missing?"
)
NOT_WHOLE = (
    "Keep the reminder of MyNag as it is, from its beginning to the last tag, and add only your "
    "sentence. (`rstrip` removes single characters, and `removesuffix` only the tag.)"
)
NO_END = "The last tag is lost: `</reminder>` is there once, at the end, after your sentence."
AFTER_THE_TAG = "Your sentence belongs before `</reminder>`, which is there once, at the end."
NO_PRIORITIES = (
    "Tasks may have no priority, and then they count as medium: `get` reads a key that may not be "
    "in a dict."
)
ONLY_PENDING = (
    "Choose only among the items that are pending: a task in progress has been begun already, and "
    "a completed one is done."
)
BY_NUMBER = (
    "Compare the priorities of all pending tasks, wherever they are in the list, by a number for "
    "each level. As strings, low would be before medium."
)
OWN_LINE = (
    "`Next: TEXT.` is a line of its own: begin it with a line break, `\\n`, and nothing else."
)
CHOOSE_AGAIN = (
    "Your nag keeps something from an earlier round, because a new nag is right here. Read "
    "`self.todo.items` and choose again in each reminder, because `update` makes a new list, and "
    "keep nothing from earlier rounds."
)
MORE_THAN_THE_TEXT = (
    'Between `Next: ` and the full stop is only the text of this one task, `item["text"]`, with '
    "nothing before or after it."
)
CAUSES = (
    (
        "'NoneType' object has no attribute|unsupported operand.*NoneType|concatenate",
        "MyNag returns None in a round without a reminder: return None then, before you use it.",
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
    ("^KeyError: '(high|medium|low)'", "Your table of the levels has no number for this word."),
    (
        "format string|bad escape|invalid group|^KeyError: 'login'|^ValueError|Replacement index",
        "A text was read as a pattern: `format`, `%` and `re.sub` give braces, percent signs and "
        "backslashes a meaning. Use an f-string or `+`.",
    ),
)


class PriorityTodo(Board):
    """A list with priorities, as a model writes it. It ends with letters of the last tag."""

    priority = {"type": "string", "enum": LEVELS, "default": "medium"}
    fields = TodoManager.fields | {"priority": priority}

    def render(self) -> str:
        return f"{super().render()}\nend"


class OwnTodo(Shown):
    """A list as a learner's: its items have no id, and only what was sent."""

    def update(self, items: list[dict[str, str]]) -> str:
        self.items = deepcopy(items)
        return self.render()


def task(text: str, priority: str = "", status: str = "pending") -> dict[str, str]:
    """Return an item of a list, without a priority if there is none."""
    return {"text": text, "status": status} | ({"priority": priority} if priority else {})


DOCS, SHOP, TEST = task("Docs", "low"), task("Shop", "medium"), task("Test", "high")
STARTED = task("Build", "low", "in_progress")


@rule
def reminds_when_its_parent_does(PriorityNag):
    """It reminds in the same rounds as MyNag.

    Only the words of the reminder change. Who counts the rounds: your code, or MyNag?

    `super().__call__(calls)` counts, and returns a reminder or None. If None, return None."""
    with telling([f"nag = {PriorityNag.__name__}(todo)"]):
        try_stories(*with_parent(PriorityNag), STORIES, ANOTHER_ROUND)


@rule
def names_the_task(PriorityNag):
    """Its reminder is that of MyNag, with `Next: TEXT.` before `</reminder>`.

    Where are the tasks, and where is the reminder to which you add one?

    The tasks are in `self.todo.items`. `reminder.removesuffix('</reminder>')` is the reminder
    without its end."""
    try:
        try_lists(PriorityNag, PriorityTodo, [STARTED, TEST])
    except Differs as problem:
        if PriorityNag.__call__ is with_parent(PriorityNag)[1].__call__:
            problem.note = NO_CALL
        raise
    for text in (
        "Fix the {login}",
        "Use C:\\new\\1 %s",
        "high",
        "Say 'Next: x.' ...",
        "Fix:\nthe login",
        "and on " * 90,
    ):
        try_lists(PriorityNag, OwnTodo, [task(text.strip(), "low")])


@rule
def highest(PriorityNag):
    """Rule 1: it names the pending task with the highest priority, and the first one on a tie.

    The practice model does the task that the reminder names, so it must be the right one.

    Map each word to a number, with a dict or its index in a list, and compare the numbers."""
    high = task("Fix", "high")
    many = [task(f"Task {number}", "low") for number in range(19)]
    ids = [one | {"id": id} for one, id in ((TEST, "9"), (high, "1"), (SHOP, "0"))]
    for kind in (PriorityTodo, OwnTodo):
        try_lists(PriorityNag, kind, [*many, TEST], ids)
    lists = [DOCS, TEST, SHOP], [DOCS, SHOP], [SHOP, TEST], [DOCS, TEST, high], [high, TEST]
    for kind in (PriorityTodo, OwnTodo):
        try_lists(PriorityNag, kind, *lists)
        try_lists(PriorityNag, kind, [DOCS, TEST | {"activeForm": "Testing the prices"}])


@rule
def pending(PriorityNag):
    """Rules 1 and 2: only pending tasks count, and if there is none, nothing is added.

    The model is already working on the task in progress. It needs the next one.

    Collect the items with the status pending. If there are none, return the reminder unchanged."""
    done, started = task("List pending orders", "high", "completed"), STARTED | {"priority": "high"}
    for kind in (PriorityTodo, OwnTodo):
        try_lists(PriorityNag, kind, [done, DOCS], [started, DOCS], [done, started, TEST, DOCS])
        try_lists(PriorityNag, kind, [started], [done], [TEST], [])


@rule
def without_priorities(PriorityNag):
    """Rule 3: of a list without priorities, it names the first pending task.

    What does an item contain if the list has no such field? Each of your lists has this nag.

    `item.get("priority", "medium")` returns medium if there is no priority."""
    lists = [task("Set up", status="completed"), task("Test"), task("Fix")], [task("Docs")]
    for kind in (TodoManager, OwnTodo):
        try_lists(PriorityNag, kind, *lists)
    try_lists(PriorityNag, OwnTodo, [DOCS, task("Fix")], [task("Fix"), TEST], [SHOP, task("Fix")])


@rule
def only_reads(PriorityNag):
    """Rule 4: it changes neither the calls nor the list.

    The model alone changes its list. Which lines of yours change something?

    `.sort()`, `.pop()` and `item[…] = …` change a list or an item, `sorted` and `min` do not."""
    try_random(*with_parent(PriorityNag), OwnTodo, check_only_reads)


@rule
def all_together(PriorityNag):
    """In rounds with lists that change, it names the next task of the list as it is then.

    Which task is next in the last list of "What was tried"?

    Choose in each reminder anew, among all tasks, also those without a priority."""
    try_random(*with_parent(PriorityNag), OwnTodo, check_next)


def tell_tasks(items: list[Any]) -> list[str]:
    """Return the tasks of a list, as a learner reads them."""
    return ["The tasks of the list are now:", *map(str, items)]


def with_parent(nag_class: Any) -> tuple[Any, Any]:
    """Return a class and the nag that it extends."""
    return nag_class, parent_of(nag_class, "__call__", NO_NAG)


def try_lists(nag_class: Any, kind: Any, *lists: list[dict[str, str]]) -> None:
    """Fail at the first of these lists for which the reminder of a nag is not the right one.

    One nag gets them all, one after the other, and another nag is used in between.
    """
    todo, others = kind(), kind()
    others.update([task("Of another list", "high")])
    nag, model = (one(todo, after=1) for one in with_parent(nag_class))
    other = nag_class(others, after=1)
    for items in lists:
        todo.update(deepcopy(items))
        try:
            check_next(nag, model, todo, make_calls(WORK))
        except Differs as problem:
            problem.note = find_kept(nag_class, kind, items) or problem.note
            raise
        call_nag(other, make_calls(WORK), Words("… Next: Of another list.</reminder>"))


def find_kept(nag_class: Any, kind: Any, items: list[dict[str, str]]) -> str:
    """Return a sentence if a new nag is right for a list, or ""."""
    todo = kind()
    todo.update(deepcopy(items))
    nag, model = (one(todo, after=1) for one in with_parent(nag_class))
    try:
        check_next(nag, model, todo, make_calls(WORK))
    except Differs:
        return ""
    return CHOOSE_AGAIN


def check_next(nag: Any, model: Any, todo: Any, calls: list[Any]) -> None:
    """Fail if a nag does not name the next task of its list."""
    with telling(tell_tasks(todo.items)):
        check_reminder(nag, model, todo.items, calls)


def check_reminder(nag: Any, model: Any, items: list[Any], calls: list[Any]) -> None:
    """Fail if a nag does not return what `model`, a nag of its parent, returns, and the task."""
    whole = model(calls)
    tasks = [item for item in items if item["status"] == "pending"]
    best = min(tasks, key=rank) if tasks else {}
    if whole is None or not best:
        got = call_nag(nag, calls, whole and Words(whole))
        if got != whole and not (got and whole and str(got).split() == whole.split()):
            note = "No task is pending here, so nothing is added: return the reminder of MyNag."
            raise Differs(got, whole and Words(whole), note if whole else ANOTHER_ROUND)
        return
    begin = whole.removesuffix("</reminder>").rstrip()
    expected = f"Next: {best['text']}.</reminder>"
    got = call_nag(nag, calls, Words(f"… {expected}"))
    if not isinstance(got, str):
        raise Differs(got, Words(f"… {expected}"), ANOTHER_ROUND)
    if not got.startswith(begin):
        raise Differs(*cut(got, begin), NOT_WHOLE)
    end = re.sub(r"\s+(?=</reminder>)", "", got[len(begin) :].strip())
    if end != expected:
        raise Differs(*cut(end, expected, "… "), explain_end(end, best, items))
    if f"\nNext: {best['text']}." not in got[len(begin) :]:
        raise Differs(Words(show(got[len(begin) :])), Words(show(f"\n{expected}")), OWN_LINE)


def rank(item: dict[str, Any]) -> int:
    """Return 0 for the highest priority. Without one, all are equal."""
    return LEVELS.index(item.get("priority", "medium"))


def explain_end(end: str, best: dict[str, Any], items: list[Any]) -> str:
    """Return why a reminder does not end with the task `best` of these items."""
    if end == "</reminder>":
        if "priority" not in best:
            return f"Nothing is added. {NO_PRIORITIES}"
        return (
            f"Nothing is added, and {describe(best)} is to be named. If you have made the new "
            "string, return it: the old one does not change. Each task with the status pending "
            "counts, whatever its priority is, and whatever the other tasks are."
        )
    if end.startswith("</reminder>"):
        return AFTER_THE_TAG
    if not end.endswith("</reminder>"):
        return NO_END
    if end.endswith(f"Next: {best['text']}.</reminder>") and not end.startswith("Next: "):
        return NOT_WHOLE
    found = re.fullmatch(r"Next: (.*)\.</reminder>", end, re.DOTALL)
    if not found:
        return (
            "Before `</reminder>`, the reminder has exactly `Next: TEXT.`, in one line: compare "
            "each character, also the capital letter and the full stop."
        )
    named = [item for item in items if item["text"] == found[1]]
    if not named:
        return explain_text(found[1], best["text"])
    said = f"The reminder names {describe(named[0])}, and the next task is {describe(best)}. "
    if named[0]["status"] != "pending":
        return said + ONLY_PENDING
    if "priority" not in named[0] or "priority" not in best:
        return said + NO_PRIORITIES
    if rank(named[0]) > rank(best):
        return said + BY_NUMBER
    return said + (
        "On a tie, the first task counts: `min` and `max` return the first of equal items, and a "
        "loop with `<=` or `>=` finds the last one."
    )


def explain_text(found: str, text: str) -> str:
    """Return why what a reminder names is not the text of a task."""
    if text in found:
        return MORE_THAN_THE_TEXT
    if "{" in found and "{" not in text:
        return NO_F_STRING
    return (
        "TEXT is the text of one task of this list, unchanged. Look for it in `self.todo.items` "
        "each time, and keep nothing from earlier rounds."
    )


def describe(item: dict[str, Any]) -> str:
    """Return the text of an item, its status and its priority."""
    return f"{item['text']!r} ({item['status']}, {item.get('priority', 'without a priority')})"
