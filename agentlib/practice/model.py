"""The practice model: a real SDK client whose other end is in this very process.

No network, no key, no cost. `wire` checks what is sent, a mind decides what to say, and everything
between the client and the wire is the SDK's own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import anthropic
    import httpx2

Mind = Callable[[dict], "list[dict] | dict"]
ADDRESS = "http://practice.invalid"  # a name that can never be somebody's (RFC 6761)


class PracticeModel:
    """A program that plays the model's part.

    `mind` gets a request's JSON and returns the content blocks of the reply, without ids; it has
    no memory, no clock and no dice, so the same request always gets the same reply. Left out, it
    is the mind of `practice.minds`. `.requests` holds the body of every request that came in, in
    order, the refused ones too.
    """

    def __init__(self, mind: Mind | None = None):
        self.mind = mind
        self.requests: list[dict] = []
        self._client: anthropic.Anthropic | None = None

    def client(self, **overrides) -> anthropic.Anthropic:
        """The SDK's client, connected to this model. It is made once, for it takes a while.

        `overrides` go to the SDK's constructor, and then a client of its own is made.
        """
        if overrides:
            return self._connect(**overrides)
        if self._client is None or self._client.is_closed():
            self._client = self._connect()
        return self._client

    def _connect(self, **overrides) -> anthropic.Anthropic:
        # Imported here because it takes most of a second, and many a notebook asks no model.
        import anthropic
        import httpx2

        from . import wire

        def respond(http: httpx2.Request) -> httpx2.Response:
            request_id = "req_" + hashlib.sha256(http.content).hexdigest()[:24]
            try:
                status, body = 200, self._answer(wire, http)
            except wire.Refused as refused:
                status, body = refused.status, wire.to_json(refused.body(request_id))
            headers = {"content-type": "application/json", "request-id": request_id}
            return httpx2.Response(status, content=body, headers=headers)

        settings = {
            "api_key": wire.KEY,
            "base_url": ADDRESS,
            "max_retries": 0,
            "http_client": httpx2.Client(transport=httpx2.MockTransport(respond), trust_env=False),
        }
        return anthropic.Anthropic(**(settings | overrides))

    def _answer(self, wire, http: httpx2.Request) -> bytes:
        request = wire.parse(http.content or b"{}")
        if http.content:
            self.requests.append(request)
        wire.admit(http.method, http.url.path, http.headers)
        wire.check(request)
        try:
            return wire.to_json(wire.answer(request, self._think(request)))
        except wire.Refused:
            raise
        except Exception as error:
            raise wire.mind_failed(error) from error

    def _think(self, request: dict) -> list[dict] | dict:
        if self.mind is None:
            from .minds import Mind as DefaultMind

            self.mind = DefaultMind()
        return self.mind(request)
