"""The rules of MyNag: when it reminds, what the reminder says, and that it shows the list."""

import inspect
import re
from collections.abc import Sequence
from contextlib import suppress
from copy import deepcopy
from itertools import product, zip_longest
from typing import Any

from agentlib import Nag, TodoManager
from agentlib.nag import AFTER, REMINDER
from lesson.common.learners_code import show

from .kit.engine import Differs, Words, rule, same
from .kit.nags import (
    BACK,
    CLOSED,
    COUNTS,
    LIST_CHANGED,
    NO_F_STRING,
    OPEN,
    RETURNS,
    STAYS_DUE,
    STORIES,
    WORK,
    Board,
    Story,
    call_nag,
    check_due,
    check_only_reads,
    cut,
    make_calls,
    make_list,
    make_tasks,
    play_story,
    tell_story,
    tell_update,
    try_random,
    try_stories,
)
from .kit.telling import telling

EXACT = Words(f"<reminder>{REMINDER}</reminder>")
SAYS = Words(f"{EXACT} (in E6, with the list before the last tag)")
BEGIN, END = f"<reminder>{REMINDER}", "</reminder>"
DEFAULT = (
    f"Keep the given default of `after`, which is {AFTER}: the check also makes a nag without it."
)
TWO_NAGS = (
    "Two nags share something. Each has its own count, threshold and list, in `self`, and no name "
    "of the class or of the cell."
)
TURNS = [f"{name}(calls)" for name in ("one", "two", "one", "two", "two")]
ESCAPED = (
    "The reminder has a backslash and an n in place of a line break: write `\\n` with one "
    "backslash, in a string without `r` before its quotes."
)
OTHER_NAME = (
    "The reminders are right, but the count is not in `self.rounds`, which the walkthrough of s03c "
    "reads. Create it as 0 in `__init__`, add 1 to it in each round without a todo call, and "
    "compare it with `self.after`."
)
LOOK_AT_ALL = (
    "Each round counts, whatever is in the list. Only while each task in `self.todo.items` is "
    "completed, or there is none, a nag may return None: look at all of them, in each round, "
    "because `update` makes a new list."
)
NO_LIST = (
    "The reminder does not show the list: put `self.todo.render()` between the sentence and the "
    "last tag, with an f-string."
)
NO_PARENTHESES = (
    "`self.todo` is the list itself, and `self.todo.render` is a method: with its parentheses, "
    "`self.todo.render()` returns the list as text."
)
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
NEW_LINE = (
    "The list begins on a new line, so that its first task is not part of the sentence: write a "
    "line break, `\\n`, before it."
)
INDENTED = (
    "There is other whitespace before or after lines of the list: put the text that "
    "`self.todo.render()` returns into the reminder unchanged."
)
BRACES = "In an f-string, two braces are one brace of text: write `{` and `}` once."
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
        "'list' object has no attribute 'render'",
        "`self.todo.items` is a plain list of dicts: it is `self.todo` that has `render`.",
    ),
    (
        "object has no attribute '(render|items|update)'",
        "`self` is your nag, and it keeps the list in `self.todo`: write that name before `.`.",
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
)


@rule
def counts(MyNag):
    """Rule 1: it counts the rounds without a todo call, and returns None until there are `after`.

    What must a nag remember from one round to the next? `__init__` has created it.

    Add 1 to `self.rounds`, and return the reminder only if it has reached `self.after`."""
    with suppress(TypeError, ValueError, KeyError):  # its signature is not known
        after = inspect.signature(MyNag).parameters["after"].default
        with telling(["nag = MyNag(todo)"]):
            same(f"after={after}", f"after={AFTER}", DEFAULT)
    reminder = Words("a reminder")
    if take_turns(MyNag, [2], [0, 0]) == [None, reminder]:  # otherwise a story tells why
        with telling(["one, two = MyNag(todo, after=2), MyNag(todo, after=3)", *TURNS]):
            found = take_turns(MyNag, [2, 3], [0, 1, 0, 1, 1])
            same(found, [None, None, reminder, None, reminder], TWO_NAGS)
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
            with telling([tell_story(MyNag.__name__, story, number)]):
                check_sentence(call_nag(nag, make_calls(names), SAYS))


@rule
def copes_without_open_tasks(MyNag):
    """Rule 4: if the list is empty or all is completed, it may return None, but it still counts.

    Which tasks does the list have before the model has written it?

    Add 1 before you look at the list. Before you take an item out of it, test that there is one."""
    for first, later in product((*CLOSED, *OPEN), repeat=2):
        todo = make_tasks(first)
        lines = [tell_update(todo), "nag = MyNag(todo)"]
        with telling(lines):
            nag, model = MyNag(todo), Nag(todo)
            for statuses in (first, first, later):
                if statuses != first:
                    todo.update(make_tasks(statuses).items)
                    lines.append(tell_update(todo))
                lines.append(f"nag(calls)  # the calls: {WORK[0]}")
                try:
                    check_due(nag, model, todo, make_calls(WORK))
                except Differs as problem:
                    problem.note += f" {LOOK_AT_ALL}" if problem.note else ""
                    raise


@rule
def only_reads(MyNag):
    """Rule 5: it changes neither the calls nor the list.

    The calls are part of the run. Which lines of yours change something that is not your nag's?

    `.pop()`, `.clear()`, `.sort()` and `update` change a list, `for`, `any` and `sorted` do not."""
    todo = make_list("Add tests")
    before = deepcopy(todo.items)
    with telling(["nag = MyNag(todo)"]):
        MyNag(todo)
        same(todo.items, before, LIST_CHANGED)
    try_random(MyNag, Nag, TodoManager, check_only_reads)


@rule
def all_together(MyNag):
    """Rounds with and without a todo call, with lists that change: it reminds as the rules say.

    Count the rounds since the last todo call in the last lines of "What was tried".

    Only these rounds and `after` decide, and not the list, the calls or an earlier reminder."""
    try_random(MyNag, Nag, TodoManager, check_due)


@rule(level="shows the list")
def shows_the_list(MyNag):
    """The reminder shows the whole list after the sentence, as `render` returns it.

    The model may no longer see its list. This puts it back into the window.

    `self.todo.render()` returns the list as text: put it into an f-string."""
    texts = [
        *("Read the code", "Use {braces} & <b>", r"Open C:\old", "100% of $it, $$", "x" * 900),
        *("Größe: 5 € “ok” ﬁ 你好", "Close it\tand '\"' ## [X]"),
    ]
    many = [*texts, *(f"Fix module {number} {'x' * 900}" for number in range(13))]
    board = make_list(*many, kind=Board)
    board.title = "The plan of today"
    for todo in (make_list(*texts), board):
        todo.update([todo.items[0] | {"status": "completed"}, *todo.items[1:]])
        lines = [tell_update(todo), "nag = MyNag(todo, after=1)"]
        with telling(lines):
            nag = MyNag(todo, after=1)
            for number in (1, 2, 3):
                lines.append(f"nag(calls)  # round {number}")
                old = todo.render() if number > 1 else ""
                check_list(nag, todo, old, is_optional=number > 1)
    first, second = make_list("Add tests"), make_list("Write docs")
    with telling(["nag = MyNag(first, after=1)", "MyNag(second, after=1)", "nag(calls)"]):
        nag, _ = MyNag(first, after=1), MyNag(second, after=1)
        try:
            check_list(nag, first)
        except Differs as problem:
            problem.note = TWO_NAGS
            raise
    for statuses in CLOSED:
        todo, story = make_tasks(statuses), Story(1, [WORK])
        with telling([tell_story(MyNag.__name__, story, 1, statuses)]):
            check_list(story.make(MyNag, todo), todo, is_optional=True)


@rule(level="shows the list")
def as_it_is_now(MyNag):
    """It is the list as it is at that moment.

    When does your nag call `render`: when it is made, or when a reminder is due?

    A nag reminds more than once: call `render` for each reminder."""
    todo = make_list("Add tests")
    lines = [tell_update(todo), "nag = MyNag(todo, after=1)"]
    with telling(lines):
        nag = MyNag(todo, after=1)
        for text in ("Write docs", "Release"):
            old = todo.render()
            todo.update([{"text": "Add tests", "status": "completed"}, {"text": text}])
            lines += [tell_update(todo), "nag(calls)"]
            check_list(nag, todo, old, is_optional=text == "Release")
        # An item can also change without `update`.
        old, todo.items[1]["status"] = todo.render(), "in_progress"
        lines += ['todo.items[1]["status"] = "in_progress"', "nag(calls)"]
        check_list(nag, todo, old, is_optional=True)
    try_random(MyNag, Nag, TodoManager, check_list_if_due)


def take_turns(nag_class: Any, thresholds: list[int], turns: list[int]) -> list[Any] | None:
    """Return what nags with these thresholds say, called in turns, or None after an error."""
    todo, calls = make_list("Add tests"), make_calls(WORK)
    with suppress(Exception):
        nags = [nag_class(todo, after=after) for after in thresholds]
        return [nags[turn](calls) and Words("a reminder") for turn in turns]
    return None


def check_list_if_due(nag: Any, model: Any, todo: Any, calls: list[Any]) -> None:
    """Fail if the reminder of a round does not show the list. When it is due is another rule."""
    model(calls)
    check_list(nag, todo, calls=calls, is_optional=True)


def try_rounds(nag_class: Any, stories: Sequence[Story], note: str) -> None:
    """Raise Differs for the first round after which `self.rounds` is not the count.

    A nag may stop counting once the reminder is due.
    """
    for story in stories:
        for played in play_story(nag_class, Nag, story):
            if not played.expected and played.rounds != played.expected_rounds:
                got = f"self.rounds is {show(played.rounds)}, after round {played.number}"
                expected = f"self.rounds is {played.expected_rounds}"
                with telling([played.told]):
                    raise Differs(Words(got), Words(expected), note)


def list_lines(reminder: str) -> list[str]:
    """Return the lines of a reminder, without whitespace around them. A tag is a line."""
    parts = re.sub(rf"(</?reminder>|{REMINDER[:-1]}[.:!]?)", r"\n\1\n", reminder).splitlines()
    return [line.strip() for line in parts if line.strip()]


def check_sentence(reminder: Any) -> None:
    """Fail if this is neither None nor the sentence between tags. The rules of E6 try the list."""
    if reminder in (None, BEGIN + END):
        return
    if not isinstance(reminder, str):
        raise Differs(reminder, EXACT, RETURNS)
    lines = list_lines(reminder)
    has_list = re.search("(?i)add tests|no todos|TodoManager|render", reminder)
    tags = [line for line in lines if "reminder>" in line]
    if tags != ["<reminder>", END] or tags != [lines[0], lines[-1]]:
        note = (
            "The reminder begins with `<reminder>` and ends with `</reminder>`, each of them once, "
            "and all the rest is between them."
        )
    elif not lines[1].startswith(REMINDER):
        note = f"After `<reminder>`, the reminder has this sentence first: {REMINDER!r}"
    elif lines[1:-1] == [REMINDER] and reminder.startswith(BEGIN) and reminder.endswith(END):
        note = (
            "Between the sentence and `</reminder>` is whitespace alone. In E4, nothing is there, "
            "and in E6 the list, in each reminder."
        )
    elif not reminder.startswith(BEGIN) or not reminder.endswith(END):
        note = (
            "There is whitespace that the reminder of the exercise does not have: nothing is "
            "before the first tag, between it and the sentence, or after the last tag."
        )
    elif has_list:
        return
    else:
        note = "The reminder is not the one of the exercise: compare each character of it."
    raise Differs(Words(show(reminder)), SAYS, note)


def check_list(
    nag: Any,
    todo: TodoManager,
    old: str = "",
    is_optional: bool = False,
    calls: Sequence[Any] = (),
) -> None:
    """Fail if the reminder of a nag does not show the whole list.

    If it `is_optional`, None is right as well. One line, such as a title, may be above the list.
    `old` is what the list has shown before.
    """
    reminder = call_nag(nag, calls or make_calls(WORK), Words("a reminder that shows the list"))
    if is_optional and reminder is None:
        return
    before, _, after = str(reminder).partition(f"\n{todo.render()}")
    if len(list_lines(before)) < 4 and after.strip() == END:
        return
    shown, expected = list_lines(str(reminder)), list_lines(todo.render())
    ends = ("<reminder>", END, REMINDER)
    shown = [one for one in shown if one not in ends]
    has_title = shown[:1] != expected[:1] == shown[1:2]
    pairs = [*zip_longest(shown[has_title:], expected, fillvalue="nothing")]
    for number, (one, other) in enumerate(pairs, 1):
        if one != other:
            note = explain_list(str(reminder), shown, todo, old, "{{self" in read_source(nag))
            raise Differs(*cut(one, other, f"line {number} of the list: "), note)
    got, note = "the list with other whitespace", INDENTED
    if todo.render() in str(reminder) and "\n" not in before_list(str(reminder), todo):
        got, note = "the list, which begins in the line of the sentence", NEW_LINE
    elif strip_lines(todo.render()) not in strip_lines(str(reminder)):
        got, note = "the list with other empty lines", OTHER_EMPTY_LINES
    raise Differs(Words(got), Words("the list as `render` returns it, from a new line on"), note)


def before_list(reminder: str, todo: Any) -> str:
    """Return what is between the sentence and the list."""
    return reminder.removeprefix(BEGIN).partition(todo.render())[0]


def strip_lines(text: str) -> str:
    """Return a text without the whitespace at the ends of its lines. Its empty lines stay."""
    return "\n".join(line.strip() for line in text.splitlines()).strip()


def read_source(nag: Any) -> str:
    """Return the source of a learner's nag, or "" if it is not known."""
    with suppress(OSError, TypeError):
        return inspect.getsource(type(nag).__call__)
    return ""


def explain_list(
    reminder: str, shown: list[str], todo: TodoManager, old: str, has_two_braces: bool
) -> str:
    """Return why a reminder does not show a list. `shown` are its lines without the sentence."""
    if re.search("bound method| object at 0x", reminder):
        return NO_PARENTHESES
    if "{self" in reminder:
        return BRACES if has_two_braces else NO_F_STRING
    if "self.todo" in reminder:
        return IN_QUOTES
    if old and shown == list_lines(old):
        return OLD_LIST
    if "\\n" in reminder and "\\n" not in todo.render():
        return ESCAPED
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
