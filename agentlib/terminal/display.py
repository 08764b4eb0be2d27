"""What a person sees of a run in a terminal while it goes on, and what they are asked."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import wraps
from textwrap import indent
from typing import Any

from ..live import approval
from ..loop import Round
from ..tools import Call, Tool
from .screen import BOLD, DIM, Waiting, say, say_diff, say_output


class Display:
    """Shows one conversation. `waiting` is the line that says what is waited for."""

    def __init__(self, messages: Sequence[dict[str, Any]], allow: str | None) -> None:
        """`messages` is the history as it grows; `allow` is what --allow says."""
        self.messages, self.allow = messages, allow
        self.waiting = Waiting()
        self.diffs: list[str] = []  # of the changes in this round
        self.judged = ""  # the last deed that a person was asked for
        self.has_spoken = False  # whether the model's words in this round are shown already

    def begin_round(self) -> None:
        """Forget what belongs to the round before, or to one that was stopped."""
        self.diffs.clear()
        self.has_spoken = False

    def ask(self, question: str) -> str:
        """Put a deed to the person, unless --allow has answered already: see approval.Ask."""
        is_change = getattr(question, "action", "") == approval.CHANGE
        if self.allow == "all" or (self.allow == "changes" and is_change):
            return approval.ONCE
        with self.waiting.hidden():
            self.speak()
            self.judged = str(question)
            return approval.ask(question)

    def note(self, line: str) -> None:
        """Show a line that is about the run, not of it."""
        with self.waiting.hidden():
            say(line, DIM, sys.stderr)

    def watched(self, tool: Tool) -> Tool:
        """The same tool, which says first what the model said, and notes what it changes."""

        @wraps(tool.run)
        def run(*given: Any, **more: Any) -> str:
            with self.waiting.hidden():
                self.speak()
            diff = tool.preview(*given, **more) if tool.preview else ""
            with self.waiting.shown(f"running {tool.name}"):
                output = tool.run(*given, **more)
            if tool.preview:
                self.diffs.append(diff)
            return output

        return replace(tool, run=run)

    def speak(self) -> None:
        """Show what the model said with the calls that are about to run, once."""
        turn = self.messages[-2]["content"]  # the last holds the results
        text = "\n".join(block["text"] for block in turn if block["type"] == "text")
        if text and not self.has_spoken:
            say(text)
        self.has_spoken = True

    def show(self, round: Round) -> None:
        """Print one round: what the model said, what it did, and the list where it changed."""
        with self.waiting.hidden():
            if round.text and not self.has_spoken:
                say(round.text)
            for call in round.calls:
                self.show_call(call)
            if round.reminder:
                say(f"  {round.reminder}", DIM)
            if not (round.text or round.calls):
                say("(The model said nothing.)", DIM)
        self.begin_round()

    def show_call(self, call: Call) -> None:
        """Print one call and what came of it. A change that a person has judged is not repeated."""
        if call.name == "todo" and call.ok:
            say(indent(call.output, "    "), BOLD)
            return
        say(f"  {call}", DIM)
        if not call.ok:
            say_output(call.output, style="")
        elif call.name == "bash":
            say_output(call.output)
        elif call.name in ("write_file", "edit_file") and self.diffs:
            diff = self.diffs.pop(0)
            if diff != self.judged:
                say_diff(diff)
