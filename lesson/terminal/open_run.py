"""A saved run, or a session of Claude Code, as a page for the browser: `open FILE`."""

import argparse
import sys
import webbrowser
from pathlib import Path

from ..runs.bill import list_todo_calls
from ..runs.trace import Trace
from .arguments import command_name
from .screen import say


def main(argv: list[str]) -> int:
    """`open FILE`: write a page beside nothing of yours, and open it. Returns the exit status."""
    parser = argparse.ArgumentParser(
        prog=f"{command_name()} open",
        description="Show a saved run, or a session of Claude Code (a .jsonl file in "
        "~/.claude/projects), as a page. Nothing leaves this computer, and keys are taken out.",
    )
    parser.add_argument("file", metavar="FILE", type=Path)
    parser.add_argument("--page", metavar="HTML", type=Path, help="write it here (FILE.html)")
    parser.add_argument("--nag", type=int, metavar="N",
        help="show how long a reminder after N rounds would have waited")  # fmt: skip
    parser.add_argument("--no-browser", action="store_true", help="write the page, and no more")
    args = parser.parse_args(argv)
    if args.nag is not None and args.nag < 1:
        parser.error(f"--nag {args.nag} is not a number of rounds: give 1 or more")
    target = args.page or Path(f"{args.file.name}.html")
    try:
        return write(args.file, target, args.nag, show=not args.no_browser)
    except FileExistsError:
        say(f"{target} is there already: name another page with --page.", file=sys.stderr)
    except (OSError, ValueError) as problem:
        say(str(problem), file=sys.stderr)
    return 1


def write(file: Path, target: Path, after: int | None, *, show: bool) -> int:
    """Write the page, and say what is in it. Raises OSError or ValueError, a sentence."""
    trace = Trace.open(file)
    if after is not None:
        trace.after = after
    # The one place outside notebooks and site that knows the widgets: a page is made of them.
    try:
        from ..widgets import Player
        from ..widgets.page import write_page
    except ImportError as problem:
        raise ValueError(f"A page needs the lesson's extra 'lab': {problem}.") from None

    write_page([Player(trace)], target, trace.title)
    lists = sum(bool(list_todo_calls(step)) for step in trace.rounds)
    tokens = sum(step.usage.total for step in trace.rounds)
    say(f"{len(trace.rounds)} rounds, {lists} with the list, {tokens:,} tokens: see {target}.")
    if after is not None:
        spoken = len(trace.would_remind(after))
        say(f"A reminder after {after} rounds would have come in {spoken} of them.")
    if show:
        webbrowser.open(target.resolve().as_uri())
    return 0
