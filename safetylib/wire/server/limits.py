"""Limits on the requests and tokens that one connection may spend."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...guard import approval
from ..client import is_for_model
from ..reminders import is_added
from ..replies import usage_of

if TYPE_CHECKING:
    from anthropic import APIRequest, APIResponse


class LimitReachedError(Exception):
    """Raised before a request that a limit forbids. The message says how to continue."""

    def __init__(self, name: str, count: int, limit: int) -> None:
        super().__init__(
            f"{name} limit reached ({count:,} of {limit:,}). Nothing was sent. To allow as much "
            "again, run model.limits.extend(), then run this again."
        )
        self.name = name


@dataclass
class Limits:
    """How much one connection to a real model may spend. You can raise the limits at any time.

    `max_requests` and `max_total_tokens` are the limits, `requests_sent` and `tokens_used` the
    counts. (The API's `max_tokens` is the limit of one reply.) A retry counts as a request. Tokens
    are the sum of all counts in the replies' `usage`: input, output, cache writes and cache reads.
    """

    max_requests: int = 60
    max_total_tokens: int = 500_000
    requests_sent: int = 0
    tokens_used: int = 0

    def __post_init__(self) -> None:
        self._first_requests, self._first_tokens = self.max_requests, self.max_total_tokens

    def admit(self) -> None:
        """Count a request before it is sent. Raise LimitReachedError if it is one too many."""
        if self.requests_sent >= self.max_requests:
            raise LimitReachedError("Request", self.requests_sent, self.max_requests)
        if self.tokens_used >= self.max_total_tokens:
            raise LimitReachedError("Token", self.tokens_used, self.max_total_tokens)
        self.requests_sent += 1

    def extend(self) -> None:
        """Raise both limits: allow as much again as at the start."""
        self.max_requests += self._first_requests
        self.max_total_tokens = max(self.max_total_tokens, self.tokens_used) + self._first_tokens

    def renew(self) -> None:
        """Allow as much as at the start, from now on: the user has typed the next prompt."""
        self.max_requests = self.requests_sent + self._first_requests
        self.max_total_tokens = self.tokens_used + self._first_tokens

    def middleware(
        self, request: "APIRequest", call_next: Callable[["APIRequest"], "APIResponse[Any]"]
    ) -> "APIResponse[Any]":
        """Count one attempt to send a request, then send it. This is a middleware of the SDK.

        The SDK calls it for each retry as well. Requests about models, and counts of tokens, are
        free. The tokens of a stream are not known yet, and are not counted.
        """
        if not is_for_model(request):
            return call_next(request)
        self.admit()
        approval.count_request(has_prompt=has_prompt(request.json))
        response = call_next(request)
        if response.http_response.is_closed:  # the body was read to its end
            self.tokens_used += count_tokens(response.http_response.content)
        return response


def count_tokens(body: bytes) -> int:
    """Return the tokens of the message in the body of a response; 0 if there is none."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return 0
    return usage_of(message).total


def has_prompt(body: Any) -> bool:
    """Return whether the last message of a request has words of the user.

    With tool results, a message has words of the user only if it has another block that the program
    has not added. Anything else counts as a prompt, so that a doubt ends an "allow all".
    """
    match body:
        case {"messages": [*_, {"role": "user", "content": [_, *_] as content}]}:
            blocks = [block if isinstance(block, dict) else {} for block in content]
            others = [block for block in blocks if block.get("type") != "tool_result"]
            has_results = len(others) < len(blocks)
            are_added = [b.get("type") == "text" and is_added(str(b.get("text"))) for b in others]
            return not has_results or not all(are_added)
    return True
