"""Show a write or an edit as a unified diff, which the user approves."""

from collections.abc import Sequence
from difflib import unified_diff
from itertools import takewhile
from pathlib import Path
from typing import Any

from . import edits, files
from .paths import find_file

MAX_COMPARED_LINES = 4_000  # they take a second or two, and the time grows with their square
KEPT = "\n(The file keeps its line ends, \\r\\n, or its byte order mark.)"
NO_LAST_BREAK = "\n\\ No newline at end of file"  # as diff and git write it


@files.explain_errors
def write_diff(root: Path, path: str, content: str) -> str:
    """Return the diff of a write_file call. Raise the same ValueError or OSError as the call."""
    file = find_file(root, path)
    name = file.relative_to(root).as_posix()
    new = files.in_its_form(file, content)
    try:
        shown = diff(name, files.read(file), new)
    except FileNotFoundError:
        return diff(name, None, new)
    except ValueError as problem:
        reason, _, _hint = str(problem).partition(":")  # the hint is for a model
        return diff(name, f"(This {reason}.)\n", new)
    return shown + KEPT if new != content else shown


@files.explain_errors
def edit_diff(root: Path, path: str, old_text: str, new_text: str) -> str:
    """Return the diff of an edit_file call. Raise the same ValueError or OSError as the call."""
    file = find_file(root, path)
    text = files.read(file)
    name = file.relative_to(root).as_posix()
    return diff(name, text, edits.replace_once(text, old_text, new_text))


@files.explain_errors
def digest_target(root: Path, path: str, **_: Any) -> bytes | None:
    """Return a hash of the file that a call would change, or None if there is none.

    A diff is not enough, because it shows only a part of a file, and nothing of a binary file.
    """
    return files.digest(find_file(root, path))


def diff(name: str, old: str | None, new: str) -> str:
    """Return the unified diff from `old` (None for a new file) to `new`.

    `name` is the resolved path, because a path may contain a symlink. Only \\n ends a line:
    for most programs, the other characters at which str.splitlines() splits are part of it.
    """
    name = show_name(name)
    if old is None:
        head = f"--- /dev/null\n+++ {name}"
        return head if not new else "\n".join([head, *changed_lines([], split_lines(new))])
    if edits.has_crlf_only(old) and edits.has_crlf_only(new):
        old, new = old.replace("\r\n", "\n"), new.replace("\r\n", "\n")
    lines = changed_lines(split_lines(old), split_lines(new))
    if not lines:
        return f"The text of {name} would not change."
    return "\n".join([f"--- {name}", f"+++ {name}", *lines])


def changed_lines(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """Return the lines of a unified diff without its head, or [] if nothing changes."""
    # If very much changes, do not search for equal lines in between, which could take minutes.
    start = count_equal(before, after)
    end = count_equal(before[start:][::-1], after[start:][::-1])
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    if len(old) + len(new) > MAX_COMPARED_LINES:
        head = f"@@ -{start + 1},{len(old)} +{start + 1},{len(new)} @@"
        return [head, *("-" + line for line in old), *("+" + line for line in new)]
    return list(unified_diff(before, after, lineterm=""))[2:]


def count_equal(before: Sequence[str], after: Sequence[str]) -> int:
    """Return the number of equal lines at the beginning."""
    pairs = zip(before, after, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def split_lines(text: str) -> list[str]:
    """Return the lines of `text`. A last line without a line break is marked as in git."""
    *lines, last = text.split("\n")
    return [*lines, last + NO_LAST_BREAK] if last else lines


def show_name(name: str) -> str:
    """Return `name`, quoted if it contains line breaks or other characters that mislead."""
    return name if name.isprintable() and name == name.strip() else ascii(name)
