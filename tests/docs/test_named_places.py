"""A place in italics, such as *Let it work* in docs/teach.md, exists on the page that is named."""

import html
import json
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ITALICS = re.compile(r"(?<![*\w])\*(?![*\s])([^*\n]+)(?<!\s)\*(?!\*)")
NAMED = re.compile(r"\b(?:00|s0\d[a-d]?)\b|play\.html|\b[\w/]+\.md\b")
FILES = {path.stem.partition("_")[0]: path for path in ROOT.glob("notebooks/*.ipynb")}
FILES["play.html"] = ROOT / "docs" / "play.html"
# Words in italics that are no places: a column, a stressed word, two priorities, and a term.
OTHERS = {"expect", "Expect", "said", "low", "medium", "view"}


@cache
def list_places(path):
    """Return the headings, folds, buttons and labels of a page, and what is bold in Markdown."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = [one for one in json.loads(text)["cells"] if one["cell_type"] == "markdown"]
        text = "\n".join("".join(one["source"]) for one in cells)
    elif path.suffix == ".md":
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    tags = re.findall(r"<(h\d|summary|button|label)\b[^>]*>(.*?)</\1>", text, re.DOTALL)
    found = [html.unescape(re.sub("<[^>]+>", "", one)).strip() for _, one in tags]
    found += re.findall(r"(?m)^#+ (.*?)$", text) if path.suffix != ".html" else []
    return [*found, *re.findall(r"(?m)^[- \d.]*\*\*(.*?)\*\*", text)]


def list_wrong(text, own):
    """Return the places in `text` that are on no page which their line names.

    The place may be on any page if its line names none. What is before a colon is enough.
    """
    wrong = []
    for line in text.splitlines():
        named = [FILES.get(one) or ROOT / one for one in NAMED.findall(line)]
        named = [one for one in named if one.is_file()] or [*FILES.values()]
        known = [place.casefold() for path in (own, *named) for place in list_places(path)]
        for words in ITALICS.findall(line):
            # A caption is a sentence. Menus, with ›, are tried in tests/browser/test_menus.py.
            if words in OTHERS or "›" in words or words.endswith("."):
                continue
            words = words.casefold()
            if not any(place == words or place.startswith(f"{words}:") for place in known):
                wrong.append((words, line[:60]))
    return wrong


@pytest.mark.parametrize("name", ["docs/teach.md", "README.md", "CONTRIBUTING.md"])
def test_place_in_italics_exists(name):
    path = ROOT / name
    assert list_wrong(path.read_text(encoding="utf-8"), path) == []


@pytest.mark.parametrize(
    "line",
    [
        "After ten minutes, show the three lines of *Ask*.",
        "In s03b, *What does it accept?*",  # it is in s03a
        "[play.html](play.html), *Compare with the list*",
    ],
)
def test_place_that_does_not_exist_is_found(line):
    assert len(list_wrong(line, ROOT / "docs" / "teach.md")) == 1
