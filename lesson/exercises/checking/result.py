"""The outcome of a check: for the eye as HTML and text, for a test as `.ok`."""

import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from .rule import Miss, Rule

HOLDS, MISSED, NOT_TRIED = "yes", "not yet", ""
START = "; start with this one."
HINT_LABELS = ("Hint", "A second hint", "A third hint", "A fourth hint")
CODE_STYLE = (
    "margin:2px 0; padding:6px 8px; white-space:pre-wrap; overflow-wrap:anywhere; "
    "background:var(--jp-layout-color2, rgba(128, 128, 128, 0.12)); color:inherit"
)


@dataclass(frozen=True)
class Way:
    """Another right solution: its code, as a class or function, and what it `costs`."""

    title: str
    code: Callable[..., Any]
    costs: str


@dataclass(frozen=True)
class Further:
    """What there is to think about when all rules hold: a `question`, and other `ways`."""

    question: str
    answer: str
    ways: tuple[Way, ...] = ()

    @property
    def parts(self) -> list[tuple[str, str, str]]:
        """What is folded away: a title, sentences, and code, or no code."""
        parts = [("Our answer", self.answer, "")]
        for way in self.ways:
            title = f"Another way, and what it costs: {way.title}"
            parts.append((title, way.costs, inspect.getsource(way.code)))
        return parts


@dataclass(frozen=True, repr=False)
class Result:
    """How far a solution is. `ok` is True when every rule holds.

    `subject` is what was checked, `rules` are its rules, `states` says of each "yes", "not yet"
    or "" (not tried). `miss` belongs to the first that does not hold. `note` stands in place of
    all this where nothing could be checked, and `begun` is False where there is nothing yet.
    `after` is what to do when all is done, `further` what to think about, `aside` what else there
    is to know about the check, `since` what has changed since the last one.
    """

    subject: str
    rules: Sequence[Rule]
    states: Sequence[str] = ()
    miss: Miss | None = None
    note: str = ""
    after: str = ""
    begun: bool = True
    aside: str = ""
    since: str = ""
    further: Further | None = None

    @property
    def ok(self) -> bool:
        """Whether every rule holds."""
        return bool(self.states) and all(state == HOLDS for state in self.states)

    def __bool__(self) -> bool:
        return self.ok

    @property
    def held(self) -> int:
        """How many rules hold."""
        return list(self.states).count(HOLDS)

    @property
    def headline(self) -> str:
        """The outcome in a sentence or two."""
        return self.tell(".")

    def tell(self, end: str) -> str:
        """The headline, with this `end` to its sentence where a rule does not hold."""
        if self.note:
            return self.note
        if self.ok:
            done = f"all {len(self.rules)} rules hold. {self.after}".rstrip()
        else:
            done = f"not yet. {self.held} of {len(self.rules)} rules hold{end}"
        return " ".join(filter(None, [f"{self.subject}: {done}", self.since, self.aside]))

    @property
    def first(self) -> int:
        """The index of the first rule that does not hold."""
        return next((n for n, state in enumerate(self.states) if state != HOLDS), len(self.rules))

    @property
    def parts(self) -> list[tuple[str, str]]:
        """What there is to say about the miss: pairs of a label and a text, hints left out."""
        if self.miss is None:
            return []
        line = f"In your code, {self.miss.line}" if self.miss.line else ""
        parts = [
            ("Why it matters", self.rules[self.first].why),
            ("Tried", self.miss.tried),
            ("Expected", self.miss.expected),
            ("Came", self.miss.came),
            ("Where", line),
            ("Note", self.miss.note),
        ]
        return [(label, text) for label, text in parts if text]

    @property
    def hints(self) -> list[tuple[str, str]]:
        """The hints for the miss, each with its label."""
        return list(zip(HINT_LABELS, self.miss.hints if self.miss else (), strict=False))

    @property
    def rest(self) -> str:
        """What there is to say about the rules after the first that does not hold."""
        others = list(self.states[self.first + 1 if self.miss else self.first :])
        missed, untried = others.count(MISSED), others.count(NOT_TRIED)
        said = [f"After it: {missed} more not yet."] if missed else []
        if untried:
            said.append(f"{untried} not tried, because the check took too long.")
        return " ".join(said)

    def __str__(self) -> str:
        lines = [self.tell(START)]
        lines += [f"  [yes] {rule.title}" for rule in self.held_rules]
        if self.miss:
            lines += [f"  [not yet] {self.rules[self.first].title}"]
            for label, text in self.parts + self.hints:
                gap = "\n" + " " * 8 if "\n" in text else " "
                lines.append(f"      {label}:{gap}{text.strip().replace(chr(10), gap)}")
        if self.rest:
            lines.append(f"  {self.rest}")
        if self.ok and self.further:
            lines.append(f"  Why? {self.further.question}")
        return "\n".join(lines)

    __repr__ = __str__

    @property
    def held_rules(self) -> list[Rule]:
        """The rules that hold."""
        pairs = zip(self.rules, self.states, strict=False)  # no states where nothing was tried
        return [rule for rule, state in pairs if state == HOLDS]

    def _repr_html_(self) -> str:
        colour = "--jp-success-color1, #2e7d32" if self.ok else "--jp-brand-color1, #1565c0"
        headline = prose(self.tell(START))
        headline = headline if self.note else bold(headline)
        parts = [paragraph(headline, "0 0 6px"), self._held_html()]
        if self.miss:
            title = prose(self.rules[self.first].title)
            parts.append(paragraph(bold(f"▸ Not yet: {title}")))
            parts += [indent(label_part(label, text)) for label, text in self.parts]
            parts += [indent(fold(label, prose(text))) for label, text in self.hints]
        if self.rest:
            parts.append(paragraph(escape(self.rest)))
        if self.ok and self.further:
            parts.append(paragraph(bold("Why?") + " " + prose(self.further.question)))
            parts += [
                fold(title, prose(words) + code_block(code))
                for title, words, code in self.further.parts
            ]
        style = f"border-left:4px solid var({colour}); padding:2px 0 2px 14px; line-height:1.5"
        return f'<div style="{style}">{"".join(parts)}</div>'

    def _held_html(self) -> str:
        """The rules that hold: in sight when all do, else folded away."""
        items = [f"<li>✓ {prose(rule.title)}</li>" for rule in self.held_rules]
        if not items:
            return ""
        listed = f'<ul style="list-style:none; margin:0; padding:0">{"".join(items)}</ul>'
        holds = "1 rule holds" if len(items) == 1 else f"{len(items)} rules hold"
        return listed if self.ok else fold(holds, listed)


def prose(text: str) -> str:
    """A sentence as HTML; what stands between backticks is code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def bold(html: str) -> str:
    """What is to be seen first."""
    return f"<strong>{html}</strong>"


def paragraph(html: str, margin: str = "6px 0") -> str:
    """A line of its own."""
    return f'<p style="margin:{margin}">{html}</p>'


def indent(html: str) -> str:
    """Something below the title of a rule."""
    return f'<div style="margin:4px 0 4px 14px">{html}</div>'


def fold(title: str, html: str) -> str:
    """Something to open by a click."""
    return f"<details><summary>{escape(title)}</summary>{html}</details>"


def code_block(text: str) -> str:
    """Code, or a value, as it stands."""
    return f'<pre style="{CODE_STYLE}">{escape(text.strip())}</pre>' if text else ""


def label_part(label: str, text: str) -> str:
    """One part of a miss: sentences as they are, code and values as such."""
    is_code = label in ("Tried", "Expected", "Came", "Where")
    return bold(f"{label}:") + " " + (code_block(text) if is_code else prose(text))
