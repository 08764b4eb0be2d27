"""Stories of rounds for nags, and what is looked at after each round.

A story of a page is `@ 2: w w todo`: a nag whose `after` is 2 gets three rounds. A word is a round:
its calls, joined by `+`, of which `w` is bash, `f` a call of bash that failed, and `r` a todo call
that was rejected. `~` is a round of another nag, with another list. A word in brackets writes the
list, with the statuses of the tasks ([pic] has one pending, one in progress and one completed), or
as in `updates.py` ([Fix i high; Docs p]), and `!` completes the last task without `update`. The nag
is made after a list that is the first word. After the number, a page may name the kind of the list:
`@ 1 board: [p] w`.
"""

import textwrap
from collections.abc import Iterator, Sequence
from copy import deepcopy
from functools import cache
from itertools import groupby
from random import Random
from sys import intern
from typing import Any, NamedTuple

from agentlib import TodoManager
from agentlib.nag import AFTER
from agentlib.tools import Call
from lesson.common.learners_code import Raised
from lesson.exercises.shown_list import Shown

from .engine import Differs, Words, telling
from .lists import LEVELS
from .page import Page, Step
from .updates import STATUS, read_items

CALLS = {"w": "bash", "f": "bash (failed)", "r": "todo (rejected)"}
TEXTS = ("Add tests", "Use {braces} & <b> $$", r"Open C:\new", "x" * 900, "Größe: 5 € “ok” 你好")
CHANGED = {
    "calls": "Your nag has changed the list of calls, which are part of the run: only read it.",
    "list": (
        "A reminder only shows the list. The model alone changes it. `sort` changes the list "
        "itself, and `sorted` makes a new one."
    ),
    "objects": (
        "Your nag has put other objects into the list, as `update` does, although they look the "
        "same. `self.todo.render()` returns the list as text, and changes nothing."
    ),
}


class Board(TodoManager):
    """A list with its own `render`: a title, and two lines for each task. Tasks have priorities."""

    fields = TodoManager.fields | {
        "priority": {"type": "string", "enum": LEVELS, "default": "medium"}
    }

    def render(self) -> str:
        lines = (f"* {item['text']}\n    it is {item['status']}" for item in self.items)
        return "\n".join([f"BOARD {len(self.items)}", "", *lines, "end"])


class OwnTodo(Shown):
    """A list as a learner's: its items have no id, and only what was sent."""

    def update(self, items: list[dict[str, str]]) -> str:
        self.items = deepcopy(items)
        return self.render()


LISTS = {"": TodoManager, "board": Board, "own": OwnTodo}


class ToolUse(NamedTuple):
    """A call as the learner's own loop passes it: a block of the reply, without an output."""

    name: str
    input: dict[str, Any]
    id: str = "toolu_1"
    type: str = "tool_use"


class Story(NamedTuple):
    """Rounds that a nag gets: each event is the names of the calls, a list's items, or a sign."""

    after: int
    events: list[Any]
    kind: str = ""
    are_blocks: bool = False


class Written:
    """A list that is written in a story."""

    def __init__(self, items: list[dict[str, str]]) -> None:
        self.items = items


@cache
def write(written: Written, kind: str) -> tuple[list[dict[str, str]], str, str]:
    """Return the items of a list after it was written, it as text, and the line that is told."""
    todo = LISTS[kind]()
    todo.update(deepcopy(written.items))
    return todo.items, todo.render(), tell_update(todo)


class Round(NamedTuple):
    """What can be seen of a round beside what the nag has returned."""

    count: Any
    changed: str  # what the nag has changed: a name of CHANGED, or ""
    todo: str  # its list, as `render` returns it
    items: list[dict[str, str]]
    number: int
    is_closed: bool  # no task is open


def read_stories(page: Page, title: str, kinds: Sequence[str] = ("",)) -> list[Story]:
    """Return the stories of a rule, each with these kinds of lists.

    Those without a list are played with both kinds of calls.
    """
    found = []
    for head, words in page.stories(title):
        after, _, kind = head.partition(" ")
        for one in [kind] if kind else kinds:
            story = Story(int(after), [read_event(word) for word in words], one)
            found.append(story)
            if "[" not in "".join(words):
                found.append(story._replace(are_blocks=True))
    return found


def read_event(word: str) -> Any:
    """Return the event of a word of a page."""
    if word in ("~", "!"):
        return word
    if not word.startswith("["):
        return tuple(CALLS.get(name, name) for name in word.split("+"))
    tasks = word.strip("[]")
    if not {*tasks} - {*STATUS}:
        texts = [f"{TEXTS[n % len(TEXTS)]} {n}" if n else TEXTS[0] for n in range(len(tasks))]
        pairs = zip(texts, tasks, strict=True)
        return Written([{"text": text, "status": STATUS[letter]} for text, letter in pairs])
    return Written(read_items(word))


def make_calls(names: tuple[str, ...], are_blocks: bool = False) -> list[Any]:
    """Return calls with these names, as the package's loop passes them, or the learner's."""
    found = []
    for name, _, failed in (one.partition(" ") for one in names):
        if are_blocks:  # `join` makes a new string: `is` finds it different, as in a real reply
            found.append(ToolUse("".join(name), {}))
        else:
            text = "Error: items must be a list" if name == "todo" and failed else "Add tests"
            found.append(Call(intern(name), {"command": "cat todo"}, text, ok=not failed))
    return found


def play(nag_class: Any, story: Story) -> Iterator[Step]:
    """Play a story with a nag, up to an error, and yield its rounds."""
    todo, second = LISTS[story.kind](), LISTS[story.kind]()
    priority = {"priority": "low"} if story.kind else {}
    second.update([{"text": "Other", "status": "pending", **priority}])
    if not any(isinstance(event, Written) for event in story.events):
        todo.update([{"text": TEXTS[0], "status": "pending"}])
    nags: list[Any] = []
    lines: list[str] = []
    old, shown, changed = "", todo.render(), ""
    for place, event in enumerate(story.events):
        if not nags and (place or not isinstance(event, Written)):
            items = todo.items
            nags.append(make_nag(nag_class, todo, story.after, lines, "nag"))
            changed = "list" if todo.items != items else ""
            if "~" in story.events:
                nags.append(make_nag(nag_class, second, story.after + 1, lines, "other"))
        if isinstance(event, Written) or event == "!":
            if event == "!":
                todo.items[-1]["status"] = "completed"
                lines.append('todo.items[-1]["status"] = "completed"')
                old, shown = shown, todo.render()
            else:
                items, text, line = write(event, story.kind)
                todo.items = [{**item} for item in items]
                lines.append(line)
                old, shown = shown, text
            continue
        name, nag, own = ("other", nags[1], second) if event == "~" else ("nag", nags[0], todo)
        names = ("bash",) if event == "~" else event
        lines.append(f"{name}(calls)  # the calls: {', '.join(names)}")
        text = shown if own is todo else second.render()
        step = see(nag, make_calls(names, story.are_blocks), own, lines, text, old, changed)
        yield step
        changed = ""
        if isinstance(step.got, Raised):
            return


def make_nag(nag_class: Any, todo: Any, after: int, lines: list[str], name: str) -> Any:
    """Return a nag with this threshold, which can also be its default."""
    given = {} if after == AFTER else {"after": after}
    told = "".join(f", {key}={value}" for key, value in given.items())
    lines.append(f"{name} = {nag_class.__name__}({'todo' if name == 'nag' else 'todo2'}{told})")
    with telling(lines):
        try:
            return nag_class(todo, **given)
        except Exception as problem:
            raise Differs(Raised(problem), Words("a nag")) from problem


def see(
    nag: Any, calls: list[Any], todo: Any, lines: list[str], shown: str, old: str, changed: str
) -> Step:
    """Call a nag, and return what can be seen of it."""
    before = [(id(call), call.name, {**call.input}) for call in calls]
    items, objects = [{**item} for item in todo.items], [*map(id, todo.items)]
    try:
        got: Any = nag(calls)
    except Exception as problem:
        got = Raised(problem)
    if [(id(call), *vars_of(call)) for call in calls] != before:
        changed = "calls"
    elif todo.items != items:
        changed = "list"
    elif [*map(id, todo.items)] != objects:
        changed = changed or "objects"
    closed = all(item["status"] == "completed" for item in todo.items)
    count, number = getattr(nag, "rounds", None), len(lines)
    kind = type(got).__name__ if not isinstance(got, str) else bool(got.strip())
    key = (kind, got if got in (None, True, False) else "", count, changed)
    values = {"after": str(getattr(nag, "after", "")), "count": str(count), "list": shown}
    values |= {"old": old or "-", "line": shown.partition("\n")[0], "first": TEXTS[0]}
    seen = Round(count, changed, shown, [*todo.items], number, closed)
    return Step(got, key, lambda: tell(lines[:number]), seen, values)


def vars_of(call: Any) -> tuple[Any, Any]:
    """Return the name and the input of a call, or of what a nag has put in its place."""
    return getattr(call, "name", call), getattr(call, "input", call)


def tell(lines: list[str]) -> str:
    """Return a story as a learner reads it, with equal rounds in one line."""
    told, number = [], 0
    for line, equal in groupby(lines):
        first, is_round = number + 1, line.startswith("nag(")
        number += len([*equal]) if is_round else 0
        rounds = f"round {first}" if first == number else f"rounds {first} to {number}"
        told.append(line.replace("# ", f"# {rounds}, ") if is_round else line)
    return "\n".join(told)


def tell_update(todo: Any) -> str:
    """Return the call that has written a list, as the learner reads it."""
    tasks = ", ".join(
        f"{item['text']} ({', '.join(filter(None, [item['status'], item.get('priority')]))})"
        for item in todo.items
    )
    line = f"todo.update(items)  # the tasks: {textwrap.shorten(tasks, 200, placeholder=' …')}"
    if isinstance(todo, Board):
        line += "\n# The `render` of this list makes a title, and two lines for each task."
    return line if tasks else line.replace("tasks: ", "tasks: none")


def is_due(one: Step, our: Step) -> None:
    """Raise Differs if only one of two nags reminds. While no task is open, it need not.

    An error, or another value, in a round with a reminder is told by the rule about its text.
    """
    expected = our.got and Words("a reminder")
    if our.got is None and one.got is None or our.got and one.got:
        return
    if one.got is None and our.seen.is_closed:
        return
    got = one.got
    if isinstance(got, str) and got.strip():
        got = Words("a reminder")
    raise Differs(got, expected)


def only_reads(one: Step, our: Step) -> None:
    """Raise Differs if a nag has changed the calls or the list."""
    if changed := one.seen.changed:
        raise Differs(Words(f"other {changed}"), Words("the same"), CHANGED[changed])


def make_random(kind: str = "") -> list[Story]:
    """Return random stories, which are the same for everybody: the shortest first."""
    chance = Random(1)
    names = ["bash", "bash (failed)", "read_file", "write_file", "edit_file", "read_todo"]
    stories = []
    for number in range(60):
        after = 1 + number % 10 if number % 12 != 1 else 11 + 2 * number
        often = chance.choice([0.02, 0.2, 1])
        weights = [22 / len(names)] * len(names) + [often, often]
        events: list[Any] = [Written([])]
        for _ in range(chance.randrange(after, after + (12 if number % 6 else 60))):
            many = chance.choice([1, 1, 2, 3, 14])
            calls = chance.choices([*names, "todo (rejected)", "todo"], weights, k=many)
            if len(events) == 1 or "todo" in calls or chance.random() < 0.3:
                events.append(Written(make_items(chance)))
            events.append(tuple(calls))
        stories.append(Story(after, events, kind))
    return sorted(stories, key=lambda story: len(story.events))


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
