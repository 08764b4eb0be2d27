"""An end to what a real model may be asked, over one connection."""

from dataclasses import dataclass
from typing import Any


class LimitReachedError(Exception):
    """A limit on what may be spent is reached; nothing was sent. The message says how to go on."""


@dataclass
class Limits:
    """How much may be asked of a real model over one connection; raise it whenever you like.

    `max_requests` and `max_tokens` are the limits, `requests_sent` and `tokens_used` the counts.
    Tokens are all that the replies' usage names: read, written, and read from or put into the
    cache.
    """

    max_requests: int = 60
    max_tokens: int = 500_000
    requests_sent: int = 0
    tokens_used: int = 0

    def admit(self) -> None:
        """Count one request that is to be sent. Raises LimitReachedError where that is too many."""
        for name, limit, count in (
            ("requests", self.max_requests, self.requests_sent),
            ("tokens", self.max_tokens, self.tokens_used),
        ):
            if count >= limit:
                raise LimitReachedError(
                    f"This connection may spend {limit:,} {name}, and has spent {count:,}, so "
                    "nothing was sent. To allow as much again, run model.limits.extend(), then "
                    "run this again to go on."
                )
        self.requests_sent += 1

    def extend(self) -> None:
        """Allow as much again as has been spent so far."""
        self.max_requests += self.requests_sent
        self.max_tokens += self.tokens_used

    def count(self, usage: Any) -> None:
        """Add the tokens in a reply's `usage` to what is spent."""
        self.tokens_used += sum(
            count
            for name in (
                "input_tokens",
                "output_tokens",
                "cache_creation_input_tokens",
                "cache_read_input_tokens",
            )
            if isinstance(count := getattr(usage, name, 0), int) and count > 0
        )
