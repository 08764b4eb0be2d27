"""The command line of the agent: what may be said there, and whether it makes sense."""

import argparse
import os
import platform
import sys
from importlib import metadata
from pathlib import Path

from agentlib.client.connection import MAX_TOKENS

from ..practice.policy import tasks
from ..runs.prices import explain_unknown, find_price

DISTRIBUTION, COMMAND = "planning-agent-lesson", "planning-agent"
EPILOG = (
    "To put the notebooks of the lesson into a folder: {command} lesson FOLDER. "
    "To see a saved run, or a session of Claude Code, as a page: {command} open FILE"
)


def parse(argv: list[str]) -> argparse.Namespace:
    """The arguments, read. Ends the program with a sentence where they make no sense."""
    parser = build_parser()
    args = parser.parse_args(argv)
    problem = find_problem(args)
    if problem:
        parser.error(problem)
    return args


def build_parser() -> argparse.ArgumentParser:
    """The parser, which also writes --help."""
    command = command_name()
    parser = argparse.ArgumentParser(
        prog=command,
        description="A coding agent that plans before it acts. Without a prompt: a conversation.",
        epilog=EPILOG.format(command=command),
    )
    add = parser.add_argument
    add("prompt", nargs="?", help="what the agent is to do")
    add("--task", choices=tasks.names(),
        help="work on this sample project (left out: the one the prompt is about)")  # fmt: skip
    add("--workspace", metavar="DIR",
        help="work in this folder; with --task, put the sample project there first")  # fmt: skip
    add("--model", metavar="NAME",
        help="ask this model (left out: MODEL_ID, or else the practice model)")  # fmt: skip
    add("--max-tokens", type=int, metavar="N", default=MAX_TOKENS,
        help=f"tokens a reply may have ({MAX_TOKENS}); less for a small window")  # fmt: skip
    add("--nag", type=int, metavar="N",
        help="remind after N rounds without a look at the list; 0: never (3)")  # fmt: skip
    add("--allow", choices=("changes", "all"),
        help="let a real model change files, or also run commands, without asking")  # fmt: skip
    add("--save", metavar="FILE", help="keep the run in this file, after every round")
    add("--resume", metavar="FILE", help="go on with the conversation in a saved run")
    add("--afresh", action="store_true",
        help="with --resume: begin a new conversation about its task, with its list")  # fmt: skip
    add("--price", metavar="NAME", help="also say what it would cost with this model of Claude")
    add("--version", action="version", version=version())
    return parser


def find_problem(args: argparse.Namespace) -> str | None:
    """What makes no sense in `args`, as a sentence, or None."""
    if args.nag is not None and args.nag < 0:
        return f"--nag {args.nag} is not a number of rounds; 0 switches the reminder off"
    if args.price and find_price(args.price) is None:
        return f"--price {args.price}: {explain_unknown(args.price)}"
    if args.max_tokens is not None and args.max_tokens < 1:
        return f"--max-tokens {args.max_tokens}: a reply needs at least one"
    if args.workspace is not None and not args.task and not os.path.isdir(args.workspace):
        return f"--workspace {args.workspace!r}: there is no such folder"
    if args.workspace is not None and args.task and os.path.exists(args.workspace or "."):
        return f"--workspace {args.workspace} is there already: name a new folder for --task"
    if args.resume and (args.task or not args.workspace):
        return "--resume goes on with work in a folder: name it with --workspace DIR"
    if args.afresh and not args.resume:
        return "--afresh goes on with the list of a saved run: name it with --resume FILE"
    if args.save:
        return find_problem_with_file(args.save, None if args.afresh else args.resume)
    return None


def find_problem_with_file(save: str, resume: str | None) -> str | None:
    """Why a run cannot be saved in the file `save`, or None. Only what is resumed is replaced."""
    if not Path(save).absolute().parent.is_dir():
        return f"--save {save}: there is no folder {Path(save).parent}"
    resumed = resume and os.path.realpath(resume) == os.path.realpath(save)
    if os.path.lexists(save) and not resumed:
        return f"--save {save} is there already: name a new file, or --resume it"
    return None


def command_name() -> str:
    """How this program was called."""
    is_script = Path(sys.argv[0]).stem == COMMAND
    return COMMAND if is_script else "python -m lesson"


def version() -> str:
    """The versions that matter in a report of a fault."""
    return (
        f"{DISTRIBUTION} {installed(DISTRIBUTION)}, anthropic {installed('anthropic')}, "
        f"Python {platform.python_version()} on {sys.platform}"
    )


def installed(distribution: str) -> str:
    """The version of an installed package."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "(not installed)"
