"""End a run in which an agent that has stopped is asked the same again."""

import re
from collections.abc import Callable, Sequence

IN_VAIN = (
    "The model has answered the last question without a tool call, and the same is still missing, "
    "so it is not asked again. Read its last reply: it may ask you something, or say that it "
    "cannot go on. Write your answer into the prompt, and run this again."
)
NUMBERS = re.compile(r"\d+(\.\d+)?")  # a test run says how long it took


class AskedInVainError(Exception):
    """A second question in a row would get the same answer."""


def stop_in_vain(
    missing: Callable[[], Sequence[str]], count_calls: Callable[[], int]
) -> Callable[[], Sequence[str]]:
    """Return a `missing` that raises AskedInVainError instead of asking the same again.

    `count_calls` returns how many tools the model has called. If it has called none since the last
    question, and the same is missing, it is waiting for the user, or cannot do it.
    """
    before: tuple[int, list[str]] | None = None

    def ask() -> Sequence[str]:
        nonlocal before
        left = missing()
        now = count_calls(), [NUMBERS.sub("", one) for one in left]
        if left and now == before:
            raise AskedInVainError(IN_VAIN)
        before = now
        return left

    return ask
