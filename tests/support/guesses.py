"""The guesses of the notebooks: what is asked, and what is right."""

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
