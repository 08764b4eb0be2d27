"""The prompt cache: how much of a prompt is read from it, and how much is written to it.

A request with `cache_control` writes its whole prompt to the cache, and reads the longest prefix
that an earlier request wrote. A prompt is a list of blocks: the tools, the system prompt, the
messages. Source: "Prompt caching"; the README lists what is left out.
"""

from __future__ import annotations

from typing import Any

from pydantic_core import to_json

from .tokens import BYTES_PER_TOKEN, as_blocks, count_bytes

MIN_TOKENS = 512  # the shortest prompt that is cached; the limit of Claude Opus 5

Prefix = tuple[int, int]  # a hash of the prompt up to the end of one block, and its tokens


class Cache:
    """The cache of one workspace. Nothing expires here."""

    def __init__(self) -> None:
        self.written: set[int] = set()

    def charge(self, request: dict[str, Any], prefixes: list[Prefix]) -> dict[str, int]:
        """Return the `usage` of the prompt of a request, and update the cache.

        `request` is accepted and answered, and `prefixes` is what `lay_out` returns for it.
        """
        key, whole = prefixes[-1]
        cached = read = 0
        if request.get("cache_control") and whole >= MIN_TOKENS:
            cached = whole
            read = max((tokens for key, tokens in prefixes if key in self.written), default=0)
            self.written.add(key)
        return {
            "input_tokens": whole - cached,
            "cache_creation_input_tokens": cached - read,
            "cache_read_input_tokens": read,
        }


def lay_out(request: dict[str, Any]) -> list[Prefix]:
    """Return the prefix up to each block of a prompt; the last one is the whole prompt.

    `request` is one that the API accepts. Models share no cache.
    """
    parts = [("tools", request.get("tools") or []), ("system", request.get("system") or [])]
    parts += [(message["role"], message["content"]) for message in request["messages"]]
    key, length = hash(request["model"]), 0
    prefixes = [(key, 0)]
    for role, content in parts:
        for block in as_blocks(content):
            key = hash((key, role, to_json(block)))
            length += count_bytes(block)
            prefixes.append((key, -(-length // BYTES_PER_TOKEN)))
    return prefixes
