"""When a request to a real model is sent again, how long to wait before that, and why."""

import re
import time
from typing import Any

import anthropic
import httpx2

from .errors import NO_CREDIT, OUT_OF_TIME, REQUEST_FAULT, parse_retry_after, server_words
from .transport import POLL_SECONDS

RETRY_SECONDS = (1.0, 2.0, 4.0, 8.0)  # before the second try, the third, …
MAX_PAUSE_SECONDS = 60  # that a server may make us wait; if it wants more, a person decides
CONNECTION_ERRORS = (httpx2.ConnectTimeout, httpx2.NetworkError, httpx2.RemoteProtocolError)


def pause_before_retry(problem: Exception, pauses: list[float]) -> float | None:
    """How many seconds to wait before the next try, or None where it makes no sense.

    `pauses` are those that are left. An answer that took too long is not asked for again: it may
    have been paid for.
    """
    if not pauses:
        return None
    if isinstance(problem, anthropic.APIConnectionError):
        return pauses.pop(0) if isinstance(problem.__cause__, CONNECTION_ERRORS) else None
    if not isinstance(problem, anthropic.APIStatusError) or not may_pass(problem):
        return None
    headers = problem.response.headers
    if problem.status_code == 500 and headers.get("x-should-retry") != "true":
        del pauses[1:]  # it is mostly the same the second time
    pause, wanted = pauses.pop(0), parse_retry_after(headers)
    return max(pause, wanted) if wanted <= MAX_PAUSE_SECONDS else None


def may_pass(problem: anthropic.APIStatusError) -> bool:
    """Whether the same request may be answered a little later."""
    status, headers = problem.status_code, problem.response.headers
    if status in OUT_OF_TIME or headers.get("x-should-retry") == "false":
        return False
    words = server_words(problem)
    if status == 429:  # a gateway's word for an empty account, too
        return "retry-after" in headers or not re.search(NO_CREDIT, words, re.IGNORECASE)
    if status in (500, 501):
        return not re.search(REQUEST_FAULT, words, re.IGNORECASE)
    return status == 409 or status > 501


def why_waiting(problem: Any, host: str) -> str:
    """Why we wait, as a sentence."""
    status = getattr(problem, "status_code", None)
    if status is None:
        return f"{host} cannot be reached, or broke off."
    if status == 429:
        return f"{host} asks for a slower pace."
    return f"{host} is overloaded or has a fault of its own ({status})."


def sleep_interruptibly(seconds: float) -> None:
    """Sleep, and wake at once when a person says stop."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(left, POLL_SECONDS))
