"""Say in a notebook that the lesson has a newer version of it.

A learner's copy is never overwritten, and a browser shows the one that it has saved, so that
otherwise nothing would show that a notebook was corrected.
"""

import json
import sys
from typing import Any

from .copy_lesson import COPIED, lesson_notebooks, version_of
from .ipython_shell import find_request_metadata

checked: set[str] = set()


def tell_of_newer_notebook() -> None:
    """Print once in a kernel that the lesson has a newer version of the notebook that runs.

    Only a page sends the metadata of a cell, and only a copy has its version in them, so that
    nothing is printed elsewhere.
    """
    copied = find_copied()
    if not copied or copied["notebook"] in checked:
        return
    checked.add(copied["notebook"])
    source = lesson_notebooks().get(copied["notebook"])
    if source is None:
        return
    if version_of(json.loads(source.read_text(encoding="utf-8"))) != copied["version"]:
        print(
            f"The lesson has a newer {source.name} than this one. To get it beside this one, "
            f"{describe_how_to_get_it()}"
        )


def describe_unknown_name(name: str) -> str:
    """Return the message of the error if a notebook imports what the lesson does not have."""
    return (
        f"lesson has no {name}. Is it misspelled? Otherwise this notebook is of another version "
        "of the lesson. To get the notebook of this version beside it, "
        f"{describe_how_to_get_it()}"
    )


def describe_how_to_get_it() -> str:
    """Return the end of a sentence that says how to get our notebook beside the one that runs."""
    rename = "choose File › Rename Notebook"
    if sys.platform == "emscripten":  # what the browser has saved hides the site's files
        return f"{rename}. The new one then has the old name in the list of files."
    folder = ".." if "/" in find_copied().get("notebook", "") else "."
    return f"{rename}, and then run %run -m lesson lesson {folder} in a cell."


def find_copied() -> dict[str, Any]:
    """Return the notebook and version that the running cell was copied from; {} if unknown."""
    copied: dict[str, Any] = find_request_metadata().get(COPIED, {})
    return copied
