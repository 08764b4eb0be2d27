"""Where the documents are, and what people read in them."""

import json
import re
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\]\((?![a-z]+:)([^)\s]*)\)|(?:href|src|srcset)=\"(?![a-z]+:)([^\"{]+)\"")
NOTEBOOKS = {path.stem.partition("_")[0]: path for path in ROOT.glob("notebooks/*.ipynb")}


def list_files(*ends):
    """Return the files with these ends that git knows or could add, without those of a sample."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    files = [ROOT / line for line in listed.splitlines() if "/project/" not in line]
    return [file for file in files if file.name.endswith(ends) and file.is_file()]


@cache
def read(path):
    """Return the text of a file: of a notebook, its Markdown."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
        text = "\n".join("".join(cell["source"]) for cell in cells)
    return text


def list_links(text):
    """Return the relative links and pictures of Markdown, but not those in code."""
    return ["".join(groups) for groups in LINK.findall(drop_code(text))]


def drop_code(text):
    """Return Markdown without its code."""
    return re.sub(r"(?s)```.*?```|`[^`\n]*`", "", text)
