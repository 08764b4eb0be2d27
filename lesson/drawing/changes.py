"""What a run has changed in its files, as HTML: the lines of one round, or of the whole job."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from ..common.pluralize import pluralize
from ..runs.changes import Change
from ..runs.record import Record
from .picture import OWN_KEYS, escape

SHOWN_LINES = 20  # of a round
MOST_ROWS = 8  # lines of its box: it is equally high in each round, also in those without a change
PLACE = re.compile(r"@@ -\d+(?:,\d+)? \+(\d+).*")  # above successive lines
TAGS = {"+": "ins", "-": "del", "@": "small"}


def draw_changes(run: Record, at: int) -> str:
    """Return what round `at` has changed as HTML; at the end of a run, what all rounds have.

    Most rounds change nothing: then it shows the last change before it, with its round. It is
    equally high in each round, and "" if it is not known what the files were.
    """
    if not run.knows_files:
        return ""
    is_ended = run.is_over or bool(run.problem)
    sizes = [sum(len(one.lines) for one in record.changes) for record in run.records]
    if is_ended:  # all are folded, but a single one is open
        is_one = len(run.changes) == 1
        sizes.append(len(run.changes[0].lines) + 2 if is_one else round(1.5 * len(run.changes)))
    size = min(max(sizes), MOST_ROWS)
    if is_ended and at == len(run.records):
        is_single = len(run.changes) == 1
        inside = "".join(draw_fold(change, is_open=is_single) for change in run.changes)
        said = pluralize(len(run.changes), "file") if run.changes else "changed no file"
        head = f"<p><b>the whole job</b> {said}</p>"
    else:
        inside, head = draw_last_change(run, at)
    return f"<div class='lp-changes' style='--lines:{size}'>{head}<div>{inside}</div></div>"


def draw_last_change(run: Record, at: int) -> tuple[str, str]:
    """Return the changed lines of round `at`, or of the last one before it, and their heading."""
    changed = [number for number in range(1, at + 1) if run.records[number - 1].changes]
    last = changed[-1] if changed else 0
    head = "" if last == at else f"<b>round {at}</b> changed no file. "
    if not last:
        return "", f"<p>{head}</p>"
    changes = run.records[last - 1].changes
    return draw_lines(
        changes
    ), f"<p>{head}<b>round {last}</b> {', '.join(map(draw_name, changes))}</p>"


def draw_name(change: Change) -> str:
    """Return the name of a file as HTML, and how many lines are new and gone."""
    said = f"{escape(change.name)} {change.kind and f'({change.kind}) '}"
    said += f"<ins>+{change.added}</ins> " if change.added else ""
    return said + (f"<del>-{change.removed}</del>" if change.removed else "")


def draw_fold(change: Change, *, is_open: bool) -> str:
    """Return a file as HTML, with its changed lines in a fold."""
    return (
        f"<details{' open' * is_open}><summary {OWN_KEYS}>{draw_name(change)}</summary>"
        f"<pre>{draw_diff(change.lines)}</pre></details>"
    )


def draw_lines(changes: Sequence[Change]) -> str:
    """Return the changed lines of a round as HTML, at most SHOWN_LINES, and how many more."""
    lines = [*list_lines(changes)]
    more = len(lines) - SHOWN_LINES
    drawn = draw_diff(lines[:SHOWN_LINES])
    drawn += f"<small>… and {pluralize(more, 'more line')}</small>" if more > 0 else ""
    return f"<pre tabindex='0' {OWN_KEYS}>{drawn}</pre>" if drawn else ""


def list_lines(changes: Sequence[Change]) -> Iterator[str]:
    """Yield the lines of all diffs, each file with its name if there are several."""
    for change in changes:
        if len(changes) > 1:
            yield f" {change}"
        yield from change.lines


def draw_diff(lines: Sequence[str]) -> str:
    """Return the lines of a diff as HTML. If lines are left out above a place, a row says so."""
    drawn = ""
    for tag, group in groupby(lines, lambda line: TAGS.get(line[:1], "span")):
        found = [*group]
        if place := PLACE.match(found[0]):
            found = [] if place[1] in "01" else [f"… line {place[1]}"]
        inside = "\n".join(map(escape, found))
        drawn += f"<{tag}>{inside}</{tag}>" if found else ""
    return drawn
