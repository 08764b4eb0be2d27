"""End a run that goes on for ever, because a learner's model or loop never stops."""

from collections.abc import Sequence

from agentlib.window import is_reply
from safetylib.guard import escape
from safetylib.guard.circles import EndedError
from safetylib.wire.server.limits import Limits

from ..common.round import Round

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


def check_count(rounds: Sequence[Round], messages: Sequence[object]) -> None:
    """Raise EndedError, which says what goes on for ever, before request MAX_REQUESTS + 1.

    `rounds` are those that have ended, and `messages` those of the next request.
    """
    asked, sent = len(rounds), sum(map(is_reply, messages))
    if asked < MAX_REQUESTS:
        return
    calls = rounds[-1].calls
    if sent < 2:  # with more, a model sees what it has done, also after `trim_messages`
        raise EndedError(LOST.format(asked=asked, sent=sent))
    if not calls:
        raise EndedError(GOES_ON.format(asked=asked))
    result = escape.shorten(calls[-1].output, CHARACTERS)
    raise EndedError(CALLS.format(asked=asked, call=calls[-1], result=result))
