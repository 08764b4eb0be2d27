"""Before building: the lines of a nag, to put in order. Two of them do not belong."""

import re
import textwrap
from dataclasses import replace
from typing import Any

from .checking.check import Subject, check
from .checking.expected import saying
from .checking.fixtures import PLANNING, WORK
from .checking.result import Further, Result
from .checking.rule import Rules, case, hint, why

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
LINES_OF_NAG = list("EBGHDA")
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
        lines = [f"{letter}   {line}" for letter, line in LINES.items()]
        return HEAD + "        …\n\n" + "\n".join(lines)

    __repr__ = __str__


RULES = Rules()


@RULES.add(
    "With after=3 it is silent for two rounds and reminds in the third; with after=1, at once"
)
@why("One counts rounds, and compares the count with the threshold.")
@hint(
    "In the third call: what is `self.rounds` where it is compared? Is 3 > 3 true? And which "
    "`return` comes then?"
)
@case(saying("- - R"), after=3, rounds=[WORK, WORK, WORK])
@case(saying("R"), after=1, rounds=[WORK])
def third(MyNag, after, rounds):
    nag = MyNag(after=after)
    return [nag(calls) for calls in rounds]


@RULES.add("It reminds again in each round that follows")
@why("A model may overlook one reminder. It stays due until the list is touched.")
@hint("The reminder itself does not set the count back to 0.")
@case(saying("- R R R R"), rounds=[WORK] * 5)
def again(MyNag, rounds):
    nag = MyNag(after=2)
    return [nag(calls) for calls in rounds]


@RULES.add("A round with a todo call is silent, and the count begins again at 0")
@why("The model has looked at its plan: that is all that the nag wants.")
@hint("What belongs inside the `if` that looks for a todo call, and what does not?")
@case(saying("- - - R"), after=2, rounds=[WORK, PLANNING, WORK, WORK])
@case(saying("- R -"), after=1, rounds=[PLANNING, WORK, PLANNING])
@case(saying("- R R R R - - R"), after=2, rounds=[WORK] * 5 + [PLANNING] + [WORK] * 2)
def back(MyNag, after, rounds):
    nag = MyNag(after=after)
    return [nag(calls) for calls in rounds]


@RULES.add("Several calls in one round count once")
@why("A model may ask for four files at once. That is one round without a todo call.")
@hint("There are two lines that count. What does each of them count?")
@case(saying("- - R"), rounds=[WORK * 4, WORK, WORK])
def rounds(MyNag, rounds):
    nag = MyNag(after=3)
    return [nag(calls) for calls in rounds]


FURTHER = Further(
    "What would go wrong if the count went up before the todo call was looked for?",
    "Nothing, as long as the branch with the todo call sets it back to 0: `H` may come first. It "
    "would if that branch only returned.",
)


def check_order(order: Any = "", **settings: Any) -> Result:
    """What comes of the lines in this order: letters, such as "B A D". Any that works will do.

    `settings` are those of check.examine.
    """
    words = " ".join(map(str, order)) if isinstance(order, (list, tuple)) else order
    if words is None or words is ... or isinstance(words, str) and not words.strip(" ._…"):
        note = (
            "The nag: nothing there yet, and that is fine. Write the letters into their cell, "
            'such as order = "B A D", run that cell, then the check again.'
        )
        return Result("The nag", RULES, begun=False, note=note)
    letters, problem = read_letters(words)
    problem = problem or find_syntax_problem(letters)
    if problem:
        return Result("The nag", RULES, note=f"The nag: not yet. {problem}")
    source = HEAD + textwrap.indent("\n".join(LINES[letter] for letter in letters), " " * 8)
    names: dict[str, Any] = {}
    exec(source, names)  # our own lines, in the learner's order
    is_nag = letters == LINES_OF_NAG
    after = "This is Nag, line by line." if is_nag else "It does what Nag does."
    made = {"The nag": names["MyNag"], "MyNag": names["MyNag"]}
    result = check(Subject("The nag", RULES, after, FURTHER), made, **settings)
    if result.miss is None:
        return result
    return replace(result, miss=replace(result.miss, tried=f"{source}\n\n{result.miss.tried}"))


def read_letters(words: Any) -> tuple[list[str], str]:
    """The letters in an answer, and what is not right about them, if anything."""
    if not isinstance(words, str):
        return [], 'The order is a text of letters, such as order = "B A D".'
    letters = re.findall(r"[^\W\d_]", words.upper())
    unknown = [letter for letter in letters if letter not in LINES]
    if unknown:
        return [], (
            f"There is no line {unknown[0]}: the letters go from A to {max(LINES)}, and stand "
            'alone, as in "B A D".'
        )
    twice = [letter for letter in LINES if letters.count(letter) > 1]
    if twice:
        return [], f"Line {twice[0]} is there twice. Each is used at most once."
    return letters, "" if letters else 'There is no letter in it. Write it like "B A D".'


def find_syntax_problem(letters: list[str]) -> str:
    """Why the lines are not Python in this order; "" where they are."""
    for before, letter in zip(["", *letters], [*letters, ""], strict=True):
        is_inside = letter and LINES[letter].startswith(" ")
        opens = before and LINES[before].endswith(":")
        if is_inside and not before:
            return f"Line {letter} is indented, so it cannot come first: an `if` goes before it."
        if is_inside and not opens and not LINES[before].startswith(" "):
            words = "is indented, so it belongs inside an `if`. But line"
            return f"Line {letter} {words} {before}, right before it, is not one."
        if opens and not is_inside:
            why = f"Line {letter} is not indented." if letter else "None does."
            return f"Line {before} ends with a colon, so an indented line must follow. {why}"
    return ""
