"""Say in a notebook that the lesson has a newer version of it.

A learner's copy is never overwritten, and a browser shows the one that it has saved, so that
otherwise nothing would show that a notebook was corrected.
"""

import json
import sys

from .copy_lesson import COPIED, lesson_notebooks, version_of
from .ipython_shell import find_request_metadata

if sys.platform == "emscripten":  # the site's notebooks are below those that the browser has saved
    HOW = "choose File › Rename Notebook. The new one then has the old name in the list of files."
else:
    HOW = "choose File › Rename Notebook, and then run %run -m lesson lesson . in a cell."
NEWER = "The lesson has a newer {} than this one. To get it beside this one, " + HOW
OTHER_VERSION = (
    "lesson has no {}. Is it misspelled? Otherwise this notebook is of another version of the "
    "lesson. To get the notebook of this version beside it, " + HOW
)

checked: set[str] = set()


def tell_of_newer_notebook() -> None:
    """Print once in a kernel that the lesson has a newer version of the notebook that runs.

    Only a page sends the metadata of a cell, and only a copy has its version in them, so that
    nothing is printed elsewhere.
    """
    copied = find_request_metadata().get(COPIED)
    if copied is None or copied["notebook"] in checked:
        return
    checked.add(copied["notebook"])
    source = lesson_notebooks().get(copied["notebook"])
    if source is None:
        return
    if version_of(json.loads(source.read_text(encoding="utf-8"))) != copied["version"]:
        print(NEWER.format(source.name))
