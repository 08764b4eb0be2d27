"""An end to what a real model may be asked, over one connection."""

from dataclasses import dataclass
from typing import Any


class LimitReached(Exception):
    """A limit on what may be spent is reached; nothing was sent. The message says how to go on."""


@dataclass
class Limits:
    """How much may be asked of a real model over one connection; raise it whenever you like.

    `requests` and `tokens` are the limits; `sent` and `spent` are the counts. Tokens are all that
    the replies' usage names: read, written, and read from or put into the cache.
    """

    requests: int = 60
    tokens: int = 500_000
    sent: int = 0
    spent: int = 0

    def admit(self) -> None:
        """Count one request that is to be sent. Raises LimitReached where that is too many."""
        for name, limit, count in (
            ("requests", self.requests, self.sent),
            ("tokens", self.tokens, self.spent),
        ):
            if count >= limit:
                raise LimitReached(
                    f"This connection may spend {limit:,} {name}, and has spent {count:,}, so "
                    "nothing was sent. To allow as much again, run agent.limits.extend(), then "
                    "run this again to go on."
                )
        self.sent += 1

    def extend(self) -> None:
        """Allow as much again as has been spent so far."""
        self.requests, self.tokens = self.requests + self.sent, self.tokens + self.spent

    def count(self, usage: Any) -> None:
        """Add the tokens in a reply's `usage` to what is spent."""
        self.spent += sum(
            count
            for name in (
                "input_tokens",
                "output_tokens",
                "cache_creation_input_tokens",
                "cache_read_input_tokens",
            )
            if isinstance(count := getattr(usage, name, 0), int) and count > 0
        )
