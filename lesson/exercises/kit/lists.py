"""Send lists to a learner's list: lists that break a rule or none, and what is said of each."""

import inspect
import re
import traceback
import unicodedata
from contextlib import suppress
from copy import deepcopy
from random import Random
from typing import Any

from lesson.common.learners_code import Raised, show

from .engine import Differs, Words, same
from .telling import telling

STATUSES, LEVELS = ["pending", "in_progress", "completed"], ["high", "medium", "low"]
FIX, DOCS = {"text": "Fix", "status": "pending"}, {"text": "Docs", "status": "pending"}
STARTED = [{"text": text, "status": "in_progress"} for text in ("Fix", "Docs", "Add tests")]
DONE = [{"text": f"Step {n:02}", "status": "completed"} for n in range(30)]
OPEN = [{"text": f"Step {n:02}", "status": "pending"} for n in range(30)]
# Texts that are not the same, and statuses that are none.
LONG = "x" * 400
TEXTS = ["Fix", "fix", "Fix it", "Fix.", "Fix  it", "the README's\n{name}"]
TEXTS += [f"{LONG}!", f"{LONG}?", f"!{LONG}", f"?{LONG}", "ﬁx", "Maße", "Masse", "Release"]
UNKNOWN = [
    "done",
    "complete",
    "progress",
    "in progress",
    "in-progress",
    "completed!",
    "pending completed",
]
# A field can have any of these values of JSON, also one that is empty or of another type.
VALUES: list[Any] = [None, "", [], {}, 0, False, 5, True, ["Fix"], {"text": "Fix"}]
NO_LISTS: list[Any] = ["Fix", ({"text": "Fix"},), {"text": "Fix"}, None, "", {}, 5, True]
NO_ITEMS: list[Any] = ["Fix", None, "", [], 5, True, ["Fix"]]
NO_TEXTS = [{}, {"id": "1"}, *({"text": value} for value in [" \n", *VALUES[:4]])]
# Twenty items with all fields, in no order.
BIG = [
    {
        "id": f"{n}",
        "text": text,
        "status": STATUSES[n % 2 * 2],
        "activeForm": text,
        "minutes": n % 9,
    }
    for n, text in enumerate(f"{n * 7 % 20} {TEXTS[n % 6]}" for n in range(20))
]
UNTIDY = [FIX | {"status": " In_Progress\n"}, {"text": "\tDocs ", "status": "COMPLETED"}]
# The last item of each breaks a rule.
MISTAKES = [
    *([FIX, item] for item in [*NO_TEXTS, *({**DOCS, "status": status} for status in UNKNOWN)]),
    *(STARTED, OPEN[:21], [DOCS, FIX, {"text": " Fix\n", "status": "completed"}]),
]
LISTS: list[list[Any]] = [
    *([], [FIX], STARTED[:1], DONE[:20], BIG, UNTIDY, [{"text": text} for text in TEXTS]),
    *([FIX | {name: value}] for name in ("id", "text", "status", "activeForm") for value in VALUES),
    *MISTAKES,
]
RAISE = (
    'Your code does not reject this list: `raise ValueError("…")` does, and it ends `update`. '
    "`return` and `print` do not."
)
MENDS = (
    "Your code drops a task of this list, or makes a legal value of a wrong one, and does not say "
    "so. Reject the whole list with a ValueError: only the model knows what it meant."
)
RAISE_VALUE_ERROR = (
    "This is another error: raise a ValueError. `assert` raises an AssertionError, and an "
    "`Exception` is not a ValueError."
)
SENT = (
    "Your code changes the items that were sent. They are in the history of the run, which must "
    "stay as it was sent: make copies, and do not sort in place."
)
RENDERED = (
    "`update` must return the list as it is at the end, as text, with all tasks in the order in "
    "which they were sent, and each with all its fields: as the last step, return what the "
    "`update` of the list that you extend returns. If you wrote your own `line`, begin with that "
    "of the other list."
)
EVERY_TASK = (
    "Look at every task of the new list, in the first place and in the last, and at no earlier "
    "list."
)
MESSAGE = "The model reads this message: say what is wrong, and what is allowed."
# Mistakes that can be read in the source of `update`: (pattern, sentence). They are looked up only
# after a rule about statuses or texts has failed.
SLIPS = (
    (
        r"==\s*['\"]\w+['\"]\s+or\s+['\"]",
        'A string alone is true, so `or "medium"` is always true: compare with `in` and a list.',
    ),
    (r"!=[^=\n]*\bor\b", "A condition with `!=` and `or` is always true: compare `not in`."),
    (
        r"\b(checked|items)\.count\(",
        "`checked` has dicts, and `count` looks for a whole one: count statuses or texts.",
    ),
    (
        r"==\s*['\"]in[ -]progress['\"]",
        "No status is equal to this word: `in_progress` is written with an underscore.",
    ),
    (
        r"for .*:\s*\n\s+\w+ *= *(0|False|\[\]|set\(\))\s*(#.*)?\n",
        "What your loop collects is made anew for each task: create it above the `for`.",
    ),
    (r"=\+", "`=+ 1` sets it to 1: write `+= 1`."),
    (
        r"for (\w+) in checked:\s*\n\s+for (\w+) in checked:(?![\s\S]* is not )",
        "In two loops over the same list, each task is also compared with itself: collect the "
        "texts that you have seen, or count them.",
    ),
)
NO_LIST = (
    "Your class extends no todo list: write the name of one after the name of your class, as in "
    "`class PriorityTodo(MyTodo):`, and run the cell of that list before."
)
# Of each list that extends another one.
OF_A_LIST = (
    (
        r"update\(\) (takes|missing|got)",
        "`update` gets one argument, the items: `def update(self, items):` and "
        "`super().update(items)`.",
    ),
    ("^RecursionError", "Your `update` calls itself: call `super().update(items)`."),
    ("type object 'super'", "Write `super()`, with parentheses: `super().update(items)`."),
)
# Words of some other languages, which no English sentence has, and letters that English has not.
FOREIGN = (
    r"\b(nicht|nur|darf|muss|sein|ist|sind|und|der|das|eine?[nmrs]?|keine?|aufgaben?|liste|ganze"
    r"|une|les|est|doit|doivent|avec|seule|tâches?|una|los|las|debe|deben|puede|tareas?|lista|toda"
    r"|deve|devono|tarefas?|uma)\b|[^\W\d_a-z]"
)


class Lists:
    """Makes lists of a class, and has the calls of the newest in `lines`, for `telling`."""

    def __init__(self, kind: Any) -> None:
        self.kind, self.lines = kind, list[str]()

    def send(self, *lists: Any) -> tuple[Any, Any]:
        """Send copies of these to a new list. Return it, and what the last `update` returned."""
        self.lines[:] = [f"todo = {self.kind.__name__}()"]
        todo, got = self.kind(), None
        for items in lists:
            self.lines.append(tell(items))
            got = todo.update(deepcopy(items))
        return todo, got

    def accept(self, *lists: Any, note: str) -> tuple[Any, Any]:
        """Send what breaks no rule, as `send` does. `note` says why the last may be rejected."""
        try:
            return self.send(*lists)
        except ValueError as problem:
            problem.note = note  # type: ignore[attr-defined]
            raise

    def reject(self, *lists: Any, note: str) -> ValueError:
        """Send what breaks a rule. Return the ValueError, or raise Differs with `note`."""
        try:
            todo, got = self.send(*lists)
        except ValueError as problem:
            return problem
        except Exception as problem:
            # By a line of the learner's own, and not by one that fails.
            line = traceback.extract_tb(problem.__traceback__)[-1].line or ""
            if is_raised_by_learner(problem) and line.startswith(("raise", "assert")):
                got = Words(show(Raised(problem)))
                raise Differs(got, Words("a ValueError"), RAISE_VALUE_ERROR) from problem
            raise
        is_stored = not isinstance(got, Exception | None) and got == todo.render()
        if note.startswith("Your code accepts") and is_stored and is_mended(lists[-1], todo.items):
            note = MENDS  # the other sentence would not be true
        lines = show(got).splitlines()
        got = Words("\n".join([*lines[:3], "…"] if len(lines) > 5 else lines))
        raise Differs(got, Words("a ValueError"), note if is_stored else RAISE)

    def error_of(self, items: Any) -> Exception | None:
        """Send these to a new list, and return the exception of any kind, or None."""
        try:
            self.send(items)
        except Exception as problem:
            return problem
        return None


def tell(items: Any) -> str:
    """Return the call that sends these, as a learner reads it. Of a long list, return the last."""
    if not isinstance(items, list) or len(items) < 9:
        return f"todo.update({show(items)})"
    return f"todo.update(items)  # {len(items)} tasks, of which the last is {show(items[-1])}"


def is_mended(sent: Any, kept: list[Any]) -> bool:
    """Return whether a list is stored with fewer tasks, or with another value of a field."""
    if not isinstance(sent, list) or len(kept) < len(sent):
        return isinstance(sent, list)
    pairs = [(one, other) for one, other in zip(sent, kept, strict=False) if isinstance(one, dict)]
    values = [(str(one[name]), str(other.get(name))) for one, other in pairs for name in one]
    return any(one.strip().lower() != other.strip().lower() for one, other in values)


def is_accepted(todo: Any, items: Any) -> bool:
    """Send a copy of these items, and return whether the list accepts them."""
    try:
        todo.update(deepcopy(items))
    except ValueError:
        return False
    return True


def is_raised_by_learner(problem: BaseException) -> bool:
    """Return whether an exception was raised by code that is not of this project."""
    frame, _ = [*traceback.walk_tb(problem.__traceback__)][-1]
    return frame.f_globals.get("__name__", "").partition(".")[0] not in ("agentlib", "lesson")


def check_message(problem: Any, words: list[str], of_rule: str = "", note: str = MESSAGE) -> None:
    """Raise Differs if the learner's message lacks one of these words.

    `of_rule` is a pattern that the message must have. The package's list has its own messages.
    """
    if not isinstance(problem, ValueError) or not is_raised_by_learner(problem):
        return
    message = str(problem)
    text = unicodedata.normalize("NFKC", message).lower()
    if lost := [f"`{word}`" for word in words if word not in text]:
        expected = Words(" ".join(["a message with", *words]))
        braces = "Braces are read only in an f-string. " if re.search(r"\{\w", text) else ""
        said = f"{braces}It does not contain {', '.join(lost)}. {note}"
        raise Differs(message, expected, said)
    if of_rule and not re.search(of_rule, text):
        raise Differs(message, Words("a message that says what is wrong"), note)


def is_foreign(text: str) -> bool:
    """Return whether a sentence is surely not in English."""
    return bool(re.search(FOREIGN, unicodedata.normalize("NFKC", text).lower()))


def find_slip(kind: Any, otherwise: str) -> str:
    """Return the sentence about a mistake that the source of `update` shows, or `otherwise`."""
    source = ""
    with suppress(OSError, TypeError, AttributeError):  # the source is not known
        source = inspect.getsource(kind.update)
    return next((said for pattern, said in SLIPS if re.search(pattern, source)), otherwise)


def stored(todo: Any, name: str = "text") -> list[Any]:
    """Return one field of each item in the list; None if it is not there."""
    assert isinstance(todo.items, list) and all(isinstance(one, dict) for one in todo.items), (
        "Other code reads the plan from `self.items`: a list with one dict for each item."
    )
    return [item.get(name) for item in todo.items]


def same_items(got: list[Any], expected: list[Any], note: str) -> None:
    """Raise Differs with the first item that differs."""
    for one, other in zip(got, expected, strict=False):
        same(one, other, note)
    same(f"{len(got)} items", f"{len(expected)} items", note)


def try_stories(kind: Any, defaults: dict[str, str]) -> None:
    """Play random stories with a list, and raise Differs in the shortest one that differs.

    `defaults` has the fields of a task that are looked at, beside its text, and what each is if it
    is left out.
    """
    lists, names = Lists(kind), ["text", *defaults]
    for story in make_stories():
        todo, _ = lists.send()
        kept: list[dict[str, Any]] = []
        with telling(lists.lines):
            for items in story:
                lists.lines.append(tell(items))
                filled = [{name: (defaults | item)[name] for name in names} for item in items]
                broken, got = find_broken(filled), Words("accepted")
                if not is_accepted(todo, items):
                    got = Words("rejected")
                note = f"In the last list, {broken or 'no rule is broken'}. {EVERY_TASK}"
                same(got, Words("rejected" if broken else "accepted"), note)
                kept = kept if broken else filled
                same_items([{n: item.get(n) for n in names} for item in todo.items], kept, note)


def find_broken(items: list[dict[str, Any]]) -> str:
    """Return what is wrong with a list of a random story, or ""."""
    for item in items:
        if item["status"] not in STATUSES:
            return f"a status is {item['status']!r}"
        if item.get("priority", "low") not in LEVELS:
            return f"a priority is {item['priority']!r}"
    if sum(item["status"] == "in_progress" for item in items) > 1:
        return "two tasks are in progress"
    return "two texts are equal" if len({one["text"] for one in items}) < len(items) else ""


def make_stories() -> list[list[list[dict[str, Any]]]]:
    """Return stories of lists that are sent one after the other, the shortest first.

    They are random, and the same for everybody. In a list, each id is there only once, because a
    learner may have a rule about equal ones.
    """
    chance = Random(3)
    stories = [[make_items(chance) for _ in range(1 + n % 5)] for n in range(120)]
    return sorted(stories, key=lambda story: sum(map(len, story)))


def make_items(chance: Random) -> list[dict[str, Any]]:
    """Return up to seven tasks, of which any may break a rule."""
    long = "Add tests for all modules of the shop, and run them"
    texts = ["Fix", "fix", "Fix it", "Fix.", long, f"{long} once", "the README's {name}"]
    items: list[dict[str, Any]] = []
    for n, text in enumerate(chance.sample(texts, chance.randrange(8))):
        item = {
            "id": f"{chance.choice(LEVELS)} {n}",
            "text": text,
            "status": chance.choice(["pending", "completed"]),
        }
        if chance.random() < 0.5:
            item["priority"] = chance.choice(LEVELS)
        for name in ("id", "status"):
            if chance.random() < 0.2:
                del item[name]
        items.append(item)
    started = chance.choice([0, 1, 1, 1, 2])
    for item in chance.sample(items, min(len(items), started)):
        item["status"] = "in_progress"
    if items and chance.random() < 0.4:  # one mistake more, of any kind, at any place
        name, value = chance.choice([("status", "done"), ("priority", "urgent"), ("text", "")])
        chance.choice([*items, items[-1]])[name] = value or chance.choice(items)["text"]
    return items


def same_as(parent: Any, kind: Any, lists: list[Any], note: str, **more: str) -> None:
    """Send these lists, one after the other, to a list and to its parent.

    Raise Differs if one is accepted, rejected, stored or shown in another way, or is changed. Each
    item has `more` fields, which may also be in the parent's error.
    """
    todo, other = kind(), parent()
    for items in lists:
        try:
            answers = [answer(other, deepcopy(one)) for one in add_fields(items, more)]
        except Exception:  # a parent that does not pass its own check
            continue
        (is_legal, shown), sent = answers[0], deepcopy(items)
        is_of_dicts = isinstance(items, list) and all(isinstance(one, dict) for one in items)
        with telling([tell(items)]):
            try:
                got = answer(todo, sent)
            except Exception as problem:
                said = "" if is_of_dicts else note
                raise Differs(Words(show(Raised(problem))), Words(shown), said) from problem
            # What is no list of dicts may also be rejected with an error of the learner's own.
            is_other = is_of_dicts and not is_legal and got not in answers
            if got[0] != is_legal or is_other:
                raise Differs(Words(str(got[1])), Words(shown), note)
            same_items(todo.items, [{**item, **more} for item in other.items], note)
            if is_of_dicts:
                same_items(sent, items, SENT)
            if is_legal:
                same(got[1], todo.render(), RENDERED)
                lost = [one for one in re.findall(r"\w+", f"{shown} {more}") if one not in got[1]]
                if lost and items:
                    raise Differs(Words(got[1]), Words(f"a list that has {lost[0]}"), RENDERED)


def answer(todo: Any, items: Any) -> tuple[bool, str]:
    """Return whether a list accepts these items, and what it returns, or its error."""
    try:
        return True, todo.update(items)
    except ValueError as problem:
        return False, show(Raised(problem))


def add_fields(items: Any, more: dict[str, str]) -> list[Any]:
    """Return the items as they are, and with `more` fields at the end and at the beginning."""
    if not isinstance(items, list):
        return [items]
    makes = (lambda one: one, lambda one: {**one, **more}, lambda one: {**more, **one})
    return [[make(one) if isinstance(one, dict) else one for one in items] for make in makes]
