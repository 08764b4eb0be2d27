"""A conversation with the agent in a terminal: one history, one todo list, one workspace."""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from textwrap import indent, shorten
from typing import Any

import anthropic

from agentlib import escape
from agentlib.loop import Round, rounds
from agentlib.nag import Nag
from agentlib.prompts import first_message, system_prompt
from agentlib.safety import approval
from agentlib.todo import TodoManager
from agentlib.workspace import Workspace

from ..model_choice import connect
from ..program import GuardedWorkspace, open_workspace
from ..real_model.connection import ConnectError
from ..real_model.limits import LimitReachedError
from ..real_model.server_errors import explain
from ..runs.bill import make_bill
from ..runs.trace import Trace
from .screen import BOLD, DIM, note, say, say_output

NAG_AFTER = 3  # rounds


class Agent:
    """One conversation. Each call of `work` continues it with a prompt."""

    def __init__(self, args: argparse.Namespace) -> None:
        """Connect to the model. Raise ConnectError if that fails or an argument is impossible."""
        self.args = args
        self.model = connect(args.model, ask=self.ask, say=note)
        self.workspace: Workspace | None = None
        self.file = Path(args.save).resolve() if args.save else None
        self.messages: list[dict[str, Any]] = []
        self.todo = TodoManager()
        self.nag = Nag(self.todo, NAG_AFTER)
        self.trace = Trace(after=NAG_AFTER)
        self.said = ""  # the text of the current turn, once it is shown

    def work(self, prompt: str) -> bool:
        """Work on `prompt` to the end. Return whether the model could be asked.

        After Ctrl-C, the history can be sent: the next prompt continues the conversation.
        """
        prompt = escape.for_api(prompt)
        if self.workspace is None:
            self.workspace = self.open(prompt)
            self.trace.title = shorten(prompt, 60, placeholder=" …")
            self.messages.append(first_message(prompt))
        else:
            self.messages.append({"role": "user", "content": prompt})
        before = len(self.trace.rounds)
        try:
            while True:
                try:
                    for turn in self.play(self.workspace):
                        self.show(turn)
                        self.save()
                    return True
                except LimitReachedError as problem:
                    say(str(problem))
                    if not approval.confirm("Allow as much again? [y/n] "):
                        return False
                    self.model.limits.extend()
        except (anthropic.APIError, ValueError) as problem:
            host = self.model.host or "The practice model"
            say(explain(problem, self.model.settings["model"], host))
            return False
        finally:
            self.save()
            if played := self.trace.rounds[before:]:
                note(str(make_bill(played)))

    def open(self, prompt: str) -> Workspace:
        """Return the workspace. Raise ConnectError if there is none, or the run's file is in it."""
        folder = self.args.workspace
        try:
            if not folder:
                workspace = open_workspace(prompt, self.model)
            else:
                workspace = GuardedWorkspace(folder, self.model)
            if self.file and self.file.is_relative_to(workspace.root):
                raise ValueError("--save needs a file outside of the agent's workspace.")
        except (OSError, ValueError) as problem:
            raise ConnectError(str(problem)) from None
        return workspace

    def play(self, workspace: Workspace) -> Iterator[Round]:
        """Yield the Rounds of the loop on this conversation; the trace records them."""
        played = rounds(
            self.model.client,
            self.messages,
            [*workspace.tools(), self.todo.tool()],
            remind=self.nag,
            **self.model.settings,
            system=system_prompt(workspace.name),
        )
        numbered = (replace(turn, number=len(self.trace.rounds) + 1) for turn in played)
        return self.trace.follow(numbered, self.messages, self.todo, self.nag)

    def ask(self, question: approval.Question) -> approval.Answer:
        """Ask the user to approve a call, after what the model said about it. See approval.Ask."""
        turn = self.messages[-2]["content"]  # the last message has the results
        self.say_once("\n".join(block["text"] for block in turn if block["type"] == "text"))
        return approval.ask(question)

    def say_once(self, text: str) -> None:
        """Print the text of a turn, unless it was printed before a question about its calls."""
        if text and text != self.said:
            say(text)
        self.said = text

    def show(self, turn: Round) -> None:
        """Print one round: the text, the calls, and the todo list if it changed."""
        self.say_once(turn.text)
        self.said = ""
        for call in turn.calls:
            if call.name == self.todo.name and call.ok:
                say(indent(call.output, "    "), BOLD)
                continue
            say(f"  {call}", DIM)
            if call.name == "bash" or not call.ok:
                say_output(call.output)
        if turn.reminder:
            say(f"  {turn.reminder}", DIM)

    def save(self) -> None:
        """Save the run in the file of --save, also what an interrupted round has added."""
        self.trace.catch_up(self.messages, self.todo, self.nag)
        if self.file:
            try:
                self.trace.save(self.file)
            except OSError as problem:
                note(f"The run could not be saved in {self.file}: {problem}.")
