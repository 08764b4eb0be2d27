"""Ask at the stop: run the loop again while something is missing, which is said to the model."""

from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["MAX_QUESTIONS", "WHO", "ask_at_the_stop"]

WHO = "The program asks, not the user: this is missing:"  # so begins each question
MAX_QUESTIONS = 10  # so often an agent that stops is asked: once for each of ten steps


def ask_at_the_stop(
    run: Callable[[], Any], messages: list[Any], missing: Callable[[], Sequence[str]]
) -> None:
    """Play the agent loop, and ask for what is missing each time that the model stops.

    `run()` plays the loop on `messages` until the model stops. `missing()` is called once at each
    stop, and returns strings that say what is missing. If there are any, append one user message
    that names all of them, and play the loop again, at most MAX_QUESTIONS times.

    What `run` and `missing` raise is passed on.
    """
    run()
    for _ in range(MAX_QUESTIONS):
        left = missing()
        if not left:
            return
        # The role of the message is "user", so its text says who really asks.
        question = f"{WHO} {'; '.join(left)}"
        messages.append({"role": "user", "content": question})
        run()
