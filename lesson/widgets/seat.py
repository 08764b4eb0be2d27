"""The seat: read what the model reads in one round, and write the next message yourself."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from ipywidgets import HTML, Box, Button, Dropdown, Textarea, VBox

from agentlib.nag import REMINDER
from agentlib.room import LEFT_OUT

from ..common.message_blocks import MESSAGES_PER_ROUND, WINDOW, blocks_of, texts_of
from ..drawing.marks import Line
from ..drawing.picture import escape, plan, plan_text
from ..drawing.request_view import draw_request
from ..runs.request_parts import PROGRAM, REPLY, YOU, Authors, Request, RequestPart, read_request
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
COLUMNS = "the lost plan", "where it can still be seen", "you wrote"
GIVEN_TO_YOU, NOTHING = "filled in for you", "no line of yours"
GUESS = "a guess: nothing says so"
RESULT = (
    "Of the {seen} steps left that can still be seen, you named {named}. "
    "The other {lost} were only in the lost plan{guessed}."
)
GUESSED = "; you guessed {guesses} of them"
RULE = "Which step does each of your lines name? Their words only propose one: you decide."
NONE = "none of them"
# The first letters of words in the plan that name no step: "write docs" is not about the tests.
EMPTY_WORDS = {*"brin for inst its let that them writ".split()}


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
    `choices` has a field for each line: its words propose the step that it names, and the reader
    decides.
    """

    def __init__(self) -> None:
        """Read the recorded run up to the request of the round."""
        self.request = read_own_request(json.loads(RECORD.read_text(encoding="utf-8")))
        authors = [part.author for part in self.request.parts]
        self.prompt = authors.index(USER)  # the part that is open at first
        self.step_texts = [step.text for step in load_job("ten_steps").steps]
        self.known = [set[str]()] * GIVEN + list_known(self.list_steps()[GIVEN:])
        self.is_compared = False
        self.answer = Textarea(
            description="The steps that are left, one on each line",
            placeholder="Add …",
            tooltip="",
            rows=4,
        )
        self.compare = Button(description=COMPARE)
        self.choices = VBox()
        self.choices.add_class("lp-choices")
        self._fields: dict[str, Dropdown] = {}  # by the line
        self._top, self._left = HTML(), HTML()
        right = VBox([HTML(self.draw_given()), self.answer, self.choices, self.compare])
        super().__init__(self._top, Box([self._left, right]), css_class="lp-seat")
        self.compare.on_click(self.in_turn(self._turn_over))
        # A busy kernel gets the last letters after the click.
        self.answer.observe(self.in_turn(self._draw_again), "value")
        self._draw()

    def _turn_over(self, button: Any) -> None:
        """Show the lost plan in place of the messages, or the messages again."""
        self.is_compared = not self.is_compared
        set_class(self, "lp-compared", self.is_compared)
        self._draw()

    def _draw_again(self, change: Any) -> None:
        if self.is_compared:
            self._draw()

    def _draw(self) -> None:
        self.compare.description = BACK if self.is_compared else COMPARE
        if self.is_compared:
            self.choices.children = [self._find_field(line) for line in self._list_lines()]
            said = f"<p><b>{escape(self.say_result())}</b></p>"
            said += f"<p>{RULE}</p>" if self.choices.children else ""
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

    def draw_given(self) -> str:
        """Return the end of what is sent, which asks for the list, and the list's beginning."""
        done = [line._replace(note="") for line in self.list_steps()[:GIVEN]]
        return f"<p class='lp-asked'>▼ {REMINDER}</p>{plan(done)}"

    def say_result(self) -> str:
        """Return how many steps were named of those that can be seen, and how many were guessed."""
        left = self._compare()[GIVEN:]
        lost = [row for row in left if row.line.note == LOST]
        seen = [row for row in left if row.line.note != LOST]
        named, guesses = (sum(bool(row.yours) for row in rows) for rows in (seen, lost))
        guessed = GUESSED.format(guesses=guesses) if guesses else ""
        return RESULT.format(seen=len(seen), named=named, lost=len(lost), guessed=guessed)

    def _list_lines(self) -> list[str]:
        """Return the reader's lines, each once. A comma or a semicolon ends one as well."""
        lines = map(str.strip, re.split(r"[\n,;]", self.answer.value))
        return [*dict.fromkeys(filter(None, lines))]

    def _find_field(self, line: str) -> Dropdown:
        """Return the field for a line of the reader."""
        if line not in self._fields:
            steps = [(text, place) for place, text in enumerate(self.step_texts)][GIVEN:]
            field = Dropdown(
                description=line,
                options=[(NONE, -1), *steps],
                value=propose(line, self.known),
                tooltip="",
            )
            field.observe(self.in_turn(self._draw_again), "value")
            self._fields[line] = field
        return self._fields[line]

    def _compare(self) -> list[Beside]:
        """Return each step with the lines for which the reader has chosen it."""
        rows = [Beside(line, []) for line in self.list_steps()]
        for line in self._list_lines():
            if (place := self._find_field(line).value) >= 0:
                rows[place].yours.append(line)
        return rows

    def _draw_comparison(self) -> str:
        """Return the lost plan as a table, with the reader's lines beside their steps."""
        rows = self._compare()
        return draw_steps(rows, [say_missing(row.line) for row in rows])

    def _write_comparison(self) -> Iterator[str]:
        """Yield the lost plan as text, with the reader's lines below their steps."""
        rows = self._compare()
        for line, yours in rows:
            yield plan_text([line])
            guess = f" ({GUESS})" if yours and line.note == LOST else ""
            yield f"    you wrote: {'; '.join(yours) or say_missing(line)}{guess}"
        chosen = [line for row in rows for line in row.yours]
        if others := [line for line in self._list_lines() if line not in chosen]:
            yield f"{NONE}: {'; '.join(others)}"

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


def say_missing(step: Line) -> str:
    """Return what is beside a step for which no line was chosen."""
    return GIVEN_TO_YOU if step.state == "shown" else NOTHING


def find_note(number: int, text: str) -> str:
    """Return where a step of the plan can still be seen, and in which words if they are others."""
    if number not in STILL_SEEN:
        return LOST
    place, words = STILL_SEEN[number]
    return f"still visible in {place}" + ("" if words == text else f": “{words}”")


def list_words(text: str) -> set[str]:
    """Return the first four letters of each word: "test" is "testing", but "read" no "README"."""
    return {*re.findall(r"\breadme|\b[a-z]{1,4}", text.lower())} - EMPTY_WORDS


def list_known(steps: Sequence[Line]) -> list[set[str]]:
    """Return the words that only one step has, for each step: in it, or in where it is seen."""
    all_words = [list_words(f"{step.text} {step.note.partition('“')[2]}") for step in steps]
    often = Counter(word for words in all_words for word in words)
    return [{word for word in words if often[word] == 1 and len(word) > 2} for words in all_words]


def propose(text: str, known: Sequence[set[str]]) -> int:
    """Return the place of the step of which a text has the most words, or -1. Of equals, the last.

    `known` are the words of each step.
    """
    shared = [len(list_words(text) & words) for words in known]
    return max(range(len(known)), key=lambda place: (shared[place], place)) if any(shared) else -1


def draw_steps(rows: Sequence[Beside], missing: Sequence[str]) -> str:
    """Return the lost plan as a table: with its `missing` for a step that no line names."""
    head = "".join(f"<th scope='col'>{name}</th>" for name in COLUMNS)
    body = "".join(map(draw_step_row, rows, missing))
    return f"<table class='lp-beside'><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def draw_step_row(row: Beside, missing: str) -> str:
    """Return a step as a row of the table: with `missing` if no line names it."""
    line = row.line
    place = line.note.removeprefix("still visible in ")
    drawn = [escape(text) for text in row.yours]
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
