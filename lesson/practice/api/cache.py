"""The prompt cache: how much of a prompt is read from it, and how much is written to it.

A prompt is a list of blocks: the tools, the system prompt, the messages. A block with a cache mark
writes the prompt up to its end to the cache. A later prompt reads the longest prefix of it that is
in the cache. Source: "Prompt caching"; the README lists what is left out.
"""

from __future__ import annotations

import hashlib
from itertools import accumulate
from typing import Any, NamedTuple

from pydantic_core import to_json

from .models import min_cached_tokens
from .request import as_blocks
from .tokens import BYTES_PER_TOKEN, count_bytes


class Prefix(NamedTuple):
    """The prompt up to the end of one block. `ttl` is that of the block's cache mark."""

    digest: bytes
    length: int = 0  # bytes
    ttl: str | None = None

    @property
    def tokens(self) -> int:
        """An estimate of its tokens, rounded up as that of a whole prompt is."""
        return -(-self.length // BYTES_PER_TOKEN)

    def extend(self, located: tuple[str, dict[str, Any]]) -> Prefix:
        """Return the prefix that ends with the next block. `located` is its role and the block."""
        role, block = located
        mark = block.get("cache_control")
        bare = {name: value for name, value in block.items() if name != "cache_control"}
        return Prefix(
            make_digest(self.digest, (role, bare)),
            self.length + count_bytes(block),
            mark and mark.get("ttl", "5m"),
        )


class Cache:
    """The cache of one workspace: a digest of each prefix. Nothing expires here."""

    def __init__(self) -> None:
        self.digests: set[bytes] = set()

    def charge(self, request: dict[str, Any], prefixes: list[Prefix]) -> dict[str, Any]:
        """Return the `usage` of the prompt of a request, and update the cache.

        `request` is accepted and answered, and `prefixes` is what `lay_out` returns for it.
        """
        minimum = min_cached_tokens(request["model"])
        marks = find_marks(prefixes, request.get("cache_control"))
        marks = {n: ttl for n, ttl in marks.items() if prefixes[n].tokens >= minimum}
        last = max(marks, default=0)  # the first prefix is empty
        known = [prefix for prefix in prefixes[: last + 1] if prefix.digest in self.digests]
        read = known[-1].tokens if known else 0
        written = prefixes[last].tokens - read
        self.digests.update(prefixes[n].digest for n in marks)
        is_long = marks.get(last) == "1h"
        return {
            "input_tokens": prefixes[-1].tokens - prefixes[last].tokens,
            "cache_creation_input_tokens": written,
            "cache_read_input_tokens": read,
            "cache_creation": {
                "ephemeral_5m_input_tokens": 0 if is_long else written,
                "ephemeral_1h_input_tokens": written if is_long else 0,
            },
        }


def lay_out(request: dict[str, Any]) -> list[Prefix]:
    """Return the prefix up to each block of a prompt. The first prefix is empty, the last is whole.

    `request` is one that the API accepts. Models share no cache.
    """
    parts = [("tools", request.get("tools") or []), ("system", request.get("system") or [])]
    parts += [(message["role"], message["content"]) for message in request["messages"]]
    blocks = [(role, block) for role, content in parts for block in as_blocks(content)]
    start = Prefix(make_digest(b"", request["model"]))
    return list(accumulate(blocks, Prefix.extend, initial=start))


def find_marks(prefixes: list[Prefix], automatic: dict[str, Any] | None) -> dict[int, str]:
    """Return the `ttl` of each marked prefix, by its number.

    The request's own mark, `automatic`, is on the last block.
    """
    marks = {n: prefix.ttl for n, prefix in enumerate(prefixes) if prefix.ttl}
    if automatic:
        marks.setdefault(len(prefixes) - 1, automatic.get("ttl", "5m"))
    return marks


def make_digest(before: bytes, new: Any) -> bytes:
    """Return a digest of everything before, and of what is new."""
    return hashlib.sha256(before + to_json(new)).digest()
