"""An end to what a real model may be asked, over one connection."""

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
    """A limit on what may be spent is reached; nothing was sent. The message says how to go on."""


@dataclass
class Limits:
    """How much may be asked of a real model over one connection; raise it whenever you like.

    `max_requests` and `max_tokens` are the limits, `requests_sent` and `tokens_used` the counts.
    Tokens are all that the replies' usage names: read, written, and read from or put into the
    cache. `prompts_sent` counts the runs: the requests that carried a person's prompt, and not the
    results of tools. Threads may share one.
    """

    max_requests: int = 60
    max_tokens: int = 500_000
    requests_sent: int = 0
    tokens_used: int = 0
    prompts_sent: int = 0
    _lock: Any = field(default_factory=Lock, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._first_requests, self._first_tokens = self.max_requests, self.max_tokens

    def admit(self, requests: int = 1) -> None:
        """Count requests that are to be sent. Raises LimitReachedError where that is too many."""
        with self._lock:
            if self.requests_sent + requests > self.max_requests:
                raise limit_reached("requests", self.max_requests, self.requests_sent, requests)
            if self.tokens_used >= self.max_tokens:
                raise limit_reached("tokens", self.max_tokens, self.tokens_used)
            self.requests_sent += requests

    def extend(self) -> None:
        """Allow as much as at first once more, from here on."""
        with self._lock:
            requests = self.requests_sent + self._first_requests
            tokens = self.tokens_used + self._first_tokens
            self.max_requests = max(self.max_requests, requests)
            self.max_tokens = max(self.max_tokens, tokens)

    def count(self, tokens: int) -> None:
        """Add tokens to what is used."""
        with self._lock:
            self.tokens_used += tokens


def tokens_in(usage: Mapping[str, Any]) -> int:
    """All the tokens that an answer's usage names. Anything else in it is ignored."""
    counts = [usage.get(name) for name in USAGE]
    return sum(n for n in counts if isinstance(n, int) and n > 0)


def limit_reached(name: str, limit: int, count: int, asked: int = 1) -> LimitReachedError:
    """The error that says which limit is reached, and how to go on."""
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
