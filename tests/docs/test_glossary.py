"""The glossary: each word once, in order, and linked to the notebook that uses it first."""

import json
import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
ROW = re.compile(r"^\| (?P<terms>[^|]+) \| (?P<meaning>[^|]+) \| \[.+\]\((?P<link>.+)\) \|$", re.M)
ROWS = list(ROW.finditer((REPOSITORY / "docs" / "glossary.md").read_text(encoding="utf-8")))
# Common words, which notebooks use in their everyday meaning before one gives them another.
EVERYDAY = {"build", "lost", "message", "plan", "stop", "turn"}


def read_prose(path):
    """Return the text of a notebook without code, descriptions of pictures, and links to others."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    prose = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return re.sub(r"!\[[^]]*\]|\[\w+\]\(\w+\.ipynb\)", "", prose)


NOTEBOOKS = sorted(
    (REPOSITORY / "notebooks").glob("*.ipynb"), key=lambda path: (path.stem == "again", path.stem)
)
PROSE = {path.name: read_prose(path) for path in NOTEBOOKS}
TERMS = [(term, row["link"]) for row in ROWS for term in row["terms"].split(", ")]
OF_NOTEBOOKS = [(term, Path(link).name) for term, link in TERMS if link.endswith(".ipynb")]


def test_every_row_is_read_and_no_term_occurs_twice():
    lines = (REPOSITORY / "docs" / "glossary.md").read_text(encoding="utf-8").splitlines()
    assert len(ROWS) == sum(line.startswith("| ") for line in lines) - 1  # without the table's head
    names = [term.casefold() for term, _ in TERMS]
    assert len(names) == len(set(names))


def test_rows_are_in_alphabetical_order():
    names = [row["terms"].casefold() for row in ROWS]
    assert names == sorted(names)


@pytest.mark.parametrize(("term", "notebook"), OF_NOTEBOOKS)
def test_term_is_first_used_in_the_notebook_that_introduces_it(term, notebook):
    # An underscore ends a word, so that `end_turn` counts as a use of "turn".
    word = re.compile(rf"(?<![a-z]){re.escape(term)}(?:s|es)?(?![a-z])", re.IGNORECASE)
    users = [name for name, prose in PROSE.items() if word.search(prose)]
    assert notebook in users
    assert users[0] == notebook or term in EVERYDAY
