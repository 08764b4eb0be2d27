"""The rules of MyNag: when it reminds, what the reminder says, and that it shows the list.

In a story, `todo` is a list with an open task, `calls("bash", "todo failed")` are the calls of a
round, and `blocks("todo")` those that the learner's own loop passes. `AFTER` is the default of the
threshold. A view says what of a reminder counts:

    due(…)          whether there is one
    may(…)          nothing: there may be one
    says(…)         whether it has the sentence
    shows(…, todo)  whether it shows the list
    changes(…)      what the nag has changed in the calls and the lists
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from random import Random
from sys import intern
from typing import Any, NamedTuple

from agentlib import tools
from agentlib.defaults import AFTER, REMINDER
from exerciselib.engine import Differs
from exerciselib.learners_code import Raised
from exerciselib.page import Observation
from exerciselib.show_value import SHOWN_CHARACTERS, Words
from exerciselib.stories import StoryPage
from lesson.common.solutions import read_solutions

from .kit.tasks import TEXTS, Board, Own, Tasks

BEGIN, END = f"<reminder>{REMINDER}", "</reminder>"
SAYS = Words(f"{BEGIN}{END} (in E6, with the list before the last tag)")
IS_DUE, UNCHANGED = Words("a reminder"), Words("nothing is changed")


class ToolUse(NamedTuple):
    """A call as the learner's own loop passes it: a block of the reply, without an output."""

    name: str
    input: dict[str, Any]
    id: str = "toolu_1"
    type: str = "tool_use"


@dataclass(frozen=True, eq=False)
class Call(tools.Call):
    """A call that notes each text with which it was compared. It is not equal to any."""

    compared: list[str] = field(default_factory=list, repr=False)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            self.compared.append(other)
        return super().__eq__(other)


class Calls:
    """Make calls as the package's loop passes them, some of which have failed."""

    def __init__(self) -> None:
        self.compared: list[str] = []

    def __call__(self, *names: str) -> list[Any]:
        calls = []
        for name, _, failed in (words.partition(" ") for words in names):
            text = "Error: items must be a list" if name == "todo" and failed else "Add tests"
            input_ = {"command": "cat todo"}
            calls.append(Call(intern(name), input_, text, not failed, self.compared))
        return calls


def blocks(*names: str) -> list[Any]:
    """Return calls as the learner's loop passes them. `is` finds each name different."""
    return [ToolUse("".join([*name]), {}) for name in names]


def due(got: Any) -> Any:
    return IS_DUE if isinstance(got, str) and got.strip() else got


def may(got: Any) -> Any:
    return None if due(got) == IS_DUE else got


def says(text: Any) -> Any:
    """Return SAYS for the sentence between tags, perhaps with a list, and for no reminder."""
    words = ("tests", "Other", "No todos", "Tasks", "render")
    has_list = any(word in str(text) for word in words)
    is_right = isinstance(text, str) and text.startswith(BEGIN) and text.endswith(END)
    once = is_right and text.count(END) == text.count("<reminder>") == 1
    return SAYS if text in (None, BEGIN + END) or once and has_list else text


def shows(text: Any, todo: Tasks) -> Any:
    """Return the right reminder if this one shows the list. One line may be above it."""
    before, _, after = str(text).partition(f"\n{todo.render()}")
    is_right = before.startswith(BEGIN) and len(before.split("\n")) < 4 and after.strip() == END
    is_closed = all(item["status"] == "completed" for item in todo.items)
    is_left_out = text is None and is_closed
    return f"{BEGIN}\n{todo.render()}{END}" if is_right or is_left_out else text


def changes(_: Any, these: list[Any], right: list[Any], *lists: Tasks) -> Words:
    """Return what a nag has changed of its calls, or of a list since it was written."""
    if these != right:
        return Words("other calls")
    if any(todo.items != todo.kept for todo in lists):
        return Words("another list")
    is_same = all([*map(id, todo.items)] == todo.objects for todo in lists)
    return UNCHANGED if is_same else Words("other objects in the list")


class NagPage(StoryPage):
    """A page about nags. Only the rule about the text of a reminder reports an error in it."""

    def compare(self, step: Observation, our: Observation) -> None:
        if isinstance(step.got, Raised) and our.got in (IS_DUE, UNCHANGED):
            return
        try:
            super().compare(step, our)
        except Differs as problem:
            if step.seen()[0]["calls"].compared:
                problem.note = "A call is an object"
            if isinstance(problem.expected, str) and len(problem.expected) < SHOWN_CHARACTERS:
                problem.expected = Words(problem.expected)  # a reminder is shown whole
            raise

    def find_first(self, step: Observation) -> Any:
        """Return the nag of a story directly after it was made."""
        part, story, many = step.seen.args
        scopes = (self.run(part, story, number)[0] for number in range(1, many + 1))
        return next((scope["nag"] for scope in scopes if "nag" in scope), None)

    def read_values(self, step: Observation, our: Observation) -> Mapping[str, str]:
        """Return the values of a step, and in `about` also what the nag has changed."""
        values = super().read_values(step, our)
        mine, ours = (either.seen()[0] for either in (step, our))
        is_same, was_same = (
            getattr(nag, "after", after) == after
            for nag, right in [
                (mine.get("nag"), ours["nag"]),
                (self.find_first(step), self.find_first(our)),
            ]
            for after in [getattr(right, "after", None)]
        )
        more = "# another threshold" if was_same else "# another threshold from the start"
        lines = [values.get("about", ""), "" if is_same else more]
        lines += ["" if mine["todo"].items == ours["todo"].items else "# another list"]
        return {**values, "about": "\n".join(filter(None, lines))}


def make_names(kind: type[Tasks] = Tasks, first: str = "pending") -> dict[str, Any]:
    """Return the names of a story, with lists of this kind."""
    lists = {"Tasks": kind, "todo": kind(first), "todo2": kind("Other pending")}
    return {"AFTER": AFTER, "calls": Calls(), "blocks": blocks, "Board": Board, "Own": Own} | lists


def find_values(scope: dict[str, Any], got: Any, right: Any) -> dict[str, str]:
    """Return what the page names: the count, the threshold, the list and its beginning."""
    nag, shown = scope["nag"], scope["todo"].render()
    values = {"after": str(nag.after), "count": str(nag.rounds), "list": shown}
    return values | {"line": shown.partition("\n")[0], "first": TEXTS[0]}


def is_open(tasks: list[str]) -> bool:
    return any("completed" not in task for task in tasks)


def write_ends(first: list[str], later: list[str]) -> str:
    """Return a story with a list, and with another one from the round with the reminder on."""
    view = "due" if is_open(later) else "may"
    begin = f"todo = Tasks(*{first}); nag = MyNag(todo, 3)"
    begin += "\nfor _ in range(2): due(nag(calls('bash')))"
    return f"{begin}\ntodo.write(*{later}); {view}(nag(calls('bash')))"


def make_random(part: str, look: str, priorities: list[str]) -> list[str]:
    """Return random stories, which are the same for everybody: the shortest first.

    `look` is what is done in each round, with `{calls}` in it.
    """
    chance, stories = Random(1), list[list[str]]()
    names = ["bash", "bash failed", "read_file", "write_file", "edit_file", "read_todo"]
    for number in range(40):
        after = 1 + number % 10 if number % 12 != 1 else 11 + 2 * number
        often = chance.choice([0.02, 0.2, 1])
        weights = [22 / len(names)] * len(names) + [often, often]
        tasks = list[str]()
        lines = [f"todo = Tasks(); nag = {part}(todo, {after})"]
        for _ in range(chance.randrange(after, after + (12 if number % 6 else 60))):
            many = chance.choice([1, 1, 2, 3, 14])
            these = chance.choices([*names, "todo failed", "todo"], weights, k=many)
            if len(lines) == 1 or "todo" in these or chance.random() < 0.3:
                tasks = write_tasks(chance, priorities)
                lines.append(f"todo.write(*{tasks})")
            line = look.format(calls=f"calls(*{these})")
            is_clear = is_open(tasks) or {"todo", "todo failed"} & {*these}
            lines.append(line if is_clear else line.replace("due(", "may("))
        stories.append(lines)
    return ["\n".join(lines) for lines in sorted(stories, key=len)]


def write_tasks(chance: Random, priorities: list[str]) -> list[str]:
    """Return up to seven tasks, of which one may be in progress, and some have a priority."""
    texts = ["Fix", "fix", "Fix it.", "Docs", "Add tests", "the README's {name}", "high"]
    texts = chance.sample(texts, chance.randrange(8))
    statuses = chance.choices(["pending", "pending", "completed"], k=len(texts))
    for place in chance.sample(range(len(texts)), min(len(texts), chance.randrange(2))):
        statuses[place] = "in_progress"
    pairs = zip(texts, statuses, strict=True)
    return [f"{text} {status} {chance.choice(priorities)}".strip() for text, status in pairs]


TASKS: list[list[str]] = [[], ["completed"], ["completed"] * 2, ["pending"], ["in_progress"]]
TASKS += [["completed", "pending"], ["pending", "completed"]]
TASKS += [["completed", "in_progress", "completed"]]
# It is looked at in each round, also of a list that the nag of another one could change.
CHANGES = "these = {calls}; changes(nag(these), these, {calls}, todo, todo2)"
VIEWS = (due, may, says, shows, changes)
PAGE = NagPage(
    "MyNag",
    __file__,
    make_names,
    views=VIEWS,
    values=find_values,
    solutions=read_solutions(),
)
STORIES = [story for title in ("counts", "back", "stays_due") for story in PAGE.read(title)]
STORIES = [story for story in STORIES if "getattr" not in story]  # those compare only the count
PAGE.add(
    says_the_sentence=[story.replace("due(", "says(") for story in STORIES],
    copes_without_open_tasks=[write_ends(*both) for both in product(TASKS, repeat=2)],
    only_reads=make_random("MyNag", CHANGES, [""])[::2],
    all_together=make_random("MyNag", "due(nag({calls}))", [""]),
    as_it_is_now=make_random("MyNag", "shows(nag({calls}), todo)", [""])[1::3],
)
