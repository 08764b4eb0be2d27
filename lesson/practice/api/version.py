"""What the newest version of the API takes no more: "API versioning".

The SDK sends this version since its release 2.0. Recorded exchanges do not have these errors yet,
so their words are those of other fields that the API does not know.
"""

from __future__ import annotations

from typing import Any

from .errors import invalid
from .tokens import as_blocks

VERSION = "2026-10-21"
SAMPLING = ("temperature", "top_p", "top_k")


def check_version(request: dict[str, Any], version: str) -> None:
    """Reject what the version of a request has removed. Raise ApiError with the first of it.

    These are the parameters of sampling, a document in a message of the assistant, and citations
    in a text of the user. A version is a date, so an earlier one sorts before VERSION.
    """
    if version < VERSION:
        return
    for name in SAMPLING:
        if name in request:
            raise invalid(f"{name}: Extra inputs are not permitted")
    for number, message in enumerate(request["messages"]):
        for place, block in enumerate(as_blocks(message["content"])):
            path = f"messages.{number}.content.{place}"
            if message["role"] == "assistant" and block["type"] == "document":
                raise invalid(f"{path}: `document` blocks can only be in `user` messages")
            if message["role"] == "user" and block["type"] == "text" and block.get("citations"):
                raise invalid(f"{path}.text.citations: Extra inputs are not permitted")
