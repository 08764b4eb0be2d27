"""The rules that differ between models, by the version in the model's name.

A name is a family and a version, and may end in a date: `claude-3-5-haiku-latest`, for example.
Versions newer than the last generation here follow its rules, so no list of names is needed. If
models of one generation differ, the request is accepted. Only the shortest prompt that is cached
is known by model.

Sources: "Models overview", "Prefill not supported", "Mid-conversation system messages", "Prompt
caching".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from .errors import ApiError


@dataclass(frozen=True)
class Model:
    """The rules of one generation. All sizes are in tokens."""

    max_output_tokens: int = 64_000
    context_window: int = 200_000
    prefill: bool = True  # may the last turn be the assistant's, to be continued?
    system_turns: bool = False  # may a message have the role `system`?


EARLIER = Model()
CLAUDE_4_6 = Model(max_output_tokens=128_000, context_window=1_000_000, prefill=False)
CLAUDE_4_8 = replace(CLAUDE_4_6, system_turns=True)

# The first version of each generation, newest first.
GENERATIONS = {(4, 8): CLAUDE_4_8, (4, 6): CLAUDE_4_6, (3, 0): EARLIER}

# The shortest prompt that is cached, in tokens, by the start of the model's name: "Prompt caching".
MIN_CACHED_TOKENS = {
    "claude-haiku-4-5": 4_096,
    "claude-opus-4-5": 4_096,
    "claude-opus-4-6": 4_096,
    "claude-opus-4-7": 2_048,
    "claude-opus-5": 512,
    "claude-fable-5": 512,
    "claude-mythos-5": 512,
}

FAMILY = "(?:haiku|sonnet|opus|fable|mythos)"
NAME = re.compile(
    rf"claude-(?:(?P<old>\d(?:-\d)?)-{FAMILY}|{FAMILY}-(?P<new>\d+(?:-\d{{1,2}})?))"
    r"(?:-20\d{6}|-latest)?"
)


@cache
def find_model(name: str) -> Model:
    """Return the rules of the model with this name. Raise ApiError, a 404, if there is none.

    `practice` follows the older rules. To try those of newer models, request them by name.
    """
    if name == "practice":
        return EARLIER
    if match := NAME.fullmatch(name):
        major, _, minor = (match["old"] or match["new"]).partition("-")
        version = int(major), int(minor or 0)
        for first, rules in GENERATIONS.items():
            if version >= first:
                return rules
    raise ApiError(404, "not_found_error", f"model: {name}")


def min_cached_tokens(name: str) -> int:
    """Return the length from which the model with this `name` caches a prompt."""
    known = (tokens for start, tokens in MIN_CACHED_TOKENS.items() if name.startswith(start))
    return next(known, 1_024)
