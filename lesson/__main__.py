"""The agent in a terminal: `planning-agent "Refactor hello.py: …"`."""

import argparse
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import NoReturn

from agentlib.safety.approval import someone_can_answer

from .real_model.connection import ConnectError
from .terminal import copy_lesson
from .terminal.agent import Agent
from .terminal.screen import say

try:
    import readline  # noqa: F401  # from now on, input() has line editing and a history
except ImportError:  # Windows, whose console edits lines itself
    pass

GREETING = "What should the agent do? (An empty line ends the program. Ctrl-C stops the agent.)"
STOPPED = "\nStopped; nothing is lost. Type what to do next, or press Ctrl-C to end the program."
EPILOG = """\
other commands:
  planning-agent lesson FOLDER   copy the notebooks of the lesson into a folder
  planning-agent check FOLDER    check the exercises in saved notebooks

MODEL_ID, ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL choose a real model: see docs/real-models.md.
"""


class ClosedError(KeyboardInterrupt):
    """Raised if the terminal was closed or the program was told to end."""


def main(argv: list[str] | None = None) -> int:
    """Run the program. Return the exit status: 0, 1 for no answer, 130 after an interrupt."""
    argv = sys.argv[1:] if argv is None else argv
    try:
        if argv[:1] == ["lesson"]:
            return copy_lesson.main(argv[1:])
        if argv[:1] == ["check"]:
            from .exercises.grading import command  # late, because it imports every exercise

            return command.main(argv[1:])
        args = parse(argv)
        return converse(Agent(args), args.prompt)
    except ConnectError as problem:
        say(str(problem), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        say("Stopped.", file=sys.stderr)
        return 130


def parse(argv: list[str]) -> argparse.Namespace:
    """Parse the arguments. Exit with an error message if they make no sense."""
    parser = argparse.ArgumentParser(
        prog="planning-agent",
        usage="%(prog)s [options] [prompt]",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="A coding agent that plans before it acts. Without a prompt: a conversation.",
        epilog=EPILOG,
    )
    add = parser.add_argument
    add("prompt", nargs="?", help="what the agent should do")
    add(
        "--workspace",
        metavar="DIR",
        help="work in this folder (default: one in the current folder)",
    )
    add("--model", metavar="NAME", help="ask this model (default: MODEL_ID, or the practice model)")
    add("--save", metavar="FILE", help="save the run in this new file after every round")
    args = parser.parse_args(argv)
    if args.save and (Path(args.save).exists() or not Path(args.save).absolute().parent.is_dir()):
        parser.error(f"--save {args.save}: name a new file in a folder that exists")
    return args


def converse(agent: Agent, prompt: str | None) -> int:
    """Work on `prompt`, or on each prompt that the user types. Return the exit status.

    Ctrl-C stops the work, and the user can say something; at a prompt it ends the program.
    """
    if is_conversation := prompt is None:
        say(GREETING)
    while True:
        prompt = prompt or read_prompt()
        if prompt in ("", "exit", "quit"):
            return 0
        try:
            answered = agent.work(prompt)
        except KeyboardInterrupt as stop:
            if isinstance(stop, ClosedError) or not someone_can_answer():
                raise
            say(STOPPED, file=sys.stderr)
            is_conversation = True
        if not is_conversation:
            return 0 if answered else 1
        prompt = None


def read_prompt() -> str:
    """Return the next prompt, or "" at the end of the input."""
    try:
        return input("> " if sys.stdin.isatty() else "").strip()
    except EOFError:
        return ""


def end(number: int, frame: FrameType | None) -> NoReturn:
    """Raise ClosedError: the handler of a signal. It ends the running command like Ctrl-C."""
    raise ClosedError


def run() -> NoReturn:
    """Run the program as a shell starts it."""
    for name in ("SIGTERM", "SIGHUP"):  # Windows has no SIGHUP
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), end)
    sys.exit(main())


if __name__ == "__main__":
    run()
