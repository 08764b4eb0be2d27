"""One Round in a few words, and where two runs differ."""

import json
import textwrap
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from ..loop import Round
from ..tools import Call

SHORT = 48  # characters of what a call was used on
KINDS = {"todo": "plan", "edit": "edit", "write": "edit", "read": "read"}  # by a part of the name
MOST_TELLING = ("plan", "edit", "command", "read")

Row = tuple[int | None, int | None]


def headline(round: Round) -> str:
    """What a round did: "edit_file shop.py", "todo", or what the model said at the end."""
    if round.calls:
        return ", ".join(short(call) for call in round.calls)
    return f"says “{clip(round.text)}”" if round.text.strip() else "says nothing"


def deed(round: Round) -> str:
    """What a round did, as the end of a sentence: "calls edit_file shop.py"."""
    return f"calls {headline(round)}" if round.calls else headline(round)


def kind(round: Round) -> str:
    """The most telling kind of call in a round: "plan", "edit", "command", "read", or "answer"."""
    kinds = {kind_of_tool(call.name) for call in round.calls}
    return next((name for name in MOST_TELLING if name in kinds), "answer")


def kind_of_tool(name: str) -> str:
    """What a tool does, going by its name, because other agents' are named otherwise: "TodoWrite"
    writes a plan, "str_replace_based_edit_tool" edits. A name that says nothing is a command."""
    return next((kind for part, kind in KINDS.items() if part in name.casefold()), "command")


def has_failed(round: Round) -> bool:
    """Whether one of the round's calls came back as an error."""
    return not all(call.ok for call in round.calls)


def short(call: Call) -> str:
    """One call: the tool, what it was used on, and whether it failed."""
    subject = call.input if isinstance(call.input, dict) else {}
    words = clip(str(subject.get("path") or subject.get("command") or ""))
    return f"{clip(call.name)} {words}".rstrip() + ("" if call.ok else " (failed)")


def clip(words: Any, width: int = SHORT) -> str:
    """The first words of a text, on one line."""
    line = textwrap.shorten(str(words), width, placeholder="…")
    return line if line != "…" else f"{str(words).strip()[: width - 1]}…"


def aligned(one: Sequence[Round], other: Sequence[Round]) -> list[Row]:
    """Two runs side by side: rows of indices, None where a run has nothing at that place.

    A round that only one run has moves what follows in the other, and does not make it differ.
    """
    matcher = SequenceMatcher(None, [facts(r) for r in one], [facts(r) for r in other], False)
    rows: list[Row] = []
    for _, start, end, other_start, other_end in matcher.get_opcodes():
        rows += zip_longest(range(start, end), range(other_start, other_end))
    return rows


def is_same(one: Round | None, other: Round | None) -> bool:
    """Whether the same happened in two rounds, whatever it cost."""
    return one is not None and other is not None and facts(one) == facts(other)


def facts(round: Round) -> str:
    """What happened in a Round, without what it cost, in a form that can be compared."""
    calls = [[call.name, call.input, call.output, call.ok] for call in round.calls]
    return json.dumps([round.text, calls, round.reminder], sort_keys=True, default=str)


def difference(before: Sequence[Round], now: Sequence[Round]) -> str:
    """Where the run went another way than the one before, as a sentence."""
    rounds = enumerate(zip_longest(before, now), 1)
    first = next(((n, *pair) for n, pair in rounds if not is_same(*pair)), None)
    if first is None:
        return "The run went the same way as before, round for round."
    place, was, is_ = first
    start = f"Round {place} is the first that differs: "
    if was is None:
        return f"{start}the run was over before, and now came {headline(is_)}."
    if is_ is None:
        return f"{start}the run was over now, and before came {headline(was)}."
    if (was.text, was.calls) != (is_.text, is_.calls):
        return f"{start}{headline(was)} before, {headline(is_)} now."
    if was.reminder:
        return f"{start}a reminder came before, none comes now."
    return f"{start}no reminder came before, one comes now."
