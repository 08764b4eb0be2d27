"""Ask at the stop: run the loop again, and tell the model what is missing, until nothing is."""

from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["MAX_QUESTIONS", "WHO", "ask_at_the_stop"]

WHO = "The program asks, not the user: this is missing:"  # the prefix of each question
MAX_QUESTIONS = 10  # one for each of ten steps: a model may never finish


def ask_at_the_stop(
    run: Callable[[], Any], messages: list[Any], missing: Callable[[], Sequence[str]]
) -> None:
    """Run the loop, and ask for what is missing each time that the model stops.

    `missing` looks at the files, or runs a command that can fail: asking the model whether it is
    done would only repeat its mistake. A learner writes the same function
    (notebooks/solutions/stop.py) without types.
    """
    run()
    for _ in range(MAX_QUESTIONS):
        left = missing()
        if not left:
            return
        # The role of the message is "user", so its text says who really asks.
        messages.append({"role": "user", "content": f"{WHO} {'; '.join(left)}"})
        run()
