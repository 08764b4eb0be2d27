"""Notice a model that goes in circles: it repeats one call, or waits for the user."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any

SAME_CALLS = 5  # in a row. A model that only waits for a test or a server stops sooner.
CIRCLE = (
    "The model has made the same call {} times in a row, and read the same result: {}. It goes in "
    "circles, so more requests may not help: change the prompt, or choose another model."
)

SAME_FAILURES = 3  # from this one on, the model is told. Other calls may be between them.
REPEATED = (
    "\nThis call has failed {} times in this way: do not repeat it. Do something else, or say what "
    "you need."
)
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


class EndedError(Exception):
    """Raised to end a run that goes in circles. The user reads the message, not a traceback."""


class Failures(Counter[tuple[str, str, str]]):
    """Counts how often each call failed in the same way since the last change of the project."""

    def note(
        self, name: str, tool_input: Any, output: str, *, has_failed: bool, may_change: bool
    ) -> str:
        """Count a call, and return the output that the model reads.

        A command that ends with an exit code has failed as well. `may_change` is false for a call
        that cannot change the project.
        """
        if has_failed or re.search(r"\(exit code \d+\)$", output):
            call = (name, str(tool_input), output)
            self[call] += 1
            if self[call] >= SAME_FAILURES:
                output += REPEATED.format(self[call])
        elif may_change:
            self.clear()
        return output


def stop_in_vain(
    missing: Callable[[], Sequence[str]], look: Callable[[], tuple[int, str]]
) -> Callable[[], Sequence[str]]:
    """Return a `missing` that raises EndedError instead of asking the same again.

    `look` returns how many calls the model has made, and the words of its last reply. A model that
    has called no tool since the last question, while the same is missing, waits for the user or
    cannot go on.
    """
    before: tuple[int, list[str]] | None = None

    def find_missing() -> Sequence[str]:
        nonlocal before
        left = missing()
        calls, last_words = look()
        now = calls, [NUMBERS.sub("", text) for text in left]
        if left and now == before:
            raise EndedError(IN_VAIN.format(READ_IT if last_words.strip() else EMPTY))
        before = now
        return left

    return find_missing


def count_same(calls: Sequence[Any]) -> int:
    """Return how many of the last calls have the same name, input and output.

    What Failures has added to an output counts the failures, so it is another text each time.
    """
    added = REPEATED.partition("{")[0]
    parts = [(call.name, call.input, call.output.partition(added)[0]) for call in calls]
    return len([*takewhile(lambda part: part == parts[-1], reversed(parts))])


def describe_circle(calls: Sequence[Any]) -> str:
    """Return a warning if the last calls of a run are in a circle, or ""."""
    same = count_same(calls)
    return CIRCLE.format(same, calls[-1]) if same >= SAME_CALLS else ""
