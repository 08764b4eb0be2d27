"""What is drawn: the marks of a tape, the lines of a list and the counts, before any markup.

HTML and text are written from the same lists (see `picture`), so they always say the same. One unit
of a tape is one round. Above a tape is what the harness does, below it is the reader's hand.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from agentlib.todo import IN_THE_LINE

# The strokes in a square, in a field of 1 by 1.
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
    """How a mark is drawn: its sign in text, its strokes, and its meaning.

    `short` is its meaning in a legend, if that is not the same.
    """

    sign: str
    strokes: str
    meaning: str
    short: str = ""


# The kinds of marks by their letters. First the rounds of a run: see `lesson.runs.record`.
# A kind with several letters is drawn in place of another one: see `find_mark_kind` below.
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
    # The lines of a program that runs: what each has changed.
    "line": MarkKind("_", "", "changes nothing that is shown"),
    "count": MarkKind("●", DOT, "changes the count"),
    "list": MarkKind("≡", BARS, "changes the list"),
    "sent": MarkKind("▸", ARROW, "changes the messages"),
    "error": MarkKind("✗", CROSS, "raises an error"),
}

# The letters of rounds without the plan, and the kinds of which they are.
BLIND = {"l": "w", "f": "d"}
WITHOUT_PLAN = "without its plan"

Edge = tuple[int, str]  # the number of rounds before it, and a key of EDGES
# Where another run goes on, and what ended one behind its last round.
EDGES = {
    "resumed": MarkKind("│", "M0 -.2V1.2", "resumed"),
    "failed": MarkKind("!", "M.3 .12V.6M.3 .86v.01", "ended by an error"),
}


class Mark(NamedTuple):
    """One square of a tape.

    `kind` is a key of KINDS, and `steps` is how many steps the files show more than before. `read`
    says whether the model reads a reminder in this round. `state` is "left" (out of the window),
    "later" (not reached yet) or "". `words` is the title. `is_blind` says whether the model works
    without its plan: that is the ground below the square.
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
    `place` is "gone" (vanished from the list), "lost" (out of the model's window), "new" (made up,
    no step of the job) or "". `more` are further fields of the item. `priority` is a word of
    PRIORITIES or "", and `time` the rounds of the task.
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
    """One number of a run: "the files show", "3 of 10", and whether that is "good" or "bad"."""

    label: str
    value: str
    state: str = ""


class LineState(NamedTuple):
    """How the state of a line is drawn: its sign in a box, its sign in text, and its meaning."""

    sign: str
    in_text: str
    meaning: str


STATES = {
    "shown": LineState("✓", " ✓ ", "the files show it"),
    "claimed": LineState("✓", "(✓)", "only its list says so"),
    "now": LineState("▸", " ▸ ", "in progress"),
    "open": LineState("", " ○ ", "open"),
}
PLACES = {
    "": "",
    "gone": "not on its list",
    "lost": "out of the window",
    "new": "not a step of the job",
}
# How many bars of three a priority has.
PRIORITIES = {"high": 3, "medium": 2, "low": 1}
# The state of each status of a list; of another one, it is "open".
STATUS = {"pending": "open", "in_progress": "now", "completed": "claimed"}


def list_marks(
    letters: str,
    steps: str,
    *,
    done: Sequence[bool | None] = (),
    at: int | None = None,
    frame: tuple[float, float] = (0, 0),
) -> list[Mark]:
    """Return the marks of a run.

    `letters` has a letter for each round (a capital if a reminder was sent with its results), and
    `steps` a digit: how many steps the files show more than before it. `done` says for each round
    whether they show all steps after it, or None if they were not judged; it is empty if they never
    were. Rounds after round `at` are not reached yet; those before the `frame` have left the window
    (`View.frame`).
    """
    marks = []
    for place, (letter, digit) in enumerate(zip(letters, steps, strict=True)):
        kind = find_mark_kind(letter, int(digit), done[place] if done else None)
        is_read = place > 0 and letters[place - 1].isupper()
        is_blind = letter.lower() in BLIND
        state = "left" if place + 1 <= frame[0] else ""
        says = describe_round(kind, int(digit), is_read, is_blind)
        if at is not None and place >= at:
            state, is_read, is_blind, says = "later", False, False, "not reached yet"
        words = f"Round {place + 1}: {says}"
        marks.append(Mark(kind, int(digit), is_read, state, words, is_blind))
    return marks


def find_mark_kind(letter: str, steps: int, done: bool | None) -> str:
    """Return the key in KINDS of a round: its letter, or one that says more.

    `done` says whether the files show all steps after it; None if they were not judged.
    """
    kind = BLIND.get(letter.lower(), letter.lower())
    if kind == "p" and steps:
        return "pd"
    if kind == "e" and done is not None:
        return "e-all" if done else "e-some"
    return kind


def describe_round(kind: str, steps: int, is_read: bool, is_blind: bool = False) -> str:
    """Return what a round does: "finishes 2 steps without its plan, reads a reminder"."""
    words = KINDS[kind].meaning
    if steps > 1:
        words = words.replace("a step", f"{steps} steps")
    words += f" {WITHOUT_PLAN}" if is_blind else ""
    return words + (", reads a reminder" if is_read else "")


def make_line(text: str, item: Mapping[str, Any] | None, is_done: bool) -> Line:
    """Return the line of a step or an item, with the item's further fields."""
    fields = item or {}
    listed = STATUS.get(str(fields.get("status")), "open") if item else ""
    more = [f"{name}: {fields[name]}" for name in fields if name not in IN_THE_LINE]
    state = "shown" if is_done else listed or "open"
    priority = str(fields.get("priority", "")).lower()
    priority = priority if priority in PRIORITIES else ""
    return Line(text, state, more=", ".join(more), listed=listed, priority=priority)


def normalize(text: Any) -> str:
    """Return a text as it is compared with another one: case and space do not matter."""
    return " ".join(str(text).casefold().split())


def list_counts(
    done: Sequence[bool], items: Sequence[Mapping[str, Any]], not_judged: str = ""
) -> list[Count]:
    """Return what the files show and what the list says; nothing for what there is not.

    `not_judged` says why it is not known what the files show, or is "".
    """
    counts = [Count("the files are", not_judged)] if not_judged else []
    if done:
        state = "good" if all(done) else "bad"
        counts.append(Count("the files show", f"{sum(done)} of {len(done)}", state))
    if items:
        ticked = sum(item.get("status") == "completed" for item in items)
        counts.append(Count("its list says", f"{ticked} of {len(items)}"))
    return counts
