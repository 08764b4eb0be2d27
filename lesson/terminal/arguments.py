"""The command line of the agent."""

import argparse
import os
import platform
import sys
from importlib import metadata
from pathlib import Path

from ..real_model.connection import MAX_TOKENS

DISTRIBUTION, COMMAND = "planning-agent-lesson", "planning-agent"
EPILOG = f"""\
other commands:
  {COMMAND} lesson FOLDER   copy the notebooks of the lesson into a folder
  {COMMAND} open FILE       show a saved run, or a session of Claude Code, as a page
  {COMMAND} check FOLDER    check the exercises in saved notebooks

MODEL_ID, ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL choose a real model: see docs/real-models.md.
"""


class CannotStartError(Exception):
    """Raised if the command line asks for something impossible. The message says what to do."""


def parse(argv: list[str]) -> argparse.Namespace:
    """Parse the arguments. Exit with an error message if they make no sense."""
    parser = build_parser()
    args = parser.parse_args(argv)
    problem = find_problem(args)
    if problem:
        parser.error(problem)
    return args


def build_parser() -> argparse.ArgumentParser:
    """Return the parser, which also writes --help."""
    parser = argparse.ArgumentParser(
        prog=COMMAND,
        usage="%(prog)s [options] [prompt]",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="A coding agent that plans before it acts. Without a prompt: a conversation.",
        epilog=EPILOG,
    )
    add = parser.add_argument
    add("prompt", nargs="?", help="what the agent should do")
    add("--workspace", metavar="DIR",
        help="work in this folder (default: a copy of a sample project)")  # fmt: skip
    add("--model", metavar="NAME",
        help="ask this model (default: MODEL_ID, or else the practice model)")  # fmt: skip
    add("--max-tokens", type=int, metavar="N", default=MAX_TOKENS,
        help="tokens in a reply (default: %(default)s); fewer for a small context")  # fmt: skip
    add("--nag", type=int, metavar="N",
        help="remind after N rounds without a todo call; 0: never (default: 3)")  # fmt: skip
    add("--allow", choices=("changes", "all"),
        help="let a real model change files, or also run commands, without asking")  # fmt: skip
    add("--save", metavar="FILE", help="save the run in this file after every round")
    add("--resume", metavar="FILE", help="continue the conversation in a saved run")
    add("--version", action="version", version=version())
    return parser


def find_problem(args: argparse.Namespace) -> str | None:
    """Return an error message for arguments that make no sense, or None."""
    if args.nag is not None and args.nag < 0:
        return f"--nag {args.nag} is not a number of rounds; 0 switches the reminder off"
    if args.workspace is not None and not os.path.isdir(args.workspace):
        return f"--workspace {args.workspace!r}: there is no such folder"
    if args.resume and not args.workspace:
        return "--resume continues work in a folder: name it with --workspace DIR"
    if not args.save:
        return None
    if not Path(args.save).absolute().parent.is_dir():
        return f"--save {args.save}: there is no folder {Path(args.save).parent}"
    is_resumed = args.resume and os.path.realpath(args.resume) == os.path.realpath(args.save)
    if os.path.lexists(args.save) and not is_resumed:
        return f"--save {args.save} already exists: name a new file, or --resume it"
    return None


def version() -> str:
    """Return the versions that a bug report needs."""
    return (
        f"{DISTRIBUTION} {installed(DISTRIBUTION)}, anthropic {installed('anthropic')}, "
        f"Python {platform.python_version()} on {sys.platform}"
    )


def installed(distribution: str) -> str:
    """Return the version of an installed package."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "(not installed)"
