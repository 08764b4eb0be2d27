"""The policy: decide the practice model's replies from the request alone."""

from typing import Any, Protocol


class Policy(Protocol):
    """Any function from a request's JSON to the content blocks of the reply.

    A block is {"type": "text", "text": …} or {"type": "tool_use", "name": …, "input": {…}}; ids are
    added later. A dict with "content" is a whole message, for example with a stop_reason. A policy
    should have no memory, so that a conversation can be cut and resumed anywhere.
    """

    def __call__(self, request: dict[str, Any], /) -> list[dict[str, Any]] | dict[str, Any]:
        """Return the reply to `request`, or raise `practice.api.errors.ApiError`."""
