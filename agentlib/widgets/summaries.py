"""One Round in a few words."""

import textwrap
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from ..loop import Round
from ..tools import Call


def headline(round: Round) -> str:
    """What a round did: "edit_file shop.py", "todo", or what the model said at the end."""
    if round.calls:
        return ", ".join(short(call) for call in round.calls)
    return f"says “{clip(round.text)}”" if round.text.strip() else "says nothing"


def deed(round: Round) -> str:
    """What a round did, as the end of a sentence: "calls edit_file shop.py"."""
    return f"calls {headline(round)}" if round.calls else headline(round)


def short(call: Call) -> str:
    """One call: the tool, what it was used on, and whether it was refused."""
    subject = call.input if isinstance(call.input, dict) else {}
    words = clip(str(subject.get("path") or subject.get("command") or ""))
    return f"{call.name} {words}".rstrip() + ("" if call.ok else " (refused)")


def clip(words: Any, width: int = 48) -> str:
    """The first words of a text, on one line."""
    return textwrap.shorten(str(words), width, placeholder="…")


def differences(one: Sequence[Round], other: Sequence[Round]) -> list[int]:
    """The numbers, from 1, of the Rounds in which two runs differ, or that only one of them has."""
    pairs = enumerate(zip_longest(one, other), 1)
    return [number for number, (a, b) in pairs if a is None or b is None or facts(a) != facts(b)]


def facts(round: Round) -> tuple:
    """What happened in a Round, without what it cost."""
    return round.text, round.calls, round.reminder


def difference(before: Sequence[Round], now: Sequence[Round]) -> str:
    """Where the run went another way than the one before, as a sentence."""
    numbers = differences(before, now)
    if not numbers:
        return "The run went the same way as before, round for round."
    start, index = f"Round {numbers[0]} is the first that differs: ", numbers[0] - 1
    if index >= min(len(before), len(now)):
        over, on = ("before", "now") if index >= len(before) else ("now", "before")
        longer = max(before, now, key=len)
        return f"{start}the run was over {over}, and {on} came {headline(longer[index])}."
    was, is_ = before[index], now[index]
    if (was.text, was.calls) == (is_.text, is_.calls):
        return start + ("a reminder came before, none comes now." if was.reminder
                        else "no reminder came before, one comes now.")
    return f"{start}{headline(was)} before, {headline(is_)} now."
