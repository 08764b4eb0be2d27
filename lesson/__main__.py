"""The agent in a terminal: `python -m lesson "Refactor hello.py: …"`, or `planning-agent`."""

import signal
import sys
from types import FrameType
from typing import NoReturn

from agentlib.client.approval import someone_can_answer
from agentlib.client.connection import ConnectError

from .terminal import arguments, lesson, open_run
from .terminal.agent import Agent, CannotStartError
from .terminal.keyboard import read_prompt
from .terminal.screen import say

GREETING = "What should the agent do? (An empty line ends this.)"
STOPPED = "\nStopped; nothing is lost. Say what to do now, or press Ctrl-C once more to end this."


class ClosedError(KeyboardInterrupt):
    """The terminal was closed, or the program was told to end: nobody can say anything more."""


def main(argv: list[str] | None = None) -> int:
    """Run the program; returns the exit status: 0, 1 for no answer, 130 when stopped."""
    argv = sys.argv[1:] if argv is None else argv
    try:
        if argv[:1] == ["lesson"]:
            return lesson.main(argv[1:])
        if argv[:1] == ["open"]:
            return open_run.main(argv[1:])
        args = arguments.parse(argv)
        return converse(Agent(args), args.prompt)
    except (ConnectError, CannotStartError) as problem:
        say(str(problem), file=sys.stderr)
        return 1
    except BrokenPipeError:  # as in `… | head`
        return 0
    except KeyboardInterrupt:
        say("Stopped.", file=sys.stderr)
        return 130


def converse(agent: Agent, prompt: str | None) -> int:
    """Work on `prompt`, or else on what is typed, until there is no more. Returns the exit status.

    Ctrl-C stops the work, and lets a person say something; at a prompt it ends the program.
    """
    is_conversation = prompt is None
    goes_on = is_conversation and agent.is_unfinished
    if is_conversation and not goes_on:
        say(GREETING)
    while True:
        if prompt is None and not goes_on:
            prompt = read_prompt()
            if not prompt:
                return 0
        try:
            answered = agent.work(prompt)
        except KeyboardInterrupt as stop:
            if isinstance(stop, ClosedError) or not someone_can_answer():
                raise
            say(STOPPED, file=sys.stderr)
            is_conversation = answered = True
        if agent.is_full and someone_can_answer():
            is_conversation = True
        if not is_conversation:
            return 0 if answered else 1
        prompt, goes_on = None, False


def end(number: int, frame: FrameType | None) -> NoReturn:
    """What a signal to end does: as Ctrl-C, so that no command is left running."""
    raise ClosedError


def run() -> NoReturn:
    """The program, as a shell starts it."""
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), end)
    sys.exit(main())


if __name__ == "__main__":
    run()
