"""Show a saved run, or a session of Claude Code, in the browser: `open FILE`."""

import argparse
import sys
import webbrowser
from pathlib import Path

from ..runs.trace import Trace
from .arguments import COMMAND
from .screen import say


def main(argv: list[str]) -> int:
    """Run `open FILE`: write a page and open it. Return the exit status."""
    parser = argparse.ArgumentParser(
        prog=f"{COMMAND} open",
        description="Show a saved run, or a session of Claude Code (a .jsonl file in "
        "~/.claude/projects), as a page. Nothing leaves this computer. What looks like a key is "
        "replaced.",
    )
    parser.add_argument("file", metavar="FILE", type=Path)
    parser.add_argument("--page", metavar="HTML", type=Path, help="write it here (FILE.html)")
    parser.add_argument("--nag", type=int, metavar="N",
        help="show when a reminder after N rounds would have been due")  # fmt: skip
    parser.add_argument("--no-browser", action="store_true", help="only write the page")
    args = parser.parse_args(argv)
    if args.nag is not None and args.nag < 1:
        parser.error(f"--nag {args.nag} is not a number of rounds: give 1 or more")
    target = args.page or Path(f"{args.file.name}.html")
    try:
        write(args.file, target, args.nag)
    except (OSError, ValueError) as problem:
        say(explain(problem, args.file), file=sys.stderr)
        return 1
    if not args.no_browser:
        webbrowser.open(target.resolve().as_uri())
    return 0


def explain(problem: Exception, file: Path) -> str:
    """Return an error message; for a folder, with the newest runs and sessions in it."""
    if isinstance(problem, FileExistsError):
        return f"{problem.filename} already exists: name another page with --page."
    if not file.exists():
        return f"There is no file {file}."
    if not file.is_dir():
        return str(problem)
    found = [path for suffix in ("*.json", "*.jsonl") for path in file.glob(suffix)]
    newest = sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)[:3]
    names = ", ".join(map(str, newest)) or "none here"
    return f"{file} is a folder. Name a saved run (.json) or a session (.jsonl): {names}."


def write(file: Path, target: Path, after: int | None) -> None:
    """Write the page, and print what it contains. Raise OSError or ValueError."""
    trace = Trace.open(file)
    if after is not None:
        trace.after = after
    try:
        from ..widgets.page import write_page
        from ..widgets.player import Player
    except ImportError as problem:
        raise ValueError(f"A page needs the lesson's extra 'lab': {problem}.") from None

    write_page([Player(trace)], target, trace.title)
    with_calls = [step for step in trace.steps if step.round and step.round.calls]
    lists = sum(step.waited == 0 for step in with_calls)
    tokens = sum(step.usage.total for step in trace.rounds)
    say(f"{len(trace.rounds)} rounds, {lists} with the list, {tokens:,} tokens: see {target}.")
    if after is not None:
        due = len(trace.would_remind(after))
        say(f"A reminder after {after} rounds would have been due in {due} of them.")
