"""Show the result of trying a part, as text and as HTML."""

import re
import textwrap
from dataclasses import dataclass
from html import escape

from safetylib.guard.escape import for_print

# Text and ground are those of the page: if one of them came from elsewhere, they could be alike.
CODE_STYLE = (
    "margin:2px 0; padding:6px 8px; white-space:pre-wrap; overflow-wrap:anywhere; "
    "word-break:normal; "  # JupyterLab's own is break-all
    "background:none; color:inherit; border:1px solid rgba(128, 128, 128, 0.4)"
)

NUMBERED = re.compile(r"(Rules? \d[^:]*|Given[^:]*|E\d+): ")  # begins the sentence of a rule


@dataclass(frozen=True, repr=False)
class Verdict:
    """What trying a part has shown: `ok` is true if all `total` rules pass.

    `passed` are the rules before the first that fails; those behind it were not tried. `rule` is
    the name of the one that fails, `title` its sentence, and `exercise` the exercise that it
    belongs to, if that is an earlier one. `cause` is the likely cause and what to
    do, `line` the line of the learner's cell, `tried` what was tried. `got` and `expected` are
    shown values. `is_strange` is true after an error in which no line of the learner's was running.
    `rules` are the sentences of all rules.
    """

    name: str
    level: str
    passed: int
    total: int
    rule: str = ""
    title: str = ""
    exercise: str = ""
    cause: str = ""
    line: str = ""
    got: str = ""
    expected: str = ""
    printed: str = ""
    tried: str = ""
    hints: tuple[str, ...] = ()
    is_written: bool = True
    is_strange: bool = False
    rules: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return 0 < self.total == self.passed

    def __bool__(self) -> bool:
        return self.ok

    @property
    def headline(self) -> str:
        """Return that all rules pass, or the number of the first that does not, in one sentence.

        It is the number that the sentence of the rule begins with, or its place on the page.
        """
        if self.ok:
            return f"{self.name}: all {self.total} rules pass."
        if not self.is_written:
            return f"{self.name}: not written yet."
        if not self.title:
            return f"{self.name}: {'not every rule' if self.rule else 'nothing'} was tried."
        named = NUMBERED.match(self.title)
        rule = named[1].replace("Given", "a given rule") if named else f"rule {self.passed + 1}"
        rule = f"r{rule[1:]}" if rule.startswith("R") else rule
        origin = f" of {self.exercise}" if self.exercise and self.exercise not in rule else ""
        verb = "do not all" if rule.startswith("rules") else "does not"
        return f"{self.name}: {rule}{origin} {verb} pass yet."

    @property
    def parts(self) -> list[tuple[str, str]]:
        """Return pairs of a label and a text about the first failure."""
        parts = [
            ("Your code", self.line),
            ("Likely cause", self.cause),
            ("Got", self.got),
            ("Expected", self.expected),
            ("Your code printed", self.printed),
        ]
        return [(label, text) for label, text in parts if text]

    @property
    def said(self) -> str:
        """Return what the learner reads about the first failure, without what is folded."""
        lines = [self.title] if self.title else []
        for label, text in self.parts:
            gap = "\n      " if "\n" in text else " "
            lines.append(f"  {label}:{gap}{text.strip().replace(chr(10), gap)}")
        return "\n".join(lines)

    def __str__(self) -> str:
        lines = [self.headline, self.said]
        if self.tried:
            lines.append("  What was tried:\n" + textwrap.indent(self.tried, " " * 6))
        if self.hints:
            lines.append(f"  Hints: {len(self.hints)}, which can be opened in a notebook.")
        return for_print("\n".join(filter(None, lines)))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Return the result as HTML: each rule, or the first failure with folded hints."""
        lines = [self.headline, f"✗ {self.title}" if self.title else ""]
        html = [f"<p><strong>{prose(one)}</strong></p>" for one in lines if one]
        below = [f"<strong>{label}:</strong> {shown(label, text)}" for label, text in self.parts]
        below += [fold(f"Hint {n}", prose(hint)) for n, hint in enumerate(self.hints, 1)]
        below += [fold("What was tried", block(self.tried))] if self.tried else []
        below += [f"✓ {prose(one)}" for one in self.rules if self.ok]
        html += [f'<div style="margin:4px 0 4px 14px">{one}</div>' for one in below]
        colour = "--jp-success-color1, #2e7d32" if self.ok else "--jp-warn-color1, #c75300"
        style = f"border-left:4px solid var({colour}); padding:2px 0 2px 14px; line-height:1.5"
        return f'<div class="check-result" style="{style}">{"".join(html)}</div>'


def prose(text: str) -> str:
    """Return sentences as HTML; text between backticks is code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def fold(title: str, html: str) -> str:
    """Return HTML that a click on its title opens."""
    return f"<details><summary>{escape(title)}</summary>{html}</details>"


def block(code: str) -> str:
    return f'<pre style="{CODE_STYLE}">{escape(code.strip())}</pre>'


def shown(label: str, text: str) -> str:
    """Return one part of a failure as HTML: sentences as prose, code and values as a block."""
    return prose(text) if label == "Likely cause" else block(text)
