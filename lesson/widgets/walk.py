"""The walk: the learner's loop, list and nag while they run, line by line."""

import re
from keyword import kwlist
from typing import Any

from ipywidgets import HTML, HBox, IntSlider, Play, jslink

from agentlib.nag import AFTER

from ..drawing.marks import Mark
from ..drawing.picture import escape, tape, tape_text
from ..pluralize import pluralize
from ..walk.recorder import Step
from ..walk.scenes import State, describe_step, find_kind, name_of, record
from ..walk.source import read_function
from .drawn import Drawn

REPLAY_MILLISECONDS = 900
SHOWN_LINES = 13  # of the function that runs, around the line
STATUS = {"completed": "✓", "in_progress": "▸"}
TOKEN = re.compile(
    rf"""(?P<em>\#.*)|(?P<q>[bfr]*(?:"[^"]*"|'[^']*'))|\b(?P<b>{"|".join(kwlist)})\b"""
)


class Walk(Drawn):
    """Two rounds of the ten steps as they ran: each line is a square, and ▲ is the one that ran.

    In the first round, a list is rejected; in the second one, a reminder is sent. `line` is the
    slider. The code is that of `my_agent`, or else the package's.
    """

    def __init__(self) -> None:
        """Record the two rounds."""
        self.recorded = record()
        self.steps = [step for scene in self.recorded.scenes for step in scene.steps]
        last = max(len(self.steps), 2)
        self.line = IntSlider(1, min=1, max=last, readout=False)
        self.replay = Play(min=1, max=last, interval=REPLAY_MILLISECONDS, show_repeat=False)
        jslink((self.replay, "value"), (self.line, "value"))
        self._state, self._tape, self._code = HTML(), HTML(), HTML()
        top = HBox([self.replay, self._state])
        super().__init__(top, self._tape, self.line, self._code, look="lp-walk")
        self.add_class(f"lp-lines-{last}")
        self._size = f"<style>.lp-lines-{last}{{--most:{last};--long:{last - 1}}}</style>"
        self.line.observe(lambda change: self._draw(change.new), "value")
        self._draw(1)

    def _draw(self, at: int) -> None:
        """Draw the step `at`, from 1."""
        self.line.description = f"line {at} of {len(self.steps)}"
        if at > len(self.steps):  # nothing could be recorded
            self._code.value = f"<p class='lp-problem'>{escape(self.recorded.note)}</p>"
            return
        step = self.steps[at - 1]
        self._state.value = draw_state(step.after)
        words = f"line {at} of {len(self.steps)}: {say(step)}"
        self._tape.value = self._size + self._draw_names() + tape(self._list_marks(at), words=words)
        self._code.value = draw_code(step) + draw_words(self.recorded.whose, self.recorded.note)

    def _list_marks(self, at: int) -> list[Mark]:
        """Return a mark for each step. What was not reached yet tells nothing."""
        reached = [Mark(find_kind(step), words=say(step)) for step in self.steps[:at]]
        later = Mark("line", look="later", words="not reached yet")
        return reached + [later] * (len(self.steps) - at)

    def _draw_names(self) -> str:
        """Return the names of the scenes, each at its first line."""
        names, place = "", 0
        for scene in self.recorded.scenes:
            names += f"<span style='--at:{place}'>{escape(scene.name)}</span>"
            place += len(scene.steps)
        return f"<p class='lp-scenes'>{names}</p>"

    def text(self) -> str:
        """Return the tape and each line with what it did."""
        marks = self._list_marks(len(self.steps))
        parts = [f"The code is {self.recorded.whose}. {self.recorded.note}".rstrip()]
        for scene in self.recorded.scenes:
            here, marks = marks[: len(scene.steps)], marks[len(scene.steps) :]
            parts += ["", scene.name, tape_text(here).replace("rounds", "lines ", 1)]
            parts += map(write_step, scene.steps)
        return "\n".join(parts)


def say(step: Step) -> str:
    """Return what a line did, as a sentence for a title."""
    did = ", ".join(describe_step(step)) or "changes nothing that is shown"
    return f"{name_of(step.code)}(), line {step.lines.first}: {did}"


def write_step(step: Step) -> str:
    """Return a step as a line of text."""
    code = read_function(step.code).get(step.lines.first, "").strip()
    did = "; ".join(describe_step(step))
    indent = "  " * len(step.waits)
    return f"{step.lines.first:4} {indent}{code}" + (f"    # {did}" if did else "")


def draw_state(state: State) -> str:
    """Return what the code changes as HTML: the nag's count, the list, and the messages."""
    parts = []
    if state.waited is not None:
        dots = "●" * state.waited + "○" * (AFTER - state.waited)
        parts.append(f"rounds without todo <i>{dots}</i>")
    signs = "".join(STATUS.get(status, "○") for status in state.items)
    parts.append(f"the list <b>{signs or 'is empty'}</b>")
    reminded = ", the last one with <i>▼ a reminder</i>" if state.is_reminded else ""
    parts.append(pluralize(state.length, "message") + reminded)
    return f"<p class='lp-state'>{''.join(f'<span>{part}</span>' for part in parts)}</p>"


def draw_code(step: Step) -> str:
    """Return the function that runs as HTML, with its line and what this has done."""
    lines, here = read_function(step.code), range(step.lines.first, step.lines.last + 1)
    drawn = ""
    for number in list_around([*lines], step.lines.first):
        line = lines[number]
        did = draw_chips(step) if number == step.lines.first else ""
        look = f"class='{'lp-now' if number in here else ''}' style='--in:{find_indent(line)}'"
        drawn += f"<div {look}><small>{number}</small><code>{paint(line)}</code>{did}</div>"
    path = " › ".join(f"{name_of(code)}()" for code in [*step.waits, step.code])
    return f"<p class='lp-path'>{escape(path)}</p><div class='lp-code'>{drawn}</div>"


def draw_chips(step: Step) -> str:
    """Return what a step did as HTML."""
    kind = find_kind(step)
    chips = describe_step(step)
    return "".join(f" <i class='lp-{kind}'>{escape(words)}</i>" for words in chips)


def draw_words(whose: str, note: str) -> str:
    """Return whose code it is as HTML."""
    return f"<p class='lp-note'>The code is {escape(whose)}. {escape(note)}</p>"


def list_around(numbers: list[int], at: int) -> list[int]:
    """Return at most SHOWN_LINES of these line numbers, around line `at`."""
    place = numbers.index(at) if at in numbers else 0
    start = max(0, min(place - SHOWN_LINES // 2, len(numbers) - SHOWN_LINES))
    return numbers[start : start + SHOWN_LINES]


def find_indent(code: str) -> int:
    return len(code) - len(code.lstrip())


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
