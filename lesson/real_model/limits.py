"""Limits on the requests and tokens that one connection may spend."""

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

from agentlib.approval import SENT

if TYPE_CHECKING:
    from anthropic import APIRequest, APIResponse


class LimitReachedError(Exception):
    """Raised before a request that a limit forbids. The message says how to continue."""

    def __init__(self, name: str, count: str, limit: int) -> None:
        super().__init__(
            f"{name} limit reached ({count} of {limit:,}). Nothing was sent. To allow as much "
            "again, run model.limits.extend(), then run this again."
        )


@dataclass
class Limits:
    """How much one connection to a real model may spend. You can raise the limits at any time.

    `max_requests` and `max_tokens` are the limits, `requests_sent` and `tokens_used` the counts.
    A retry counts as a request. Tokens are the sum of all counts in the replies' `usage`:
    input, output, cache writes and cache reads. Threads may share one Limits.
    """

    max_requests: int = 60
    max_tokens: int = 500_000
    requests_sent: int = 0
    tokens_used: int = 0
    can_count: bool = True  # False once a server has reported no tokens
    _lock: Any = field(default_factory=Lock, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._first_requests, self._first_tokens = self.max_requests, self.max_tokens

    def admit(self, requests: int = 1) -> None:
        """Count requests before they are sent. Raise LimitReachedError if they are too many."""
        with self._lock:
            if self.requests_sent + requests > self.max_requests:
                batch = f" + {requests:,}" if requests > 1 else ""
                count = f"{self.requests_sent:,}{batch}"
                raise LimitReachedError("Request", count, self.max_requests)
            if self.tokens_used >= self.max_tokens:
                raise LimitReachedError("Token", f"{self.tokens_used:,}", self.max_tokens)
            self.requests_sent += requests

    def extend(self) -> None:
        """Raise both limits: allow as much again as at the start."""
        with self._lock:
            self.max_requests += self._first_requests
            self.max_tokens = max(self.max_tokens, self.tokens_used) + self._first_tokens

    def count(self, tokens: int) -> None:
        """Add to the number of tokens used."""
        with self._lock:
            self.tokens_used += tokens

    def middleware(
        self, request: "APIRequest", call_next: Callable[["APIRequest"], "APIResponse[Any]"]
    ) -> "APIResponse[Any]":
        """Count one attempt to send a request, then send it: a middleware of the SDK.

        The SDK calls it for each retry too, with the body that is sent: generators are lists.
        """
        cost = count_requests(request)
        if cost:
            self.admit(cost)
            SENT.prompts += not has_only_tool_results(request.json)
        return call_next(request)


def count_requests(request: "APIRequest") -> int:
    """Return how many model requests this is: 0 if it is free, all of them for a batch."""
    if request.method.lower() != "post" or "count_tokens" in request.url:
        return 0
    match request.json:
        case {"requests": [*requests]}:
            return len(requests)
    return 1


def has_only_tool_results(body: Any) -> bool:
    """Return whether a request's last message contains tool results and no new prompt."""
    match body:
        case {"messages": [*_, {"role": "user", "content": [_, *_] as blocks}]}:
            return all(
                isinstance(block, dict) and block.get("type") == "tool_result" for block in blocks
            )
    return False
