"""The models by name, and what each family of them takes.

Sources: "Models overview", "Prefill not supported", "Mid-conversation system messages", "Thinking",
"Troubleshooting thinking", "Effort", the pages "Migrating to" and "What's new in" each model. Where
a page and what people have seen differ, a request is taken.
"""

import re
from dataclasses import dataclass, replace
from typing import Literal

from .errors import Refused


@dataclass(frozen=True)
class Model:
    """The rules that differ from one model to another."""

    output: int = 64_000  # tokens
    context: int = 200_000  # tokens
    prefill: bool = True  # may the last turn be the assistant's, to be continued?
    system_turns: bool = False  # may a turn have the role `system`?
    sampling: Literal["free", "one of two", "fixed"] = "free"  # temperature, top_p, top_k
    thinking: tuple[str, ...] = ("enabled", "disabled")  # the types it takes, where one is named
    effort: tuple[str, ...] = ()  # the levels it knows
    hard_work_thinks: bool = False  # are xhigh and max refused where thinking is off?
    forced_tools: bool = True  # may tool_choice be `any` or `tool`?


CLAUDE_3 = Model(output=4_096)
CLAUDE_3_5 = Model(output=8_192)
CLAUDE_4 = Model()
CLAUDE_4_5 = Model(sampling="one of two")
CLAUDE_4_6 = Model(
    output=128_000,
    context=1_000_000,
    prefill=False,
    sampling="one of two",
    thinking=("adaptive", "enabled", "disabled"),
    effort=("high", "low", "max", "medium"),
)
CLAUDE_4_7 = replace(
    CLAUDE_4_6,
    sampling="fixed",
    thinking=("adaptive", "disabled"),
    effort=("high", "low", "max", "medium", "xhigh"),
)
CLAUDE_5 = replace(CLAUDE_4_7, system_turns=True)
CLAUDE_5_1 = replace(CLAUDE_5, forced_tools=False)
OPUS_5 = replace(CLAUDE_5, hard_work_thinks=True)
OPUS_5_5 = replace(OPUS_5, thinking=("adaptive",), forced_tools=False)
SONNET_5_5 = replace(OPUS_5_5, thinking=("adaptive", "between_tools"))

MODELS = {
    # The last rules that allow a prefill: the lesson's loop runs under the older, stricter ones,
    # and what newer models do can be tried under their own names.
    "practice": CLAUDE_4_5,
    "claude-3-haiku": CLAUDE_3,
    "claude-3-opus": CLAUDE_3,
    "claude-3-sonnet": CLAUDE_3,
    "claude-3-5-haiku": CLAUDE_3_5,
    "claude-3-5-sonnet": CLAUDE_3_5,
    "claude-3-7-sonnet": CLAUDE_4,
    "claude-opus-4": replace(CLAUDE_4, output=32_000),
    "claude-opus-4-0": replace(CLAUDE_4, output=32_000),
    "claude-sonnet-4": CLAUDE_4,
    "claude-sonnet-4-0": CLAUDE_4,
    "claude-opus-4-1": replace(CLAUDE_4_5, output=32_000),
    "claude-haiku-4-5": CLAUDE_4_5,
    "claude-opus-4-5": replace(CLAUDE_4_5, effort=("high", "low", "medium")),
    "claude-sonnet-4-5": CLAUDE_4_5,
    "claude-mythos-preview": CLAUDE_4_6,
    "claude-opus-4-6": CLAUDE_4_6,
    "claude-sonnet-4-6": CLAUDE_4_6,
    "claude-opus-4-7": CLAUDE_4_7,
    "claude-opus-4-8": CLAUDE_5,
    "claude-fable-5": CLAUDE_5,
    "claude-fable-5-1": CLAUDE_5_1,
    "claude-fable-5-2": CLAUDE_5,
    "claude-haiku-5-5": CLAUDE_5,
    "claude-mythos-5": CLAUDE_5,
    "claude-mythos-5-1": CLAUDE_5_1,
    "claude-mythos-5-2": CLAUDE_5,
    "claude-opus-5": OPUS_5,
    "claude-opus-5-5": OPUS_5_5,
    "claude-sonnet-5": CLAUDE_5,
    "claude-sonnet-5-5": SONNET_5_5,
}


def model_named(name: str) -> Model:
    """The model with this id, which may end in a date or `-latest`; a 404 when there is none."""
    model = MODELS.get(name) or MODELS.get(re.sub(r"-(20\d{6}|latest)$", "", name))
    if model is None:
        raise Refused(404, "not_found_error", f"model: {name}")
    return model
