"""The agent in a terminal: `python -m lesson "Refactor hello.py: …"`, or `planning-agent`."""

import sys
from typing import TYPE_CHECKING, NoReturn

try:
    from agentlib.approval import someone_can_answer

    from .real_model.connection import ConnectError
    from .terminal import arguments, copy_lesson, interrupts, open_run
    from .terminal.screen import say
except KeyboardInterrupt:  # the imports take a moment
    raise SystemExit(130) from None

if TYPE_CHECKING:
    from .terminal.agent import Agent

GREETING = "What should the agent do? (/help shows the keys; an empty line ends the program.)"
STOPPED = (
    "\nStopped; nothing is lost. Type what to do next, or press Ctrl-C again to end the program."
)
HELP = """\
/help         this text
/quit, exit   end the program; so do an empty line and Ctrl-D
Ctrl-C        while it works: stop and say something; in a line: clear it, or end the program
Up, Down      earlier prompts
What you paste is one prompt, with all its lines. The options are in planning-agent --help."""


def main(argv: list[str] | None = None) -> int:
    """Run the program. Return the exit status: 0, 1 for no answer, 130 after an interrupt."""
    argv = sys.argv[1:] if argv is None else argv
    try:
        if argv[:1] == ["lesson"]:
            return copy_lesson.main(argv[1:])
        if argv[:1] == ["open"]:
            return open_run.main(argv[1:])
        if argv[:1] == ["check"]:
            from .exercises.grading import command  # late, because it imports every exercise

            return command.main(argv[1:])
        args = arguments.parse(argv)
        from .terminal.agent import Agent  # late, because --help needs none of it

        return converse(Agent(args), args.prompt)
    except (ConnectError, arguments.CannotStartError) as problem:
        say(str(problem), file=sys.stderr)
        return 1
    except BrokenPipeError:  # as in `… | head`
        return 0
    except KeyboardInterrupt:
        say("Stopped.", file=sys.stderr)
        return 130


def converse(agent: "Agent", prompt: str | None) -> int:
    """Work on `prompt`, or on what the user types, to the end. Return the exit status.

    Ctrl-C stops the work, and the user can say something; at a prompt it ends the program.
    """
    from .terminal.read_prompt import read_prompt

    is_conversation = prompt is None
    continues = is_conversation and agent.is_unfinished
    if is_conversation and not continues:
        say(GREETING)
    while True:
        if prompt is None and not continues:
            prompt = read_prompt()
        match (prompt or "").casefold():
            case "exit" | "quit" | "/exit" | "/quit":
                return 0
            case "" if not continues:
                return 0
            case "/help" | "help" | "/?":
                say(HELP)
                prompt, is_conversation = None, True
                continue
        try:
            answered = agent.work(prompt)
        except KeyboardInterrupt as stop:
            if isinstance(stop, interrupts.ClosedError) or not someone_can_answer():
                raise
            say(STOPPED, file=sys.stderr)
            is_conversation = answered = True
        if not is_conversation:
            return 0 if answered else 1
        prompt, continues = None, False


def run() -> NoReturn:
    """Run the program as a shell starts it."""
    interrupts.end_on_signals()
    sys.exit(main())


if __name__ == "__main__":
    run()
