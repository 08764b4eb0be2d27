"""The practice model: a real SDK client whose server is in this process.

No network, no key, no cost. `api` checks what is sent, a policy decides what to say, and everything
between the client and the API is the SDK's own.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .policy import Policy
from .policy.practice_policy import PracticePolicy

if TYPE_CHECKING:
    import anthropic

    from .api.cache import Cache

ADDRESS = "http://practice.invalid"  # a name that nobody can own (RFC 6761)


class PracticeModel:
    """A program that plays the model's part.

    `policy` is any function from a request's JSON to the content blocks of the reply, without ids;
    by default it is a PracticePolicy. `context_window` is the longest prompt that is accepted, in
    tokens; by default it is that of the model that the request names. `clock` tells the time in
    seconds, because what is in the cache is kept for minutes. `.requests` holds a copy of the
    body of every request that came in, in order, including those that were refused; what two have
    in common is there once.

    The same request always gets the same content; its usage also depends on what is in the cache.
    """

    def __init__(
        self,
        policy: Policy | None = None,
        *,
        context_window: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Raises ValueError if `context_window` is less than 1."""
        if context_window is not None and context_window < 1:
            raise ValueError(f"context_window must be 1 token or more, not {context_window}")
        self.policy: Policy = PracticePolicy() if policy is None else policy
        self.context_window = context_window
        self.clock = clock
        self.requests: list[dict[str, Any]] = []
        self._client: anthropic.Anthropic | None = None

    def client(self, **overrides: Any) -> anthropic.Anthropic:
        """The SDK's client, connected to this model: the same one every time, while it is open.

        `overrides` go to the SDK's constructor; with any of them, a new client is made.
        """
        if overrides:
            return self._connect(**overrides)
        if self._client is None or self._client.is_closed():
            self._client = self._connect()
        return self._client

    @cached_property
    def _cache(self) -> Cache:
        from .api.cache import Cache  # late, as the SDK is

        return Cache(self.clock)

    def _connect(self, **overrides: Any) -> anthropic.Anthropic:
        # Imported here because it takes most of a second, and many notebooks ask no model.
        import anthropic
        import httpx2

        from .api import server
        from .api.memory import Memory

        memory = Memory()
        transport = httpx2.MockTransport(
            lambda http: server.respond(
                http, self.policy, self.requests, self._cache, memory, self.context_window
            )
        )
        settings: dict[str, Any] = {
            "api_key": server.KEY,
            "base_url": ADDRESS,
            "max_retries": 0,
            "http_client": httpx2.Client(transport=transport, trust_env=False),
        }
        return anthropic.Anthropic(**(settings | overrides))
