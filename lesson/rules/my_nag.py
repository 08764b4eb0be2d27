"""The rules of MyNag: when it reminds, what the reminder says, and that it shows the list."""

import re
from collections.abc import Sequence
from random import Random
from textwrap import shorten
from typing import Any

from agentlib import Nag, TodoManager
from agentlib.nag import REMINDER
from agentlib.tools import Call

from .engine import Differs, Words, rule, same
from .random_cases import compare

WORK = [Call("bash", {"command": "ls"}, "hello.py")]
TODO = [Call("todo", {"items": []}, "No todos.")]
REJECTED = [Call("todo", {"items": 3}, "Error: items must be a list", ok=False)]
OTHERS = [Call(name, {}, "Add tests") for name in ("todo_list", "read_todo_file", "my_todo")]
REMINDS = Words("a reminder")
NOT_CALLED = "The parentheses are missing: `self.todo.render()` calls the method."


# (pattern of an exception, likely cause and what to do)
CAUSES = (
    (
        "'(list|str)' object has no attribute 'name'|argument of type 'Call'",
        "`calls` is a list of calls. Each of them has a name: `call.name for call in calls`.",
    ),
    (
        "'(TodoManager|list)' object has no attribute|can only concatenate",
        "`self.todo` is the list, and `self.todo.render()` returns it as text.",
    ),
    (
        r"^(KeyError|IndexError|ValueError|error|PatternError)\b",
        "The text of an item may contain braces, backslashes and anything else. Do not use the "
        "list as a pattern, as `.format`, `%` and `re.sub` do. An f-string takes any text.",
    ),
)


@rule
def counts(MyNag):
    """Rule 1: it counts the rounds without a todo call, and returns None until there are `after`.

    What must a nag remember from one round to the next? `__init__` has created it.

    Add 1 to `self.rounds`, and return the reminder only if it has reached `self.after`."""
    one, other = MyNag(open_list(), after=2), MyNag(open_list(), after=2)
    got = [*play(one, WORK), *play(other, WORK)]
    shared = "All nags share a count that is in the class body, or global: use `self.rounds`."
    same(got, [None, None], shared if got == [None, REMINDS] else explain(got, 2))
    got = play(MyNag(open_list(), 4), *[WORK] * 4)
    same(got, [None, None, None, REMINDS], explain(got, 3))
    same(
        play(MyNag(open_list(), after=2), WORK * 4, WORK),
        [None, REMINDS],
        "Four calls in one round are one round: add 1 once per round, outside the `for` over the "
        "calls, and not `len(calls)`.",
    )
    same(
        play(MyNag(open_list()), WORK, WORK, WORK),
        [None, None, REMINDS],
        "The default of `after` is 3: `def __init__(self, todo, after=3)`.",
    )
    note = "Other code reads the count: create `self.rounds` in `__init__`, and use it."
    same(one.rounds, 1, note)


@rule
def back(MyNag):
    """Rule 2: a call whose name is todo sets the count back, and that round has no reminder.

    The model has just read its plan, so the nag has nothing to add.

    Look at all calls of the round: `any(call.name == "todo" for call in calls)`."""
    same(
        play(MyNag(open_list(), after=3), WORK, WORK, TODO, WORK, WORK, WORK),
        [None] * 5 + [REMINDS],
        "Look for the todo call first: `any(call.name == 'todo' for call in calls)`. In a round "
        "with one, set the count to 0, and return None before you add 1.",
    )
    same(
        play(MyNag(open_list(), after=2), WORK, WORK + TODO + WORK, WORK, TODO + WORK, WORK),
        [None] * 5,
        "The todo call may be at any place among the calls of its round: look at all of them, "
        "with `any(…)` or a loop that does not end at the first call.",
    )
    same(
        play(MyNag(open_list(), after=2), OTHERS, OTHERS),
        [None, REMINDS],
        'Only the name "todo" counts, not a longer name with todo in it: compare with `==`.',
    )
    same(
        play(MyNag(open_list(), after=2), WORK, REJECTED, WORK),
        [None, None, None],
        "A todo call counts by its name alone, also if it was rejected: look neither at `call.ok` "
        "nor at its output.",
    )


@rule
def stays_due(MyNag):
    """Rule 3: from then on it returns the reminder in every round, until there is a todo call.

    A model may overlook one reminder. What happens to your count after it?

    Do you need `==` or `>=`? The reminder is `<reminder>Update your todos.</reminder>`."""
    got = play(MyNag(open_list(), after=2), *[WORK] * 8, TODO, WORK, WORK)
    same(
        got,
        [None] + [REMINDS] * 7 + [None, None, REMINDS],
        "The reminder is not repeated in each round. Is the count compared with `==`, or set "
        "back by a reminder? Use `>=`, and set it back only in a round with a todo call.",
    )
    check_words(MyNag(open_list(), after=1)([*WORK]))


@rule
def like_the_package(MyNag):
    """In random rounds of two nags, it reminds in the same rounds as the package's Nag.

    Only None or a reminder is compared, not the words."""
    note = (
        "Play these rounds by hand, in this order. `first` and `second` are two nags, whose "
        "`after` is 1 and 3: each has its own count. The other names are those of the calls."
    )
    compare(MyNag, Nag, draw_rounds, play_rounds, note)


@rule(level="shows the list")
def shows_the_list(MyNag):
    """The reminder shows the whole list after the sentence, as `render` returns it.

    The model may no longer see its list. This puts it back into the window.

    `self.todo.render()` returns the list as text: put it into an f-string."""
    todo = open_list("Read the code", "Use {braces} & <b>", r"Open C:\new", "x" * 900)
    reminder = MyNag(todo, after=1)([*WORK])
    check_lines(
        reminder,
        todo,
        "The reminder does not show these lines of the list. `self.todo.render()` returns it as "
        "text: put it between the tags with an f-string, unchanged.",
    )
    check_words(reminder)


@rule(level="shows the list")
def as_it_is_now(MyNag):
    """It is the list as it is at that moment, and a reminder does not change it.

    When does your nag call `render`: when it is made, or when a reminder is due?

    A nag reminds more than once: call `render` for each reminder."""
    todo = open_list("Add tests")
    nag = MyNag(todo, after=1)
    for text in ("Write docs", "Release"):
        todo.update([{"text": "Add tests", "status": "completed"}, {"text": text}])
        check_lines(
            nag([*WORK]),
            todo,
            "The reminder shows an old list. The list changes during a run, so call "
            "`self.todo.render()` when the reminder is due: not in `__init__`, and again for each "
            "reminder.",
        )
        texts = [item["text"] for item in todo.items]
        same(texts, ["Add tests", text], "A reminder only shows the list: do not call `update`.")


def open_list(*texts: str) -> TodoManager:
    """Return a list with open items, these or one: without any, a nag may be silent."""
    todo = TodoManager()
    todo.update([{"text": text} for text in texts or ["Add tests"]])
    return todo


def play(nag: Any, *rounds: Sequence[Call]) -> list[Any]:
    """Return what a nag returns for each round: None, "a reminder", or a value that is wrong."""
    got = [nag([*calls]) for calls in rounds]
    return [REMINDS if isinstance(one, str) and one.strip() else one for one in got]


def explain(got: list[Any], due: int) -> str:
    """Return why a nag has not reminded first in the round with this index."""
    if any(one not in (None, REMINDS) for one in got):
        return "A nag returns a string with the reminder, or None: `return None` if none is due."
    first = got.index(REMINDS) if REMINDS in got else len(got)
    if first < due:
        return (
            "The first reminder is too early: is the count 0 at the start, do you add 1 only once, "
            "and do you compare it with `self.after`?"
        )
    return (
        "The first reminder is missing or too late: add 1 first, then compare the count with "
        "`self.after` by `>=`, and `return` the reminder. `print` only shows it."
    )


def check_words(reminder: str) -> None:
    """Fail if a reminder does not have its sentence between one pair of tags."""
    assert REMINDER.rstrip(".") in reminder, f"The reminder contains this sentence: {REMINDER!r}"
    assert re.fullmatch("(?s)<reminder>((?!</?reminder>).)*</reminder>", reminder.strip()), (
        "The reminder begins with `<reminder>` and ends with `</reminder>`, each of them once, and "
        "all the rest is between them."
    )


def check_lines(reminder: Any, todo: TodoManager, note: str) -> None:
    """Fail if a reminder does not contain all lines of the list. It may indent them."""
    lines = map(str.strip, todo.render().splitlines())
    missing = [shorten(line, 60) for line in lines if line not in str(reminder)]
    if missing:
        expected = Words("\n".join(["a reminder that has these lines as well:", *missing]))
        raise Differs(reminder, expected, NOT_CALLED if "bound method" in str(reminder) else note)


# The random rounds: the name of the nag, and those of the calls.

NAMES = ["bash"] * 9 + ["todo"] * 3 + ["read_file", "todos", "my_todo", "TODO", "do"]


def draw_rounds(random: Random, size: int) -> list[tuple[str, list[str]]]:
    """Return rounds of two nags, in any order."""
    return [
        (random.choice(["first", "second"]), random.choices(NAMES, k=random.randint(1, 3)))
        for _ in range(random.randint(1, 3 * size))
    ]


def play_rounds(part: Any, rounds: list[tuple[str, list[str]]]) -> Words:
    """Return what the nags return, round for round."""
    nags = {"first": part(open_list(), 1), "second": part(open_list(), 3)}
    calls = [(name, [Call(one, {}, "todo") for one in names]) for name, names in rounds]
    return Words(", ".join(f"{name}: {play(nags[name], some)[0]}" for name, some in calls))
