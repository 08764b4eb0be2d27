"""The prompt cache: how much of a prompt is read from it, and how much is written to it.

A prompt is a list of blocks: the tools, the system prompt, the messages. A block with a cache mark
writes the prompt up to its end to the cache. A later prompt reads the longest prefix of it that is
in the cache. Source: "Prompt caching"; the README lists what is left out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pydantic_core import to_json

from .models import Model
from .request import as_blocks
from .tokens import BYTES_PER_TOKEN, count_bytes


class Prefix(NamedTuple):
    """The prompt up to the end of one block, and whether that block has a cache mark."""

    key: int  # a hash of the prefix
    length: int  # bytes
    is_marked: bool

    @property
    def tokens(self) -> int:
        """Return an estimate of its tokens, rounded up as that of a whole prompt is."""
        return -(-self.length // BYTES_PER_TOKEN)


class Cache:
    """The cache of one workspace: a key for each prefix. Nothing expires here."""

    def __init__(self) -> None:
        self.keys: set[int] = set()

    def charge(self, request: dict[str, Any], prefixes: list[Prefix]) -> dict[str, Any]:
        """Return the `usage` of the prompt of a request, and update the cache.

        `request` is accepted and answered, and `prefixes` is what `lay_out` returns for it.
        """
        minimum = Model(request["model"]).min_cached_tokens
        whole = prefixes[-1]
        marked = [prefix for prefix in prefixes if prefix.is_marked]
        if request.get("cache_control"):  # the request's own mark is on the last block
            marked.append(whole)
        marked = [prefix for prefix in marked if prefix.tokens >= minimum]
        last = marked[-1].tokens if marked else 0
        known = [prefix for prefix in prefixes if prefix.key in self.keys]
        read = max((prefix.tokens for prefix in known if prefix.tokens <= last), default=0)
        self.keys.update(prefix.key for prefix in marked)
        return {
            "input_tokens": whole.tokens - last,
            "cache_creation_input_tokens": last - read,
            "cache_read_input_tokens": read,
            "cache_creation": {
                "ephemeral_5m_input_tokens": last - read,
                "ephemeral_1h_input_tokens": 0,
            },
        }


def lay_out(request: dict[str, Any]) -> list[Prefix]:
    """Return the prefix up to each block of a prompt. The first prefix is empty, the last is whole.

    `request` is one that the API accepts. Models share no cache.
    """
    parts = [("tools", request.get("tools") or []), ("system", request.get("system") or [])]
    parts += [(message["role"], message["content"]) for message in request["messages"]]
    key, length = hash(request["model"]), 0
    prefixes = [Prefix(key, length, False)]
    for role, content in parts:
        for block in as_blocks(content):
            bare = {name: value for name, value in block.items() if name != "cache_control"}
            key = hash((key, role, to_json(bare)))
            length += count_bytes(block)
            prefixes.append(Prefix(key, length, bool(block.get("cache_control"))))
    return prefixes
