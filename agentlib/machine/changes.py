"""What a write or an edit would change, as a unified diff: for a person to judge beforehand."""

from difflib import unified_diff
from pathlib import Path

from . import files, passages
from .paths import writable


def write(root: Path, path: str, content: str) -> str:
    """What write_file would change. Raises ValueError or OSError where it would."""
    with files.naming(path):
        files.encode(content)
        place = writable(root, path)
    try:
        old = files.read(root, place).text
    except FileNotFoundError:
        return diff(path, None, content)
    except (OSError, ValueError) as problem:
        return diff(path, f"(This {problem})", content)
    return diff(path, old, content)


def edit(root: Path, path: str, old_text: str, new_text: str) -> str:
    """What edit_file would change. Raises ValueError or OSError where it would."""
    with files.naming(path):
        text = files.read(root, writable(root, path), whole=True).text
        return diff(path, text, passages.replace(text, old_text, new_text))


def diff(path: str, old: str | None, new: str) -> str:
    """A change of a file as a unified diff; `old` is None for a file that is new."""
    before = (old or "").splitlines()
    start = "/dev/null" if old is None else path
    lines = list(unified_diff(before, new.splitlines(), start, path, lineterm=""))
    return "\n".join(lines) or f"{path} would stay as it is."
