"""The limits of the models: `practice` has those of older ones, every other those of newer ones.

Sources: "Models overview", "Migration guide", "Mid-conversation system messages".
"""

from typing import NamedTuple

from .errors import ApiError


class Limits(NamedTuple):
    """What a model accepts: sizes in tokens, and whether a message may have the role `system`."""

    max_output: int
    context_window: int
    system_turns: bool


def find_limits(model: str) -> Limits:
    """Return the limits of the model with this name. Raise ApiError, a 404, if there is none."""
    if model == "practice":
        return Limits(64_000, 200_000, system_turns=False)
    if model.startswith("claude-"):
        return Limits(128_000, 1_000_000, system_turns=True)
    raise ApiError(404, "not_found_error", f"model: {model}")
