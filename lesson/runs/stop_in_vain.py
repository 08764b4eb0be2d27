"""End a run in which an agent that has stopped is asked the same again."""

import re
from collections.abc import Callable, Sequence

from agentlib.loop import Round

IN_VAIN = (
    "The model has answered the last question without a tool call, and the same is still missing, "
    "so it is not asked again. {}"
)
READ_IT = (
    "Read its last reply: it may ask you something, or say that it cannot go on. Write your answer "
    "into the prompt, and run this again."
)
EMPTY = (
    "Its last reply was empty: there is nothing that you could answer. Look at the files, and run "
    "this again, or choose another model or server."
)
NUMBERS = re.compile(r"\d+(\.\d+)?")  # a test run says how long it took


class AskedInVainError(Exception):
    """A second question in a row would get the same answer."""


def stop_in_vain(
    missing: Callable[[], Sequence[str]], rounds: Sequence[Round]
) -> Callable[[], Sequence[str]]:
    """Return a `missing` that raises AskedInVainError instead of asking the same again.

    `rounds` are those that have ended, and grow. If the model has called no tool since the last
    question, and the same is missing, it is waiting for the user, or cannot do it.
    """
    before: tuple[int, list[str]] | None = None

    def ask() -> Sequence[str]:
        nonlocal before
        left = missing()
        now = sum(len(one.calls) for one in rounds), [NUMBERS.sub("", one) for one in left]
        if left and now == before:
            text = rounds[-1].text if rounds else ""
            raise AskedInVainError(IN_VAIN.format(READ_IT if text.strip() else EMPTY))
        before = now
        return left

    return ask
