"""Write the sentence about a guess and its answer."""

import re


def say_guess(guess: object, answer: object) -> str:
    """Return what was guessed and what is right. "11 of 16" is 11, and " Rejected" "rejected"."""
    number = re.match(r"\s*\d+", guess) if isinstance(guess, str) else None
    if number and isinstance(answer, int):
        guess = int(number[0])
    is_equal = guess == answer or without_case(guess) == without_case(answer)
    return f"You said {str(guess).strip()}{', and' if is_equal else ';'} it is {answer}."


def without_case(value: object) -> str:
    return str(value).strip().casefold()
