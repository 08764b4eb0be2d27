"""One Round in a few words, and two runs side by side."""

import json
import textwrap
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from agentlib.loop import Round
from agentlib.tools import Call

from ..runs.step import Step

SHORT = 48  # characters, for the path or the command of a call
# The kind of a tool, by a part of its name.
TOOL_KINDS = {
    **dict.fromkeys(("todo", "taskcreate", "taskupdate", "tasklist", "taskget"), "plan"),
    **{"edit": "edit", "write": "edit", "read": "read"},
}
MOST_TELLING = ("plan", "edit", "command", "read")

StepRow = tuple[int | None, int | None]


def headline(step: Round) -> str:
    """What a round did: "edit_file shop.py", "todo", or what the model said at the end."""
    if step.calls:
        return ", ".join(describe_call(call) for call in step.calls)
    return f"says “{clip(step.text)}”" if step.text.strip() else "says nothing"


def describe_deed(step: Round) -> str:
    """What a round did, as the end of a sentence: "calls edit_file shop.py"."""
    return f"calls {headline(step)}" if step.calls else headline(step)


def classify_round(step: Round) -> str:
    """The most telling kind of call in a round: "plan", "edit", "command", "read", or "answer"."""
    kinds = {classify_tool(call.name) for call in step.calls}
    return next((name for name in MOST_TELLING if name in kinds), "answer")


def classify_tool(name: str) -> str:
    """The kind of a tool, judging by its name, because other agents have other names: "TodoWrite"
    writes a plan, "str_replace_based_edit_tool" edits. Any other name counts as a command."""
    return next((kind for part, kind in TOOL_KINDS.items() if part in name.casefold()), "command")


def has_failed(step: Round) -> bool:
    """Whether any of the round's calls came back as an error."""
    return not all(call.ok for call in step.calls)


def describe_call(call: Call) -> str:
    """One call: the tool, its path or command, and whether it failed."""
    subject = call.input if isinstance(call.input, dict) else {}
    words = clip(str(subject.get("path") or subject.get("command") or ""))
    return f"{clip(call.name)} {words}".rstrip() + ("" if call.ok else " (failed)")


def clip(words: Any, width: int = SHORT) -> str:
    """The first words of a text, on one line."""
    line = textwrap.shorten(str(words), width, placeholder="…")
    return line if line != "…" else f"{str(words).strip()[: width - 1]}…"


def align(one: Sequence[Step], other: Sequence[Step]) -> list[StepRow]:
    """Two runs side by side, as rows of the numbers of their steps; None for a gap in one run.

    The prompts share the first row. A round that only one run has shifts what follows it in the
    other run, so that the rounds after it can still be equal.
    """
    matcher = SequenceMatcher(None, list(map(facts, one[1:])), list(map(facts, other[1:])), False)
    rows: list[StepRow] = [(0, 0)]
    for _, start, end, other_start, other_end in matcher.get_opcodes():
        rows += zip_longest(range(start + 1, end + 1), range(other_start + 1, other_end + 1))
    return rows


def facts(step: Step) -> str:
    """What happened in a step, whatever it cost, as a text to compare. All prompts are equal."""
    if step.round is None:
        return ""
    calls = [[call.name, call.input, call.output, call.ok] for call in step.round.calls]
    return json.dumps([step.round.text, calls, step.round.reminder], sort_keys=True, default=str)
