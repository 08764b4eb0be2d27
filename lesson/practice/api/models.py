"""The rules that differ between models, by the version in the model's name.

Newer versions follow the rules of the last one that is known, so no list of names is needed.

Sources: "Models overview", "Migration guide", "Mid-conversation system messages", "Prompt caching".
"""

from __future__ import annotations

import re

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


class Model:
    """The rules of the model with this name. All sizes are in tokens.

    Attributes: `max_output_tokens`; `context_window`; `min_cached_tokens`, of a prompt;
    `system_turns`, True if a message may have the role `system`.
    """

    def __init__(self, name: str) -> None:
        """Raise ApiError, a 404, if there is no such model."""
        version = find_version(name)
        is_large = version >= [4, 6]
        self.max_output_tokens = 128_000 if is_large else 64_000
        self.context_window = 1_000_000 if is_large else 200_000
        known = (size for start, size in MIN_CACHED_TOKENS.items() if name.startswith(start))
        self.min_cached_tokens = next(known, 1_024)
        self.system_turns = version >= [4, 8]


def find_version(name: str) -> list[int]:
    """Return the version in the name of a model. Raise ApiError, a 404, if there is none.

    `practice` follows the older rules. To try those of newer models, request them by name.
    """
    if name == "practice":
        return [3]
    numbers = re.findall(r"(?<=-)\d{1,2}(?=-|$)", name)
    if not name.startswith("claude-") or not numbers:
        raise ApiError(404, "not_found_error", f"model: {name}")
    return list(map(int, numbers))
