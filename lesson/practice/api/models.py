"""The rules that differ between models, by the version in the model's name.

A name is a family (any word) and a version, and may end in a date: `claude-3-5-haiku-latest`, for
example. Newer versions follow the rules of the last one that is known, so no list of names is
needed.

Sources: "Models overview", "Migration guide", "Prefill not supported", "Mid-conversation system
messages", "Prompt caching".
"""

from __future__ import annotations

import re
from difflib import get_close_matches

from .errors import ApiError

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

FAMILIES = ("haiku", "sonnet", "opus", "fable", "mythos")  # known ones, to recognise misspellings
NAME = re.compile(
    r"claude-(?:(?P<old>3(?:-\d)?)-(?P<old_family>[a-z]+)"
    r"|(?P<family>[a-z]+)-(?P<new>\d{1,2}(?:-\d{1,2})?))(?:-20\d{6}|-latest)?"
)


class Model:
    """The rules of the model with this name. All sizes are in tokens.

    Attributes: `max_output_tokens`; `context_window`; `min_cached_tokens`, of a prompt; `prefill`,
    True if the last turn may be the assistant's, to be continued; `system_turns`, True if a message
    may have the role `system`; `thinking_budget`, True if the caller may set one.
    """

    def __init__(self, name: str) -> None:
        """Raise ApiError, a 404, if there is no such model."""
        version = find_version(name)
        is_large = version >= (4, 6)
        self.max_output_tokens = 128_000 if is_large else 64_000
        self.context_window = 1_000_000 if is_large else 200_000
        known = (size for start, size in MIN_CACHED_TOKENS.items() if name.startswith(start))
        self.min_cached_tokens = next(known, 1_024)
        self.prefill = version < (4, 6)
        self.thinking_budget = version < (4, 7)
        self.system_turns = version >= (4, 8)


def find_version(name: str) -> tuple[int, int]:
    """Return the version in the name of a model. Raise ApiError, a 404, if there is none.

    `practice` follows the older rules. To try those of newer models, request them by name.
    """
    if name == "practice":
        return 3, 0
    match = NAME.fullmatch(name)
    family = match and (match["family"] or match["old_family"])
    is_misspelled = family not in FAMILIES and get_close_matches(family or "", FAMILIES)
    if match is None or is_misspelled:
        raise ApiError(404, "not_found_error", f"model: {name}")
    major, _, minor = (match["old"] or match["new"]).partition("-")
    return int(major), int(minor or 0)
