"""The rules of MyNag: when it reminds, what the reminder says, and that it shows the list."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from itertools import groupby, product, zip_longest
from os.path import commonprefix
from typing import Any, NamedTuple

from agentlib import Nag, TodoManager
from agentlib.nag import AFTER, REMINDER
from agentlib.tools import Call
from lesson.learners_code import Raised, show

from .kit.engine import Differs, Words, rule

REJECTED = "todo (rejected)"
WORK, TODO = ["bash"], ["todo"]  # the names of the calls in one round
EXACT = Words(f"<reminder>{REMINDER}</reminder>")
SAYS = Words(f"{EXACT} (in E6, with the list before the last tag)")
EXACT_LINES = ["<reminder>", REMINDER, "</reminder>"]
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
    "The first reminder is missing or too late: add 1 first, then compare the count with "
    "`self.after` by `>=`, and `return` the reminder. `print` only shows it."
)
SHARED = "All nags share a count that is in the class body, or global: use `self.rounds`."
OTHER_NAME = (
    "The reminders are right, but the count is not in `self.rounds`, which the walkthrough of s03c "
    "reads. Create it as 0 in `__init__`, add 1 to it in each round without a todo call, and "
    "compare it with `self.after`."
)
LIST_DECIDES = (
    "Here the only task is pending, and with other tasks your nag does something else. It counts "
    "each round without a todo call, whatever is in the list."
)
CHANGE_DECIDES = (
    "A todo call sets the count back also if the list has not changed. Look only at the names: "
    "`any(call.name == 'todo' for call in calls)`."
)
ALSO_LATER = (
    "Also while no task is open, a nag returns None until there are `after` rounds without a todo "
    "call."
)
STILL_COUNTS = (
    "While no task is open, your nag may return None, but it still counts, and a todo call still "
    "sets the count back. Change `self.rounds` first, and look at the list after that."
)
IS_OPEN = (
    "Here a task is pending or in progress, so the reminder is due as always. Only if each task is "
    "completed, or there is none, a nag may return None: look at all tasks, not at one of them."
)
KEPT_ITEMS = (
    "Your nag still looks at the tasks from the moment when it was made. Read `self.todo.items` in "
    "each round, because `update` makes a new list."
)
CALLS_CHANGED = "Your nag has changed the list of calls, which are part of the run: only read it."
LIST_CHANGED = "A reminder only shows the list. The model alone changes it."
LIST_REPLACED = (
    "Your nag has put other objects into the list, as `update` does, although they look the same. "
    "`self.todo.render()` returns the list as text, and changes nothing."
)
NO_LIST = (
    "The reminder does not show the list: put `self.todo.render()` between the sentence and the "
    "last tag, with an f-string."
)
NOT_CALLED = (
    "`self.todo` is the list itself, and `self.todo.render` is a method: with its parentheses, "
    "`self.todo.render()` returns the list as text."
)
NO_F_STRING = 'Braces are read only in an f-string: write `f` before the first quote, `f"…"`.'
IN_QUOTES = (
    "`self.todo` is inside of the quotes, so it is only text: write an f-string with "
    "`{self.todo.render()}`."
)
ONLY_ONCE = (
    "An earlier reminder has shown the list, and this one does not. Each of them shows it, because "
    "the one before may have left the window."
)
DONE_IS_MISSING = (
    "A completed task is missing. The reminder shows the whole list, so that the model also sees "
    "what is done."
)
OTHER_EMPTY_LINES = (
    "The list has other empty lines than the text that `self.todo.render()` returns: put this text "
    "into the reminder unchanged."
)
OLD_LIST = (
    "The reminder shows an old list. The list changes during a run, so keep neither its text nor a "
    "copy of it: call `self.todo.render()` when the reminder is due, not in `__init__`, and again "
    "for each reminder."
)
OWN_LINES = (
    "The reminder has the tasks, but not as `self.todo.render()` returns them. Each kind of list "
    "has its own `render`: call it on `self.todo`, and do not make the lines yourself."
)
MORE_LINES = "The reminder has more in it than the sentence and the list: leave out the rest."
LIST_CUT = "The text of the list was cut or changed: put all of `self.todo.render()` into it."


class Story(NamedTuple):
    """Rounds that one nag gets: the names of the calls in each of them.

    `note` says what is wrong if it reminds in another round than it should.
    """

    after: int
    rounds: list[list[str]]
    note: str = ""

    def make(self, nag_class: Any, todo: Any) -> Any:
        """Return a nag with this threshold, which can also be its default."""
        try:
            return nag_class(todo) if self.after == AFTER else nag_class(todo, after=self.after)
        except Exception as problem:
            problem.tried = self.tell_first_line(nag_class.__name__)  # type: ignore[attr-defined]
            raise

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
    Story(3, [WORK] * 3, "The default of `after` is 3: `def __init__(self, todo, after=3)`."),
)
BACK = (
    Story(
        3,
        [WORK, WORK, TODO],
        "Look for the todo call first, `any(call.name == 'todo' for call in calls)`, because "
        "`calls` has calls and not names. In a round with one, return None.",
    ),
    Story(
        3,
        [WORK, WORK, TODO, WORK],
        "The todo call has not set the count back: in its round, write `self.rounds = 0`.",
    ),
    Story(
        3,
        [WORK, WORK, TODO, WORK, WORK, WORK],
        "A round with a todo call is not counted: return None in it before you add 1.",
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
        [WORK] * 30,
        "The reminder is not repeated in each round. Is the count compared with `==`, or set "
        "back by a reminder? Use `>=`, and set it back only in a round with a todo call.",
    ),
    Story(
        3,
        [*[WORK] * 30, TODO, WORK],
        "A todo call sets the count back to 0, also if the reminder has been due for a long time.",
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
        "Your loop gives its nag the blocks of the reply, which have a name and an input alone: "
        "look only at `call.name`.",
    ),
    (
        r"'\w*(TodoManager|Todo|Board|list)' object has no attribute|can only concatenate",
        "`self.todo` is the list, and `self.todo.render()` returns it as text.",
    ),
    (
        "^IndexError|of an empty",
        "The list is empty before the model has written one, and it may have no open task. Test "
        "this before you take the first one.",
    ),
    (
        r"^(KeyError|ValueError|error|PatternError)\b|format string",
        "The text of an item may contain braces, backslashes and anything else. Do not use the "
        "list as a pattern, as `.format`, `%` and `re.sub` do. An f-string takes any text.",
    ),
)


@rule
def counts(MyNag):
    """Rule 1: it counts the rounds without a todo call, and returns None until there are `after`.

    What must a nag remember from one round to the next? `__init__` has created it.

    Add 1 to `self.rounds`, and return the reminder only if it has reached `self.after`."""
    one, other = (COUNTS[0].make(MyNag, make_list("Add tests")) for _ in range(2))
    tried = "one, other = MyNag(todo, after=2), MyNag(todo, after=2)\none(calls)\nother(calls)"
    first, second = (call_nag(nag, make_calls(WORK), None, tried) for nag in (one, other))
    if first is None and second is not None:
        raise Differs(Words("a reminder of the other nag"), None, SHARED, tried)
    try_stories(MyNag, Nag, COUNTS)
    try_rounds(MyNag, COUNTS, OTHER_NAME)


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
    """Rule 4: if the list is empty or all is completed, it may return None, but it still counts.

    Which tasks does the list have before the model has written it?

    Add 1 before you look at the list. Before you take an item out of it, test that there is one."""
    for statuses in CLOSED:
        try_changes(MyNag, (statuses, [WORK] * 3), note=ALSO_LATER)
    for statuses in OPEN:
        try_changes(MyNag, (statuses, [WORK] * 3), note=IS_OPEN, made_with=statuses)
        for earlier in CLOSED:
            try_changes(MyNag, (statuses, [WORK] * 3), note=KEPT_ITEMS, made_with=earlier)
    for statuses in CLOSED:
        for rounds in ([WORK, WORK], [WORK, WORK, TODO]):
            try_changes(MyNag, (statuses, rounds), (DEFAULT_LIST, [WORK]), note=STILL_COUNTS)


@rule
def only_reads(MyNag):
    """Rule 5: it changes neither the calls nor the list.

    The calls are part of the run. Which lines of yours change something that is not your nag's?

    `.pop()`, `.clear()`, `.sort()` and `update` change a list, `for`, `any` and `sorted` do not."""
    story = Story(1, [["write_file", "bash"], ["write_file", "todo", "bash"], WORK])
    for statuses in (["pending", "in_progress", "completed"], *CLOSED):
        todo = make_tasks(statuses)
        nag, before = story.make(MyNag, todo), deepcopy(todo.items)
        objects = [*todo.items]
        for number, names in enumerate(story.rounds, 1):
            tried = tell_story(MyNag.__name__, story, number, statuses)
            calls = make_calls(names)
            with suppress(Exception):  # that is another rule
                nag(calls)
            left = [getattr(call, "name", call) for call in calls]
            if left != names:
                raise Differs(left, names, CALLS_CHANGED, tried)
            if todo.items != before:
                raise Differs(todo.items, before, LIST_CHANGED, tried)
            if [*map(id, todo.items)] != [*map(id, objects)]:
                got, expected = Words("other objects in the list"), Words("the same objects")
                raise Differs(got, expected, LIST_REPLACED, tried)


@rule(level="shows the list")
def shows_the_list(MyNag):
    """The reminder shows the whole list after the sentence, as `render` returns it.

    The model may no longer see its list. This puts it back into the window.

    `self.todo.render()` returns the list as text: put it into an f-string."""
    texts = ["Read the code", "Use {braces} & <b>", r"Open C:\new", "100% of it", "x" * 900]
    many = [*texts, *(f"Fix module {number}" for number in range(15))]
    board = make_list(*many, kind=Board)
    board.title = "The plan of today"
    for todo in (make_list(*texts), board):
        todo.update([todo.items[0] | {"status": "completed"}, *todo.items[1:]])
        nag, tried = MyNag(todo, after=1), f"{tell_update(todo)}\nnag = MyNag(todo, after=1)"
        for number in (1, 2, 3):
            tried += f"\nnag(calls)  # round {number}"
            old = todo.render() if number > 1 else ""
            check_list(nag, todo, tried, old, is_optional=number > 1)
    for statuses in CLOSED:
        todo, story = make_tasks(statuses), Story(1, [WORK])
        tried = tell_story(MyNag.__name__, story, 1, statuses)
        check_list(story.make(MyNag, todo), todo, tried, is_optional=True)


@rule(level="shows the list")
def as_it_is_now(MyNag):
    """It is the list as it is at that moment.

    When does your nag call `render`: when it is made, or when a reminder is due?

    A nag reminds more than once: call `render` for each reminder."""
    todo = make_list("Add tests")
    nag, tried = MyNag(todo, after=1), f"{tell_update(todo)}\nnag = MyNag(todo, after=1)"
    for text in ("Write docs", "Release"):
        old = todo.render()
        todo.update([{"text": "Add tests", "status": "completed"}, {"text": text}])
        tried += f"\n{tell_update(todo)}\nnag(calls)"
        check_list(nag, todo, tried, old, is_optional=text == "Release")
    # An item can also change without `update`.
    old, todo.items[1]["status"] = todo.render(), "in_progress"
    tried += '\ntodo.items[1]["status"] = "in_progress"\nnag(calls)'
    check_list(nag, todo, tried, old, is_optional=True)


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
        else Call(name, {"command": "ls" if name == "bash" else "cat todo"}, "Add tests")
        for name in names
    ]


def call_nag(nag: Any, calls: list[Any], expected: Any, tried: str = "") -> Any:
    """Return what a nag returns. If it raises, raise Differs with what was expected."""
    try:
        return nag(calls)
    except Exception as problem:
        raise Differs(Raised(problem), expected, tried=tried) from problem


class Played(NamedTuple):
    """One round of a story: what a nag has returned, and what its parent has.

    `rounds` and `expected_rounds` are their counts, and `tried` is the story up to this round.
    """

    number: int
    got: Any
    expected: Any
    rounds: Any
    expected_rounds: Any
    tried: str


def play(
    nag_class: Any,
    parent: Any,
    story: Story,
    are_blocks: bool = False,
    statuses: list[str] = DEFAULT_LIST,
    changes_list: bool = False,
) -> Iterator[Played]:
    """Play a story with a nag and with its parent, and yield each round.

    If it `changes_list`, each todo call writes another list.

    A string that is a reminder is replaced by "a reminder, in round N". So is an error or another
    value in a round with a reminder, because the rule about its text tells it.
    """
    todos = [make_tasks(statuses), make_tasks(statuses)]
    nag, other = story.make(nag_class, todos[0]), story.make(parent, todos[1])
    for number, names in enumerate(story.rounds, 1):
        if changes_list and "todo" in names:
            for todo in todos:
                todo.update([{"text": f"Add test {number}"}])
        reminder = Words(f"a reminder, in round {number}")
        expected = other(make_calls(names)) and reminder
        tried = tell_story(nag_class.__name__, story, number, statuses)
        try:
            got = call_nag(nag, make_calls(names, are_blocks), expected, tried)
        except Differs:
            if not expected:
                raise
            got = expected
        if got and expected:
            got = expected
        elif isinstance(got, str) and got.strip():
            got = reminder
        counted = getattr(nag, "rounds", None)
        yield Played(number, got, expected, counted, getattr(other, "rounds", None), tried)


def try_stories(nag_class: Any, parent: Any, stories: tuple[Story, ...], note: str = "") -> None:
    """Raise Differs for the first round in which only one of a nag and its parent reminds.

    Each story is played with both kinds of calls.
    """
    for story, are_blocks in product(stories, (False, True)):
        for played in play(nag_class, parent, story, are_blocks):
            if played.got != played.expected:
                said = note or explain_round(nag_class, story, played, are_blocks)
                raise Differs(played.got, played.expected, said, played.tried)


def try_rounds(nag_class: Any, stories: Sequence[Story], note: str) -> None:
    """Raise Differs for the first round after which `self.rounds` is not the count.

    A nag may stop counting once the reminder is due.
    """
    for story in stories:
        for played in play(nag_class, Nag, story):
            if not played.expected and played.rounds != played.expected_rounds:
                got = f"self.rounds is {show(played.rounds)}, after round {played.number}"
                expected = f"self.rounds is {played.expected_rounds}"
                raise Differs(Words(got), Words(expected), note, played.tried)


def try_changes(
    nag_class: Any,
    *parts: tuple[list[str], list[list[str]]],
    note: str,
    made_with: Sequence[str] = (),
) -> None:
    """Play rounds with one nag, whose list changes without a todo call. `note` is about a mistake.

    Each of the `parts` has the statuses of the tasks, and the calls of the rounds. While no task is
    open, None is right in place of a reminder. `made_with` are the statuses when the nag is made.
    """
    todo, story = make_tasks([*made_with]), Story(AFTER, [])
    nag, other = (story.make(one, todo) for one in (nag_class, Nag))
    lines = [tell_update(todo)] if todo.items else []
    lines.append(story.tell_first_line(nag_class.__name__))
    for statuses, rounds in parts:
        if statuses != made_with:
            todo.update(make_tasks(statuses).items)
            lines.append(tell_update(todo))
        for names in rounds:
            lines.append(f"nag(calls)  # the calls: {', '.join(names)}")
            tried, expected = "\n".join(lines), other(make_calls(names)) and A_REMINDER
            wanted = MAY_BE_SILENT if expected and statuses in CLOSED else expected
            got = call_nag(nag, make_calls(names), wanted, tried)
            if isinstance(got, str) and REMINDER[:-1] in got:
                got = A_REMINDER
            if got != expected and not (wanted is MAY_BE_SILENT and got is None):
                said = note if got in (None, A_REMINDER) else RETURNS
                raise Differs(got, wanted, said, tried)


def explain_round(nag_class: Any, story: Story, played: Played, are_blocks: bool) -> str:
    """Return why a nag has returned in a round what it should not."""
    if not (played.got is None or isinstance(played.got, Words)):
        return RETURNS
    if are_blocks:
        return "Your loop gives its nag the blocks of a reply: compare only `call.name`, by `==`."
    for statuses in (["in_progress"], ["completed"]):
        others = play(nag_class, Nag, story, statuses=statuses)
        if all(one.got == one.expected for one in others):
            return LIST_DECIDES
    others = play(nag_class, Nag, story, changes_list=True)
    if all(one.got == one.expected for one in others):
        return CHANGE_DECIDES
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
    elif not lines[1].startswith(REMINDER):
        note = f"After `<reminder>`, the reminder has this sentence first: {REMINDER!r}"
    elif has_list:
        return
    else:
        note = "The reminder is not the one of the exercise: compare each character of it."
    raise Differs(Words(reminder), SAYS, note, tried)


def check_list(
    nag: Any, todo: TodoManager, tried: str, old: str = "", is_optional: bool = False
) -> None:
    """Fail if the reminder of a nag does not show the whole list.

    If it `is_optional`, None is right as well. The lines of the list may be indented, and one line,
    such as a title, may be above them. `old` is what the list has shown before.
    """
    reminder = call_nag(nag, make_calls(WORK), Words("a reminder that shows the list"), tried)
    if is_optional and reminder is None:
        return
    shown, expected = list_lines(str(reminder)), list_lines(todo.render())
    ends = ("<reminder>", "</reminder>", REMINDER)
    shown = [one for one in shown if one not in ends]
    has_title = shown[:1] != expected[:1] == shown[1:2]
    pairs = [*zip_longest(shown[has_title:], expected, fillvalue="nothing")]
    for number, (one, other) in enumerate(pairs, 1):
        if one != other:
            note = explain_list(str(reminder), shown, todo, old)
            raise Differs(*cut(one, other, f"line {number} of the list: "), note, tried)
    if strip_lines(todo.render()) not in strip_lines(str(reminder)):
        got, expected = "the list with other empty lines", "the list as `render` returns it"
        raise Differs(Words(got), Words(expected), OTHER_EMPTY_LINES, tried)


def strip_lines(text: str) -> str:
    """Return a text without the whitespace at the ends of its lines. Its empty lines stay."""
    return "\n".join(line.strip() for line in text.splitlines()).strip()


def explain_list(reminder: str, shown: list[str], todo: TodoManager, old: str) -> str:
    """Return why a reminder does not show a list. `shown` are its lines without the sentence."""
    if re.search("bound method| object at 0x", reminder):
        return NOT_CALLED
    if "{self" in reminder:
        return NO_F_STRING
    if "self.todo" in reminder:
        return IN_QUOTES
    if old and shown == list_lines(old):
        return OLD_LIST
    if not shown:
        return ONLY_ONCE if old else NO_LIST
    expected = list_lines(todo.render())
    if "\n".join(expected) in "\n".join(shown):
        return MORE_LINES
    missing = {item["status"] for item in todo.items if item["text"] not in reminder}
    if missing == {"completed"}:
        return DONE_IS_MISSING
    begins_right = expected[0] in reminder or shown[0] in expected[0]
    has_tasks = bool(todo.items) and todo.items[0]["text"] in reminder
    return OWN_LINES if has_tasks and not begins_right else LIST_CUT


def cut(got: str, expected: str, begin: str = "") -> list[Words]:
    """Return two strings around the first place that differs, each with a `begin`."""
    start = max(0, len(commonprefix([got, expected])) - 40)
    shown = [f"{begin}{'…' if start else ''}{one[start : start + 120]}" for one in (got, expected)]
    return [Words(one) for one in shown]
