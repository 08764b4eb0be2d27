"""Make the data of a picture: the marks of a tape, the lines of a list, and the counts.

`picture` makes HTML and text from these lists, so both say the same. One unit of a tape is one
round. What the harness does is above a tape, and what the reader moves (▲) is below it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from agentlib.rendered_list import IN_THE_LINE

from ..samples.own_job import PRIORITIES

# The strokes in a square, as an SVG path in a field of 1 by 1.
BARS = "M.24 .3h.52M.24 .5h.52M.24 .7h.52"
TWO_BARS = "M.24 .4h.52M.24 .62h.52"
HALF_BARS = "M.13 .3h.27M.13 .5h.27M.13 .7h.27"
CHECK = "M.22 .54 .42 .74 .79 .27"
SMALL_CHECK = "M.57 .54 .68 .67 .87 .36"
CROSS = "M.29 .29 .71 .71M.71 .29 .29 .71"
TURN = "M.26 .5h.44M.74 .24v.52"
DOT = "M.5 .5h.01"
ARROW = "M.3 .25 .7 .5 .3 .75"
LATER = "."  # the sign of a round that is not reached yet


class MarkKind(NamedTuple):
    """How a mark is drawn, and what it means.

    `sign` is the mark as one character, `strokes` an SVG path, and `meaning` its title. A legend
    shows `short` in place of `meaning`, if it is given.
    """

    sign: str
    strokes: str
    meaning: str
    short: str = ""


# First the rounds of a run, by the letters of `lesson.runs.record`. A longer name is drawn in place
# of the letter with which it begins: see `find_mark_kind` below.
KINDS = {
    "p": MarkKind("≡", BARS, "writes its plan"),
    "pd": MarkKind("≣", HALF_BARS + SMALL_CHECK, "writes its plan and finishes a step"),
    "w": MarkKind("·", "", "works on a step", "works"),
    "u": MarkKind("-", "", "works; its files were not checked", "works"),
    "d": MarkKind("✓", CHECK, "finishes a step"),
    "s": MarkKind(
        "=",
        TWO_BARS,
        "writes a short plan, because it no longer sees the long one",
        "a short plan",
    ),
    "n": MarkKind(
        "┤",
        TURN,
        "ends its conversation, and the program begins a new one",
        "a new conversation follows",
    ),
    "e": MarkKind("□", "", "stops; its files were not checked", "stops"),
    "e-all": MarkKind("☑", CHECK, "stops; the files show all steps", "stops: all steps done"),
    "e-some": MarkKind(
        "☒", CROSS, "stops; the files do not show all steps", "stops: steps missing"
    ),
    # The lines of code in the walk, by what each has changed.
    "line": MarkKind("_", "", "changes nothing that is shown"),
    "count": MarkKind("●", DOT, "changes the count"),
    "list": MarkKind("≡", BARS, "changes the list"),
    "sent": MarkKind("▸", ARROW, "changes the messages"),
    "error": MarkKind("✗", CROSS, "raises an error"),
}

BLIND = {"l": "w", "f": "d"}  # the letter of a round without the plan: that of one with it
WITHOUT_PLAN = "without its plan"

Edge = tuple[int, str]  # how many rounds are before it, and a key of EDGES
EDGES = {
    "resumed": MarkKind("│", "M0 -.2V1.2", "resumed"),
    "failed": MarkKind("!", "M.3 .12V.6M.3 .86v.01", "ended by an error"),
}


class Mark(NamedTuple):
    """One square of a tape.

    `kind` is a key of KINDS, and `steps` is how many steps the round finishes. `read` says whether
    the model reads a reminder in this round. `state` is "left" (out of the window), "later" (not
    reached yet) or "". `words` is the title. `is_blind` says whether the model works without its
    plan: then the square has a ground.
    """

    kind: str
    steps: int = 0
    read: bool = False
    state: str = ""
    words: str = ""
    is_blind: bool = False

    @property
    def sign(self) -> str:
        """Return the mark as one character."""
        if self.state == "later":
            return LATER
        if self.steps > 1 and self.kind == "d":
            return str(self.steps)
        return KINDS[self.kind].sign


class Line(NamedTuple):
    """One line of a list.

    `state` is "shown" (the files show it), "claimed" (only the list says so), "now" or "open", and
    `listed` is what the list says: "claimed", "now", "open", or "" if it does not have the line.
    `place` is "gone" (vanished from the list), "lost" (out of the model's window), "new" (not a
    step of the job) or "". `more` are further fields of the item. `priority` is a key of PRIORITIES
    or "", and `time` says how many rounds the task has taken.
    """

    text: str
    state: str
    place: str = ""
    more: str = ""
    listed: str = ""
    priority: str = ""
    time: str = ""

    @property
    def words(self) -> str:
        """Return what the line's signs mean."""
        return ", ".join(filter(None, [STATES[self.state].meaning, PLACES[self.place]]))


class Count(NamedTuple):
    """A number of a run: "the files show", "3 of 10", and whether that is "good", "bad" or ""."""

    label: str
    value: str
    state: str = ""


class LineState(NamedTuple):
    """How a state of a line is drawn, and what it means.

    `box` is its sign in the box of the list, `in_text` its sign before the line in text, and `bar`
    its sign in each round of the timeline in text. A legend shows `short` in place of `meaning`, if
    it is given. `status` is that of the items that are in this state, or "".

    In HTML, the bar of the state NAME is a rule of marks.css, `.lp-tape .lp-is-NAME`.
    """

    box: str
    in_text: str
    bar: str
    meaning: str
    short: str = ""
    status: str = ""


STATES = {
    "open": LineState("", " ○ ", "─", "open", status="pending"),
    "now": LineState("▸", " ▸ ", "▸", "in progress", status="in_progress"),
    "shown": LineState("✓", " ✓ ", "▒", "the files show it", "done"),
    "claimed": LineState(
        "✓", "(✓)", "?", "only its list says so", "only its list says done", "completed"
    ),
    "lost": LineState("", " ○ ", "╌", "out of the window"),
    "gone": LineState("", " ○ ", "×", "not on its list"),
}
PLACES = {"": "", "new": "not a step of the job"} | {
    name: STATES[name].meaning for name in ("gone", "lost")
}


def find_status_state(status: Any) -> str:
    """Return the key in STATES of an item with this status. With an unknown one, it is "open"."""
    return next((name for name, state in STATES.items() if state.status == status), "open")


def list_marks(
    letters: str,
    steps: str,
    *,
    done: Sequence[bool | None],
    at: int | None = None,
    frame: tuple[float, float] = (0, 0),
) -> list[Mark]:
    """Return the marks of a run.

    `letters` has a letter for each round (a capital if a reminder was sent with its results), and
    `steps` a digit: how many steps the round finishes. `done` says for each round whether the files
    show all steps after it, or None if they were not judged. Rounds after round `at` are not
    reached yet. Those before the `frame` (`View.frame`) have left the window.
    """
    marks = []
    for place, (letter, digit) in enumerate(zip(letters, steps, strict=True)):
        kind = find_mark_kind(letter, int(digit), done[place])
        is_read = place > 0 and letters[place - 1].isupper()
        is_blind = letter.lower() in BLIND
        state = "left" if place + 1 <= frame[0] else ""
        meaning = describe_round(kind, int(digit), is_read, is_blind)
        if at is not None and place >= at:
            state, is_read, is_blind, meaning = "later", False, False, "not reached yet"
        words = f"Round {place + 1}: {meaning}"
        marks.append(Mark(kind, int(digit), is_read, state, words, is_blind))
    return marks


def find_mark_kind(letter: str, steps: int, done: bool | None) -> str:
    """Return the key in KINDS of a round with this letter, which finishes so many steps.

    `done` says whether the files show all steps after it, or is None if they were not judged.
    """
    kind = BLIND.get(letter.lower(), letter.lower())
    if kind == "p" and steps:
        return "pd"
    if kind == "e" and done is not None:
        return "e-all" if done else "e-some"
    return kind


def describe_round(kind: str, steps: int, is_read: bool, is_blind: bool) -> str:
    """Return what a round does: "finishes 2 steps without its plan, reads a reminder"."""
    words = KINDS[kind].meaning
    if steps > 1:
        words = words.replace("a step", f"{steps} steps")
    words += f" {WITHOUT_PLAN}" if is_blind else ""
    return words + (", reads a reminder" if is_read else "")


def make_line(text: str, item: Mapping[str, Any] | None, is_done: bool) -> Line:
    """Return the line of a step. `item` is that of the list, or None if the list lacks the step."""
    fields = item or {}
    listed = find_status_state(fields.get("status")) if item else ""
    more = [f"{name}: {fields[name]}" for name in fields if name not in IN_THE_LINE]
    state = "shown" if is_done else listed or "open"
    priority = str(fields.get("priority", "")).lower()
    priority = priority if priority in PRIORITIES else ""
    return Line(text, state, more=", ".join(more), listed=listed, priority=priority)


def normalize(text: Any) -> str:
    """Return a text so that two that differ only in case and space are equal."""
    return " ".join(str(text).casefold().split())


def list_counts(
    done: Sequence[bool], items: Sequence[Mapping[str, Any]], not_judged: str = ""
) -> list[Count]:
    """Return what the files show and what the list says.

    Without `done` or without `items`, that count is left out. `not_judged` says why it is not known
    what the files show, or is "".
    """
    counts = [Count("the files are", not_judged)] if not_judged else []
    if done:
        state = "good" if all(done) else "bad"
        counts.append(Count("the files show", f"{sum(done)} of {len(done)}", state))
    if items:
        ticked = sum(item.get("status") == "completed" for item in items)
        counts.append(Count("its list says", f"{ticked} of {len(items)}"))
    return counts
