"""The SDK's client for a real model: it waits where anybody can see it, and never without end.

It stands beneath everything that asks a model, loops written by hand included. What a learner
would otherwise meet: an hour's silence, a bill, a page of HTML where a message should be.
"""

import time
from collections.abc import Callable
from typing import Any

import anthropic
import httpx2

from .errors import explain, explain_stop, parse_retry_after
from .limits import Limits

RETRY_SECONDS = (1, 2, 4, 8)  # seconds before the second try, the third, …
MAX_PAUSE_SECONDS = 60  # seconds that a server may make us wait; if it wants more, a person decides
POLL_SECONDS = 0.2  # seconds in which a stop is noticed
CONNECTION_ERRORS = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.NetworkError,
    httpx2.RemoteProtocolError,
)


class Client(anthropic.Anthropic):
    """An `anthropic.Anthropic` that keeps to `limits`, tries again, and explains its errors.

    `say` is told, a line each, of every wait and of every reply that ended early. Errors are the
    SDK's own, with a note (PEP 678) that says what to do: it is the traceback's last line.
    Raises LimitReachedError before anything is sent.
    """

    pauses: tuple[float, ...] = RETRY_SECONDS

    def __init__(
        self, *, limits: Limits | None = None, say: Callable[[str], None] = print, **options: Any
    ) -> None:
        super().__init__(**{"max_retries": 0, "open_telemetry": False} | options)
        self.limits, self.say = limits or Limits(), say

    def copy(self, **changes: Any) -> "Client":
        """Like the SDK's; the copy shares the limits and their counts."""
        copy = super().copy(**changes)
        copy.limits, copy.say, copy.pauses = self.limits, self.say, self.pauses
        return copy

    with_options = copy

    def request(self, cast_to: Any, options: Any, **more: Any) -> Any:
        """What every method of the SDK ends in: one request, and its answer.

        A stream is passed on as it comes: it counts as a request, and its tokens do not.
        """
        costs = options.method == "post" and "count_tokens" not in options.url
        pauses = list(self.pauses) if costs else []
        while True:
            if costs:
                self.limits.admit()
            try:
                reply = super().request(cast_to, options, **more)
                break
            except anthropic.APIError as problem:
                pause = pause_before_retry(problem, pauses)
                if pause is None:
                    body = options.json_data if isinstance(options.json_data, dict) else {}
                    model = body.get("model", "this model")
                    problem.add_note(explain(problem, model, self.base_url.host))
                    raise
                self.say(f"{why_waiting(problem, self.base_url.host)} I try again in {pause:g} s.")
            sleep_interruptibly(pause)
        if costs:
            raw = (options.headers or {}).get("X-Stainless-Raw-Response") == "raw"
            message = reply.parse() if raw else reply
            self.limits.count(getattr(message, "usage", None))
            if why := explain_stop(getattr(message, "stop_reason", None)):
                self.say(why)
        return reply


def pause_before_retry(problem: Exception, pauses: list[float]) -> float | None:
    """How many seconds to wait before the next try, or None where it makes no sense.

    `pauses` are those that are left. A server's word (retry-after, x-should-retry) counts more.
    An answer that took too long is not asked for again: it may have been paid for.
    """
    if not pauses:
        return None
    if isinstance(problem, anthropic.APIConnectionError):
        return pauses.pop(0) if isinstance(problem.__cause__, CONNECTION_ERRORS) else None
    if not isinstance(problem, anthropic.APIStatusError):
        return None
    headers = problem.response.headers
    again = problem.status_code in (408, 409, 429) or problem.status_code >= 500
    if not again or headers.get("x-should-retry") == "false":
        return None
    pause, asked = pauses.pop(0), parse_retry_after(headers)
    return max(pause, asked) if asked <= MAX_PAUSE_SECONDS else None


def why_waiting(problem: Any, host: str) -> str:
    """Why we wait, as a sentence."""
    match getattr(problem, "status_code", None):
        case None:
            return f"{host} cannot be reached, or broke off."
        case 429:
            return f"{host} asks for a slower pace."
        case status:
            return f"{host} is overloaded or has a fault of its own ({status})."


def sleep_interruptibly(seconds: float) -> None:
    """Sleep, and wake at once when a person says stop."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(left, POLL_SECONDS))
