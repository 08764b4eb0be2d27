"""Where the documents are, and what people read in them."""

import json
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOTEBOOKS = {one.stem.partition("_")[0]: one for one in ROOT.glob("notebooks/*.ipynb")}


def list_files(*kinds):
    """Return the files of these kinds, without those of a sample or of something installed."""
    folders = [one for one in ROOT.iterdir() if one.is_dir() and one.name not in (".venv", "build")]
    files = [one for folder in folders for one in folder.rglob("*") if one.suffix in kinds]
    files += [one for one in ROOT.iterdir() if one.suffix in kinds]
    return [one for one in files if not {"project", ".git"} & {*one.parts}]


@cache
def read(path):
    """Return the text of a file: of a notebook, its Markdown."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = [one for one in json.loads(text)["cells"] if one["cell_type"] == "markdown"]
        text = "\n".join("".join(one["source"]) for one in cells)
    return text
