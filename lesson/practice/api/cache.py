"""The cache's account: what of a prompt is read from the cache, and what is put into it.

A prompt is a row of blocks: the tools, the system prompt, the messages. A block with a cache mark
puts the prompt up to there into the cache. A later prompt reads the longest part that it begins
with, to the letter, and that an earlier one has put there. Source: "Prompt caching"; the README
says what is left out. Only digests, lengths and times are kept.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, NamedTuple

from pydantic_core import to_json

from .models import Model, find_model
from .request import as_blocks
from .tokens import BYTES_PER_TOKEN, THINKING, count_bytes, list_blocks, list_visible_messages

LIFETIME_SECONDS = {"5m": 300, "1h": 3600}
LOOKBACK_POSITIONS = 20  # that are searched from each mark, its own included
RUNS = ("tool_use", "tool_result")  # several of one kind in a row are one position
UNMARKABLE = ("thinking", "redacted_thinking")


class Prefix(NamedTuple):
    """The prompt up to the end of one block, and what counts of that block.

    `digest` stands for everything up to here, the settings included; `length` is in bytes;
    `position` counts blocks, and a run of RUNS as one; `ttl` is that of the block's cache mark.
    """

    digest: bytes
    length: int = 0
    position: int = 0
    kind: str = ""
    ttl: str | None = None
    is_markable: bool = False

    @property
    def tokens(self) -> int:
        """An estimate of its tokens, rounded up as that of a whole prompt is."""
        return -(-self.length // BYTES_PER_TOKEN)

    def set(self, settings: Any) -> Prefix:
        """The same prefix, for blocks that also depend on these settings."""
        return self._replace(digest=make_digest(self.digest, settings))

    def extend(self, block: dict[str, Any], role: str) -> Prefix:
        """The prefix that ends with the next block."""
        kind = block.get("type", "custom")
        is_in_run = kind == self.kind and kind in RUNS
        return Prefix(
            make_digest(self.digest, (role, without_marks(block))),
            self.length + count_bytes(block),
            self.position if is_in_run else self.position + 1,
            kind,
            find_ttl(block),
            is_markable=kind not in UNMARKABLE and block.get("text") != "",
        )

    def extend_by(self, blocks: Iterable[dict[str, Any]], role: str) -> list[Prefix]:
        """The prefixes that end with each of the next blocks."""
        row = accumulate(blocks, lambda prefix, block: prefix.extend(block, role), initial=self)
        return list(row)[1:]


class Layout(NamedTuple):
    """A prompt as a row of blocks: the prefix up to each, and the `end`, for the next message.

    `messages` is how many it has, and `traits` is what is in them, as `find_traits` says.
    """

    prefixes: list[Prefix]
    end: Prefix
    traits: frozenset[str]
    messages: int = 0


class Entry(NamedTuple):
    """A prefix in the cache: for how many seconds from its last use, and until when."""

    lifetime: int
    expires: float


@dataclass
class Cache:
    """The cache of one workspace. `clock` tells the time, in seconds."""

    clock: Callable[[], float] = time.monotonic
    entries: dict[bytes, Entry] = field(default_factory=dict)  # by the digest of the prefix

    def charge(self, request: dict[str, Any], layout: Layout, now: float) -> dict[str, Any]:
        """What the prompt of a request that began at `now` costs: the fields of `usage`.

        `request` is one that the API accepts and answers, and `layout` is that of its prompt; the
        cache is changed accordingly.
        """
        model, prefixes = find_model(request["model"]), layout.prefixes
        marks = find_marks(prefixes, request.get("cache_control"))
        marks = {
            n: ttl for n, ttl in marks.items() if prefixes[n].tokens >= model.min_cached_tokens
        }
        hit = self.find_hit(prefixes, marks, now)
        if hit is not None:
            self.refresh(prefixes[hit].digest, now)
        for n, ttl in marks.items():
            self.keep(prefixes[n].digest, ttl, now)

        # The three places of "Mixing different TTLs": the highest hit, the highest mark for an
        # hour behind it, and the last mark. A mark before the hit costs nothing.
        read = 0 if hit is None else prefixes[hit].tokens
        hour = max([read, *(prefixes[n].tokens for n, ttl in marks.items() if ttl == "1h")])
        last = max([hour, *(prefixes[n].tokens for n in marks)])
        return {
            "input_tokens": layout.end.tokens - last,
            "cache_creation_input_tokens": last - read,
            "cache_read_input_tokens": read,
            "cache_creation": {
                "ephemeral_5m_input_tokens": last - hour,
                "ephemeral_1h_input_tokens": hour - read,
            },
        }

    def find_hit(self, prefixes: list[Prefix], marks: Iterable[int], now: float) -> int | None:
        """The number of the longest prefix in the cache, searched backwards from each mark."""
        for mark in sorted(marks, reverse=True):
            for n in range(mark, -1, -1):
                if prefixes[mark].position - prefixes[n].position >= LOOKBACK_POSITIONS:
                    break
                if self.is_kept(prefixes[n].digest, now):
                    return n
        return None

    def is_kept(self, digest: bytes, now: float) -> bool:
        """Whether this prefix is in the cache."""
        return digest in self.entries and now < self.entries[digest].expires

    def keep(self, digest: bytes, ttl: str, now: float) -> None:
        """Put this prefix into the cache. If it is there, it keeps its own lifetime."""
        if not self.is_kept(digest, now):
            self.entries[digest] = Entry(LIFETIME_SECONDS[ttl], now)
        self.refresh(digest, now)

    def refresh(self, digest: bytes, now: float) -> None:
        """Let the lifetime of this prefix begin again, unless a later request has done so."""
        lifetime, expires = self.entries[digest]
        self.entries[digest] = Entry(lifetime, max(expires, now + lifetime))


def lay_out(request: dict[str, Any], start: Layout | None = None) -> Layout:
    """The prompt of a request that the API accepts as a row of blocks.

    `start` is how a prompt was laid out that this one goes on from, with the same settings. It is
    used where nothing new changes what came before.
    """
    model, messages = find_model(request["model"]), request["messages"]
    traits = find_traits(messages[start.messages if start else 0 :])
    if start:
        traits |= start.traits
    is_forgotten = not (model.keeps_thinking or traits.isdisjoint(THINKING))
    if is_forgotten:
        messages = list_visible_messages(messages, model)
    if start is None or is_forgotten or traits != start.traits:
        start = lay_out_head(request, traits, model)
    prefixes, end = start.prefixes[:], start.end
    for message in messages[start.messages :]:
        row = end.extend_by(as_blocks(message["content"]), message["role"])
        prefixes += row
        end = [end, *row][-1]
    return Layout(prefixes, end, traits, len(messages))


def find_traits(messages: list[dict[str, Any]]) -> frozenset[str]:
    """The types of the blocks, and "cited" if the model is asked to cite one of them."""
    blocks = list_blocks(messages)
    types = {block["type"] for block in blocks}
    return frozenset(types | {"cited" for block in blocks if is_cited(block)})


def lay_out_head(request: dict[str, Any], traits: frozenset[str], model: Model) -> Layout:
    """What comes before the messages: the tools, the system prompt, and the settings on which each
    part of a prompt depends.

    Source: "What invalidates the cache". Web search, citations and the form of the output
    ("Structured outputs") are written into the system prompt. A setting that is left out is the
    same as its default.
    """
    tools = request.get("tools") or []
    searches = [tool for tool in tools if str(tool.get("type")).startswith("web_search")]
    choice = request.get("tool_choice") or {"type": "auto"}
    thinking = request.get("thinking") or {"type": model.default_thinking}
    output = request.get("output_config") or {}
    effort = output.get("effort") or model.default_effort
    for_system = [request.get("speed") or "standard", "cited" in traits, output.get("format")]
    for_messages = [
        [choice["type"], choice.get("name"), choice.get("disable_parallel_tool_use", False)],
        [thinking["type"], thinking.get("budget_tokens"), effort],
        "image" in traits,
    ]
    start = Prefix(make_digest(b"", request["model"]))
    first = start.extend_by([tool for tool in tools if tool not in searches], "tools")
    middle = [start, *first][-1].set(for_system)
    second = middle.extend_by([*searches, *as_blocks(request.get("system") or [])], "system")
    return Layout([*first, *second], [middle, *second][-1].set(for_messages), traits)


def find_marks(prefixes: list[Prefix], automatic: dict[str, Any] | None) -> dict[int, str]:
    """The numbers of the marked blocks, in order, each with its ttl.

    `automatic` is the request's own `cache_control`: a mark on the last block that can have one.
    """
    marks = {n: prefix.ttl for n, prefix in enumerate(prefixes) if prefix.ttl}
    markable = [n for n, prefix in enumerate(prefixes) if prefix.is_markable]
    if automatic and markable:
        marks.setdefault(markable[-1], automatic.get("ttl", "5m"))
    return marks


def find_ttl(block: dict[str, Any]) -> str | None:
    """How long a block's cache mark lasts; a mark inside a result counts as one on the result."""
    marks = [inner.get("cache_control") for inner in (*list_inner(block), block)]
    ttls = [mark.get("ttl", "5m") for mark in marks if mark]
    return ttls[-1] if ttls else None


def without_marks(block: dict[str, Any]) -> dict[str, Any]:
    """A block as the model sees it: without cache marks, and with a result's text as a block."""
    bare = {name: value for name, value in block.items() if name != "cache_control"}
    if block.get("type") == "tool_result":
        bare["content"] = [without_marks(inner) for inner in list_inner(block)]
    return bare


def list_inner(block: dict[str, Any]) -> list[dict[str, Any]]:
    """The blocks inside a tool result; none in any other block."""
    content: list[dict[str, Any]] = []
    if block.get("type") == "tool_result":
        content = as_blocks(block.get("content", []))
    return content


def is_cited(block: dict[str, Any]) -> bool:
    """Whether the model is asked to cite this document: "Citations"."""
    asked = block.get("citations")
    return isinstance(asked, dict) and bool(asked.get("enabled"))


def make_digest(before: bytes, what: Any) -> bytes:
    """A digest of what came before and of what comes now."""
    return hashlib.sha256(before + to_json(what)).digest()
