"""The files that the model has seen, as they were then. The answer "all" covers only these."""

from pathlib import Path
from typing import Any

from . import diffs, files, paths

# uv installs or starts what these files name, even without a command of the agent.
READ_BY_UV = (".python-version", "pyproject.toml", "uv.toml")
# The hash of each file when the model last read or wrote it. The process keeps them, because tools
# often outlive a connection.
hashes: dict[Path, bytes | None] = {}


def note(file: Path) -> None:
    """Note that the model has seen the file as it is now. Raise OSError if it cannot be read."""
    hashes[file] = files.digest(file)


@files.explain_errors
def why_asked(root: Path, path: str, **_: Any) -> str:
    """Return why the user is asked about a change of this file even after "all", or "".

    For a file that does not exist yet, "all" is enough. Raise the same ValueError or OSError as the
    call.
    """
    file = paths.find_file(root, path)
    name = diffs.show_name(file.relative_to(root).as_posix())
    if file.name.lower() in READ_BY_UV:
        return f"uv starts or installs what {name} names."
    if files.digest(file) == hashes.get(file):
        return ""
    if file in hashes:
        return f"{name} has changed since the model last read or wrote it."
    return f"The model has not read {name}."
