"""The rules that differ between models: those of a generation, found by the version in the name.

A name is a family and a version, and may end in a date: `claude-3-5-haiku-latest`, for example.
Versions newer than the last generation here follow its rules, so that no list of names has to be
kept. Where models of the same generation differ, the request is accepted.

Sources: "Models overview", "Prefill not supported", "Mid-conversation system messages", "Thinking",
"Effort", and the pages "Migrating to" and "What's new in" each model.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from .errors import ApiError


@dataclass(frozen=True)
class Model:
    """The rules that differ between models."""

    max_output_tokens: int = 64_000
    context_window: int = 200_000  # tokens
    prefill: bool = True  # may the last turn be the assistant's, to be continued?
    system_turns: bool = False  # may a turn have the role `system`?
    thinking: tuple[str, ...] = ("enabled", "disabled")  # the types that may be named
    effort: tuple[str, ...] = ()  # the levels that may be named
    forced_tools: bool = True  # may tool_choice be `any` or `tool`?
    keeps_thinking: bool = False  # does the model see what it thought in earlier turns?
    default_thinking: str = "disabled"
    default_effort: str = "high"
    min_cached_tokens: int = 1_024  # the shortest prompt that the cache takes


CLAUDE_3_7 = Model()
CLAUDE_4_5 = replace(CLAUDE_3_7, effort=("high", "low", "medium"))
CLAUDE_4_6 = Model(
    max_output_tokens=128_000,
    context_window=1_000_000,
    prefill=False,
    thinking=("adaptive", "enabled", "disabled"),
    effort=("high", "low", "max", "medium"),
    keeps_thinking=True,
)
CLAUDE_4_7 = replace(
    CLAUDE_4_6,
    thinking=("adaptive", "disabled", "between_tools"),
    effort=("high", "low", "max", "medium", "xhigh"),
)
CLAUDE_4_8 = replace(CLAUDE_4_7, system_turns=True)
CLAUDE_5 = replace(CLAUDE_4_8, default_thinking="adaptive", min_cached_tokens=512)

# The rules that came with a version, newest first.
GENERATIONS = {
    (5, 0): CLAUDE_5,
    (4, 8): CLAUDE_4_8,
    (4, 7): CLAUDE_4_7,
    (4, 6): CLAUDE_4_6,
    (4, 5): CLAUDE_4_5,
    (3, 7): CLAUDE_3_7,
    (3, 5): replace(CLAUDE_3_7, max_output_tokens=8_192),
    (3, 0): replace(CLAUDE_3_7, max_output_tokens=4_096),
}
# The lesson's loop runs under the older, stricter rules; the rules of newer models can be tried
# under their own names.
PRACTICE = CLAUDE_3_7

FAMILY = "(?:haiku|sonnet|opus|fable|mythos)"
NAME = re.compile(
    rf"claude-(?:(?P<old>\d(?:-\d)?)-{FAMILY}|{FAMILY}-(?P<new>\d+(?:-\d{{1,2}})?|preview))"
    r"(?:-20\d{6}|-latest)?"
)
# What single models have of their own. "Define tools": those that choose their tools themselves;
# "Effort"; "Thinking"; "Prompt caching", cache limitations.
EXCEPTIONS: dict[str, dict[str, Any]] = {
    "(opus|sonnet)-5-5|(fable|mythos)-5-1": {"forced_tools": False},
    "(opus|haiku)-5-5": {"default_effort": "medium"},
    "opus-4-5": {"keeps_thinking": True, "min_cached_tokens": 4_096},
    "opus-4-6|haiku-4-5": {"min_cached_tokens": 4_096},
    "opus-4-7|mythos-preview|3(-5)?-haiku": {"min_cached_tokens": 2_048},
    r"sonnet-5(?!-\d{1,2}\b)": {"min_cached_tokens": 1_024},
}


@cache
def find_model(name: str) -> Model:
    """The rules of the model with this id. Raises ApiError, a 404, if there is no such model."""
    if name == "practice":
        return PRACTICE
    match = NAME.fullmatch(name)
    if match is None:
        raise ApiError(404, "not_found_error", f"model: {name}")
    if match["new"] == "preview":
        return with_exceptions(name, CLAUDE_4_6)
    numbers = (match["old"] or match["new"]).split("-")
    version = (int(numbers[0]), int(numbers[1]) if len(numbers) > 1 else 0)
    rules = next((rules for first, rules in GENERATIONS.items() if version >= first), None)
    if rules is None:
        raise ApiError(404, "not_found_error", f"model: {name}")
    return with_exceptions(name, rules)


def with_exceptions(name: str, rules: Model) -> Model:
    """The rules of a generation, with what this model of it has of its own."""
    for pattern, own in EXCEPTIONS.items():
        if re.match(f"claude-({pattern})", name):
            rules = replace(rules, **own)
    return rules
