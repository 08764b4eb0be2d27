"""Retries: the SDK's own, with every wait announced and none longer than a minute."""

import time
from collections.abc import Callable
from typing import Any

import anthropic
import httpx2

from .error_messages import (
    MAX_WAIT_SECONDS,
    TIMEOUT_STATUSES,
    is_permanent,
    parse_retry_after,
    quote,
)

MAX_RETRIES = 4  # with the SDK's backoff, 0.5 to 4 s: 8 s together


class RetryingClient(anthropic.Anthropic):
    """An Anthropic client that tells `say` why and how long it waits before a retry.

    `max_retries` and the backoff are the SDK's. This class overrides the methods of the SDK that
    decide whether to retry and how long to wait.
    """

    say: Callable[[str], None] = staticmethod(print)

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
