"""Where the documents are, and what people read in them."""

import json
import re
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\]\((?![a-z]+:)([^)\s]*)\)|(?:href|src|srcset)=\"(?![a-z]+:)([^\"{]+)\"")
NOTEBOOKS = {one.stem.partition("_")[0]: one for one in ROOT.glob("notebooks/*.ipynb")}


def list_files(*ends):
    """Return the files with these ends that git knows or could add, without those of a sample."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    files = [ROOT / line for line in listed.splitlines() if "/project/" not in line]
    return [one for one in files if one.name.endswith(ends) and one.is_file()]


@cache
def read(path):
    """Return the text of a file: of a notebook, its Markdown."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = [one for one in json.loads(text)["cells"] if one["cell_type"] == "markdown"]
        text = "\n".join("".join(one["source"]) for one in cells)
    return text


def list_links(text):
    """Return the relative links and pictures of Markdown, but not those in code."""
    return ["".join(one) for one in LINK.findall(re.sub(r"(?s)```.*?```|`[^`\n]*`", "", text))]
