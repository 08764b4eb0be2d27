"""What the widgets of each notebook show, recorded in build/recorded while nbval runs it.

A recording is made again when its notebook, the package or a pinned version has changed.
"""

import json
import subprocess
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path

import nbformat

from notebooks import NOTEBOOKS, WIDGET

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


RECORDED = ROOT / "build" / "recorded"


class StaleNotebookError(Exception):
    """A widget shows something else than the notebook's file says."""


def recording(path: Path) -> dict:
    """Return the widgets of the notebook at `path` by the ids of their cells, and their sources.

    Run the notebook with nbval if it or the code has changed. Raise CalledProcessError if a cell
    prints something else than the file says.
    """
    file = file_of(path)
    if not (file.exists() and json.loads(file.read_text("utf-8"))["made_from"] == sources(path)):
        command = [sys.executable, "-m", "pytest", "-q", "-p", "website.recorder", "--nbval"]
        subprocess.run([*command, "--nbval-current-env", str(path)], cwd=ROOT, check=True)
    return json.loads(file.read_text(encoding="utf-8"))


def file_of(path: Path) -> Path:
    """Return the file of a notebook's recording."""
    return RECORDED / path.relative_to(NOTEBOOKS).with_suffix(".json")


def write_recording(path: Path, lines: str) -> None:
    """Write the recording of a notebook, from what its kernel wrote: see in_kernel.Keeper.

    Raise StaleNotebookError if a widget's text is not that in the notebook's file.
    """
    notebook = nbformat.read(path, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    widgets = {}
    for cell, line in zip(cells, map(json.loads, lines.splitlines()), strict=True):
        if cell.source != line["source"]:
            raise StaleNotebookError(f"{path}: the kernel has run {line['source']!r}")
        outputs = [one.data for one in cell.outputs if WIDGET in one.get("data", {})]
        texts = [widget.pop("text") for widget in line["widgets"]]
        if [data["text/plain"] for data in outputs] != texts:
            raise StaleNotebookError(f"{path}, cell {cell.id}: say `make notebooks`.")
        if texts:
            widgets[cell.id] = line["widgets"]
    file = file_of(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    recorded = {"made_from": sources(path), "widgets": widgets}
    file.write_text(json.dumps(recorded), encoding="utf-8")


def sources(path: Path) -> dict[str, str]:
    """What a recording is made from: the notebook, and the code that it runs on."""
    text = path.read_bytes().replace(b"\r\n", b"\n")
    name = path.relative_to(NOTEBOOKS).as_posix()
    return {"notebook": name, "digest": sha256(text + code().encode()).hexdigest()}


@cache
def code() -> str:
    """The SHA-256 of the package without what only a browser runs, of its packages' versions, and
    of what records it.
    """
    whole = sha256()
    files = {
        *ROOT.glob("agentlib/**/*"),
        *ROOT.glob("lesson/**/*"),
        ROOT / "requirements" / "lab.txt",
        HERE / "in_kernel.py",
    }
    for path in sorted(files - {*ROOT.glob("lesson/widgets/static/*")}):
        if path.is_file() and "__pycache__" not in path.parts:
            whole.update(path.relative_to(ROOT).as_posix().encode())
            whole.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return whole.hexdigest()
