"""Number the exercises in the order in which they are met: `python tools/number_exercises.py`.

That is the order of the checks in the notebooks. The numbers of before are those of the table in
`lesson/common/parts.py`, so a new exercise begins with the next free one, wherever it stands. Each
place that names an exercise is changed, but for `CHANGELOG.md`, whose versions had their numbers.
"""

import re
import subprocess

import nbformat

from lesson.common.parts import PARTS
from notebooks import NOTEBOOKS

NUMBER = re.compile(r"\bE[1-9][0-9]?\b")


def list_met() -> list[str]:
    """Return the numbers of the exercises, in the order of the checks in the notebooks."""
    numbers = {
        (part.name, *([level.name] if level.name else [])): level.exercise
        for part in PARTS.values()
        for level in part.levels
    }
    cells = [
        cell
        for path in sorted(NOTEBOOKS.glob("*.ipynb"))
        for cell in nbformat.read(path, as_version=4).cells
    ]
    tags = [tuple(cell.metadata.get("tags", [])) for cell in cells]
    return [numbers[tag[1:]] for tag in tags if tag[:1] == ("check",)]


def rename(new: dict[str, str]) -> None:
    """Write the new numbers into each file of the repository that names an exercise."""
    find = ["git", "grep", "-lIwE", "E[1-9][0-9]?", "--", ".", ":!CHANGELOG.md"]
    root = NOTEBOOKS.parent
    for name in subprocess.run(find, cwd=root, capture_output=True, text=True).stdout.splitlines():
        path = root / name
        old = path.read_bytes().decode()
        text = NUMBER.sub(lambda match: new.get(match[0], match[0]), old)
        if text != old:
            path.write_bytes(text.encode())
            print(name)


if __name__ == "__main__":
    rename({old: f"E{place}" for place, old in enumerate(list_met(), 1)})
