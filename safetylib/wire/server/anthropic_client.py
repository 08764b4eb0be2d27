"""The SDK's client for a real model: it reports attempts, checks replies and explains errors."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anthropic
from anthropic.types import Message

from ...guard.hide_keys import clip
from ..client import is_for_model
from ..ends import EARLY_ENDS
from ..replies import check_reply, no_message
from .server_errors import (
    demands_long_wait,
    describe_attempt,
    describe_failure,
    explain_server_error,
)

if TYPE_CHECKING:
    import httpx2

MAX_TIMEOUT_SECONDS = 1_000_000  # 11 days: Python can wait for twice as long
TEMPORARY = (408, 409, 429)  # and 500 or more: the errors after which the SDK tries again


class Anthropic(anthropic.Anthropic):
    """An `anthropic.Anthropic` whose errors say what to do.

    They are the SDK's errors with a note (PEP 678), which is the last line of the traceback. The
    class has the name of the SDK's class, because the SDK sends this name as the user agent, and
    some gateways look for it.
    """

    checks_replies = True  # `Attempts` checks them in each attempt: see CheckedClient

    def request(self, cast_to: Any, options: Any, **settings: Any) -> Any:
        """Send a request and return its answer. Every method of the SDK calls this.

        Raise ValueError for a timeout that nobody can wait for: the HTTP library would only say
        that the server cannot be reached.
        """
        check_timeout(options.timeout)
        body = options.json_data if isinstance(options.json_data, dict) else {}
        try:
            return super().request(cast_to, options, **settings)
        except anthropic.APIError as problem:
            problem.add_note(
                explain_server_error(problem, body.get("model", "this model"), self.base_url.host)
            )
            # The note has the server's words, so the message does not repeat them.
            if isinstance(problem, anthropic.APIStatusError):
                problem.message = f"Error code: {problem.status_code}"
            problem.message = clip(problem.message)
            problem.args = (problem.message,)  # a traceback prints these
            problem.__cause__ = None  # and the cause, which the note describes
            raise


def check_timeout(timeout: Any) -> None:
    """Raise ValueError for a number of seconds that nobody can wait for. Other forms are valid."""
    if isinstance(timeout, anthropic.NotGiven | anthropic.Timeout | None):
        return
    if type(timeout) not in (int, float) or not 0 < timeout <= MAX_TIMEOUT_SECONDS:
        raise ValueError(
            'timeout, as in model.settings["timeout"], must be a number of seconds above 0 and at '
            f"most {MAX_TIMEOUT_SECONDS:,}, not {timeout!r:.60}"
        )


@dataclass(frozen=True)
class Attempts:
    """Say which attempts failed, and check each reply.

    The SDK decides what is sent again, and when. `say` is called with a line for every failed
    attempt and every reply that ended early.
    """

    say: Callable[[str], None]

    def middleware(
        self,
        request: "anthropic.APIRequest",
        call_next: Callable[["anthropic.APIRequest"], "anthropic.APIResponse[Any]"],
    ) -> "anthropic.APIResponse[Any]":
        """Send a request once. This is a middleware of the SDK, which calls it for each attempt.

        Raise ValueError for a stream, and for an answer that is not a message.
        """
        # The free requests of `open_client` may fail.
        if not is_for_model(request):
            return call_next(request)
        body = request.json if isinstance(request.json, dict) else {}
        kind = request.headers.get("X-Stainless-Raw-Response")  # of with_streaming_response
        if request.stream or body.get("stream") or kind == "stream":  # it would not be counted
            raise ValueError("A client of connect() returns whole messages: leave out stream=True.")
        number = request.retries_taken + 1
        try:
            response = call_next(request)
        except anthropic.APIConnectionError as problem:
            failure = describe_failure(problem, problem.request.url.host)
            self.say(f"Attempt {number} failed: {failure}")
            raise
        answer = response.http_response
        if answer.is_success:
            self.check_response(response)
        elif is_tried_again(answer):
            self.say(describe_attempt(number, answer))
            if demands_long_wait(answer):
                answer.headers["x-should-retry"] = "false"  # the SDK then raises the error
        return response

    def check_response(self, response: "anthropic.APIResponse[Any]") -> None:
        """Repair a message, and say if it ended early. Raise ValueError for another answer."""
        answer = response.http_response
        try:
            reply = response.parse()  # the SDK keeps this object, and returns it to the caller
            if not isinstance(reply, anthropic.BaseModel | dict):
                raise ValueError("a web page, a list or a number")
            if isinstance(reply, Message):
                check_reply(reply)
        # The answer is not JSON, has lists that never end, is not a valid message, or has a field
        # that the SDK's parser takes for one of its own arguments.
        except (ValueError, RecursionError, AttributeError, TypeError):
            raise no_message(answer.text) from None
        if isinstance(reply, Message) and reply.stop_reason in EARLY_ENDS:
            self.say(EARLY_ENDS[reply.stop_reason])


def is_tried_again(answer: "httpx2.Response") -> bool:
    """Return whether the SDK may send the request again, as the server or the status decides."""
    should_retry = answer.headers.get("x-should-retry")
    if should_retry in ("true", "false"):
        return should_retry == "true"
    return answer.status_code in TEMPORARY or answer.status_code >= 500
