"""Show what a write or an edit would change, as a unified diff, for the user to approve."""

from collections.abc import Sequence
from difflib import unified_diff
from pathlib import Path

from . import excerpts, files
from .paths import writable

NO_LAST_BREAK = "\n\\ No newline at end of file"  # as diff and git write it


def write(root: Path, path: str, content: str) -> str:
    """Return the diff of a write_file call. Raises the same ValueError or OSError as the call."""
    with files.naming(path):
        files.encode(content)
        place = writable(root, path)
    try:
        old = files.read(root, place)
    except FileNotFoundError:
        return diff(place, None, content)
    except (OSError, ValueError) as problem:
        return diff(place, f"(This {problem})\n", content)
    if old.unread:
        return diff(place, f"(This is a file of {old.status.st_size:,} bytes)\n", content)
    note = "\n(The encoding would change to UTF-8.)" if old.bom else ""
    return diff(place, old.text, content) + note


def edit(root: Path, path: str, old_text: str, new_text: str) -> str:
    """Return the diff of an edit_file call. Raises the same ValueError or OSError as the call."""
    with files.naming(path):
        place = writable(root, path)
        text = files.read(root, place, whole=True).text
        return diff(place, text, excerpts.replace(text, old_text, new_text))


def diff(place: Sequence[str], old: str | None, new: str) -> str:
    """Return the unified diff from `old` (None for a new file) to `new`.

    `place` is the resolved path, because a path may contain a symlink. Only \\n ends a line:
    other characters that str.splitlines() splits at are part of the line for most programs.
    """
    name = show_name("/".join(place))
    if old is None:
        head = f"--- /dev/null\n+++ {name}"
        return head if not new else "\n".join([head, *changed_lines([], split_lines(new))])
    if has_crlf_only(old) and has_crlf_only(new):
        old, new = old.replace("\r\n", "\n"), new.replace("\r\n", "\n")
    lines = changed_lines(split_lines(old), split_lines(new))
    if not lines:
        return f"The text of {name} would not change."
    return "\n".join([f"--- {name}", f"+++ {name}", *lines])


def changed_lines(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """Return the lines of a unified diff without its head, or [] if nothing changes."""
    return list(unified_diff(before, after, lineterm=""))[2:]


def split_lines(text: str) -> list[str]:
    """Return the lines of `text`; a last line without a line break is marked as git does."""
    *lines, rest = text.split("\n")
    return [*lines, rest + NO_LAST_BREAK] if rest else lines


def has_crlf_only(text: str) -> bool:
    """Return whether each line of `text` ends with \\r\\n, as on Windows."""
    return text.count("\r\n") == text.count("\n") > 0


def show_name(name: str) -> str:
    """Return `name`, quoted if it contains line breaks or other characters that mislead."""
    return name if name.isprintable() and name == name.strip() else ascii(name)
