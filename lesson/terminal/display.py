"""What a person sees of a run in a terminal while it goes on, and what they are asked."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import wraps
from textwrap import indent
from typing import Any

from agentlib.client import approval
from agentlib.loop import Round
from agentlib.tools import Call, Tool

from .screen import BOLD, DIM, Foot, say, say_diff, say_output


class Display:
    """Shows one conversation. `foot` is what stands below it while work goes on."""

    def __init__(self, messages: Sequence[dict[str, Any]], allow: str | None) -> None:
        """`messages` is the history as it grows; `allow` is what --allow says."""
        self.messages, self.allow = messages, allow
        self.foot = Foot()
        self.diffs: list[str] = []  # of the changes in this round
        self.judged = ""  # the last deed that a person was asked for
        self.heard = ""  # of the model in this round, while it spoke

    def begin_round(self) -> None:
        """Forget what belongs to the round before, or to one that was stopped."""
        self.diffs.clear()
        self.heard = ""

    def hear(self, words: str) -> None:
        """Show a piece of what the model says, as it comes."""
        self.heard += words
        self.foot.say_words(words)

    def ask(self, question: str) -> str:
        """Put a deed to the person, unless --allow has answered already: see approval.Ask."""
        is_change = getattr(question, "action", "") == approval.CHANGE
        if self.allow == "all" or (self.allow == "changes" and is_change):
            return approval.ONCE
        with self.foot.hidden():
            self.speak()
            self.judged = str(question)
            return approval.ask(question)

    def note(self, line: str) -> None:
        """Show a line that is about the run, not of it."""
        with self.foot.hidden():
            say(line, DIM, sys.stderr)

    def watched(self, tool: Tool) -> Tool:
        """The same tool, which says first what the model said, and notes what it changes."""

        @wraps(tool.run)
        def run(*given: Any, **more: Any) -> str:
            with self.foot.hidden():
                self.speak()
            diff = tool.preview(*given, **more) if tool.preview else ""
            with self.foot.shown(f"running {tool.name}"):
                output = tool.run(*given, **more)
            if tool.preview:
                self.diffs.append(diff)
            return output

        return replace(tool, run=run)

    def speak(self) -> None:
        """Show what the model said with the calls that are about to run, once."""
        turn = self.messages[-2]["content"]  # the last holds the results
        text = "\n".join(block["text"] for block in turn if block["type"] == "text")
        self.say_text(text)

    def say_text(self, text: str) -> None:
        """Print what the model said, unless it was heard already."""
        if text.strip() != self.heard.strip():
            say(text)
        self.heard = text

    def show(self, step: Round) -> None:
        """Print one round: what the model said, what it did, and the list where it changed.

        On a screen the list stands at its foot.
        """
        with self.foot.hidden():
            self.say_text(step.text)
            for call in step.calls:
                self.show_call(call)
            if step.reminder:
                say(f"  {step.reminder}", DIM)
            if not (step.text or step.calls):
                say("(The model said nothing.)", DIM)
        self.begin_round()

    def show_plan(self) -> None:
        """Print the list as it is now, to stay."""
        if self.foot.plan:
            say(indent(self.foot.plan, "    "), BOLD)

    def show_call(self, call: Call) -> None:
        """Print one call and its result. A change that a person has judged is not repeated."""
        if call.name == "todo" and call.ok:
            self.foot.plan = call.output
            if not self.foot.is_redrawn:
                self.show_plan()
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
