"""The seat: read what the model reads in one round, and write the next message yourself."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

from ipywidgets import HTML, Box, Button, Textarea, VBox

from agentlib.loop import Round
from agentlib.nag import REMINDER

from ..drawing.marks import Count, Line, Mark, find_frame, list_lines, list_marks
from ..drawing.picture import (
    counts,
    counts_text,
    escape,
    legend,
    plan,
    plan_text,
    tape,
    tape_text,
)
from ..message_blocks import MESSAGES_PER_ROUND, find_prompt
from ..practice.policy.next_reply import WINDOW
from ..runs.from_messages import round_of
from ..runs.window import last_round_in_sight
from ..samples.jobs import load_job
from .drawn import Drawn, set_class

# The messages and the letters of a run up to the request of ROUND. They are recorded, because to
# play them takes two seconds of a new kernel. `make notebooks` plays them again.
RECORD = Path(__file__).with_suffix(".json")
ROUND = last_round_in_sight(WINDOW) + 1  # the first one that does not see the plan
AFTER = ROUND - 2  # the threshold whose reminder is read in this round
GIVEN = 3  # steps that the window shows as done; they are filled in for the reader
PROMPT, LOST, NOWHERE = "the prompt", "was only in the lost plan", "nowhere"
# Where each step of the lost plan can still be seen, and in which words; the others cannot.
STILL_SEEN = {
    1: ("round 2", "Rename the cryptic names in books.py"),
    2: ("round 4", "Turn the magic numbers in pricing.py into constants"),
    3: ("round 6", "Merge the two copies of the loop in orders.py"),
    6: ("the result of round 2", "load_old"),
    7: (PROMPT, "documented"),
    9: (PROMPT, "tested"),
    10: (PROMPT, "documented"),
}
LEDE = (
    f"This is round {ROUND} of a job in ten steps. The model sees the prompt, which is what the "
    f"user asked for, and the last {WINDOW} messages. They end with ▼ {REMINDER} "
    "Which steps are left?"
)
SIGHT, OUT_OF_SIGHT = f"it sees the last {WINDOW} messages", "its plan: out of sight"
YOURS = "the next message is yours"
COMPARE, BACK = "Compare with the plan", "Back to the messages"
SHORT = 3  # lines: text up to this length is shown in full
SIGNS = {"old_text": "− ", "new_text": "+ ", "content": "+ "}  # of the lines that a call writes
WORD = re.compile(r"[a-z0-9_]+\.(?:py|md)\b|[a-z0-9_]{4,}", re.IGNORECASE)
COMMON = {"into", "instead", "that", "them"}
# One of these words, or a file, is enough to name its step. Of other words, it takes two.
ENOUGH = 2
TELLING = ("docstrings", "documented", "guard", "load_old", "README", "tests")
COLUMNS = "".join(
    f"<th scope='col'>{name}</th>"
    for name in ("the lost plan", "where it can still be seen", "you wrote")
)
GIVEN_TO_YOU, NOT_NAMED, NOTHING = "filled in for you", "no line of yours names it", "nothing"
RULE = (
    "Each of your lines is beside the step with which it shares the most (in bold): a file, a word "
    "such as “tests”, or two other words."
)
OTHERS = "These name no step:"


class Beside(NamedTuple):
    """A step of the lost plan, and the reader's lines that name it."""

    line: Line
    yours: list[str]


class Seat(Drawn):
    """The model's seat in the round in which its plan has left the window.

    `answer` is the field for the reader's list, and `compare` the button that shows the lost plan.
    """

    def __init__(self) -> None:
        """Read the recorded run up to the request of the round."""
        recorded = json.loads(RECORD.read_text(encoding="utf-8"))
        self.sent, self.cells = recorded["messages"], recorded["cells"]
        turns = [round_of(self.sent[2 * n - 1 : 2 * n + 1], n) for n in range(1, ROUND)]
        self.seen = turns[-(WINDOW // MESSAGES_PER_ROUND) :]
        self.step_texts = [step.text for step in load_job("ten_steps").steps]
        self.is_compared = False
        self.answer = Textarea(
            description="The steps that are left, one on each line",
            placeholder="Add …",
            rows=5,
        )
        self.compare = Button(description=COMPARE)
        self._top, self._left = HTML(), HTML()
        given = HTML(plan([line._replace(note="") for line in self._list_lines()[:GIVEN]]))
        right = VBox([given, self.answer, self.compare])
        super().__init__(self._top, Box([self._left, right]), look="lp-seat")
        self.compare.on_click(lambda _: self._turn())
        self._draw()

    def _turn(self) -> None:
        """Show the lost plan in place of the messages, or the messages again."""
        self.is_compared = not self.is_compared
        set_class(self, "lp-compared", self.is_compared)
        self._draw()

    def _draw(self) -> None:
        self.compare.description = BACK if self.is_compared else COMPARE
        if self.is_compared:
            said = counts(self._list_counts())
            self._left.value = self._draw_comparison()
        else:
            named = self._list_marks()[1:]  # the plan has its name below it
            named[-1] = named[-2]._replace(read=True)  # and the reader's square in itself
            said = f"<p>{escape(LEDE)}</p>{legend(named)}"
            self._left.value = self._draw_messages()
        self._top.value = f"<div class='lp-here'>{self._draw_tape()}<div>{said}</div></div>"

    def _list_marks(self) -> list[Mark]:
        """Return the marks of the rounds up to the reader's own."""
        frame = find_frame(ROUND, WINDOW)
        marks = list_marks(self.cells, "0" * len(self.cells), frame=frame)
        return [*marks, Mark("e", read=True, words=f"Round {ROUND}: {YOURS}")]

    def _draw_tape(self) -> str:
        """Return the tape as HTML, with a name at the frame, at the lost plan and in the square."""
        start, _ = find_frame(ROUND, WINDOW)
        words = f"Round {ROUND}: the model sees the last {WINDOW} messages, and not its plan."
        drawn = tape(self._list_marks(), frame=find_frame(ROUND, WINDOW), words=words)
        return (
            f"<div class='lp-sat'><p style='--at:{start:g}'>{SIGHT}</p>{drawn}"
            f"<b style='--at:{ROUND - 1}'>you</b>"
            f"<p class='lp-bad' style='--at:0'>{OUT_OF_SIGHT}</p></div>"
        )

    def _draw_messages(self) -> str:
        """Return what the model sees as HTML. The prompt is above what scrolls."""
        removed = len(self.sent) - 1 - WINDOW
        drawn = "".join(draw_messages(turn) for turn in self.seen)
        return (
            f"<div class='lp-asked'><p><b>prompt</b>{escape(find_prompt(self.sent[0]))}</p>"
            f"<p class='lp-removed'>{removed} messages, with its plan: out of sight</p>"
            "<div class='lp-messages' role='region' tabindex='0' "
            f"aria-label='The last {WINDOW} messages'><ol>{drawn}"
            f"<li class='lp-yours'><b>round {ROUND}</b><b>{YOURS}</b></li></ol></div></div>"
        )

    def _list_lines(self) -> list[Line]:
        """Return the steps of the lost plan, each with where it can still be seen."""
        texts = self.step_texts
        notes = {text: find_note(number, text) for number, text in enumerate(texts, 1)}
        items = [{"text": texts[number - 1]} for number in STILL_SEEN]
        done = [number <= GIVEN for number in range(1, len(texts) + 1)]
        return list_lines(texts, items, done, notes)

    def _list_counts(self) -> list[Count]:
        total = len(self.step_texts)
        return [
            Count("can still be seen", f"{len(STILL_SEEN)} of {total}", "good"),
            Count("only in the lost plan", str(total - len(STILL_SEEN)), "bad"),
        ]

    def _compare(self) -> tuple[list[Beside], list[str]]:
        """Return each step with the reader's lines that name it, and the lines that name none."""
        rows = [Beside(line, []) for line in self._list_lines()]
        others = []
        for line in filter(None, map(str.strip, self.answer.value.splitlines())):
            # A line may name several steps, with commas between them.
            parts = [part.strip() for part in re.split("[,;]", line)]
            found = [add_beside(rows, part) for part in parts]
            if not any(found) and not add_beside(rows, line):
                others.append(line)
            elif any(found):
                others += [
                    part for part, is_found in zip(parts, found, strict=True) if not is_found
                ]
        return rows, [one for one in others if one]

    def _draw_comparison(self) -> str:
        """Return the lost plan as a table, with the reader's lines beside their steps."""
        rows, others = self._compare()
        drawn = "".join(
            draw_step_row(row, self._say_missing(number)) for number, row in enumerate(rows, 1)
        )
        said = ""
        if self.answer.value.strip():
            more = f"{OTHERS} <b>{escape('; '.join(others))}</b>" if others else ""
            said = f"<p class='lp-note'>{RULE} {more}</p>"
        return (
            f"<table class='lp-beside'><thead><tr>{COLUMNS}</tr></thead>"
            f"<tbody>{drawn}</tbody></table>{said}"
        )

    def _say_missing(self, number: int) -> str:
        """Return what is beside a step that no line of the reader names."""
        if number <= GIVEN:
            return GIVEN_TO_YOU
        return NOT_NAMED if self.answer.value.strip() else NOTHING

    def _write_comparison(self) -> Iterator[str]:
        """Yield the lost plan as text, with the reader's lines below their steps."""
        rows, others = self._compare()
        for number, (line, yours) in enumerate(rows, 1):
            yield plan_text([line])
            yield f"    you wrote: {'; '.join(yours) or self._say_missing(number)}"
        if others:
            yield f"{OTHERS} {'; '.join(others)}"

    def text(self) -> str:
        """Return the messages, and when the reader has compared, the plan and their own list."""
        parts = [LEDE, tape_text(self._list_marks(), frame=find_frame(ROUND, WINDOW))]
        parts += ["", f"prompt: {find_prompt(self.sent[0])}"]
        parts += [line for turn in self.seen for line in write_round(turn)]
        parts += [f"round {ROUND}: {YOURS}"]
        if self.is_compared:
            parts += ["", counts_text(self._list_counts()), *self._write_comparison()]
        elif self.answer.value.strip():
            parts += ["", "You wrote:", self.answer.value.strip()]
        return "\n".join(parts)


def find_note(number: int, text: str) -> str:
    """Return where a step of the plan can still be seen, and in which words if they are others."""
    if number not in STILL_SEEN:
        return LOST
    place, words = STILL_SEEN[number]
    return f"still visible in {place}" + ("" if words == text else f": “{words}”")


def stem(word: str) -> str:
    """Return a word without its ending, so that "test", "tests" and "tested" are equal."""
    word = word.casefold().removesuffix("s")
    for ending in ("ation", "ed", "ing", "e"):
        word = word.removesuffix(ending)
    return "document" if word == "doc" else word


def list_words(text: str) -> list[str]:
    """Return the words and files of a text: not the short words and not the common ones."""
    return [word for word in WORD.findall(text) if word.casefold() not in COMMON]


def find_shared(written: str, line: Line) -> set[str]:
    """Return the stems of the words that a text shares with a step, or with where it is seen.

    The name of a step's file is also one of its words without the ending: "receipt".
    """
    _, _, quoted = line.note.partition("“")
    words = list_words(f"{line.text} {quoted}")
    words += [word.partition(".")[0] for word in words]
    return {stem(word) for word in words} & {stem(word) for word in list_words(written)}


def weigh(word: str) -> int:
    """Return how much a stem that is shared with a step counts, of ENOUGH."""
    return ENOUGH if "." in word or word in map(stem, TELLING) else 1


def draw_step_row(row: Beside, missing: str) -> str:
    """Return a step as a row of the table: with `missing` if no line names it."""
    line = row.line
    place = line.note.removeprefix("still visible in ")
    drawn = [draw_shared(text, find_shared(text, line)) for text in row.yours]
    yours = "<br>".join(drawn) or f"<small>{missing}</small>"
    look = "lp-lost" if line.note == LOST else "lp-seen"
    sign = "✓" if line.look == "shown" else "○"
    return (
        f"<tr class='{look}'><th scope='row'><i aria-hidden='true'>{sign}</i>{escape(line.text)}"
        f"</th><td>{escape(NOWHERE if line.note == LOST else place)}</td>"
        f"<td>{yours}</td></tr>"
    )


def draw_shared(text: str, shared: set[str]) -> str:
    """Return a line of the reader as HTML, with the words that it shares in bold."""
    drawn, end = "", 0
    for found in WORD.finditer(text):
        if stem(found[0]) in shared:
            drawn += f"{escape(text[end : found.start()])}<b>{escape(found[0])}</b>"
            end = found.end()
    return drawn + escape(text[end:])


def draw_messages(turn: Round) -> str:
    """Return the two messages of a round as HTML: what the model says and calls, and the result."""
    (call,) = turn.calls
    name = f"{call.name} {call.input.get('path') or call.input.get('command', '')}"
    written = [
        f"{sign}{line}"
        for key, sign in SIGNS.items()
        for line in dedent(str(call.input.get(key, ""))).splitlines()
    ]
    reminder = f"<p class='lp-say'>▼ {escape(REMINDER)}</p>" if turn.reminder else ""
    return (
        f"<li><b>round {turn.number}</b><div>“{escape(turn.text)}” <code>{escape(name)}</code>"
        f"{draw_fold(written)}</div></li>"
        f"<li><b>result</b><div>{draw_fold(call.output.splitlines())}{reminder}</div></li>"
    )


def add_beside(rows: Sequence[Beside], text: str) -> bool:
    """Add a reader's words to the steps that they name best. Return whether they name one."""
    weights = [sum(map(weigh, find_shared(text, row.line))) for row in rows]
    most = max(weights)
    if most < ENOUGH:
        return False
    for row, weight in zip(rows, weights, strict=True):
        if weight == most:
            row.yours.append(text)
    return True


def write_round(turn: Round) -> Iterator[str]:
    """Yield the two messages of a round as text."""
    (call,) = turn.calls
    yield f"round {turn.number}: “{turn.text}” {call}"
    yield f"    result: {' / '.join(list_heads(call.output.splitlines()))}"
    if turn.reminder:
        yield f"    ▼ {REMINDER}"


def draw_fold(lines: Sequence[str]) -> str:
    """Return lines as HTML: those that are not indented, and all of them when unfolded."""
    heads, whole = list_heads(lines), "\n".join(lines)
    if len(lines) <= SHORT:
        return f"<pre>{escape(whole)}</pre>" if lines else ""
    shown = "\n".join(heads)
    return f"<details><summary>{escape(shown)}</summary><pre>{escape(whole)}</pre></details>"


def list_heads(lines: Sequence[str]) -> list[str]:
    """Return the lines that are not indented, with "…" if indented ones follow."""
    heads: list[str] = []
    for line in lines:
        start = line[2:] if line[:2] in SIGNS.values() else line
        if start and (not heads or not start[0].isspace()):
            heads.append(line)
        elif start and not heads[-1].endswith(" …"):
            heads[-1] += " …"
    return heads
