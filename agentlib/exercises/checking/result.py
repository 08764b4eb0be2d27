"""The outcome of a check: for the eye as HTML and text, for a test as `.ok`."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from .rule import Miss, Rule, try_rule
from .timeout import SECONDS

HOLDS, MISSED, LATER = "yes", "not yet", ""
START = "; start with this one."


@dataclass(frozen=True, repr=False)
class Result:
    """How far a solution is. `ok` is True when every rule holds.

    `subject` is what was checked, `rules` are its rules, `states` says of each "yes", "not yet"
    or "" (not looked at). `miss` belongs to the first that does not hold. `note` stands in place
    of all this where nothing could be checked, and `begun` is False where there is nothing yet;
    `after` is what to do when all is done, `aside` what else there is to know about the check.
    """

    subject: str
    rules: Sequence[Rule]
    states: Sequence[str] = ()
    miss: Miss | None = None
    note: str = ""
    after: str = ""
    begun: bool = True
    aside: str = ""

    @property
    def ok(self) -> bool:
        """Whether every rule holds."""
        return bool(self.states) and all(state == HOLDS for state in self.states)

    def __bool__(self) -> bool:
        return self.ok

    @property
    def headline(self) -> str:
        """The outcome in a sentence or two."""
        return self.told(".")

    def told(self, end: str) -> str:
        """The headline, with this `end` to its sentence where a rule does not hold."""
        if self.note:
            return self.note
        done = f"not yet. {self.states.count(HOLDS)} of {len(self.rules)} rules hold{end}"
        if self.ok:
            done = f"all {len(self.rules)} rules hold. {self.after}".rstrip()
        return f"{self.subject}: {done} {self.aside}".rstrip()

    @property
    def first(self) -> int:
        """The index of the first rule that does not hold."""
        return next((n for n, state in enumerate(self.states) if state != HOLDS), len(self.rules))

    @property
    def parts(self) -> list[tuple[str, str]]:
        """What there is to say about the miss: pairs of a label and a text."""
        rule, miss = self.rules[self.first], self.miss
        line = f"In your code, {miss.line}" if miss.line else ""
        hint = "" if line and miss.remark else miss.hint or rule.hint
        parts = [("Why it matters", rule.why), ("Tried", miss.tried),
                 ("Expected", miss.expected), ("Came", miss.came), ("Where", line),
                 ("Note", miss.remark), ("Hint", hint)]
        return [(label, text) for label, text in parts if text]

    @property
    def rest(self) -> str:
        """How many rules come after the first that does not hold."""
        left = len(self.rules) - self.first - 1
        return f"After it: {left} more rule{'s' * (left > 1)}." if left > 0 else ""

    def __str__(self) -> str:
        lines = [self.told(START)]
        if self.states:
            lines += [f"  [yes] {rule.title}" for rule in self.rules[: self.first]]
        if self.miss:
            lines += [f"  [not yet] {self.rules[self.first].title}"]
            for label, text in self.parts:
                gap = "\n" + " " * 8 if "\n" in text else " "
                lines.append(f"      {label}:{gap}{text.strip().replace(chr(10), gap)}")
            lines += [f"  {self.rest}"] * bool(self.rest)
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        colour = "--jp-success-color1, #2e7d32" if self.ok else "--jp-brand-color1, #1565c0"
        headline = prose(self.told(START))
        headline = headline if self.note else f"<strong>{headline}</strong>"
        html = [f'<div style="border-left:4px solid var({colour}); padding:2px 0 2px 14px; '
                f'line-height:1.5"><p style="margin:0 0 6px">'
                f"{headline}</p>"]
        if self.states:
            items = [f"<li>✓ {prose(rule.title)}</li>" for rule in self.rules[: self.first]]
            done = f'<ul style="list-style:none; margin:0; padding:0">{"".join(items)}</ul>'
            if self.miss and items:
                done = f"<details><summary>{count(len(items))}</summary>{done}</details>"
            html.append(done)
        if self.miss:
            html.append(f'<p style="margin:6px 0"><strong>▸ Not yet: '
                        f"{prose(self.rules[self.first].title)}</strong></p>")
            html += [row(label, text) for label, text in self.parts]
            html.append(f'<p style="margin:6px 0 0">{escape(self.rest)}</p>' * bool(self.rest))
        return "".join(html) + "</div>"


CODE = ("margin:2px 0; padding:6px 8px; white-space:pre-wrap; overflow-wrap:anywhere; "
        "background:var(--jp-layout-color2, rgba(128, 128, 128, 0.12)); color:inherit")


def count(rules: int) -> str:
    """So many rules hold."""
    return f"{rules} rule{'s' * (rules > 1)} hold{'s' * (rules == 1)}"


def prose(text: str) -> str:
    """A sentence as HTML; what stands between backticks is code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def row(label: str, text: str) -> str:
    """One part of a miss: sentences as they are, code and values as such."""
    if label in ("Tried", "Expected", "Came", "Where"):
        shown = f'<pre style="{CODE}">{escape(text.strip())}</pre>'
    else:
        shown = prose(text)
    return f'<div style="margin:4px 0 4px 14px"><strong>{label}:</strong> {shown}</div>'


def check(
    subject: str,
    rules: Sequence[Rule],
    names: Mapping[str, Any],
    *,
    after: str = "",
    every: bool = False,
    limit: float = SECONDS,
    aside: str = "",
) -> Result:
    """Try the `rules` in order, with `names` in sight, up to the first that does not hold.

    With `every`, the others are tried, too, until one runs out of time. `limit` is in seconds,
    for each piece of code. In what is shown, the learner's own names stand for ours.
    """
    states, first = [LATER] * len(rules), None
    for number, rule in enumerate(rules):
        missed = try_rule(rule, names, limit)
        states[number] = HOLDS if missed is None else MISSED
        first = first or missed
        if missed and (not every or missed.came.startswith("nothing within")):
            break
    if first:
        first = renamed(first, names)
    return Result(subject, rules, tuple(states), first, after=after, aside=aside)


def renamed(miss: Miss, names: Mapping[str, Any]) -> Miss:
    """The same with the names that the learner's classes really have."""
    tried = miss.tried
    for name, thing in names.items():
        with suppress(Exception):
            if thing.__name__.isidentifier():
                tried = re.sub(rf"\b{name}\b", thing.__name__, tried)
    return replace(miss, tried=tried)
