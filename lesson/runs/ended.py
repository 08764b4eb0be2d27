"""End a run in vain: a learner's model never stops, or a real one waits for the user.

Its reason is shown in place of an error.
"""

import re
from collections.abc import Callable, Sequence

from agentlib.loop import Round
from agentlib.room import is_reply
from safetylib import escape
from safetylib.server.limits import Limits

MAX_REQUESTS = Limits.max_requests  # to a model that the learner has written, as to a real one
CHARACTERS = 200  # of the last result
LOST = (
    "Your loop has asked the model {asked} times, and its last request contains {sent} of the "
    "{asked} replies. A model sees only the messages that it is sent: append each reply and each "
    "result."
)
GOES_ON = (
    "Your loop has asked the model {asked} times, and goes on after a reply that calls no tool. "
    "Such a reply ends the loop."
)
CALLS = (
    "Your model has asked {asked} times for a tool, and does not stop. A model stops with a reply "
    "that calls no tool. Its last call was: {call}. The result was: {result}"
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
    """Ends a run. The message says why."""


def check_count(rounds: Sequence[Round], messages: Sequence[object]) -> None:
    """Raise EndedError, which says what goes on for ever, before request MAX_REQUESTS + 1.

    `rounds` are those that have ended, and `messages` those of the next request.
    """
    asked, sent = len(rounds), sum(map(is_reply, messages))
    if asked < MAX_REQUESTS:
        return
    calls = rounds[-1].calls
    if sent < 2:  # with more, a model sees what it has done, also after `make_room`
        raise EndedError(LOST.format(asked=asked, sent=sent))
    if not calls:
        raise EndedError(GOES_ON.format(asked=asked))
    result = escape.shorten(calls[-1].output, CHARACTERS)
    raise EndedError(CALLS.format(asked=asked, call=calls[-1], result=result))


def stop_in_vain(
    missing: Callable[[], Sequence[str]], rounds: Sequence[Round]
) -> Callable[[], Sequence[str]]:
    """Return a `missing` that raises EndedError instead of asking the same again.

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
            raise EndedError(IN_VAIN.format(READ_IT if text.strip() else EMPTY))
        before = now
        return left

    return ask
