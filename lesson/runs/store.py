"""The runs that come with the package: measured before, so that nobody has to play them again.

A file of measured runs is named `NAME.runs.json`, and says what it was made from:

    {"made_from": {"task": "ten_steps",
                   "settings": {"thresholds": [1, 2, ...], "attentions": [4, 5, ...]},
                   "digest": "..."},
     "columns": {"4": [RUN, RUN, ...], "5": [...], ...}}

A column holds the runs with one attention: one for each threshold, then one without a reminder,
then one without a list (`Setting.column`). A RUN is a list: see `Measured.encode`. These are the
`columns` of a `Runs` that shows the whole map. The digest is
that of the code that played them: see `digest`. `make runs` writes the file, and `make verify`
plays every run in such files again.
"""

import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parents[1]
ROOT = PACKAGE.parent
SUFFIX = ".runs.json"
# What a run depends on, as patterns below the package. The SDK is left out: it carries what is
# said and says nothing itself, and a reader who has another version should not have to wait.
# `make verify` plays with the version that is installed.
SOURCES = (
    *("agentlib/*.py", "agentlib/client/limits.py", "agentlib/sandbox/*.py"),
    *("lesson/model_choice.py", "lesson/practice/**/*.py", "lesson/runs/measured.py"),
    *("lesson/runs/trial.py", "lesson/samples/__init__.py", "lesson/samples/*/task.toml"),
)


def sources(task: str) -> list[Path]:
    """Every file that a run of the task depends on, sorted by its name in the package."""
    patterns = (*SOURCES, f"lesson/samples/{task}/project/**/*")
    found = {path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file()}
    # An installer may leave bytecode beside a sample; a Workspace does not copy it.
    found = {path for path in found if "__pycache__" not in path.parts}
    return sorted(found, key=name_in_package)


def name_in_package(path: Path) -> str:
    """The path below the package, the same on every machine."""
    return path.relative_to(ROOT).as_posix()


@cache
def digest(task: str) -> str:
    """The SHA-256 of every source's name and text, in hexadecimal: the same on every machine."""
    whole = sha256()
    for path in sources(task):
        text = path.read_bytes().replace(b"\r\n", b"\n")  # as git may write them on Windows
        whole.update(f"{name_in_package(path)} {len(text)}\n".encode() + text)
    return whole.hexdigest()


def stored_in(task: str) -> Path:
    """The package's own file of measured runs of a task; there need not be one."""
    return PACKAGE / "runs" / f"{task}{SUFFIX}"


def read_columns(task: str) -> dict[str, list[list[Any]]]:
    """The columns that come with the package; none if other code than this has made them."""
    path = stored_in(task)
    if not path.exists():
        return {}
    data = json.loads(path.read_text(encoding="utf-8"))
    return data["columns"] if data["made_from"]["digest"] == digest(task) else {}
