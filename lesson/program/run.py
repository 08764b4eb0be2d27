"""What my_agent.py does besides its parts: it reads the command, connects, prints, and asks."""

import os
import re
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anthropic

from agentlib import escape
from agentlib.replies import check_reply, plain_blocks, shown_text
from agentlib.safety import approval
from agentlib.tools import Call
from agentlib.workspace import Workspace

from ..at_the_stop import MAX_QUESTIONS, find_missing
from ..message_blocks import REMINDERS, blocks_of, describe_result, find_reminders, is_list_tool
from ..model_choice import connect
from ..practice.ignored_reminders import judge_reminder
from ..real_model.connection import ConnectError, Connection
from ..real_model.limits import LimitReachedError
from ..real_model.server_errors import explain
from ..samples import InFolder, find_job_of
from ..try_out import try_out
from .workspace import GuardedWorkspace, open_workspace

CHECK_LINES = 10  # of its output, at most


def open_program() -> "Program":
    """Read the command, connect to a model and open a workspace, for the program that was started.

    Raise SystemExit, with a message, if that is not possible.
    """
    parser = ArgumentParser(description="Your agent: it works on the prompt.")
    parser.add_argument("prompt", nargs="+", help="what to do")
    parser.add_argument(
        "--check",
        metavar="COMMAND",
        default="",
        help='run this at each stop, such as "python -m unittest": if it fails, the agent goes on',
    )
    given = parser.parse_args()
    os.chdir(Path(sys.argv[0]).resolve().parent)  # the agent works next to this file
    prompt = " ".join(given.prompt)
    try:
        model = connect()  # the practice model, or the one that MODEL_ID names
        return make_program(prompt, given.check, model)
    except (ConnectError, OSError, ValueError) as problem:
        raise SystemExit(str(problem)) from None


def make_program(prompt: str, check: str, model: Connection) -> "Program":
    """Return the Program for a prompt, with its workspace.

    If a real model is asked for the job of a sample, its prompt names the steps, so that what is
    asked and what is counted are the same. Raise ValueError if there can be no workspace.
    """
    workspace = open_workspace(prompt, model)
    job = find_job_of(workspace)
    if model.real and job and " ".join(prompt.split()) == " ".join(job.prompt.split()):
        prompt = job.name_steps(prompt)
    return Program(prompt, check, model, workspace)


@dataclass
class Program:
    """A learner's program: the `prompt` in its command, the model that answers, and a workspace.

    `client` is the model's client, which also prints each reply. `check` is the user's own command
    that can say no, and `failed` is what it has printed at each stop since it last passed.
    """

    prompt: str
    check: str
    model: Connection
    workspace: GuardedWorkspace
    failed: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.client: Any = PrintingClient(self.model)
        # Runs the check, which is the user's own command, so nobody has to approve it.
        self.folder = Workspace(self.workspace.root)

    def run(self, main: Callable[[], None]) -> None:
        """Run `main`. Raise SystemExit, with a message, if it was stopped or the check fails."""
        try:
            main()
        except KeyboardInterrupt:
            raise SystemExit("\nStopped. The files are as the agent left them.") from None
        if self.failed:
            asked = len(self.failed) - 1
            raise SystemExit(f"Stopped: asked {asked} times, and `{self.check}` still fails.")
        self.try_out()
        if self.client.is_silent and not self.check:
            raise SystemExit("Stopped: the model's last reply was empty. Look at the files.")

    def try_out(self) -> None:
        """Print whether the tests pass, after a real model has done the job of a sample.

        With `--check`, the user's own command has said so.
        """
        if self.model.real and not self.check and self.asks_for_all_steps():
            say(f"     {try_out(self.workspace, approval.confirm)}")

    def asks_for_all_steps(self) -> bool:
        """Return whether the model was asked for what `find_missing` counts.

        The practice model has the steps in its script. A real model has them in its prompt, unless
        the user has asked for something else.
        """
        job = find_job_of(self.workspace)
        return job is not None and all(step.text in self.prompt for step in job.steps)

    def prompts(self) -> Iterator[str]:
        """Yield the prompt and, with a check, what it says at each stop, until it passes."""
        yield self.prompt
        for _ in range(MAX_QUESTIONS if self.check else 0):
            if not (left := self.missing(self.workspace)):
                return
            yield f"Not done yet: {'; '.join(left)}"
        if self.check:
            self.missing(self.workspace)

    def missing(self, workspace: InFolder) -> list[str]:
        """Return what is not done: what the check says or, without one, `find_missing`."""
        if not self.check:
            is_asked = not self.model.real or self.asks_for_all_steps()
            return find_missing(workspace) if is_asked else []
        try:
            output, code = self.folder.run_command(self.check)
        except (OSError, ValueError) as problem:
            output, code = str(problem), 1
        if code == 0 and re.search(r"^Ran 0 tests.*\s+OK$", output, re.MULTILINE):
            output, code = f"{output}\nNo test ran.", 5  # as with Python 3.12
        if code == 0:
            say(f"     {self.check}: passes")
            self.failed.clear()
            return []
        last = output.splitlines()[-CHECK_LINES:]
        say(f"     {self.check}: fails: {last[-1]}")
        self.failed.append("\n".join([f"{self.check} fails:", *last, f"(exit code {code})"]))
        return self.failed[-1:]


class PrintingClient:
    """A client that also prints replies, errors of tools, reminders, and what is new in the list.

    An error of the model's server ends the program with a message. At the limit of requests or
    tokens, the user may allow as much again.
    """

    def __init__(self, model: Connection) -> None:
        self.model, self.number, self.is_silent = model, 0, False
        self.uses: list[Any] = []  # the calls of the last reply
        self.todo = ""  # the newest list, as the model has read it
        self.messages = self  # so that `client.messages.create` is `create`

    def create(self, **request: Any) -> Any:
        """Send a request, print the reply and return it."""
        self.print_results(request["messages"][-1])
        reply = self.send(request)
        self.number += 1
        self.uses = [block for block in reply.content if block.type == "tool_use"]
        text = shown_text(plain_blocks(reply))
        said = [str(Call(use.name, use.input, "")) for use in self.uses] or [text]
        self.is_silent = not "".join(said).strip()
        say(f"{self.number:3}  {'  '.join(said)}")
        return reply

    def print_results(self, message: Any) -> None:
        """Print what the user sees of the results of the last reply's calls."""
        lists = [use.id for use in self.uses if is_list_tool(use.name)]
        for block in blocks_of(message):
            if block.get("is_error"):
                say(f"     {describe_result(block)}")
            elif block.get("tool_use_id") in lists:
                old, self.todo = self.todo, REMINDERS.sub("", describe_result(block)).strip()
                for line in self.todo.splitlines():
                    if line.strip() and line not in old.splitlines():
                        say(f"     {line}")
        for reminder in find_reminders(message):
            words = reminder.replace(self.todo, " … ") if self.todo else reminder
            say(f"     + reminder: {' '.join(words.split())}")
            if not_understood := judge_reminder(reminder, [(u.name, u.input) for u in self.uses]):
                say(f"     {not_understood}")

    def send(self, request: dict[str, Any]) -> Any:
        """Send a request and return the reply. Raise SystemExit, with a message, for an error."""
        while True:
            try:
                reply = self.model.client.messages.create(**request)
                check_reply(reply, request["messages"])
                return reply
            except LimitReachedError as problem:
                say(problem.reached)
                if not approval.confirm("Allow as much again? [y/n] "):
                    raise SystemExit("Stopped. The files are as the agent left them.") from None
                self.model.limits.extend()
            except (anthropic.APIError, ValueError) as problem:
                host = self.model.host or "The practice model"
                said = explain(problem, self.model.settings["model"], host)
                raise SystemExit(said) from None


def say(text: str) -> None:
    """Print text of a model or a tool, with control characters escaped."""
    print(escape.for_screen(text, sys.stdout.encoding or "utf-8"), flush=True)
