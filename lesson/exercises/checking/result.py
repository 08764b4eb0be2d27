"""The result of a check: shown as HTML and text, read by a notebook as data."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from .exercise import Exercise
from .rule import Miss, Rule

PASSED, FAILED, NOT_TRIED = "yes", "not yet", ""
METADATA = "lesson"  # the key in a saved output's metadata
CODE_STYLE = (
    "margin:2px 0; padding:6px 8px; white-space:pre-wrap; overflow-wrap:anywhere; "
    "word-break:normal; "  # JupyterLab's own is break-all
    "background:var(--jp-layout-color2, rgba(128, 128, 128, 0.12)); color:inherit"
)


@dataclass(frozen=True, repr=False)
class Result:
    """The result of a check. `ok` is True if every rule passes.

    As data: `passed` of `total` rules pass, `missed` is the name of the first rule that fails
    ("" if all pass), `begun` is False while the learner's cell is unchanged, `states` has "yes",
    "not yet" or "" (not tried) for each rule. `hints` are the hints for the first failure.
    `note` replaces all this if nothing could be checked; `aside` is added to the headline.
    """

    exercise: Exercise
    states: Sequence[str] = ()
    miss: Miss | None = None
    note: str = ""
    aside: str = ""
    begun: bool = True

    @property
    def ok(self) -> bool:
        return self.passed == self.total

    def __bool__(self) -> bool:
        return self.ok

    def list_rules(self, state: str) -> list[Rule]:
        """Return the rules in this state; none if nothing was tried."""
        pairs = zip(self.exercise.rules, self.states, strict=False)
        return [rule for rule, own in pairs if own == state]

    @property
    def passed(self) -> int:
        return len(self.list_rules(PASSED))

    @property
    def total(self) -> int:
        return len(self.exercise.rules)

    @property
    def first_failed(self) -> Rule | None:
        return next(iter(self.list_rules(FAILED)), None)

    @property
    def missed(self) -> str:
        return self.first_failed.name if self.first_failed else ""

    @property
    def data(self) -> dict[str, Any]:
        """Return the result as JSON data. It is saved in the notebook with the output."""
        names = ("ok", "begun", "passed", "total", "missed")
        return {"exercise": self.exercise.name} | {name: getattr(self, name) for name in names}

    @property
    def headline(self) -> str:
        """Return the result in one or two sentences."""
        if not self.begun:
            begin = self.aside or self.exercise.how_to_begin
            said = f"nothing there yet, and that is fine. {begin}"
        elif self.note:
            said = self.note
        elif self.ok:
            rules = "its rule passes" if self.total == 1 else f"all {self.total} rules pass"
            said = f"{rules}. {self.aside or self.exercise.after}"
        else:
            count = f"{self.passed} of {self.total} rules pass. " if self.total > 1 else ""
            said = f"not yet. {count}{self.aside}"
        return f"{self.exercise.label or self.exercise.subject}: {said}".rstrip()

    @property
    def parts(self) -> list[tuple[str, str]]:
        """Return what is said about the first failure: pairs of a label and a string."""
        if self.first_failed is None or self.miss is None:
            return []
        parts = [
            ("Your code", self.miss.line),
            ("Try", self.miss.note),
            ("Why it matters", self.first_failed.why),
            ("Test", self.miss.tried),
            ("Expected", self.miss.expected),
            ("Got", self.miss.got),
        ]
        return [(label, text) for label, text in parts if text]

    @property
    def hints(self) -> tuple[str, ...]:
        """Return the hints for the first failure, from a question to the code."""
        return self.miss.hints if self.miss else ()

    def __str__(self) -> str:
        lines = [self.headline]
        lines += [f"  [yes] {rule.title}" for rule in self.list_rules(PASSED)]
        if self.first_failed:
            lines.append(f"  [not yet] {self.first_failed.title}")
        for label, text in self.parts:
            gap = "\n" + " " * 8 if "\n" in text else " "
            lines.append(f"      {label}:{gap}{text.strip().replace(chr(10), gap)}")
        if self.hints:
            lines.append(f"      Hints: {len(self.hints)}. The first one is `.hints[0]`.")
        if self.ok and self.exercise.question:
            lines.append(f"  Why? {self.exercise.question}")
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, str], dict[str, Any]]:
        """Return HTML and text, and the result as data in the output's metadata."""
        return {"text/html": self.html, "text/plain": str(self)}, {METADATA: self.data}

    @property
    def html(self) -> str:
        """Return the result as HTML, with each hint folded."""
        headline = prose(self.headline)
        headline = f"<strong>{headline}</strong>" if self.states else headline
        parts = [paragraph(headline, "0 0 6px"), self.list_passing()]
        if self.first_failed:
            title = prose(self.first_failed.title)
            parts.append(paragraph(f"<strong>✗ Not yet: {title}</strong>"))
        below = [f"<strong>{label}:</strong> {part(label, text)}" for label, text in self.parts]
        below += [fold(f"Hint {n}", prose(text)) for n, text in enumerate(self.hints, 1)]
        parts += [f'<div style="margin:4px 0 4px 14px">{html}</div>' for html in below]
        if self.ok and self.exercise.question:
            parts.append(paragraph(f"<strong>Why?</strong> {prose(self.exercise.question)}"))
            parts.append(fold("Answer", prose(self.exercise.answer)))
        colour = "--jp-success-color1, #2e7d32" if self.ok else "--jp-brand-color1, #1565c0"
        style = f"border-left:4px solid var({colour}); padding:2px 0 2px 14px; line-height:1.5"
        return f'<div style="{style}">{"".join(parts)}</div>'

    def list_passing(self) -> str:
        """Return the rules that pass as HTML: visible if all pass, otherwise folded."""
        items = [f"<li>✓ {prose(rule.title)}</li>" for rule in self.list_rules(PASSED)]
        if not items:
            return ""
        listed = f'<ul style="list-style:none; margin:0; padding:0">{"".join(items)}</ul>'
        passing = "1 rule passes" if len(items) == 1 else f"{len(items)} rules pass"
        return listed if self.ok else fold(passing, listed)


def prose(text: str) -> str:
    """Return sentences as HTML; text between backticks is code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def paragraph(html: str, margin: str = "6px 0") -> str:
    return f'<p style="margin:{margin}">{html}</p>'


def fold(title: str, html: str) -> str:
    """Return HTML that a click on its title opens."""
    return f"<details><summary>{escape(title)}</summary>{html}</details>"


def part(label: str, text: str) -> str:
    """Return one part of a failure as HTML: sentences as prose, code and values as a block."""
    if label in ("Why it matters", "Try"):
        return prose(text)
    return f'<pre style="{CODE_STYLE}">{escape(text.strip())}</pre>'
