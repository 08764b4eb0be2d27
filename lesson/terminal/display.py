"""Show one conversation in a terminal while it goes on, and ask for approval."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import wraps
from textwrap import indent
from typing import Any

from agentlib import approval
from agentlib.loop import Round
from agentlib.tools import Call, Tool

from .screen import BOLD, DIM, Stream, say, say_diff, say_output


class Display:
    """Shows one conversation. `stream` prints the model's text, and the wait for a command."""

    def __init__(self, messages: Sequence[dict[str, Any]], allow: str | None) -> None:
        """Take the growing history `messages`, and the value of --allow."""
        self.messages, self.allow = messages, allow
        self.stream = Stream()
        self.diffs: list[str] = []  # of the changes in this round
        self.judged: list[str] = []  # what the user was asked in this round
        self.said = ""  # the model's text in this round that was shown

    def begin_round(self) -> None:
        """Forget the round before, which may have been interrupted."""
        self.diffs.clear()
        self.judged.clear()
        self.said = ""

    def ask(self, question: approval.Question) -> approval.Answer:
        """Ask the user for approval, unless --allow answers: see approval.Ask."""
        is_change = question.action == approval.CHANGE
        if self.allow == "all" or (self.allow == "changes" and is_change):
            return approval.ONCE
        with self.stream.paused():
            self.say_turn()
            self.judged.append(question.preview)
            return approval.ask(question)

    def note(self, line: str) -> None:
        """Show a line about the run."""
        with self.stream.paused():
            say(line, DIM, sys.stderr)

    def watched(self, tool: Tool) -> Tool:
        """Return the same tool, which first shows the model's text, and records diffs."""

        @wraps(tool.run)
        def run(*given: Any, **more: Any) -> str:
            self.say_turn()
            diff = tool.preview(*given, **more) if tool.preview else ""
            with self.stream.waiting(f"running {tool.name}"):
                output = tool.run(*given, **more)
            if tool.preview:
                self.diffs.append(diff)
            return output

        return replace(tool, run=run)

    def say_turn(self) -> None:
        """Show the text of the turn whose calls are about to run, once."""
        turn = self.messages[-2]["content"]  # the last message contains the results
        self.say_text("\n".join(block["text"] for block in turn if block["type"] == "text"))

    def say_text(self, text: str) -> None:
        """Print what the model said, once."""
        if text.strip() != self.said.strip():
            self.stream.say_words(f"{text}\n")
        self.said = text

    def show(self, step: Round) -> None:
        """Print one round: text, calls, and the todo list if it changed."""
        with self.stream.paused():
            self.say_text(step.text)
            for call in step.calls:
                self.show_call(call)
            if step.reminder:
                say(f"  {step.reminder}", DIM)
            if not (step.text or step.calls):
                say("(The model said nothing.)", DIM)
        self.begin_round()

    def show_call(self, call: Call) -> None:
        """Print one call and its result. A diff that the user has approved is not repeated."""
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
            if diff not in self.judged:
                say_diff(diff)
