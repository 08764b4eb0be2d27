"""What the nags share: stories of rounds, played with a learner's nag and with its parent."""

import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from itertools import groupby, product
from os.path import commonprefix
from random import Random
from typing import Any, NamedTuple

from agentlib import TodoManager
from agentlib.nag import AFTER
from agentlib.tools import Call
from lesson.common.learners_code import Raised

from .engine import Differs, Words, same
from .lists import LEVELS
from .telling import telling

REJECTED = "todo (rejected)"
OTHERS = ["bash", "bash (failed)", "read_file", "write_file", "edit_file", "read_todo"]
FAILED = " (failed)"
WORK, TODO = ["bash"], ["todo"]  # the names of the calls in one round
A_REMINDER, MAY_BE_SILENT = Words("a reminder"), Words("None, or a reminder")
# The statuses of the tasks in a list. Those of OPEN have a task that is not completed.
DEFAULT_LIST = ["pending"]
TEXTS = ("Write docs", "Add tests", "Release")  # of these tasks
OPEN = (
    DEFAULT_LIST,
    ["in_progress"],
    ["completed", "pending"],
    ["pending", "completed"],
    ["completed", "in_progress", "completed"],
)
CLOSED: tuple[list[str], ...] = ([], ["completed"], ["completed", "completed"])
RETURNS = "A nag returns a string with the reminder, or None: `return None` if none is due."
TOO_EARLY = (
    "The first reminder is too early: is the count 0 at the start, do you add 1 only once, and do "
    "you compare it with `self.after`? A nag returns None if none is due."
)
TOO_LATE = (
    "The first reminder is missing or too late: add 1 to `self.rounds` first, then compare it with "
    "`self.after` by `>=`, and `return` the reminder. `print` only shows it."
)
CALLS_CHANGED = "Your nag has changed the list of calls, which are part of the run: only read it."
LIST_CHANGED = "A reminder only shows the list. The model alone changes it."
LIST_REPLACED = (
    "Your nag has put other objects into the list, as `update` does, although they look the same. "
    "`self.todo.render()` returns the list as text, and changes nothing."
)
STAYS_1 = (
    "The count does not grow: `self.rounds` is 1 after round {}. `+= 1` adds 1, and `=+ 1` sets it "
    "to 1 in each round."
)
NOT_IN_ITS_ROUND = (
    "The todo call has set the count back, and its round still has a reminder: return None there."
)
NO_F_STRING = 'Braces are read only in an f-string: write `f` before the first quote, `f"…"`.'


class Story(NamedTuple):
    """Rounds that one nag gets: the names of the calls in each of them.

    `note` says what is wrong if it reminds in another round than it should.
    """

    after: int
    rounds: list[list[str]]
    note: str = ""

    def make(self, nag_class: Any, todo: Any) -> Any:
        """Return a nag with this threshold, which can also be its default."""
        with telling([self.tell_first_line(nag_class.__name__)]):
            return nag_class(todo) if self.after == AFTER else nag_class(todo, after=self.after)

    def tell_first_line(self, name: str) -> str:
        """Return the line that makes a nag."""
        return f"nag = {name}(todo{'' if self.after == AFTER else f', after={self.after}'})"


# Each of these is also played with a nag that extends this one.
COUNTS = (
    Story(2, [WORK] * 2),
    Story(1, [WORK]),
    Story(4, [WORK] * 4),
    Story(
        2,
        [WORK * 4, WORK],
        "Four calls in one round are one round: add 1 once per round, outside the `for` over the "
        "calls, and not `len(calls)`.",
    ),
)
BACK = (
    Story(
        3,
        [WORK, WORK, TODO],
        "Look for a todo call first, before you add 1: compare `call.name` of each call with the "
        'string `"todo"`. `calls` has calls, and not names.',
    ),
    Story(
        3,
        [WORK, WORK, TODO, WORK],
        "The todo call has not set the count back: in its round, write `self.rounds = 0`.",
    ),
    Story(
        3,
        [WORK, WORK, TODO, WORK, WORK, WORK],
        "A round with a todo call is not counted, and the count begins again at 0 after it.",
    ),
    Story(
        2,
        [WORK, WORK * 9 + TODO + WORK, WORK, TODO + WORK, WORK, WORK + TODO, TODO * 2, WORK],
        "The todo call may be at any place among the calls of its round. Look at all of them, "
        "with `any(…)` or a loop that does not end at the first call.",
    ),
    *(
        Story(
            2,
            [WORK, [name]],
            'Only the exact name "todo" counts: compare `call.name` with `==`. `in` also finds '
            "parts of names.",
        )
        for name in (
            "todo_list",
            "read_todo_file",
            "my_todo",
            "todos",
            "do",
            "TODO",
            "task",
        )
    ),
    Story(
        2,
        [WORK, [REJECTED], WORK, WORK + [REJECTED], WORK],
        "A todo call counts by its name alone, also if it was rejected: look neither at `call.ok` "
        "nor at its output.",
    ),
)
STAYS_DUE = (
    Story(
        3,
        [WORK] * 120,
        "The reminder is not repeated in each round. Is the count compared with `==`, or set "
        "back by a reminder? Use `>=`, and set it back only in a round with a todo call.",
    ),
)
STORIES = (*COUNTS, *BACK, *STAYS_DUE)


class Board(TodoManager):
    """A list with its own `render`: a title, which can change, and three lines for each task."""

    title = "BOARD"

    def render(self) -> str:
        lines = [f"* {item['text']}\n    it is {item['status']}\n    ---" for item in self.items]
        return "\n".join([f"{self.title} {len(lines)}", "", *lines])


class ToolUse(NamedTuple):
    """A call as the learner's own loop passes it: a block of the reply, without an output."""

    name: str
    input: dict[str, Any]
    id: str = "toolu_1"
    type: str = "tool_use"


def make_list(*texts: str, status: str = "pending", kind: Any = TodoManager) -> Any:
    """Return a list with these tasks."""
    todo = kind()
    todo.update([{"text": text, "status": status} for text in texts])
    return todo


def make_tasks(statuses: list[str]) -> TodoManager:
    """Return a list with one task for each of these statuses."""
    todo = TodoManager()
    tasks = zip(TEXTS, statuses, strict=False)
    todo.update([{"text": text, "status": status} for text, status in tasks])
    return todo


def make_calls(names: list[str], are_blocks: bool = False) -> list[Any]:
    """Return calls with these names, as the package's loop passes them, or the learner's."""
    if are_blocks:  # `join` makes a new string: `is` finds it different, as in a real reply
        return [ToolUse("".join(name.partition(" ")[0]), {}) for name in names]
    return [
        Call("todo", {"items": 3}, "Error: items must be a list", ok=False)
        if name == REJECTED
        else Call(
            name.removesuffix(FAILED),
            {"command": "ls" if name == "bash" else "cat todo"},
            "Add tests",
            ok=not name.endswith(FAILED),
        )
        for name in names
    ]


def call_nag(nag: Any, calls: Sequence[Any], expected: Any) -> Any:
    """Return what a nag returns. If it raises, raise Differs with what was expected."""
    try:
        return nag(calls)
    except Exception as problem:
        raise Differs(Raised(problem), expected) from problem


class Played(NamedTuple):
    """One round of a story: what a nag has returned, and what its parent has.

    `rounds` and `expected_rounds` are their counts, and `told` is the story up to this round.
    """

    number: int
    got: Any
    expected: Any
    rounds: Any
    expected_rounds: Any
    told: str


def play_story(
    nag_class: Any,
    parent: Any,
    story: Story,
    are_blocks: bool = False,
) -> Iterator[Played]:
    """Play a story with a nag and with its parent, and yield each round.

    A string that is a reminder is replaced by "a reminder, in round N". So is an error or another
    value in a round with a reminder, because the rule about its text tells it.
    """
    nag, other = (story.make(one, make_tasks(DEFAULT_LIST)) for one in (nag_class, parent))
    for number, names in enumerate(story.rounds, 1):
        reminder = Words(f"a reminder, in round {number}")
        expected = other(make_calls(names)) and reminder
        told = tell_story(nag_class.__name__, story, number)
        try:
            with telling([told]):
                got = call_nag(nag, make_calls(names, are_blocks), expected)
        except Differs:
            if not expected:
                raise
            got = expected
        if got and expected:
            got = expected
        elif isinstance(got, str) and got.strip():
            got = reminder
        counted = getattr(nag, "rounds", None)
        yield Played(number, got, expected, counted, getattr(other, "rounds", None), told)


def try_stories(nag_class: Any, parent: Any, stories: tuple[Story, ...], note: str = "") -> None:
    """Raise Differs for the first round in which only one of a nag and its parent reminds.

    Each story is played with both kinds of calls.
    """
    for story, are_blocks in product(stories, (False, True)):
        for played in play_story(nag_class, parent, story, are_blocks):
            if played.got != played.expected:
                said = note or explain_round(story, played, are_blocks)
                with telling([played.told]):
                    raise Differs(played.got, played.expected, said)


def explain_round(story: Story, played: Played, are_blocks: bool) -> str:
    """Return why a nag has returned in a round what it should not."""
    if not (played.got is None or isinstance(played.got, Words)):
        return RETURNS
    if played.rounds == 1 < played.expected_rounds == story.after:
        return STAYS_1.format(played.number)
    if "todo" in story.rounds[played.number - 1] and played.got and played.rounds == 0:
        return NOT_IN_ITS_ROUND
    if are_blocks:
        return "Your loop gives its nag the blocks of a reply: compare only `call.name`, by `==`."
    return story.note or (TOO_EARLY if played.got else TOO_LATE)


def tell_story(name: str, story: Story, end: int, statuses: list[str] = DEFAULT_LIST) -> str:
    """Return a story up to the round `end`, as the learner reads it."""
    lines = [story.tell_first_line(name)]
    if statuses != DEFAULT_LIST:
        lines.insert(0, tell_update(make_tasks(statuses)))
    number = 0
    for names, equal in groupby(story.rounds[:end]):
        first, number = number + 1, number + len(list(equal))
        rounds = f"round {first}" if first == number else f"rounds {first} to {number}"
        lines.append(f"nag(calls)  # {rounds}, the calls: {', '.join(names)}")
    return "\n".join(lines)


def tell_update(todo: TodoManager) -> str:
    """Return the call that has written a list, as the learner reads it."""
    tasks = ", ".join(f"{item['text']} ({item['status']})" for item in todo.items) or "none"
    line = f"todo.update(items)  # the tasks: {textwrap.shorten(tasks, 120, placeholder=' …')}"
    if isinstance(todo, Board):
        line += "\n# The `render` of this list makes a title, and three lines for each task."
    return line


def cut(got: str, expected: str, begin: str = "") -> list[Words]:
    """Return two strings around the first place that differs, each with a `begin`."""
    start = max(0, len(commonprefix([got, expected])) - 40)
    shown = [f"{begin}{'…' if start else ''}{one[start : start + 120]}" for one in (got, expected)]
    return [Words(one) for one in shown]


def try_random(nag_class: Any, parent: Any, kind: Any, check: Callable[..., None]) -> None:
    """Play random stories with a nag and with its parent, the shortest first.

    Each todo call of a story writes another list of this `kind`, which also changes without one,
    as a user can change it. After each round, `check` gets the nag, its parent, their list and the
    calls, and fails if the nag has not done what it should.
    """
    for story in make_random():
        todo, chance = kind(), Random(len(story.rounds))
        nag, model = (story.make(one, todo) for one in (nag_class, parent))
        lines = [story.tell_first_line(nag_class.__name__)]
        with telling(lines):
            for number, names in enumerate(story.rounds, 1):
                if number == 1 or TODO[0] in names or chance.random() < 0.3:
                    todo.update(make_items(chance))
                    lines.append(tell_update(todo))
                calls = f"the calls: {', '.join(names)}"
                lines.append(f"nag(calls)  # round {number}, {calls}")
                check(nag, model, todo, make_calls(names))


def make_random() -> list[Story]:
    """Return random stories, which are the same for everybody: the shortest first."""
    chance = Random(1)
    stories = []
    for number in range(60):
        after = 1 + number % 10 if number % 12 != 1 else 11 + 2 * number
        names, often = [*OTHERS, REJECTED, "todo"], chance.choice([0.02, 0.2, 1])
        weights = [22 / len(OTHERS)] * len(OTHERS) + [often, often]
        rounds = [
            chance.choices(names, weights, k=chance.choice([1, 1, 2, 3, 14]))
            for _ in range(chance.randrange(after, after + (12 if number % 6 else 60)))
        ]
        stories.append(Story(after, rounds))
    return sorted(stories, key=lambda story: len(story.rounds))


def make_items(chance: Random) -> list[dict[str, str]]:
    """Return up to seven tasks, of which one may be in progress, and some have a priority."""
    texts = ["Fix", "fix", "Fix it.", "Docs", "Add tests", "the README's {name}", "high"]
    items = []
    for text in chance.sample(texts, chance.randrange(8)):
        items.append({"text": text, "status": chance.choice(["pending", "pending", "completed"])})
        if chance.random() < 0.7:
            items[-1]["priority"] = chance.choice(LEVELS)
    for item in chance.sample(items, min(len(items), chance.randrange(2))):
        item["status"] = "in_progress"
    return items


def check_due(nag: Any, model: Any, todo: Any, calls: list[Any]) -> None:
    """Fail if a nag reminds in another round than `model`. While no task is open, it need not."""
    expected: Any = model(calls) and A_REMINDER
    if expected and all(item["status"] == "completed" for item in todo.items):
        expected = MAY_BE_SILENT
    got = call_nag(nag, calls, expected)
    if got is None and expected is MAY_BE_SILENT:
        return
    if isinstance(got, str):
        got = A_REMINDER
    if bool(got) != bool(expected):
        due = "a reminder is due, in each round" if expected else "no reminder is due"
        counts = f"Rounds since the last todo call: {model.rounds}; `after` is {model.after}."
        raise Differs(got, expected, f"{counts} So {due}, whatever was before.")


def check_only_reads(nag: Any, _: Any, todo: Any, calls: list[Any]) -> None:
    """Fail if a nag changes the calls or the list. What it returns is another rule."""
    names, objects, before = [call.name for call in calls], [*todo.items], deepcopy(todo.items)
    inputs = [deepcopy(call.input) for call in calls]
    with suppress(Exception):
        nag(calls)
    same([getattr(call, "name", call) for call in calls], names, CALLS_CHANGED)
    same([getattr(call, "input", call) for call in calls], inputs, CALLS_CHANGED)
    same(todo.items, before, LIST_CHANGED)
    if [*map(id, todo.items)] != [*map(id, objects)]:
        got, expected = Words("other objects in the list"), Words("the same objects")
        raise Differs(got, expected, LIST_REPLACED)
