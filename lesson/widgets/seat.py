"""The seat: read what the model reads in one round, and write the next message yourself."""

from collections.abc import Iterator, Sequence
from textwrap import dedent

from ipywidgets import HTML, Box, Button, Textarea, VBox

from agentlib.loop import Round
from agentlib.nag import REMINDER

from ..drawing.marks import Count, Line, Mark, find_frame, list_lines, list_marks
from ..drawing.picture import (
    counts,
    counts_text,
    escape,
    plan,
    plan_text,
    tape,
    tape_text,
)
from ..message_blocks import find_prompt
from ..practice.policy.next_reply import WINDOW
from ..runs.run import Run
from ..runs.window import last_round_in_sight
from .drawn import Drawn

ROUND = last_round_in_sight(WINDOW) + 1  # the first one that does not see the plan
AFTER = ROUND - 2  # the threshold whose reminder is read in this round
GIVEN = 3  # steps that the window shows as done; they are filled in for the reader
PROMPT, LOST = "the prompt", "was only in the lost plan"
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
    f"An agent is working in ten steps. It is round {ROUND}, and this is all that the model sees: "
    f"the prompt and the last {WINDOW} messages. Now the harness says ▼ {REMINDER} "
    "What do you write?"
)
COMPARE, BACK = "Compare with the plan", "Back to the messages"
SHORT = 3  # lines: text up to this length is shown in full
SIGNS = {"old_text": "− ", "new_text": "+ ", "content": "+ "}  # of the lines that a call writes


class Seat(Drawn):
    """The model's seat in the round in which its plan has left the window.

    `answer` is the field for the reader's list, and `compare` the button that shows the lost plan.
    """

    def __init__(self) -> None:
        """Play the run up to the request of the round."""
        run = Run(after=AFTER, window=WINDOW)
        for _ in zip(range(ROUND), run.play_rounds(), strict=False):
            pass
        self.sent = run.messages[: 2 * ROUND - 1]  # in the round: the prompt, and two for each
        self.seen = run.rounds[ROUND - 1 - WINDOW // 2 : ROUND - 1]
        self.cells, self.step_texts = run.cells[: ROUND - 1], run.step_texts
        self.is_compared = False
        self.answer = Textarea(
            description="Your other steps, one on each line",
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
        (self.add_class if self.is_compared else self.remove_class)("lp-compared")
        self._draw()

    def _draw(self) -> None:
        self.compare.description = BACK if self.is_compared else COMPARE
        if self.is_compared:
            lede, beside = "", counts(self._list_counts())
            self._left.value = plan(self._list_lines())
        else:
            lede, beside = f"<p>{escape(LEDE)}</p>", f"<b>you, in round {ROUND}</b>"
            self._left.value = self._draw_messages()
        self._top.value = f"{lede}<div class='lp-here'>{self._draw_tape()}{beside}</div>"

    def _list_marks(self) -> list[Mark]:
        """Return the marks of the rounds up to the reader's own."""
        frame = find_frame(ROUND, WINDOW)
        marks = list_marks(self.cells, "0" * len(self.cells), frame=frame)
        return [*marks, Mark("e", read=True, words=f"Round {ROUND}: the next message is yours")]

    def _draw_tape(self) -> str:
        words = f"Round {ROUND}: the model sees the last {WINDOW} messages, and not its plan."
        return tape(self._list_marks(), frame=find_frame(ROUND, WINDOW), words=words)

    def _draw_messages(self) -> str:
        removed = len(self.sent) - 1 - WINDOW
        drawn = "".join(draw_round(turn) for turn in self.seen)
        return (
            "<div class='lp-messages' role='region' tabindex='0' "
            "aria-label='What the model sees'><ol>"
            f"<li><b>prompt</b><div>{escape(find_prompt(self.sent[0]))}</div></li>"
            f"<li class='lp-removed'>{removed} messages have left the window</li>"
            f"{drawn}</ol></div>"
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

    def text(self) -> str:
        """Return the messages, and when the reader has compared, the plan and their own list."""
        parts = [LEDE, tape_text(self._list_marks(), frame=find_frame(ROUND, WINDOW))]
        parts += ["", f"prompt: {find_prompt(self.sent[0])}"]
        parts += [line for turn in self.seen for line in write_round(turn)]
        if self.answer.value.strip():
            parts += ["", "You wrote:", self.answer.value.strip()]
        if self.is_compared:
            parts += ["", counts_text(self._list_counts()), plan_text(self._list_lines())]
        return "\n".join(parts)


def find_note(number: int, text: str) -> str:
    """Return where a step of the plan can still be seen, and in which words if they are others."""
    if number not in STILL_SEEN:
        return LOST
    place, words = STILL_SEEN[number]
    return f"still visible in {place}" + ("" if words == text else f": “{words}”")


def draw_round(turn: Round) -> str:
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
