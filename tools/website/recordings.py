"""What the widgets of a notebook show: read from a run of the notebook, and kept in build/recorded.

A recording is made again when its notebook, the package or a pinned version has changed.
"""

import difflib
import json
import tempfile
from functools import cache
from hashlib import sha256
from itertools import islice
from pathlib import Path

import nbformat

from notebooks import NOTEBOOKS, WIDGET, run, tidy

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


RECORDED = ROOT / "build" / "recorded"


class StaleNotebookError(Exception):
    """A cell of a notebook printed something else than what the notebook's file holds."""


def recording(path: Path) -> dict:
    """The widgets of the notebook at `path` by the ids of their cells, and what they come from.

    Raises StaleNotebookError if a cell prints something else than what the file holds.
    """
    file = RECORDED / path.relative_to(NOTEBOOKS).with_suffix(".json")
    if file.exists():
        recorded = json.loads(file.read_text(encoding="utf-8"))
        if recorded["made_from"] == sources(path):
            return recorded
    file.parent.mkdir(parents=True, exist_ok=True)
    recorded = {"made_from": sources(path), "widgets": record(path)}
    file.write_text(json.dumps(recorded), encoding="utf-8")
    return recorded


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
        ROOT / "requirements" / "lab.lock",
        HERE / "in_kernel.py",
    }
    for path in sorted(files - {*ROOT.glob("lesson/widgets/static/*")}):
        if path.is_file() and "__pycache__" not in path.parts:
            whole.update(path.relative_to(ROOT).as_posix().encode())
            whole.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return whole.hexdigest()


def record(path: Path) -> dict[str, list[dict]]:
    """Run the notebook, and return the widgets that each cell has shown, by the cell's id."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "widgets.json")
        startup = f"import sys; sys.path.insert(0, {str(HERE)!r})\n"
        startup += f"from in_kernel import keep_widgets; keep_widgets({str(file)!r})\n"
        startup += "del sys, keep_widgets\n"
        notebook = run(path, startup=startup)
        kept = json.loads(file.read_text(encoding="utf-8"))
    shown = {
        cell.id: [
            kept[output.data[WIDGET]["model_id"]]
            for output in cell.get("outputs", [])
            if output.get("data", {}).get(WIDGET, {}).get("model_id") in kept
        ]
        for cell in notebook.cells
    }
    tidy(notebook)
    before, now = path.read_text(encoding="utf-8"), nbformat.writes(notebook) + "\n"
    if before != now:
        lines = difflib.unified_diff(before.splitlines(), now.splitlines(), lineterm="", n=0)
        raise StaleNotebookError("\n".join([f"{path}: say `make notebooks`.", *islice(lines, 40)]))
    return {cell: widgets for cell, widgets in shown.items() if widgets}
