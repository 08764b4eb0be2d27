"""The guesses of the lesson by name: what is asked, and what is right.

The name is that of the variable in the notebook, or of what takes the guess.
"""

import re
from typing import NamedTuple


class Guess(NamedTuple):
    """A question whose answer is a number."""

    notebook: str
    question: str
    right: int


GUESSES = {
    "without_rules": Guess("s03a", "How many of ten steps get done without rules?", 1),
    "with_rules": Guess("s03a", "How many of ten steps get done with the rules?", 10),
    "reminder": Guess("s03b", "Up to which threshold do all ten steps get done?", 5),
    "ask_the_list": Guess("s04b", "How many steps get done if the list is asked?", 4),
    "ask_the_files": Guess("s04b", "How many steps get done if the files are asked?", 5),
    "read_it": Guess("s05", "How many of 8 runs that read the plan again did all of it?", 8),
    "did_not": Guess("s05", "How many of 8 runs without the plan did all of it?", 0),
}


def say_guess(guess: object, answer: object) -> str:
    """Return what was guessed and what is right. "11 of 16" is 11, and " Rejected" "rejected"."""
    number = re.match(r"\s*\d+", guess) if isinstance(guess, str) else None
    if number and isinstance(answer, int):
        guess = int(number[0])
    is_equal = guess == answer or without_case(guess) == without_case(answer)
    return f"You said {str(guess).strip()}{', and' if is_equal else ';'} it is {answer}."


def without_case(value: object) -> str:
    return str(value).strip().casefold()
