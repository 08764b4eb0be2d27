"""The SDK's client for a real model, with limits, retries and error messages."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import anthropic
import httpx2
from anthropic.types import Message

from agentlib import escape

from .error_messages import (
    MAX_WAIT_SECONDS,
    TIMEOUT_STATUSES,
    explain,
    explain_stop,
    is_permanent,
    parse_retry_after,
    quote,
    server_message,
)
from .limits import Limits
from .waiting import show_wait

MAX_RETRIES = 4  # with the SDK's backoff, 0.5 to 4 s: 8 s together
CallNext = Callable[[anthropic.APIRequest], anthropic.APIResponse[Any]]
NO_STREAMS = (
    "A client of connect() returns whole messages. Leave out stream=True and messages.stream(), "
    "or use a client of your own: anthropic.Anthropic()."
)


@dataclass
class CacheMiddleware:
    """A middleware of the SDK that leaves out cache_control as soon as a server rejects it.

    Many gateways forward the field to a provider that rejects unknown ones. `say` is called once.
    """

    say: Callable[[str], None]
    is_accepted: bool = True

    def send(self, request: anthropic.APIRequest, call_next: CallNext) -> Any:
        """Send a request, a second time if the server rejects it because of the field."""
        body = request.json
        if not (isinstance(body, dict) and "cache_control" in body):
            return call_next(request)
        if self.is_accepted:
            answer = call_next(request)
            response = answer.http_response
            if response.is_success or "cache_control" not in server_message(response):
                return answer
            self.is_accepted = False
            host = response.request.url.host
            self.say(f"{host} does not accept cache_control. It is left out from now on.")
        body = {name: body[name] for name in body if name != "cache_control"}
        return call_next(request.copy(body=body))


class Client(anthropic.Anthropic):
    """An `anthropic.Anthropic` that stays within `limits`, retries, and explains its errors.

    `say` is called with a line for every retry and every reply that ended early. Errors are the
    SDK's, with a note (PEP 678) that says what to do: it is the last line of the traceback.
    Raises LimitReachedError before anything is sent, and ValueError for a stream.
    """

    def __init__(self, *, limits: Limits, say: Callable[[str], None], **options: Any) -> None:
        self.limits, self.say = limits, say
        options.setdefault("max_retries", MAX_RETRIES)
        middleware = [CacheMiddleware(say).send, limits.middleware, show_wait]
        options.setdefault("middleware", middleware)
        options.setdefault("open_telemetry", False)
        super().__init__(**options)

    def copy(self, **changes: Any) -> "Client":
        """Return a copy like the SDK's; it shares the limits and their counts."""
        return super().copy(**changes, _extra_kwargs={"limits": self.limits, "say": self.say})

    with_options = copy

    def request(self, cast_to: Any, options: Any, **more: Any) -> Any:
        """Send a request and return its answer: every method of the SDK calls this."""
        body = options.json_data if isinstance(options.json_data, dict) else {}
        if body.get("stream"):  # its events would be neither redacted nor counted
            raise ValueError(NO_STREAMS)
        try:
            reply = super().request(cast_to, options, **more)
        except anthropic.APIError as problem:
            note = explain(problem, body.get("model", "this model"), self.base_url.host)
            problem.args = (escape.for_screen(problem.message),)  # a traceback prints it
            problem.add_note(note)
            raise
        if isinstance(reply, Message):
            self.comment(reply)
        return reply

    def comment(self, message: Message) -> None:
        """Say if a reply ended early, or if the server does not report token counts."""
        early_end = explain_stop(message.stop_reason)
        if early_end:
            self.say(early_end)
        if self.limits.can_count and not self.limits.tokens_used:
            self.limits.can_count = False
            host = self.base_url.host
            self.say(f"{host} reports no token counts, so max_total_tokens has no effect.")

    # The SDK calls these methods to decide whether to retry, and how long to wait before it.

    def _should_retry(self, response: httpx2.Response) -> bool:
        """Return whether the same request may succeed within a minute.

        If a gateway gave up on the model, a retry costs minutes and perhaps money again.
        """
        return (
            super()._should_retry(response)
            and response.status_code not in TIMEOUT_STATUSES
            and parse_retry_after(response.headers) <= MAX_WAIT_SECONDS
            and not is_permanent(response)
        )

    def _should_retry_exception(self, err: BaseException) -> tuple[bool, httpx2.Response | None]:
        """Return whether to retry after an exception, and its response.

        A reply that took too long may have been billed, so it is not requested again.
        """
        is_read_timeout = isinstance(err, anthropic.APITimeoutError) and not isinstance(
            err.__cause__, httpx2.ConnectTimeout
        )
        if is_read_timeout:
            return False, None
        return super()._should_retry_exception(err)

    def _parse_retry_after_header(self, response_headers: Any = None) -> float:
        """Return the seconds that the server names; 0 for the SDK's backoff.

        The SDK's own parser also takes `retry-after-ms`, without a limit.
        """
        return parse_retry_after(response_headers or {})

    def _sleep_for_retry(
        self, *, retries_taken: int, max_retries: int, options: Any, response: Any
    ) -> None:
        """Announce the wait, then wait."""
        headers = response.headers if response is not None else None
        seconds = self._calculate_retry_timeout(max_retries - retries_taken, options, headers)
        self.say(describe_retry(response, self.base_url.host, seconds))
        time.sleep(seconds)


def describe_retry(response: httpx2.Response | None, host: str, seconds: float) -> str:
    """Return why a request is sent again and when, with the server's message."""
    wait = f"Retrying in {seconds:.2g} s."
    if response is None:
        return f"{host} cannot be reached, or the connection broke. {wait}"
    status = response.status_code
    problem = "rate limit" if status == 429 else "the server is overloaded or has an error"
    return f"{host}: {problem} ({status}). {wait}{quote(response, host)}"
