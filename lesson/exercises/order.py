"""The exercise "The lines of a nag": eight lines to put in order. Two of them are not needed."""

import re
import textwrap
from dataclasses import replace
from typing import Any

from .checking.check import Exercise, check
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
    """The lines with their letters. Print it."""

    def __str__(self) -> str:
        lines = [f"{letter}   {line}" for letter, line in LINES.items()]
        return HEAD + "        …\n\n" + "\n".join(lines)

    __repr__ = __str__


RULES = Rules()


@RULES.add(
    "With after=3 it is silent for two rounds and reminds in the third; with after=1, at once"
)
@why("The nag counts rounds, and compares the count with the threshold.")
@hint(
    "In the third call: what is `self.rounds` when it is compared? Is 3 > 3 true? Which `return` "
    "is next?"
)
@case(saying("- - R"), after=3, rounds=[WORK, WORK, WORK])
@case(saying("R"), after=1, rounds=[WORK])
def third(MyNag, after, rounds):
    nag = MyNag(after=after)
    return [nag(calls) for calls in rounds]


@RULES.add("It reminds again in each round that follows")
@why("A model may overlook one reminder. It is repeated until the list is updated.")
@hint("A reminder does not set the count back to 0.")
@case(saying("- R R R R"), rounds=[WORK] * 5)
def again(MyNag, rounds):
    nag = MyNag(after=2)
    return [nag(calls) for calls in rounds]


@RULES.add("A round with a todo call has no reminder, and the count starts again at 0")
@why("The model has just read its plan. The nag has nothing to add.")
@hint("Which lines belong inside the `if` that looks for a todo call?")
@case(saying("- - - R"), after=2, rounds=[WORK, PLANNING, WORK, WORK])
@case(saying("- R -"), after=1, rounds=[PLANNING, WORK, PLANNING])
@case(saying("- R R R R - - R"), after=2, rounds=[WORK] * 5 + [PLANNING] + [WORK] * 2)
def back(MyNag, after, rounds):
    nag = MyNag(after=after)
    return [nag(calls) for calls in rounds]


@RULES.add("Several calls in one round count once")
@why("A model may ask for four files at once. That is one round without a todo call.")
@hint("Two of the lines count. What does each of them count?")
@case(saying("- - R"), rounds=[WORK * 4, WORK, WORK])
def rounds(MyNag, rounds):
    nag = MyNag(after=3)
    return [nag(calls) for calls in rounds]


FURTHER = Further(
    "What would go wrong if the count went up before the nag looks for a todo call?",
    "Nothing, because the branch with the todo call sets it back to 0: `H` may come first. It "
    "would go wrong if that branch only returned.",
)


def check_order(order: Any = "", **settings: Any) -> Result:
    """Check the lines in this order: letters, such as "B A D". Every order that works passes.

    `settings` are those of check.examine.
    """
    words = " ".join(map(str, order)) if isinstance(order, (list, tuple)) else order
    if words is None or words is ... or isinstance(words, str) and not words.strip(" ._…"):
        advice = 'Write the letters into the cell above, for example order = "B A D", and run it.'
        return EXERCISE.nothing_yet(advice)
    letters, problem = read_letters(words)
    source = HEAD + textwrap.indent("\n".join(LINES[letter] for letter in letters), " " * 8)
    names: dict[str, Any] = {"__name__": "order"}
    try:
        exec(source, names)  # our own lines, in the learner's order
    except SyntaxError as error:
        number = (error.lineno or 0) - HEAD.count("\n")
        line = letters[min(max(number, 1), len(letters)) - 1] if letters else ""
        reason = error.msg.partition(" on line")[0]
        problem = problem or f"This order is not valid Python. At line {line}: {reason}."
    if problem:
        return EXERCISE.result(note=f"{EXERCISE.label}: not yet. {problem}")
    is_nag = letters == LINES_OF_NAG
    after = "This is Nag, line by line." if is_nag else "It does what Nag does."
    made = {"order": names["MyNag"], "MyNag": names["MyNag"]}
    result = check(replace(EXERCISE, after=after), made, **settings)
    if result.miss is None:
        return result
    return replace(result, miss=replace(result.miss, tried=f"{source}\n\n{result.miss.tried}"))


def read_letters(words: Any) -> tuple[list[str], str]:
    """Return the letters in the order given, and what is wrong with them or ""."""
    if not isinstance(words, str):
        return [], 'The order must be a string of letters, such as "B A D".'
    letters = re.findall("[A-Z]", words.upper())
    for letter in letters:
        if letter not in LINES:
            return letters[:0], f"There is no line {letter}."
        if letters.count(letter) > 1:
            return letters[:0], f"Line {letter} is there twice. Use each line at most once."
    return letters, "" if letters else 'There is no letter in it. Write for example "B A D".'


EXERCISE = Exercise(
    name="order",
    title="The lines of a nag",
    notebook="exercises",
    cell_id="order-04",
    check=check_order,
    subjects=("order",),
    rules=RULES,
    further=FURTHER,
    label="The nag",
)
