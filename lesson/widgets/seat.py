"""The seat: read what the model reads in one round, and write the next message yourself."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from ipywidgets import HTML, Box, Button, Textarea, VBox

from agentlib.nag import REMINDER
from agentlib.room import LEFT_OUT

from ..common.message_blocks import MESSAGES_PER_ROUND, WINDOW, blocks_of, texts_of
from ..drawing.marks import Line
from ..drawing.picture import escape, plan, plan_text
from ..drawing.request import draw_request
from ..runs.request import PROGRAM, REPLY, YOU, Authors, Request, RequestPart, read_request
from ..runs.window import TodoList, View, last_round_in_sight
from ..samples.jobs import load_job
from .drawn import Drawn, set_class

# The request of ROUND. It is recorded, because to play the run takes two seconds of a new kernel.
# `make notebooks` plays it again.
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
    f"This is round {ROUND} of a job in ten steps. Below is all that the model sees: press a line "
    f"to read it. The last one says ▼ {REMINDER} Which steps are left? Write in English, or give "
    "the names of files."
)
YOURS = "the next message is yours"
COMPARE, BACK = "Compare with the plan", "Back to the messages"
WORD = re.compile(r"[a-z0-9_]+\.(?:py|md)\b|[a-z0-9_]{4,}|old", re.IGNORECASE)
ENDINGS = ("s", "ation", "ed", "ing", "e")  # of a word, taken away in this order
COMMON = {"into", "instead", "that", "them"}
# One of these words, or a file, is enough to name its step. Of other words, it takes two.
ENOUGH = 2
TELLING = ("docstrings", "documented", "guard", "load_old", "README", "tests")
COLUMNS = "the lost plan", "where it can still be seen", "you wrote"
GIVEN_TO_YOU, NOT_NAMED, NOTHING = "filled in for you", "no line of yours names it", "nothing"
GUESS = "a guess: nothing says so"
RESULT = (
    "Of the {seen} steps left that can still be seen, you named {named}. "
    "The other {lost} were only in the lost plan{guessed}."
)
GUESSED = "; you guessed {guesses} of them"
RULE = (
    "Each of your lines is beside the step with which it shares the most (in bold): a file, a word "
    "such as “tests”, or two other words."
)
OTHERS = "These name no step:"


# Who wrote the parts of the request: nothing is the reader's yet, and no part has a name.
USER = "the user"
AUTHORS = Authors(todo=PROGRAM, nag=PROGRAM, ask="")


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
        self.request = read_own_request(json.loads(RECORD.read_text(encoding="utf-8")))
        authors = [part.author for part in self.request.parts]
        self.prompt = authors.index(USER)  # the part that is open at first
        self.step_texts = [step.text for step in load_job("ten_steps").steps]
        self.is_compared = False
        self.answer = Textarea(
            description="The steps that are left, one on each line",
            placeholder="Add …",
            rows=4,
        )
        self.compare = Button(description=COMPARE)
        self._top, self._left = HTML(), HTML()
        given = HTML(plan([line._replace(note="") for line in self.list_steps()[:GIVEN]]))
        right = VBox([given, self.answer, self.compare])
        super().__init__(self._top, Box([self._left, right]), css_class="lp-seat")
        self.compare.on_click(self.in_turn(self._turn_over))
        # A busy kernel gets the last letters after the click.
        self.answer.observe(self.in_turn(lambda _: self.is_compared and self._draw()), "value")
        self._draw()

    def _turn_over(self, button: Any) -> None:
        """Show the lost plan in place of the messages, or the messages again."""
        self.is_compared = not self.is_compared
        set_class(self, "lp-compared", self.is_compared)
        self._draw()

    def _draw(self) -> None:
        self.compare.description = BACK if self.is_compared else COMPARE
        if self.is_compared:
            said = f"<p><b>{escape(self.say_result())}</b></p>"
            self._left.value = self._draw_comparison()
        else:
            said = f"<p>{escape(LEDE)}</p>"
            self._left.value = draw_request(self.request, "seat", chosen=self.prompt)
        self._top.value = said

    def list_steps(self) -> list[Line]:
        """Return the steps of the lost plan, each with where it can still be seen."""
        return [
            Line(
                text,
                "shown" if number <= GIVEN else "open",
                place="" if number in STILL_SEEN else "gone",
                note=find_note(number, text),
            )
            for number, text in enumerate(self.step_texts, 1)
        ]

    def say_result(self) -> str:
        """Return how many steps were named of those that can be seen, and how many were guessed."""
        left = self._compare()[0][GIVEN:]
        lost = [row for row in left if row.line.note == LOST]
        seen = [row for row in left if row.line.note != LOST]
        named, guesses = (sum(bool(row.yours) for row in rows) for rows in (seen, lost))
        guessed = GUESSED.format(guesses=guesses) if guesses else ""
        return RESULT.format(seen=len(seen), named=named, lost=len(lost), guessed=guessed)

    def _compare(self) -> tuple[list[Beside], list[str]]:
        """Return each step with the reader's lines that name it, and the lines that name none."""
        rows = [Beside(line, []) for line in self.list_steps()]
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
        missing = [self._say_missing(number) for number, _ in enumerate(rows, 1)]
        table = draw_steps(rows, missing)
        if not self.answer.value.strip():
            return table
        more = f"{OTHERS} <b>{escape('; '.join(others))}</b>" if others else ""
        return f"{table}<p class='lp-note'>{RULE} {more}</p>"

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
            guess = f" ({GUESS})" if yours and line.note == LOST else ""
            yield f"    you wrote: {'; '.join(yours) or self._say_missing(number)}{guess}"
        if others:
            yield f"{OTHERS} {'; '.join(others)}"

    def text(self) -> str:
        """Return the messages, and when the reader has compared, the plan and their own list."""
        parts = [LEDE, "", str(self.request)]
        if self.is_compared:
            parts += ["", self.say_result(), *self._write_comparison()]
        elif self.answer.value.strip():
            parts += ["", "You wrote:", self.answer.value.strip()]
        return "\n".join(parts)


def read_own_request(sent: dict[str, Any]) -> Request:
    """Return the request of the round, whose last message is the reader's, and still empty."""
    left_out = {1: sent.pop("left_out")}
    prompt, *messages = sent["messages"]
    numbers = (0, *(2 + place // MESSAGES_PER_ROUND for place in range(len(messages))))
    opening = tuple(text for text in texts_of(prompt) if text != LEFT_OUT)
    view = View(ROUND, numbers, left_out, opening, TodoList(1, ()))
    calls = [block.get("id") for block in blocks_of(messages[-2])]
    reminders = dict.fromkeys(map(str, calls), f"<reminder>{REMINDER}</reminder>")
    request = read_request(sent, view, reminders, [], AUTHORS)
    seen = [*request.parts]
    for place, one in enumerate(seen):
        if one.author == YOU:  # here, the reader is the model
            said = one.origin.replace("You", "The user", 1)
            seen[place] = one._replace(author=USER, origin=said)
    yours = RequestPart(
        REPLY, "text", YOURS, YOU, "Write it at the side: it is what the model says next."
    )
    return replace(request, parts=(*seen, yours))


def find_note(number: int, text: str) -> str:
    """Return where a step of the plan can still be seen, and in which words if they are others."""
    if number not in STILL_SEEN:
        return LOST
    place, words = STILL_SEEN[number]
    return f"still visible in {place}" + ("" if words == text else f": “{words}”")


def stem(word: str) -> str:
    """Return a word without its ending, so that "test", "tests" and "tested" are equal."""
    word = word.casefold()
    for ending in ENDINGS:
        word = word.removesuffix(ending)
    return "document" if word == "doc" else word


def list_words(text: str) -> list[str]:
    """Return the words and files of a text: not the short words and not the common ones."""
    return [word for word in WORD.findall(text) if word.casefold() not in COMMON]


def list_stems(line: Line) -> set[str]:
    """Return the stems of the words by which a step is known, or by where it is seen.

    The name of a step's file is also one of its words without the ending: "receipt". A name such as
    `load_old` has two words more.
    """
    _, _, quoted = line.note.partition("“")
    words = list_words(f"{line.text} {quoted}")
    words += [part for word in words for part in re.split("[._]", word)]
    return {stem(word) for word in words}


def find_shared(written: str, line: Line) -> set[str]:
    """Return the stems of the words that a text shares with a step, or with where it is seen.

    With the word "file" behind it, the name of a file without its ending is the file.
    """
    written = re.sub(r"\b(\w+) file\b", r"\1.py \1.md", written, flags=re.IGNORECASE)
    return list_stems(line) & {stem(word) for word in list_words(written)}


def weigh(word: str) -> int:
    """Return how much a stem that is shared with a step counts, of ENOUGH."""
    return ENOUGH if "." in word or word in map(stem, TELLING) else 1


def draw_steps(rows: Sequence[Beside], missing: Sequence[str]) -> str:
    """Return the lost plan as a table: with its `missing` for a step that no line names."""
    head = "".join(f"<th scope='col'>{name}</th>" for name in COLUMNS)
    body = "".join(map(draw_step_row, rows, missing))
    return f"<table class='lp-beside'><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def draw_step_row(row: Beside, missing: str) -> str:
    """Return a step as a row of the table: with `missing` if no line names it."""
    line = row.line
    place = line.note.removeprefix("still visible in ")
    drawn = [draw_shared(text, find_shared(text, line)) for text in row.yours]
    is_lost = line.note == LOST
    drawn += [f"<small>{GUESS}</small>"] if drawn and is_lost else []
    yours = "<br>".join(drawn) or f"<small>{missing}</small>"
    css_class = "lp-lost" if is_lost else "lp-seen"
    sign = "✓" if line.state == "shown" else "○"
    return (
        f"<tr class='{css_class}'>"
        f"<th scope='row'><i aria-hidden='true'>{sign}</i>{escape(line.text)}"
        f"</th><td>{escape(NOWHERE if is_lost else place)}</td>"
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
