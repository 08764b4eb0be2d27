"""The SDK's client for a real model, with limits, redaction and error messages."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

import anthropic
import httpx2
from anthropic.types import Message

from agentlib.replies import NO_MESSAGE, check_reply

from ..redaction import Keys, redact_bytes
from .server_errors import STOP_REASONS, clip, describe_retry, explain

TEMPORARY = (408, 409, 429)  # and 500 or more: the errors after which the SDK tries again
MAX_WAIT_SECONDS = 60  # before a retry; if the server asks for more, the user decides


class RedactingClient(anthropic.DefaultHttpxClient):
    """An HTTP client that replaces `keys` in each response, and follows no redirect.

    Set `use_proxy` to False for a server on this machine.
    """

    def __init__(self, *, keys: Keys, use_proxy: bool = True, **options: Any) -> None:
        # A redirect would send the whole conversation to another server: the user decides that.
        defaults: dict[str, Any] = {"follow_redirects": False}
        if not use_proxy:
            # The SDK reads the proxies in the environment (trust_env does not change that), unless
            # it gets a transport. A proxy would send a local server's requests to another machine.
            defaults["transport"] = httpx2.HTTPTransport()
        super().__init__(**defaults | options)
        self.keys = keys

    def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> Any:
        """Send one request. Return the complete response, also if a `stream` of it is wanted."""
        response = super().send(request, **options)
        headers = [
            (name, redact_bytes(value, self.keys))
            for name, value in response.headers.raw
            if name.lower() not in (b"content-encoding", b"content-length", b"transfer-encoding")
        ]
        body = redact_bytes(response.content, self.keys)
        # Without the server's own reason phrase, which may contain anything.
        return httpx2.Response(response.status_code, headers=headers, request=request, content=body)


class Client(anthropic.Anthropic):
    """An `anthropic.Anthropic` whose errors say what to do.

    They are the SDK's errors with a note (PEP 678), which is the last line of the traceback.
    """

    def request(self, cast_to: Any, options: Any, **more: Any) -> Any:
        """Send a request and return its answer: every method of the SDK calls this."""
        # So that a middleware knows whether an attempt is the last one.
        options.max_retries = options.get_max_retries(self.max_retries)
        try:
            try:
                return super().request(cast_to, options, **more)
            except NotRetriedError as stopped:
                raise stopped.problem from None
        except anthropic.APIError as problem:
            body = options.json_data if isinstance(options.json_data, dict) else {}
            problem.add_note(explain(problem, body.get("model", "this model"), self.base_url.host))
            problem.args = (clip(problem.message),)  # a traceback prints it
            raise


class NotRetriedError(Exception):
    """Raised in a middleware in place of an error that the SDK would retry."""

    def __init__(self, problem: anthropic.APIError) -> None:
        super().__init__(str(problem))
        self.problem = problem


@dataclass(frozen=True)
class Attempts:
    """Decide what is sent again, and check each reply.

    `say` is called with a line for every retry and every reply that ended early.
    """

    say: Callable[[str], None]

    def middleware(
        self,
        request: "anthropic.APIRequest",
        call_next: Callable[["anthropic.APIRequest"], "anthropic.APIResponse[Any]"],
    ) -> "anthropic.APIResponse[Any]":
        """Send a request once: a middleware of the SDK, which calls it for each attempt.

        Raise ValueError for a stream, and for an answer that is no message.
        """
        body = request.json if isinstance(request.json, dict) else {}
        if request.stream or body.get("stream"):  # its tokens would not be counted
            raise ValueError("A client of connect() returns whole messages: leave out stream=True.")
        retries = request.max_retries
        can_retry = isinstance(retries, int) and request.retries_taken < retries
        try:
            response = call_next(request)
        except anthropic.APITimeoutError as problem:  # the reply may have been billed
            raise NotRetriedError(problem) from None
        except anthropic.APIConnectionError as problem:
            if can_retry:
                self.say(describe_retry(None, problem.request.url.host, None))
            raise
        if response.http_response.is_success:
            self.check(response)
        else:
            self.decide(response.http_response, can_retry)
        return response

    def decide(self, response: httpx2.Response, can_retry: bool) -> None:
        """Decide whether a request is sent again after this error, and say it."""
        seconds = asked_wait(response.headers)
        said = response.headers.get("x-should-retry")
        is_temporary = response.status_code in TEMPORARY or response.status_code >= 500
        is_retried = (
            can_retry
            and (said == "true" or is_temporary and said != "false")
            and (seconds or 0) <= MAX_WAIT_SECONDS
        )
        # With this header, a server tells the SDK whether to send a request again.
        response.headers["x-should-retry"] = str(is_retried).lower()
        if is_retried:
            self.say(describe_retry(response, response.request.url.host, seconds))

    def check(self, response: "anthropic.APIResponse[Any]") -> None:
        """Repair a message, and say if it ended early. Raise ValueError for what is none."""
        try:
            reply = response.parse()  # the SDK keeps this object, and returns it to the caller
        except RecursionError:
            raise ValueError(NO_MESSAGE.format("JSON that never ends its lists")) from None
        if isinstance(reply, Message):
            check_reply(reply)
            if reply.stop_reason in STOP_REASONS:
                self.say(STOP_REASONS[reply.stop_reason])


def asked_wait(headers: httpx2.Headers) -> float | None:
    """Return how many seconds the server asks to wait before the next attempt, or None.

    The headers are those that the SDK reads: milliseconds, seconds, or a date.
    """
    with suppress(KeyError, ValueError):
        return float(headers["retry-after-ms"]) / 1000
    with suppress(KeyError, ValueError):
        return float(headers["retry-after"])
    with suppress(KeyError, ValueError):
        return parsedate_to_datetime(headers["retry-after"]).timestamp() - time.time()
    return None
