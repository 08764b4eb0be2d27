"""Draw what a run has changed in its files: the lines of one round, or of the whole job."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from ..common.pluralize import pluralize
from ..runs.changes import Change
from ..runs.record import Record
from .picture import OWN_KEYS, escape

SHOWN_LINES = 20  # of one round's changes
MOST_ROWS = 8  # the height of the box, which scrolls, in lines
MOST_NAMES = 12  # of changed files: the box has room for so many
NAME_ROWS = 1.5  # the height of a folded file, in lines
PLACE = re.compile(r"@@ -\d+(?:,\d+)? \+(\d+).*")  # the line of a diff above successive lines
TAGS = {"+": "ins", "-": "del", "@": "small"}  # by the first character of a line


def draw_changes(run: Record, at: int) -> str:
    """Return as HTML what round `at` has changed; at the end of a run, what the whole run has.

    Most rounds change nothing. Then the box shows the last change before it, with its round. The
    box is equally high in each round, and has room for MOST_NAMES files: of more, its head says how
    many are further down. Return "" if it is not known what the files were.
    """
    if not run.knows_files:
        return ""
    is_ended = run.is_over or bool(run.problem)
    is_single = len(run.changes) == 1  # a single file is open at the end, and others are folded
    heights = [sum(len(change.lines) for change in record.changes) for record in run.records]
    if is_ended and is_single:
        heights.append(len(run.changes[0].lines) + 2)
    height: float = min(max(heights), MOST_ROWS)
    if is_ended:
        height = max(height, NAME_ROWS * min(len(run.changes), MOST_NAMES))
    if is_ended and at == len(run.records):
        inside = "".join(draw_fold(change, is_open=is_single) for change in run.changes)
        head = f"<p><b>the whole job</b> {count_files(len(run.changes))}</p>"
    else:
        inside, head = draw_last_change(run, at)
    return f"<div class='lp-changes' style='--lines:{height:g}'>{head}<div>{inside}</div></div>"


def count_files(size: int) -> str:
    """Return how many files a run has changed, and how many names are below the box's edge."""
    if not size:
        return "changed no file"
    below = f", {size - MOST_NAMES} of them further down" if size > MOST_NAMES else ""
    return pluralize(size, "file") + below


def draw_last_change(run: Record, at: int) -> tuple[str, str]:
    """Return as HTML the lines that round `at` has changed, and their heading.

    If it has changed nothing, they are those of the last round before it that has.
    """
    changed = [number for number in range(1, at + 1) if run.records[number - 1].changes]
    last = changed[-1] if changed else 0
    head = "" if last == at else f"<b>round {at}</b> changed no file. "
    if not last:
        return "", f"<p>{head}</p>"
    changes = run.records[last - 1].changes
    names = ", ".join(map(draw_name, changes))
    return draw_lines(changes), f"<p>{head}<b>round {last}</b> {names}</p>"


def draw_name(change: Change) -> str:
    """Return the name of a file as HTML, and how many lines are new and gone."""
    kind = f"({change.kind}) " if change.kind else ""
    added = f"<ins>+{change.added}</ins> " if change.added else ""
    removed = f"<del>-{change.removed}</del>" if change.removed else ""
    return f"{escape(change.name)} {kind}{added}{removed}"


def draw_fold(change: Change, *, is_open: bool) -> str:
    """Return a file as HTML, with its changed lines in a fold."""
    state = " open" if is_open else ""
    return (
        f"<details{state}><summary {OWN_KEYS}>{draw_name(change)}</summary>"
        f"<pre>{draw_diff(change.lines)}</pre></details>"
    )


def draw_lines(changes: Sequence[Change]) -> str:
    """Return as HTML the first SHOWN_LINES lines that a round has changed, and how many follow."""
    lines = [*list_lines(changes)]
    more = len(lines) - SHOWN_LINES
    drawn = draw_diff(lines[:SHOWN_LINES])
    if more > 0:
        drawn += f"<small>… and {pluralize(more, 'more line')}</small>"
    return f"<pre tabindex='0' {OWN_KEYS}>{drawn}</pre>" if drawn else ""


def list_lines(changes: Sequence[Change]) -> Iterator[str]:
    """Yield the lines of all diffs, each file with its name if there are several."""
    for change in changes:
        if len(changes) > 1:
            yield f" {change}"
        yield from change.lines


def draw_diff(lines: Sequence[str]) -> str:
    """Return the lines of a diff as HTML. A row says where lines are left out."""
    drawn = ""
    for tag, group in groupby(lines, lambda line: TAGS.get(line[:1], "span")):
        rows = [*group]
        if place := PLACE.match(rows[0]):
            rows = [] if place[1] in "01" else [f"… line {place[1]}"]
        if rows:
            inside = "\n".join(map(escape, rows))
            drawn += f"<{tag}>{inside}</{tag}>"
    return drawn
