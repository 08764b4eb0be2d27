"""Copy the notebooks of the lesson into a learner's folder, and never overwrite one."""

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

from agentlib.sandbox.files import write_atomically

from .screen import say

PACKAGE = Path(__file__).parents[1]
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)#:\s]+)(#[^)\s]*)?\)")  # to a file
# The extra "colab" does not replace Colab's own kernel and widgets.
INSTALLS = """\
# Installs the lesson if it is missing, as in Colab.
from importlib.util import find_spec

if find_spec("lesson") is None:
    %pip install --quiet {wheel}
"""


def main(argv: list[str]) -> int:
    """Run `lesson FOLDER`: copy the notebooks there. Return the exit status."""
    parser = argparse.ArgumentParser(
        prog="planning-agent lesson",
        description="Copy the notebooks of the lesson into FOLDER. A notebook that is already "
        "there is yours and stays unchanged.",
    )
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="created if it is missing")
    parser.add_argument("--reset", metavar="NAME",
        help="reset this notebook; yours is renamed to NAME.ipynb.old1")  # fmt: skip
    parser.add_argument("--install", metavar="WHEEL",
        help="begin each with a cell that installs the lesson from this address if it is "
        "missing, as in Colab")  # fmt: skip
    args = parser.parse_args(argv)
    try:
        if args.reset:
            say(f"Your {args.reset} is now {set_aside(args.folder, args.reset)}.")
        new, old = copy_lesson(args.folder, args.install)
    except (OSError, LookupError) as problem:
        say(str(problem), file=sys.stderr)
        return 1
    for words, names in ((f"New in {args.folder}", new), ("Already there, and unchanged", old)):
        if names:
            say(f"{words}: {', '.join(names)}.")
    return 0


def copy_lesson(folder: Path, wheel: str | None = None) -> tuple[list[str], list[str]]:
    """Copy each notebook that is not in `folder` yet, without its outputs and dead links.

    With the address of a `wheel`, each begins with a cell that installs it. Return the names of
    the copied notebooks, and of those that were already there. Raise OSError.
    """
    new, old = [], []
    copies = {(folder / name).resolve() for name in lesson_notebooks()}
    for name, source in lesson_notebooks().items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        notebook = json.loads(source.read_text(encoding="utf-8"))
        delete_outputs(notebook)
        drop_dead_links(notebook, target.parent, copies)
        if wheel:
            notebook["cells"].insert(0, installing_cell(wheel))
        text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
        try:
            write_atomically(target, text.encode(), replace=False)
            new.append(name)
        except FileExistsError:
            old.append(name)
    return new, old


def set_aside(folder: Path, name: str) -> Path:
    """Rename a learner's notebook, so that a new copy can be made. Return its new path.

    `name` is the notebook's name in the lesson; the suffix may be missing. Raise LookupError or
    OSError.
    """
    wanted = name.removesuffix(".ipynb") + ".ipynb"
    known = lesson_notebooks()
    if wanted not in known:
        raise LookupError(f"The lesson has no notebook {name!r}, only {', '.join(known)}.")
    old, number = folder / wanted, 1
    while (kept := folder / f"{wanted}.old{number}").exists():
        number += 1
    return old.rename(kept)


def lesson_notebooks() -> dict[str, Path]:
    """Return the path of each notebook, by its name relative to the lesson's folder."""
    in_wheel, in_checkout = PACKAGE / "notebooks", PACKAGE.parent / "notebooks"
    folder = in_wheel if in_wheel.is_dir() else in_checkout
    paths = sorted([*folder.glob("*.ipynb"), *folder.glob("solutions/*.ipynb")])
    return {path.relative_to(folder).as_posix(): path for path in paths}


def delete_outputs(notebook: dict[str, Any]) -> None:
    """Delete the outputs and execution counts of a notebook, in place."""
    notebook["metadata"].pop("widgets", None)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}


def drop_dead_links(notebook: dict[str, Any], folder: Path, copies: set[Path]) -> None:
    """Replace each link by its words if its file is neither there, seen from `folder`, nor copied.

    Outside a checkout, a copy has neither `docs` nor `agentlib` beside it.
    """

    def keep_or_drop(link: re.Match[str]) -> str:
        file = (folder / link[2]).resolve()
        return link[0] if file in copies or file.exists() else link[1]

    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = LINK.sub(keep_or_drop, "".join(cell["source"])).splitlines(True)


def installing_cell(wheel: str) -> dict[str, Any]:
    """Return a cell that installs the lesson from `wheel` if it is missing."""
    return {
        "cell_type": "code",
        "id": "install-01",
        "metadata": {},
        "outputs": [],
        "execution_count": None,
        "source": INSTALLS.format(wheel=json.dumps(f"planning-agent-lesson[colab] @ {wheel}")),
    }
