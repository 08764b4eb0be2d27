"""A limit on the requests and the tokens that one connection may spend."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

USAGE = (
    "input_tokens",
    "output_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
)


class LimitReachedError(Exception):
    """Raised before a request that a limit forbids. The message says how to continue."""


@dataclass
class Limits:
    """How much may be asked of a real model over one connection; raise it whenever you like.

    `max_requests` and `max_tokens` are the limits, `requests_sent` and `tokens_used` the counts.
    Tokens are all that the replies' usage names: read, written, and read from or put into the
    cache. Threads may share one.
    """

    max_requests: int = 60
    max_tokens: int = 500_000
    requests_sent: int = 0
    tokens_used: int = 0
    _lock: Any = field(default_factory=Lock, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._first_requests, self._first_tokens = self.max_requests, self.max_tokens

    def admit(self, requests: int = 1) -> None:
        """Count requests before they are sent. Raises LimitReachedError if they are too many."""
        with self._lock:
            if self.requests_sent + requests > self.max_requests:
                raise limit_reached("requests", self.max_requests, self.requests_sent, requests)
            if self.tokens_used >= self.max_tokens:
                raise limit_reached("tokens", self.max_tokens, self.tokens_used)
            self.requests_sent += requests

    def extend(self) -> None:
        """Raise both limits: allow as much again as at the start."""
        with self._lock:
            requests = self.requests_sent + self._first_requests
            tokens = self.tokens_used + self._first_tokens
            self.max_requests = max(self.max_requests, requests)
            self.max_tokens = max(self.max_tokens, tokens)

    def count(self, tokens: int) -> None:
        """Add to the number of tokens used."""
        with self._lock:
            self.tokens_used += tokens


def tokens_in(usage: Mapping[str, Any]) -> int:
    """Return the sum of all token counts in a reply's usage. Values that are no count are 0."""
    counts = [usage.get(name) for name in USAGE]
    return sum(n for n in counts if type(n) is int and n > 0)  # True is an int


def limit_reached(name: str, limit: int, count: int, asked: int = 1) -> LimitReachedError:
    """Return the error for a limit called `name`. Its message says how to continue."""
    state = f"This connection may spend {limit:,} {name}, and has spent {count:,}"
    if asked > 1:
        return LimitReachedError(
            f"{state}; this would be {asked:,} more, so nothing was sent. To allow them, set "
            f"model.limits.max_{name} = {count + asked}, then run this again."
        )
    return LimitReachedError(
        f"{state}, so nothing was sent. To allow as much again, run model.limits.extend(), then "
        "run this again to go on."
    )
