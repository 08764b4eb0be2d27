"""Which files are as the model knows them. The answer "all" is none about the others."""

from pathlib import Path
from typing import Any

from . import diffs, files, paths

# What these name is installed or started by uv, also without a command of the agent.
STARTS = (".python-version", "pyproject.toml", "uv.toml")
# The hash of each file as the model has last read or written it. Of this process, because tools
# often outlive a connection.
known: dict[Path, bytes | None] = {}


def note(file: Path) -> None:
    """Note that the model knows the file as it is now. Raise OSError."""
    known[file] = files.digest(file)


@files.explain_errors
def why_asked(root: Path, path: str, **_: Any) -> str:
    """Return why the user is asked about a change of this file, also after "all"; or "".

    A new file is as the model knows it. Raises the same ValueError or OSError as the call.
    """
    file = paths.find_file(root, path)
    name = diffs.show_name(file.relative_to(root).as_posix())
    if file.name.lower() in STARTS:
        return f"uv starts or installs what {name} names."
    if files.digest(file) == known.get(file):
        return ""
    if file in known:
        return f"{name} has changed since the model last read or wrote it."
    return f"The model has not read {name}."
