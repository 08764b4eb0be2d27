"""The rules of MyNag: when it reminds, what the reminder says, and that it shows the list.

A nag may also be silent if nothing is open on the list, so each list here has an open item.
"""

import re
from collections.abc import Sequence
from contextlib import redirect_stdout
from functools import partial
from io import StringIO
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
SAYS = REMINDER.rstrip(".")
TAGS = ["<reminder>", "</reminder>"]

EARLY = (
    "The first reminder is too early: is the count 0 at the start, do you add 1 only once, and do "
    "you compare it with `self.after`?"
)
SENTENCE = f"The reminder tells the model what to do. It contains this sentence: {REMINDER!r}"
ONE_TAG = (
    "The model knows the reminder by its tags. It begins with `<reminder>` and ends with "
    "`</reminder>`, each of them once, and all the rest is between them."
)
BY_HAND = (
    "Play these rounds by hand, in this order, up to the one that is named. `first` and `second` "
    "are two nags: each has its own count, its own threshold and its own list."
)

# (pattern of an exception, likely cause and what to do)
CAUSES = (
    (
        "'Call' object is not subscriptable|'Call' .*attribute 'get'",
        'A call is an object and no dict: write `call.name`, not `call["name"]`.',
    ),
    (
        "'(list|str)' object has no attribute 'name'",
        "`calls` is a list of calls. Each of them has a name: `for call in calls`.",
    ),
    (
        "'Call' object has no attribute|argument of type 'Call'",
        "A call has a `name`, an `input`, an `output` and `ok`. Its name is `call.name`.",
    ),
    (
        "object has no attribute '(rounds|after|todo)'",
        "Other code reads `nag.todo`, `nag.after` and `nag.rounds`. Create all three in "
        "`__init__`, with two underscores on each side, as the start of the cell does.",
    ),
    (
        "^(NameError|UnboundLocalError).*'(rounds|after|todo|count)'",
        "Is `self.` missing before this name? A nag keeps its numbers in `self`, from one round "
        "to the next.",
    ),
    (
        "'(TodoManager|list|NoneType)' object has no attribute|can only concatenate",
        "`self.todo` is the list, an object with `items`, a list of dicts, and with `render()`, "
        "which returns it as text: `self.todo.render()`.",
    ),
    (
        r"takes no arguments|__init__\(\) (missing|takes|got)|object is not callable",
        "A nag is made with `MyNag(todo, after=3)` and called with `nag(calls)`. Keep both "
        "methods of the cell, `__init__` and `__call__`, with two underscores on each side.",
    ),
    (
        r"__call__\(\) (missing|takes|got)",
        "The method is `def __call__(self, calls)`: a nag is called with the calls of one round.",
    ),
    (
        r"^(KeyError|IndexError|ValueError|error|PatternError)\b",
        "The text of an item may contain braces, backslashes and anything else. Do not use the "
        "list as a pattern: `.format`, `%` and `re.sub` do. An f-string takes any text.",
    ),
    (
        "unsupported operand type.*'NoneType'",
        "The count is a number from the start: `self.rounds = 0`, also after a todo call.",
    ),
    ("^RecursionError", "The nag calls itself without end. Only the agent loop calls it."),
)


@rule
def counts(MyNag):
    """It counts the rounds without a todo call, and returns None until there are `after`.

    What must a nag remember from one round to the next? `__init__` has created it.

    Add 1 to `self.rounds`, and return the reminder only if it has reached `self.after`."""
    one, other = MyNag(open_list(), after=2), MyNag(open_list(), after=2)
    got = [*play(one, WORK), *play(other, WORK)]
    same(got, [None, None], explain_two_nags(got))
    remind_in(play(MyNag(open_list(), after=1), WORK, WORK, WORK, WORK), "R ? ? ?")
    remind_in(play(MyNag(open_list(), 7), *[WORK] * 7), "- - - - - - R")
    same(
        play(MyNag(open_list(), after=2), WORK * 4, WORK),
        [None, REMINDS],
        "Four calls in one round are one round: add 1 to the count, not `len(calls)`.",
    )
    same(
        play(MyNag(open_list()), WORK, WORK, WORK),
        [None, None, REMINDS],
        "The default of `after` is 3: `def __init__(self, todo, after=3)`.",
    )
    todo = open_list()
    nag = MyNag(todo, after=5)
    play(nag, WORK, WORK)
    same(
        (nag.todo is todo, nag.after, nag.rounds),
        (True, 5, 2),
        "Other code reads these three. Keep the `__init__` of the cell, with `self.todo`, "
        "`self.after` and `self.rounds`, and count in `self.rounds`.",
    )


@rule
def back(MyNag):
    """A call whose name is todo sets the count back, and that round has no reminder.

    The model has just read its plan, so the nag has nothing to add.

    Look at all calls of the round: `any(call.name == "todo" for call in calls)`."""
    nag = MyNag(open_list(), after=4)
    got = play(nag, WORK, WORK, TODO, WORK, WORK, WORK, WORK)
    same(got, [None] * 6 + [REMINDS], explain_todo_call(got))
    same(
        play(MyNag(open_list(), after=3), WORK, WORK, TODO),
        [None, None, None],
        "A round with a todo call has a reminder, although the list is new: look for this call "
        "first, and only then at the count.",
    )


@rule
def any_todo_call(MyNag):
    """It looks at all calls of a round, and only at their names: "todo" and no other.

    A round can have several calls. Does it matter which of them is the todo call?

    A todo call that was rejected counts as well, and a call of `todo_list` does not."""
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
    calls = [*WORK, *TODO]
    MyNag(open_list())(calls)
    same(calls, WORK + TODO, "The calls belong to the agent loop: only read them.")


@rule
def stays_due(MyNag):
    """Once there are `after` rounds, it reminds in every round, until there is a todo call.

    A model may overlook one reminder. What happens to your count after it?

    Do you need `==` or `>=`? A reminder does not set the count back."""
    got = play(MyNag(open_list(), after=2), WORK, WORK, WORK, TODO, WORK, WORK, WORK)
    remind_in(got, "- R R - - R R")
    same(
        play(MyNag(open_list(), after=15), *[WORK] * 20),
        [None] * 14 + [REMINDS] * 6,
        "The threshold may be any number, and a model may overlook any number of reminders.",
    )


@rule
def asks(MyNag):
    """The reminder says "Update your todos.", between one <reminder> and one </reminder>.

    What does your nag return? A program and a model must both recognise it.

    `return "<reminder>Update your todos.</reminder>"`"""
    reminder = MyNag(open_list(), after=1)([*WORK])
    assert SAYS in reminder, SENTENCE
    same(read_tags(reminder), TAGS, ONE_TAG)


@rule
def like_the_package(MyNag):
    """In random rounds of two nags, it reminds in the same rounds as the package's Nag.

    Only None or a reminder is compared, and the count in `rounds`, not the words."""
    compare(MyNag, NagWithList, draw_rounds, play_rounds, BY_HAND, tell=tell_rounds)


@rule(level="shows the list")
def shows_the_list(MyNag):
    """The reminder also contains the list, as `render` returns it, between the same tags.

    The model may no longer see its list. This puts it back into the window.

    `self.todo.render()` returns the list as text: put it into an f-string."""
    todo = open_list("Read the code", "Use {braces} & <b>", r"Open C:\new", "x" * 900, "y" * 900)
    todo.items[0]["status"] = "completed"
    reminder = MyNag(todo, after=1)([*WORK])
    same(
        find_missing(reminder, todo),
        [],
        "The reminder does not show the whole list: these lines are missing. "
        "`self.todo.render()` returns it as text: put it between the tags with an f-string, "
        "unchanged.",
    )
    same(read_tags(reminder), TAGS, ONE_TAG)
    assert SAYS in reminder, SENTENCE


@rule(level="shows the list")
def as_it_is_now(MyNag):
    """It is the list as it is at that moment, and a reminder does not change it.

    When does your nag call `render`: when it is made, or when a reminder is due?

    A nag reminds more than once: call `render` for each reminder."""
    todo = open_list("Add tests")
    nag = MyNag(todo, after=1)
    for text in ("Write docs", "Release"):
        todo.update([{"text": "Add tests", "status": "completed"}, {"text": text}])
        same(
            find_missing(nag([*WORK]), todo),
            [],
            "The reminder shows an old list. The list changes during a run, so call "
            "`self.todo.render()` when the reminder is due: not in `__init__`, and again for each "
            "reminder.",
        )
        texts = [item["text"] for item in todo.items]
        same(texts, ["Add tests", text], "A reminder only shows the list: do not call `update`.")


@rule(level="shows the list")
def like_the_solution(MyNag):
    """In random rounds of two nags, each reminder shows the list of its own nag at that moment.

    After each todo call that is not rejected, the list of this nag has another item."""
    play_with_lists = partial(play_rounds, looks_for_list=True)
    compare(MyNag, NagWithList, draw_rounds, play_with_lists, BY_HAND, tell=tell_rounds)


def open_list(*texts: str) -> TodoManager:
    """Return a todo list with these open items, or with one."""
    todo = TodoManager()
    todo.update([{"text": text} for text in texts or ["Add tests"]])
    return todo


def play(nag: Any, *rounds: Sequence[Call]) -> list[Any]:
    """Return what a nag returns for each round: None, "a reminder", or a value that is wrong."""
    with redirect_stdout(StringIO()) as printed:
        got = [nag([*calls]) for calls in rounds]
    results = [REMINDS if isinstance(one, str) and one.strip() else one for one in got]
    if not any(got) and (said := printed.getvalue().strip()):
        note = f"Your code printed {shorten(said, 60)!r}: use `return`, not `print`."
        raise Differs(results, Words("a reminder that is returned"), note)
    return results


def remind_in(got: list[Any], pattern: str) -> None:
    """Fail if the results of a nag are not those of `pattern`.

    "- R ?" is None, then a reminder, then anything. The likely cause is read from the results.
    """
    marks = zip(pattern.split(), got, strict=True)
    expected = [{"R": REMINDS, "-": None}.get(mark, one) for mark, one in marks]
    same(got, expected, explain_results(got, expected))


def explain_results(got: list[Any], expected: list[Any]) -> str:
    """Return the likely cause of wrong results of a nag."""
    if "" in got:
        return "An empty string is no None: `return None` if no reminder is due."
    if any(one not in (None, REMINDS) for one in got):
        return "A reminder is a string, and nothing else: `return` the text with its tags."
    if REMINDS not in got:
        return "It returned no reminder in any round. Does it reach a `return` with the reminder?"
    late = got.index(REMINDS) - expected.index(REMINDS) if REMINDS in expected else -1
    if late < 0:
        return EARLY
    if late == 0:
        return (
            "The reminder is not repeated in each round. Is the count compared with `==`, or set "
            "back by a reminder? Use `>=`, and set it back only in a round with a todo call."
        )
    if late == 1:
        return "The first reminder is one round late: add 1 first, then compare with `>=`."
    return "The first reminder is too late: compare the count with `self.after`, not with a number."


def explain_two_nags(got: list[Any]) -> str:
    """Return why one of two nags has reminded in its first round."""
    if got == [None, REMINDS]:
        return "All nags share a count that is in the class body, or global: use `self.rounds`."
    return explain_results(got, [None, None])


def explain_todo_call(got: list[Any]) -> str:
    """Return why the todo call in the third of seven rounds did not set back a count to 4."""
    causes = {
        3: "The todo call is not noticed. `calls` is a list of objects, so look at each `name`: "
        '`any(call.name == "todo" for call in calls)`.',
        4: "A round with a todo call does not set the count back to 0: `self.rounds = 0`.",
        5: "The round with the todo call is counted: `return None` after the count is set to 0.",
    }
    first = got.index(REMINDS) if REMINDS in got else -1
    return causes.get(
        first,
        "After a todo call, the count begins again with 0, and each further round adds 1. Here, "
        "too many rounds pass until the next reminder, or none comes.",
    )


def read_tags(reminder: str) -> list[str]:
    """Return the tags of a reminder in their order, and last what is outside of them."""
    outside = re.sub(r"(?is)<reminder>.*</reminder>", "", reminder).strip()
    tags = re.findall(r"(?i)</?reminder>", reminder)
    return [tag.lower() for tag in tags] + [outside] * bool(outside)


def find_missing(reminder: Any, todo: TodoManager) -> list[str]:
    """Return the lines of a list that a reminder does not contain. It may indent them."""
    lines = map(str.strip, todo.render().splitlines())
    return [shorten(line, 60) for line in lines if line not in str(reminder)]


# The random rounds: the name and the threshold of the nag, and the calls.

LIKE_THE_SOLUTION = Words("the same as the solution in each round")
NAMES = {"bash": 9, "todo": 3, "read_file": 3, "todos": 1, "my_todo": 1, "TODO": 1, "do": 1}


class NagWithList(Nag):
    """The solution of both levels."""

    def reminder(self) -> str:
        return f"<reminder>{REMINDER}\n{self.todo.render()}</reminder>"


def draw_rounds(random: Random, size: int) -> list[tuple[str, int, list[Call]]]:
    """Return rounds of two nags, in any order."""
    after = {"first": random.randint(1, 4), "second": random.randint(1, 4)}
    rounds = []
    for _ in range(random.randint(1, 3 * size)):
        nag = random.choice(["first", "first", "second"])
        names = random.choices([*NAMES], [*NAMES.values()], k=random.choice([1, 1, 2, 3]))
        calls = [Call(name, {}, "todo", ok=random.random() < 0.8) for name in names]
        rounds.append((nag, after[nag], calls))
    return rounds


def play_rounds(
    part: Any, rounds: list[tuple[str, int, list[Call]]], looks_for_list: bool = False
) -> str:
    """Return LIKE_THE_SOLUTION, or the first round in which a nag is not like the solution."""
    after = {name: threshold for name, threshold, _ in rounds}
    lists = {name: open_list(f"Begin {name}") for name in after}
    mine = {name: part(lists[name], threshold) for name, threshold in after.items()}
    right = {name: NagWithList(lists[name], threshold) for name, threshold in after.items()}
    for number, (name, _, calls) in enumerate(rounds, 1):
        todo = lists[name]
        if looks_for_list and any(call.name == "todo" and call.ok for call in calls):
            todo.update([*todo.items[-5:], {"text": rf"Step {number} of {{name}}: C:\1"}])
        seen = todo if looks_for_list else None
        got, wanted = describe(mine[name], calls, seen), describe(right[name], calls, seen)
        if got != wanted:
            return f"round {number}: {name} returned {got}. Expected: {wanted}."
    return LIKE_THE_SOLUTION


def describe(nag: Any, calls: list[Call], todo: TodoManager | None) -> str:
    """Return what a nag returned after a round, and its count. Look for the list `todo` in it."""
    got = nag([*calls])
    said = REMINDS if isinstance(got, str) and got.strip() else repr(got)
    if said == REMINDS and todo and find_missing(got, todo):
        said = "a reminder without its list"
    return f"{said}, and its count is {nag.rounds}"


def tell_rounds(rounds: list[tuple[str, int, list[Call]]]) -> str:
    """Return the rounds as Python, each call by its name."""
    nags = sorted({(name, after) for name, after, _ in rounds})
    lines = [f"{name} = MyNag(todo, {after})" for name, after in nags]
    for name, _, calls in rounds:
        names = [f"{call.name}{'' if call.ok else ' (rejected)'}" for call in calls]
        lines.append(f"{name}([{', '.join(names)}])")
    return "\n".join(lines)
