"""Notice a model that goes in circles: it makes one call again and again, or waits for the user."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any

SAME_CALLS = 5  # in a row: a model that looks again at a test or a server stops sooner
CIRCLE = (
    "The model has made the same call {} times in a row, and read the same result: {}. It goes in "
    "circles, so more requests may not help: change the prompt, or choose another model."
)

SAME_FAILURES = 3  # the model is told from this one on, though other calls were between them
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
    """Ends a run in vain. The message says why, and is shown in place of an error."""


class Failures(Counter[tuple[str, str, str]]):
    """How often each call has failed in the same way, since a call has changed something."""

    def note(
        self, name: str, given: Any, output: str, *, has_failed: bool, may_change: bool
    ) -> str:
        """Note a call of a tool, and return what the model reads of it.

        A command has also failed if it says so by its exit code. `may_change` is false for a tool
        that changes nothing: its `asks` is false.
        """
        if has_failed or re.search(r"\(exit code \d+\)$", output):
            self[call := (name, str(given), output)] += 1
            return output + REPEATED.format(self[call]) * (self[call] >= SAME_FAILURES)
        if may_change:
            self.clear()
        return output


def stop_in_vain(
    missing: Callable[[], Sequence[str]], look: Callable[[], tuple[int, str]]
) -> Callable[[], Sequence[str]]:
    """Return a `missing` that raises EndedError instead of asking the same again.

    `look` returns how many calls the model has made, and the words of its last reply. If it has
    called no tool since the last question, and the same is missing, it is waiting for the user, or
    cannot do it.
    """
    before: tuple[int, list[str]] | None = None

    def ask() -> Sequence[str]:
        nonlocal before
        left = missing()
        calls, words = look()
        now = calls, [NUMBERS.sub("", one) for one in left]
        if left and now == before:
            raise EndedError(IN_VAIN.format(READ_IT if words.strip() else EMPTY))
        before = now
        return left

    return ask


def count_same(calls: Sequence[Any]) -> int:
    """Return how many of the last calls are the same: the name, the input and the output."""
    parts = [(call.name, call.input, call.output) for call in calls]
    return len([*takewhile(lambda one: one == parts[-1], reversed(parts))])


def describe_circle(calls: Sequence[Any]) -> str:
    """Return that the model goes in circles, or "". `calls` are those of a run, in their order."""
    same = count_same(calls)
    return CIRCLE.format(same, calls[-1]) if same >= SAME_CALLS else ""
