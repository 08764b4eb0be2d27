"""What a write or an edit would change, as a unified diff: for a person to judge first."""

from collections.abc import Sequence
from difflib import unified_diff
from pathlib import Path

from . import excerpts, files
from .paths import writable

NO_LAST_BREAK = "\n\\ No newline at end of file"  # as diff and git write it


def write(root: Path, path: str, content: str) -> str:
    """What write_file would change. Raises ValueError or OSError where it would."""
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
    return diff(place, old.text, content)


def edit(root: Path, path: str, old_text: str, new_text: str) -> str:
    """What edit_file would change. Raises ValueError or OSError where it would."""
    with files.naming(path):
        place = writable(root, path)
        text = files.read(root, place, whole=True).text
        return diff(place, text, excerpts.replace(text, old_text, new_text))


def diff(place: Sequence[str], old: str | None, new: str) -> str:
    """A change of a file as a unified diff; `old` is None for a file that is new.

    `place` is where the file lies in truth, for a path may lead through a link. Nothing counts as
    the end of a line that a program which reads the file may take for a part of it.
    """
    name = show_name("/".join(place))
    if old is None:
        head = f"--- /dev/null\n+++ {name}"
        return head if not new else "\n".join([head, *changed_lines([], split_lines(new))])
    if has_crlf_only(old) and has_crlf_only(new):
        old, new = old.replace("\r\n", "\n"), new.replace("\r\n", "\n")
    lines = changed_lines(split_lines(old), split_lines(new))
    if not lines:
        return f"The text of {name} would stay as it is."
    return "\n".join([f"--- {name}", f"+++ {name}", *lines])


def changed_lines(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """The lines of a unified diff without its head; none where nothing changes."""
    return list(unified_diff(before, after, lineterm=""))[2:]


def split_lines(text: str) -> list[str]:
    """The lines of a text, without their ends; the last one says so where it has none."""
    *lines, rest = text.split("\n")
    return [*lines, rest + NO_LAST_BREAK] if rest else lines


def has_crlf_only(text: str) -> bool:
    """Whether each line of a text ends as on Windows."""
    return text.count("\r\n") == text.count("\n") > 0


def show_name(name: str) -> str:
    """A file's name in a diff: in quotes where it could be taken for another, or for a line."""
    return name if name.isprintable() and name == name.strip() else ascii(name)
