"""Before building: the lines of a nag, to put in order. Two of them do not belong."""

import re
import textwrap
from typing import Any

from .checking.fixtures import PLANNING, WORK
from .checking.result import Result, check
from .checking.rule import Case, Rule, saying

LINES = {
    "A": '    return "<reminder>Update your todos.</reminder>"',
    "B": "    self.rounds = 0",
    "C": "self.rounds += len(calls)",
    "D": "if self.rounds >= self.after:",
    "E": 'if any(call.name == "todo" for call in calls):',
    "F": "if self.rounds > self.after:",
    "G": "    return None",
    "H": "self.rounds += 1",
}
HEAD = """\
class MyNag:
    def __init__(self, after=3):
        self.after = after
        self.rounds = 0

    def __call__(self, calls):
"""


class Puzzle:
    """The lines with their letters, to look at."""

    def __str__(self) -> str:
        return HEAD + "        …\n\n" + "\n".join(
            f"{letter}   {line}" for letter, line in LINES.items())

    __repr__ = __str__


RULES = (
    Rule(
        "third",
        "With after=3 it is silent for two rounds and reminds in the third; with after=1, at once",
        "One counts rounds, and compares the count with the threshold: not too early, not too "
        "late.",
        "In the third call: what is `self.rounds` where it is compared? Is 3 > 3 true? And which "
        "`return` comes then?",
        (Case("nag = MyNag(after=3)\n[nag(WORK), nag(WORK), nag(WORK)]", saying("- - R")),
         Case("nag = MyNag(after=1)\n[nag(WORK)]", saying("R"))),
    ),
    Rule(
        "again",
        "It reminds again in each round that follows",
        "A model may overlook one reminder. It stays due until the list is touched.",
        "The reminder itself does not set the count back to 0.",
        (Case("nag = MyNag(after=2)\n[nag(WORK), nag(WORK), nag(WORK)]", saying("- R R")),
         Case("nag = MyNag(after=2)\n[nag(WORK) for _ in range(5)]", saying("- R R R R"))),
    ),
    Rule(
        "back",
        "A round with a todo call is silent, and the count begins anew",
        "The model has looked at its plan: that is all that the nag wants.",
        "What belongs inside the `if` that looks for a todo call, and what must not happen in "
        "such a round?",
        (Case("nag = MyNag(after=2)\n[nag(WORK), nag(PLANNING), nag(WORK), nag(WORK)]",
              saying("- - - R")),
         Case("nag = MyNag(after=1)\n[nag(PLANNING), nag(WORK), nag(PLANNING)]",
              saying("- R -")),
         Case("nag = MyNag(after=2)\nrounds = [WORK] * 5 + [PLANNING] + [WORK] * 2\n"
              "[nag(calls) for calls in rounds]", saying("- R R R R - - R"))),
    ),
    Rule(
        "rounds",
        "Several calls in one round count once",
        "A model may ask for four files at once. That is one round without a todo call.",
        "There are two lines that count. What does each of them count?",
        (Case("nag = MyNag(after=2)\n[nag(WORK * 4), nag(WORK)]", saying("- R")),
         Case("nag = MyNag(after=3)\n[nag(WORK * 4), nag(WORK), nag(WORK)]", saying("- - R"))),
    ),
)


def check_order(order: Any = "", **settings: Any) -> Result:
    """What comes of the lines in this order: letters, such as "B A D". Any that works will do."""
    words = " ".join(map(str, order)) if isinstance(order, (list, tuple)) else order
    if words is None or words is ... or isinstance(words, str) and not words.strip(" ._…"):
        return Result("The nag", RULES, begun=False, note=(
            "The nag: nothing there yet, and that is fine. Write the letters into their cell, "
            "such as order = \"B A D\", run that cell, then the check again."))
    problem, letters = read(words)
    problem = problem or parses(letters)
    if problem:
        return Result("The nag", RULES, note=f"The nag: not yet. {problem}")
    names: dict[str, Any] = {"WORK": WORK, "PLANNING": PLANNING}
    exec(HEAD + textwrap.indent("\n".join(LINES[letter] for letter in letters), " " * 8), names)
    return check("The nag", RULES, names, after="This is Nag, line by line.", **settings)


def read(words: Any) -> tuple[str, list[str]]:
    """The letters in an answer, and what is not right about them, if anything."""
    if not isinstance(words, str):
        return 'The order is a text of letters, such as order = "B A D".', []
    letters = re.findall(r"[^\W\d_]", words.upper())
    unknown = [letter for letter in letters if letter not in LINES]
    if unknown:
        return (f"There is no line {unknown[0]}: the letters go from A to {max(LINES)}, and "
                "stand alone, as in \"B A D\"."), []
    twice = [letter for letter in LINES if letters.count(letter) > 1]
    if twice:
        return f"Line {twice[0]} is there twice. Each is used at most once.", []
    return ("" if letters else "There is no letter in it. Write it like \"B A D\"."), letters


def parses(letters: list[str]) -> str:
    """Why the lines make no Python in this order; "" where they do."""
    previous = None
    for letter in letters:
        inside, opens = LINES[letter].startswith(" "), previous and LINES[previous].endswith(":")
        if inside and previous is None:
            return f"Line {letter} is indented, so it cannot come first: an `if` goes before it."
        if inside and not opens and not LINES[previous].startswith(" "):
            return (f"Line {letter} is indented, so it belongs inside an `if`. But line "
                    f"{previous}, right before it, is none.")
        if not inside and opens:
            return (f"Line {previous} ends with a colon, so an indented line must follow. Line "
                    f"{letter} is not indented.")
        previous = letter
    if LINES[previous].endswith(":"):
        return f"Line {previous} ends with a colon, so an indented line must follow. None does."
    return ""
