"""The same agent in a terminal: `python -m agentlib "Refactor hello.py: …"`."""

import argparse
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from textwrap import indent
from typing import TextIO

from . import escape
from .live.approval import confirm
from .live.connect import ConnectError, Connection, connect
from .live.errors import explain
from .live.limits import LimitReachedError
from .loop import Round, never_remind, rounds
from .nag import Nag
from .practice.mind import tasks
from .prompts import first_message, system_prompt
from .todo import TodoManager
from .tools import make_sendable
from .workspace import Workspace


def arguments(argv: list[str] | None) -> argparse.Namespace:
    """The command line, read. Ends the program with a sentence where it makes no sense."""
    parser = argparse.ArgumentParser(
        prog="python -m agentlib",
        description="A coding agent that plans before it acts. Without a prompt: a conversation.",
    )
    parser.add_argument("prompt", nargs="?", help="what the agent is to do")
    parser.add_argument(
        "--task",
        choices=tasks.names(),
        help="work on this sample project (left out: the one the prompt is about)",
    )
    parser.add_argument(
        "--workspace",
        metavar="DIR",
        help="work in this folder; with --task, put the sample project there first",
    )
    parser.add_argument(
        "--nag",
        type=int,
        default=3,
        metavar="N",
        help="remind after N rounds without a look at the list; 0: never (3)",
    )
    parser.add_argument(
        "--model",
        metavar="NAME",
        help="ask this model (left out: MODEL_ID, or else the practice model)",
    )
    args = parser.parse_args(argv)
    if args.nag < 0:
        parser.error(f"--nag {args.nag} is no number of rounds; 0 switches the reminder off")
    if args.workspace is not None and not args.task and not os.path.isdir(args.workspace):
        parser.error(f"--workspace {args.workspace!r}: there is no such folder")
    if args.workspace is not None and args.task and os.path.exists(args.workspace or "."):
        parser.error(f"--workspace {args.workspace} is there already: name a new folder for --task")
    return args


def open_workspace(args: argparse.Namespace, prompt: str, real: bool) -> Workspace:
    """The folder to work in: your own, or a copy of a sample project, and then say so.

    Raises ConnectError where a `real` model would work in a sample that `prompt` is not about.
    """
    if args.workspace and not args.task:
        return Workspace(args.workspace)
    task = args.task or getattr(tasks.find(prompt), "name", None)
    if real and not task:
        raise ConnectError(
            "Where shall it work? Name a folder with --workspace DIR, or a sample "
            "project with --task NAME."
        )
    sample = Workspace.sample(task or "hello")
    if not args.workspace:
        say(
            f"It works on a copy of the sample project '{sample.name}', which is deleted at the "
            f"end. To keep it: --task {sample.name} --workspace DIR.",
            DIM,
            sys.stderr,
        )
        return sample
    try:
        shutil.copytree(sample.root, args.workspace)
    except OSError as problem:
        raise ConnectError(f"--workspace {args.workspace!r} cannot be made: {problem}.") from None
    return Workspace(args.workspace)


class Agent:
    """A conversation in a terminal: one history, one list, one folder."""

    def __init__(self, connection: Connection, workspace: Workspace, after: int) -> None:
        """`after` is the nag's threshold in rounds; 0 means no reminders."""
        self.connection, self.workspace = connection, workspace
        self.todo = TodoManager()
        self.remind = Nag(self.todo, after) if after else never_remind
        self.messages: list[dict] = []

    def work(self, prompt: str) -> bool:
        """Work on `prompt`, and print each round. False where the model could not be asked."""
        import anthropic

        self.messages.append(
            {"role": "user", "content": prompt} if self.messages else first_message(prompt)
        )
        try:
            while not self.go_on():
                self.connection.limits.extend()
        except (anthropic.APIError, ValueError) as problem:
            connection = self.connection
            say(explain(problem, connection.settings["model"], connection.host), file=sys.stderr)
            return False
        except LimitReachedError:
            return False
        return True

    def go_on(self) -> bool:
        """Go on to the end, or to the limit of what may be spent: False where a person raises it.

        Raises LimitReachedError where nobody does.
        """
        settings = self.connection.settings | {"system": system_prompt(self.workspace.name)}
        tools = [*self.connection.guard(self.workspace.tools()), self.todo.tool()]
        try:
            for round in rounds(
                self.connection.client, self.messages, tools, remind=self.remind, **settings
            ):
                self.show(round)
        except LimitReachedError as problem:
            say(str(problem), file=sys.stderr)
            if confirm("Allow as much again? [y/n] "):
                return False
            raise
        return True

    def show(self, round: Round) -> None:
        """Print one round: what the model said, what it did, and the list where it changed."""
        if round.text:
            say(round.text)
        for call in round.calls:
            if call.name == "todo" and call.ok:
                say(indent(call.output, "    "), BOLD)
            else:
                say(f"  {call}", DIM)
                if not call.ok:
                    say(indent(call.output, "    "))
        if round.reminder:
            say(f"  {round.reminder}", DIM)


BOLD, DIM = "1", "2"


def say(text: str, style: str = "", file: TextIO | None = None) -> None:
    """Print `text`, whoever wrote it, so that it cannot steer the terminal; styled on a screen."""
    file = file or sys.stdout
    text = escape.prose(text, file.encoding or "utf-8")
    if style and file.isatty() and "NO_COLOR" not in os.environ:
        text = f"\033[{style}m{text}\033[0m"
    print(text, file=file, flush=True)


def typed() -> Iterator[str]:
    """One prompt after the other, until an empty line or the end of the input."""
    say("What shall the agent do? (An empty line ends this.)")
    while prompt := input("> " if sys.stdin.isatty() else "").strip():
        yield prompt


def main(argv: list[str] | None = None) -> int:
    """Run the agent; returns the exit status: 0, 1 for no answer, 130 when stopped by Ctrl-C."""
    args = arguments(argv)
    agent, answered = None, True
    try:
        connection = connect(args.model, say=lambda line: say(line, DIM, sys.stderr))
        for prompt in [args.prompt] if args.prompt else typed():
            if not agent:
                workspace = open_workspace(args, prompt, connection.real)
                agent = Agent(connection, workspace, args.nag)
            answered = agent.work(make_sendable(prompt))
        return 0 if answered or not args.prompt else 1
    except ConnectError as problem:
        say(str(problem), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        say("Stopped.", file=sys.stderr)
        return 130
    except (EOFError, BrokenPipeError):
        return 0


if __name__ == "__main__":
    for name in ("SIGTERM", "SIGHUP"):  # as Ctrl-C does, so that no command is left running
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.default_int_handler)
    sys.exit(main())
