"""The walk: the learner's loop, list and nag while they run, line by line."""

import re
from functools import cached_property
from itertools import groupby
from keyword import kwlist
from types import CodeType
from typing import Any

from ipywidgets import HTML, Button, HBox, IntSlider, Play, link

from ..common.pluralize import pluralize
from ..drawing.marks import KINDS, STATES, Mark, find_status_state
from ..drawing.picture import draw_legend, draw_tape, escape, format_legend, format_tape
from ..walk.recorder import ENTRIES, CodeStep
from ..walk.scenes import (
    THRESHOLD,
    Scenes,
    State,
    describe_effects,
    find_sought,
    find_step_kind,
    name_of,
    record,
)
from ..walk.source import read_function
from .drawn import DrawnWhenShown

REPLAY_MILLISECONDS = 900  # for each line, because a reader reads it
# Of the function that runs: with the first number, a loop is seen as a whole in a window of 800
# pixels, and with the second one, its line is seen in a small window, which hides the others.
SHOWN_LINES, FEWEST_LINES = 27, 8
DECIDE = "this line"
NOT_REACHED = Mark("line", state="later", words="not reached yet")
TOKEN = re.compile(
    rf"""(?P<em>\#.*)|(?P<q>[bfr]*(?:"[^"]*"|'[^']*'))|\b(?P<b>{"|".join(kwlist)})\b"""
)


class Walk(DrawnWhenShown):
    """Two rounds of the ten steps as they ran: each line is a square, and ▲ is the one that ran.

    In the first round, a list is rejected; in the second one, a reminder is sent. `line` is the
    slider, and `decide` the button with which the reader says that a line is one of those to find.
    The code is yours where it passes, and otherwise our solution's.
    """

    working = "Your code runs, line by line …"

    def __init__(self) -> None:
        """Make the parts. The two rounds are recorded when they are first needed."""
        self.found: dict[str, int] = {}  # the number of each sought line that the reader has named
        self.answer = ""  # to the last line that the reader has named
        self.line = IntSlider(1, min=1, max=2, readout=False, tooltip="")
        self.replay = Play(min=1, max=2, interval=REPLAY_MILLISECONDS, show_repeat=False)
        link((self.replay, "value"), (self.line, "value"))  # see run_view.py
        self.decide = Button(description=DECIDE)
        self.decide.on_click(self.in_turn(self._decide))
        self._state, self._tape, self._sought, self._code = (HTML() for _ in range(4))
        self._sought.add_class("lp-found")
        top = HBox([self.replay, self._state])
        parts = top, self._tape, self.line, HBox([self._sought, self.decide]), self._code
        super().__init__(*parts, css_class="lp-walk")
        self.line.observe(self.in_turn(lambda change: self._draw(change.new)), "value")
        self.start()

    @cached_property
    def recorded(self) -> Scenes:
        """Return the two rounds."""
        return record()

    @cached_property
    def steps(self) -> list[CodeStep]:
        """Return the lines of both rounds that are shown."""
        return [step for scene in self.recorded.scenes for step in scene.steps]

    @cached_property
    def sought(self) -> dict[str, list[int]]:
        """Return the lines that the reader looks for: what each does, and its numbers."""
        return find_sought(self.recorded.scenes)

    def compute(self) -> None:
        """Record the two rounds, and draw the first line."""
        self.rounds = [scene.round for scene in self.recorded.scenes for _ in scene.steps]
        self._starts = list_starts(self.steps, SHOWN_LINES)
        self._few = list_starts(self.steps, FEWEST_LINES)
        lines = max(len(read_function(step.code)) for step in self.steps)
        self.line.max = self.replay.max = last = len(self.steps)
        self._size = self.set_numbers(most=last, long=last - 1, lines=min(lines, SHOWN_LINES))
        self._draw(1)

    def _decide(self, button: Any = None) -> None:
        """Answer the reader, who says that ▲ is on one of the lines to find."""
        self.replay.playing = False  # the next line would take the answer away
        at = self.line.value
        names = [name for name, numbers in self.sought.items() if at in numbers]
        for name in names:
            self.found[name] = at
        did = ", ".join(describe_effects(self.steps[at - 1]))
        no = f"Not this one: it does this: {did}." if did else "Not this one: it changes nothing."
        self.answer = f"Yes: it {' and '.join(names)}." if names else no
        self._draw(at, is_new=False)

    def _draw(self, at: int, is_new: bool = True) -> None:
        """Draw the step `at`, from 1. At a new one, the answer to the last decision goes."""
        self.answer = "" if is_new else self.answer
        self.line.description = f"step {at} of {len(self.steps)}"
        step = self.steps[at - 1]
        self._state.value = draw_state(step.after, self.rounds[at - 1])
        words = f"step {at} of {len(self.steps)}: {describe_in_a_sentence(step)}"
        names = draw_scenes(self.recorded) + draw_calls(self.steps)
        self._tape.value = self._size + names + draw_tape(self._list_marks(at), words=words)
        all_of_them = [*self._list_marks(len(self.steps)), NOT_REACHED]
        self._sought.value = self._draw_sought() + draw_legend(all_of_them)
        whose = escape(self.recorded.whose)
        code = draw_code(step, self._starts[at - 1], self._few[at - 1])
        self._code.value = f"{code}<p class='lp-note'>{whose}</p>"

    def _list_marks(self, at: int) -> list[Mark]:
        """Return a mark for each step. What was not reached yet tells nothing."""
        reached = [
            Mark(find_step_kind(step), words=describe_in_a_sentence(step))
            for step in self.steps[:at]
        ]
        return reached + [NOT_REACHED] * (len(self.steps) - at)

    def _list_sought(self) -> list[str]:
        """Return the lines that the reader looks for in words, ticked if they were named."""
        return [
            f"✓ line {self.steps[self.found[name] - 1].lines.first} {name}"
            if name in self.found
            else f"○ {name}"
            for name in self.sought
        ]

    def _draw_sought(self) -> str:
        """Return the lines that the reader looks for as HTML."""
        drawn = ""
        for line in self._list_sought():
            css_class = "lp-good" if line.startswith("✓") else ""
            drawn += f"<span class='{css_class}'>{escape(line)}</span>"
        answer = f"<p class='lp-answer'>{escape(self.answer)}</p>"
        return f"<p class='lp-sought'>Find: {drawn}</p>{answer}" if drawn else ""

    def text(self) -> str:
        """Return what the reader looks for, the tape, and each line with what it did."""
        marks = self._list_marks(len(self.steps))
        parts = [self.recorded.whose]
        parts += [format_legend(marks), f"Find: {'; '.join(self._list_sought())}"]
        for scene in self.recorded.scenes:
            here, marks = marks[: len(scene.steps)], marks[len(scene.steps) :]
            parts += [
                "",
                f"round {scene.round}: {scene.name}",
                format_tape(here).replace("rounds", "lines ", 1),
            ]
            parts += map(format_step, scene.steps)
        return "\n".join(parts)


def describe_in_a_sentence(step: CodeStep) -> str:
    """Return what a line did, as a sentence for a title."""
    did = ", ".join(describe_effects(step)) or KINDS["line"].meaning
    return f"{name_of(step.code)}(), line {step.lines.first}: {did}"


def format_step(step: CodeStep) -> str:
    """Return a step as a line of text."""
    code = read_function(step.code).get(step.lines.first, "").strip()
    did = "; ".join(describe_effects(step))
    indent = "  " * len(step.waits)
    return f"{step.lines.first:4} {indent}{code}" + (f"    # {did}" if did else "")


def draw_scenes(recorded: Scenes) -> str:
    """Return the names of the scenes as HTML, each at its first line."""
    names, place = "", 0
    for scene in recorded.scenes:
        size = len(scene.steps)
        names += f"<span style='--at:{place};--for:{size}'>{escape(scene.name)}</span>"
        place += size
    return f"<p class='lp-scenes'>{names}</p>"


def draw_calls(steps: list[CodeStep]) -> str:
    """Return the functions of the list and of the nag as HTML, each above its lines."""
    names, place = "", 0
    for code, group in groupby(steps, key=find_entry):
        size = len([*group])
        if code is not None:
            part = "lp-list" if code.co_name == ENTRIES[0] else "lp-nag"
            name = escape(code.co_name)
            names += (
                f"<span class='{part}' style='--at:{place};--for:{size}' title='{name}()'>"
                f"{name}()</span>"
            )
        place += size
    return f"<p class='lp-scenes lp-calls'>{names}</p>"


def find_entry(step: CodeStep) -> CodeType | None:
    """Return the function of the list or of the nag in which a step runs; None in the loop."""
    return next((code for code in [*step.waits, step.code] if code.co_name in ENTRIES), None)


def draw_state(state: State, number: int) -> str:
    """Return as HTML the round, and what the code changes: the count, the list, the messages."""
    parts = [f"round <strong>{number}</strong>"]
    if state.waited is not None:
        dots = "●" * state.waited + "○" * (THRESHOLD - state.waited)
        parts.append(f"rounds without todo <i>{dots}</i>")
    names = map(find_status_state, state.items)
    signs = "".join(STATES[name].box or "○" for name in names)
    parts.append(f"list <b>{signs or 'is empty'}</b>")
    reminded = ", <i>▼ reminder</i>" if state.is_reminded else ""
    parts.append(pluralize(state.length, "message") + reminded)
    return f"<p class='lp-state'>{''.join(f'<span>{part}</span>' for part in parts)}</p>"


def draw_code(step: CodeStep, start: int, few: int) -> str:
    """Return the function that runs as HTML, with its line and what this has done.

    `start` is the place of the first line that is shown, and `few` that of a small window.
    """
    lines, here = read_function(step.code), range(step.lines.first, step.lines.last + 1)
    kind, drawn = find_step_kind(step), ""
    chips = [f" <i class='lp-{kind}'>{escape(words)}</i>" for words in describe_effects(step)]
    few = max(start, min(few, start + SHOWN_LINES - FEWEST_LINES))  # both show its line
    for place, number in [*enumerate(lines)][start : start + SHOWN_LINES]:
        line = lines[number]
        did = "".join(chips) if number == step.lines.first else ""
        indent = len(line) - len(line.lstrip())
        names = []
        if number in here:
            names.append("lp-now")
        if not few <= place < few + FEWEST_LINES:
            names.append("lp-far")
        attributes = f"class='{' '.join(names)}' style='--in:{indent}'"
        drawn += f"<div {attributes}><small>{number}</small><code>{paint(line)}</code>{did}</div>"
    waits = "".join(f"{escape(name_of(code))}() › " for code in step.waits)
    path = f"{waits}<b>{escape(name_of(step.code))}()</b>"
    return f"<p class='lp-path'>{path}</p><div class='lp-code'>{drawn}</div>"


def list_starts(steps: list[CodeStep], size: int) -> list[int]:
    """Return for each step the place of the first line that is shown of its function.

    A function that has more than `size` lines moves only if its line would be out of view.
    """
    starts, last = [], {}
    for step in steps:
        numbers = [*read_function(step.code)]
        place = numbers.index(step.lines.first) if step.lines.first in numbers else 0
        start = last.get(step.code)
        if start is None or not start <= place < start + size:
            start = max(0, min(place - size // 2, len(numbers) - size))
        last[step.code] = start
        starts.append(start)
    return starts


def paint(code: str) -> str:
    """Return a line of Python as HTML, with its comment and its keywords in colour."""
    drawn, end = "", 0
    for match in TOKEN.finditer(code):
        tag: Any = match.lastgroup
        word = escape(match[0])
        drawn += escape(code[end : match.start()])
        drawn += word if tag == "q" else f"<{tag}>{word}</{tag}>"
        end = match.end()
    return drawn + escape(code[end:])
