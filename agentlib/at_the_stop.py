"""Ask at the stop: run the loop again while something is missing, which is said to the model."""

from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["MAX_QUESTIONS", "WHO", "ask_at_the_stop"]

WHO = "The program asks, not the user: this is missing:"  # so begins each question
# A model that says it is done is not asked about itself: `missing` looks at the files, or runs a
# command that can say no. The number of questions is limited, because a model may never finish.
MAX_QUESTIONS = 10  # so often an agent that stops is asked: once for each of ten steps


def ask_at_the_stop(
    run: Callable[[], Any], messages: list[Any], missing: Callable[[], Sequence[str]]
) -> None:
    """Play the loop, and ask for what is missing each time that the model stops.

    This is what a learner writes (notebooks/solutions/stop.py), with types.
    """
    run()
    for _ in range(MAX_QUESTIONS):
        left = missing()
        if not left:
            return
        # The role of the message is "user", so its text says who really asks.
        messages.append({"role": "user", "content": f"{WHO} {'; '.join(left)}"})
        run()
