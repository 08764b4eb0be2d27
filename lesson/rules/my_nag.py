"""The rules of MyNag: when it reminds, what the reminder says, and that it shows the list."""

import re
from copy import deepcopy
from itertools import groupby, product, zip_longest
from os.path import commonprefix
from typing import Any, NamedTuple

from agentlib import Nag, TodoManager
from agentlib.nag import AFTER, REMINDER
from agentlib.tools import Call
from lesson.time_limit import Raised

from .engine import Differs, Words, rule, same

REJECTED = "todo (rejected)"
WORK, TODO = ["bash"], ["todo"]  # the names of the calls in one round
EXACT = Words(f"<reminder>{REMINDER}</reminder>")
SAYS = Words(f"{EXACT} (in E6, with the list before the last tag)")
EXACT_LINES = ["<reminder>", REMINDER, "</reminder>"]
RETURNS = "A nag returns a string with the reminder, or None: `return None` if none is due."

TOO_EARLY = (
    "The first reminder is too early: is the count 0 at the start, do you add 1 only once, and do "
    "you compare it with `self.after`? A nag returns None if none is due."
)
TOO_LATE = (
    "The first reminder is missing or too late: add 1 first, then compare the count with "
    "`self.after` by `>=`, and `return` the reminder. `print` only shows it."
)


class Story(NamedTuple):
    """Rounds that one nag gets: the names of the calls in each of them.

    `note` says what is wrong if it reminds in another round than it should.
    """

    after: int
    rounds: list[list[str]]
    note: str = ""

    def make(self, nag_class: Any, todo: Any) -> Any:
        """Return a nag with this threshold, which can also be its default."""
        return nag_class(todo) if self.after == AFTER else nag_class(todo, after=self.after)


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
    Story(3, [WORK] * 3, "The default of `after` is 3: `def __init__(self, todo, after=3)`."),
)
BACK = (
    Story(
        3,
        [WORK, WORK, TODO, WORK, WORK, WORK],
        "Look for the todo call first: `any(call.name == 'todo' for call in calls)`. In a round "
        "with one, set the count to 0, and return None before you add 1.",
    ),
    Story(
        2,
        [WORK, WORK * 9 + TODO + WORK, WORK, TODO + WORK, WORK, WORK + TODO, TODO * 2, WORK],
        "The todo call may be at any place among the calls of its round: look at all of them, "
        "with `any(…)` or a loop that does not end at the first call.",
    ),
    *(
        Story(
            2,
            [WORK, [name]],
            'Only the name "todo" counts, not a longer or shorter one: compare with `==`. `in` '
            "also finds parts of names.",
        )
        for name in ("todo_list", "read_todo_file", "my_todo", "todos", "do", "TODO")
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
        [*[WORK] * 30, TODO, WORK],
        "The reminder is not repeated in each round. Is the count compared with `==`, or set "
        "back by a reminder? Use `>=`, and set it back only in a round with a todo call.",
    ),
)
STORIES = (*COUNTS, *BACK, *STAYS_DUE)

# (pattern of an exception, likely cause and what to do)
CAUSES = (
    (
        "'(list|str)' object has no attribute 'name'|argument of type '(Call|ToolUse)'",
        "`calls` is a list of calls. Each of them has a name: `call.name for call in calls`.",
    ),
    (
        "'ToolUse' object has no attribute",
        "Your loop gives its nag the blocks of the reply, which have no output: look at "
        "`call.name` alone.",
    ),
    (
        r"'\w*(TodoManager|Todo|Board|list)' object has no attribute|can only concatenate",
        "`self.todo` is the list, and `self.todo.render()` returns it as text.",
    ),
    (
        "^IndexError|of an empty",
        "The list can be empty, as it is before the model has written one.",
    ),
    (
        r"^(KeyError|ValueError|error|PatternError)\b",
        "The text of an item may contain braces, backslashes and anything else. Do not use the "
        "list as a pattern, as `.format`, `%` and `re.sub` do. An f-string takes any text.",
    ),
)


@rule
def counts(MyNag):
    """Rule 1: it counts the rounds without a todo call, and returns None until there are `after`.

    What must a nag remember from one round to the next? `__init__` has created it.

    Add 1 to `self.rounds`, and return the reminder only if it has reached `self.after`."""
    one, other = MyNag(make_list("Add tests"), 2), MyNag(make_list("Add tests"), 2)
    same(one(make_calls(WORK)), None, TOO_EARLY)
    shared = "All nags share a count that is in the class body, or global: use `self.rounds`."
    same(other(make_calls(WORK)), None, shared)
    try_stories(MyNag, Nag, COUNTS)
    note = "The walkthrough of s03c reads the count: create `self.rounds` in `__init__`."
    same(getattr(one, "rounds", "no self.rounds"), 1, note)


@rule
def back(MyNag):
    """Rule 2: a call whose name is todo sets the count back, and that round has no reminder.

    The model has just read its plan, so the nag has nothing to add.

    Look at all calls of the round: `any(call.name == "todo" for call in calls)`."""
    try_stories(MyNag, Nag, BACK)


@rule
def stays_due(MyNag):
    """Rule 3: from then on it returns the reminder in every round, until there is a todo call.

    A model may overlook one reminder. What happens to your count after it?

    Do you need `==` or `>=`?"""
    try_stories(MyNag, Nag, STAYS_DUE)


@rule
def says_the_sentence(MyNag):
    """The reminder begins with `<reminder>Update your todos.` and ends with `</reminder>`.

    Compare it with the text of the exercise, character by character.

    In E6, the list is between the sentence and the last tag: put both into one f-string."""
    for story in STORIES:
        nag = story.make(MyNag, make_list("Add tests"))
        for number, names in enumerate(story.rounds, 1):
            tried = tell_story(MyNag.__name__, story, number)
            check_sentence(call_nag(nag, make_calls(names), SAYS, tried), tried)


@rule
def copes_without_open_tasks(MyNag):
    """Rule 4: if the list is empty or all is completed, it returns the reminder or None.

    Which tasks does the list have before the model has written it?

    Before you take an item out of the list, test that there is one."""
    expected = Words("None, or a reminder")
    for texts in ([], ["Write docs", "Add tests"]):
        nag = MyNag(make_list(*texts, status="completed"), after=1)
        for _ in range(3):
            reminder = call_nag(nag, make_calls(WORK), expected)
            if reminder is not None and REMINDER[:-1] not in str(reminder):
                raise Differs(reminder, expected, RETURNS)
    nag = MyNag(make_list("Add tests", status="in_progress"), after=1)
    if nag(make_calls(WORK)) is None:
        note = "A task in progress is not completed: with one, the reminder is due as always."
        raise Differs(None, Words("a reminder"), note)


@rule
def only_reads(MyNag):
    """Rule 5: it changes neither the calls nor the list.

    The calls are part of the run. Which lines of yours change something that is not your nag's?

    `.pop()`, `.clear()`, `.sort()` and `update` change a list, `for`, `any` and `sorted` do not."""
    todo = make_list("Write docs", "Add tests")
    nag, items = MyNag(todo, after=1), deepcopy(todo.items)
    for names in (["write_file", "bash"], ["write_file", "todo", "bash"]):
        calls = make_calls(names)
        nag(calls)
        same([call.name for call in calls], names, "Your nag has changed the list of calls.")
    same(todo.items, items, "A reminder only shows the list. The model alone changes it.")


@rule(level="shows the list")
def shows_the_list(MyNag):
    """The reminder shows the whole list after the sentence, as `render` returns it.

    The model may no longer see its list. This puts it back into the window.

    `self.todo.render()` returns the list as text: put it into an f-string."""
    texts = ["Read the code", "Use {braces} & <b>", r"Open C:\new", "100% of it", "x" * 900]
    many = [*texts, *(f"Fix module {number}" for number in range(15))]
    for todo in (make_list(*texts), make_list(*many, kind=Board)):
        todo.update([todo.items[0] | {"status": "completed"}, *todo.items[1:]])
        nag = MyNag(todo, after=1)
        for number in range(3):
            check_list(nag(make_calls(WORK)), todo, is_optional=number > 0)
    check_list(MyNag(TodoManager(), after=1)(make_calls(WORK)), TodoManager(), is_optional=True)


@rule(level="shows the list")
def as_it_is_now(MyNag):
    """It is the list as it is at that moment.

    When does your nag call `render`: when it is made, or when a reminder is due?

    A nag reminds more than once: call `render` for each reminder."""
    todo = make_list("Add tests")
    nag = MyNag(todo, after=1)
    for text in ("Write docs", "Release"):
        old = todo.render()
        todo.update([{"text": "Add tests", "status": "completed"}, {"text": text}])
        check_list(nag(make_calls(WORK)), todo, old, is_optional=text == "Release")


class Board(TodoManager):
    """A list with a `render` of its own: a title, and three lines for each task."""

    def render(self) -> str:
        lines = [f"* {item['text']}\n    it is {item['status']}\n    ---" for item in self.items]
        return "\n".join([f"BOARD {len(lines)}", "", *lines])


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


def make_calls(names: list[str], are_blocks: bool = False) -> list[Any]:
    """Return calls with these names, as the package's loop passes them, or the learner's."""
    if are_blocks:  # `join` makes a new string: `is` finds it different, as in a real reply
        return [ToolUse("".join(name.partition(" ")[0]), {}) for name in names]
    return [
        Call("todo", {"items": 3}, "Error: items must be a list", ok=False)
        if name == REJECTED
        else Call(name, {"command": "ls" if name == "bash" else "cat todo"}, "Add tests")
        for name in names
    ]


def call_nag(nag: Any, calls: list[Any], expected: Any, tried: str = "") -> Any:
    """Return what a nag returns. If it raises, raise Differs with what was expected."""
    try:
        return nag(calls)
    except Exception as problem:
        raise Differs(Raised(problem), expected, tried=tried) from problem


def try_stories(nag_class: Any, parent: Any, stories: tuple[Story, ...], note: str = "") -> None:
    """Raise Differs for the first round in which only one of a nag and its parent reminds.

    Each story is played with both kinds of calls. An error in a round with a reminder counts as
    one, because the rule about its text raises that error.
    """
    for story, are_blocks in product(stories, (False, True)):
        nag, other = (story.make(one, make_list("Add tests")) for one in (nag_class, parent))
        for number, names in enumerate(story.rounds, 1):
            reminder = Words(f"a reminder, in round {number}")
            expected = other(make_calls(names)) and reminder
            tried = tell_story(nag_class.__name__, story, number)
            try:
                got = call_nag(nag, make_calls(names, are_blocks), expected, tried)
            except Differs:
                if not expected:
                    raise
                got = expected
            if isinstance(got, str) and got.strip():
                got = reminder
            if got != expected:
                said = note or explain_round(story, got, reminder, are_blocks)
                raise Differs(got, expected, said, tried)


def explain_round(story: Story, got: Any, reminder: str, are_blocks: bool) -> str:
    """Return why a nag has returned in a round what it should not."""
    if got not in (None, reminder):
        return RETURNS
    if are_blocks:
        return "Your loop gives its nag the blocks of a reply: compare only `call.name`, by `==`."
    return story.note or (TOO_EARLY if got else TOO_LATE)


def tell_story(name: str, story: Story, end: int) -> str:
    """Return a story up to the round `end`, as the learner reads it."""
    lines = [f"nag = {name}(todo{'' if story.after == AFTER else f', after={story.after}'})"]
    number = 0
    for names, equal in groupby(story.rounds[:end]):
        first, number = number + 1, number + len(list(equal))
        rounds = f"round {first}" if first == number else f"rounds {first} to {number}"
        lines.append(f"nag(calls)  # {rounds}, the calls: {', '.join(names)}")
    return "\n".join(lines)


def list_lines(reminder: str) -> list[str]:
    """Return the lines of a reminder, without whitespace around them. A tag is a line."""
    parts = re.sub(rf"(</?reminder>|{REMINDER[:-1]}[.:!]?)", r"\n\1\n", reminder).splitlines()
    return [line.strip() for line in parts if line.strip()]


def check_sentence(reminder: Any, tried: str) -> None:
    """Fail if this is neither None nor the sentence between tags. The rules of E6 try the list."""
    if reminder is None or (isinstance(reminder, str) and list_lines(reminder) == EXACT_LINES):
        return
    if not isinstance(reminder, str):
        raise Differs(reminder, EXACT, RETURNS, tried)
    lines = list_lines(reminder)
    has_list = re.search("(?i)add tests|no todos|TodoManager|render", reminder)
    tags = [line for line in lines if "reminder>" in line]
    if tags != EXACT_LINES[::2] or tags != [lines[0], lines[-1]]:
        note = (
            "The reminder begins with `<reminder>` and ends with `</reminder>`, each of them once, "
            "and all the rest is between them."
        )
    elif not lines[1].startswith(REMINDER[:-1]):
        note = f"After `<reminder>`, the reminder has this sentence first: {REMINDER!r}"
    elif has_list:
        return
    else:
        note = "The reminder is not the one of the exercise: compare each character of it."
    raise Differs(Words(reminder), SAYS, note, tried)


def check_list(reminder: Any, todo: TodoManager, old: str = "", is_optional: bool = False) -> None:
    """Fail if a reminder does not show the whole list. If it `is_optional`, None is right as well.

    Its lines may be indented, and one line, such as a title, may be above them. `old` is what the
    list has shown before.
    """
    if is_optional and reminder is None:
        return
    shown, expected = list_lines(str(reminder)), list_lines(todo.render())
    shown = [
        one
        for one in shown
        if one.rstrip(".:!") + "." not in ("<reminder>.", "</reminder>.", REMINDER)
    ]
    has_title = shown[:1] != expected[:1] == shown[1:2]
    pairs = [*zip_longest(shown[has_title:], expected, fillvalue="nothing")]
    wrong = [number for number, (one, other) in enumerate(pairs, 1) if one != other]
    if not wrong:
        return
    note = (
        "The reminder does not show the list as it is. Put `self.todo.render()` between the "
        "sentence and the last tag, with an f-string, and change nothing in it."
    )
    if "bound method" in str(reminder):
        note = "The parentheses are missing: `self.todo.render()` calls the method."
    elif "{self" in str(reminder):
        note = 'Braces are read only in an f-string: write `f` before the first quote, `f"…"`.'
    elif old and shown == list_lines(old):
        note = (
            "The reminder shows an old list. The list changes during a run, so call "
            "`self.todo.render()` when the reminder is due: not in `__init__`, and again for each "
            "reminder."
        )
    raise Differs(*cut(*pairs[wrong[0] - 1], f"line {wrong[0]} of the list: "), note)


def cut(got: str, expected: str, begin: str = "") -> list[Words]:
    """Return two strings around the first place that differs, each with a `begin`."""
    start = max(0, len(commonprefix([got, expected])) - 40)
    shown = [f"{begin}{'…' if start else ''}{one[start : start + 120]}" for one in (got, expected)]
    return [Words(one) for one in shown]
