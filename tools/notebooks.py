"""Run the notebooks, and save their outputs. The same code writes the same file on every machine.

    python tools/notebooks.py [FILE ...]    run these; or all, with docs/play.html

Each notebook runs in a new learner's folder, in which no part of the program is written yet, and in
a new kernel of the running Python, without an IPython profile or API key.
Data that can differ between two runs (times, widget ids, the kernel's version) is removed. The
cells of exercises and of their checks get the metadata by which nbgrader grades a class.
"""

import json
import os
import re
import tempfile
from argparse import ArgumentParser
from pathlib import Path

import nbformat
import play_page
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

from lesson.program.copy_lesson import copy_lesson, lesson_notebooks
from lesson.program.my_agent import load_plain_nag
from lesson.runs.run import Run
from lesson.widgets.seat import READ_AFTER, RECORD, ROUND, WINDOW

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
WIDGET = "application/vnd.jupyter.widget-view+json"
KEPT_OF_A_CELL = {"tags", "jupyter", "editable", "deletable"}
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "file_extension": ".py"},  # for nbconvert --to script
}


def rebuild(path: Path, folder: Path) -> str:
    """Run the notebook at `path` in a learner's `folder`, and return the new text of its file.

    Raise nbclient's CellExecutionError if a cell fails that is not tagged `raises-exception`.
    """
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as own:
        client = NotebookClient(
            notebook,
            km=make_kernel(own),
            timeout=120,  # seconds, for each cell
            record_timing=False,
            store_widget_state=False,
            coalesce_streams=True,
        )
        env = environment() | {"IPYTHONDIR": own}
        client.execute(cwd=str(folder), env=env, cleanup_kc=True)
    tidy(notebook)
    return nbformat.writes(notebook) + "\n"


def make_kernel(folder: str) -> AsyncKernelManager:
    """Return a kernel of this interpreter, not started yet, with its files in `folder`."""
    return AsyncKernelManager(
        kernel_name="python3",
        kernel_spec_manager=KernelSpecManager(kernel_dirs=[]),  # only the native kernel
        connection_file=os.path.join(folder, "kernel.json"),
        transport="tcp" if os.name == "nt" else "ipc",  # two kernels can race for one TCP port
    )


def environment() -> dict[str, str]:
    """Return the environment variables without those that change outputs for one user."""
    personal = ("ANTHROPIC_", "MODEL_ID", "PYTHONSTARTUP", "NO_COLOR", "FORCE_COLOR", "COLUMNS")
    return {name: value for name, value in os.environ.items() if not name.startswith(personal)}


def tidy(notebook) -> None:
    """Remove, in place, metadata that depends on the time or the machine, and add nbgrader's."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.metadata = {k: v for k, v in cell.metadata.items() if k in KEPT_OF_A_CELL}
        if graded := describe_for_nbgrader(cell):
            cell.metadata["nbgrader"] = graded
        if "no-output" in cell.metadata.get("tags", []):  # it depends on the other notebooks
            cell.outputs = []
        for output in cell.get("outputs", []):
            if WIDGET in output.get("data", {}):
                output.data[WIDGET]["model_id"] = "0" * 32


def describe_for_nbgrader(cell) -> dict:
    """Return the metadata of a cell for nbgrader, or {} if it is neither exercise nor check.

    nbgrader runs the cells that students write, and gives a point if the check below raises
    nothing. It replaces a locked cell by ours, so that nobody can change a check.
    """
    tags = cell.metadata.get("tags", [])
    kind = tags[0] if tags else ""
    name = "_".join(re.sub(r"\W+", "_", tag) for tag in tags[1:])  # a part, the name of a level
    match kind:
        case "exercise":
            fields = {"grade_id": name, "solution": True, "grade": False, "locked": False}
        case "check":
            fields = {"grade_id": f"check_{name}", "solution": False, "grade": True, "locked": True}
            fields["points"] = 1
        case _:
            return {}
    return fields | {"schema_version": 3, "task": False}


def record_seat() -> str:
    """Return the messages of the seat as JSON: a new kernel would need two seconds to play it."""
    run = Run(after=READ_AFTER, window=WINDOW, nag=load_plain_nag())
    for _ in zip(range(ROUND + 1), run.play_rounds(), strict=False):
        pass
    sent = {"messages": run.request(ROUND).sent["messages"], "left_out": run.rounds[0].messages}
    ids: dict[str, str] = {}  # they are random, so each gets a number
    return re.sub(
        r"toolu_\w+",
        lambda match: ids.setdefault(match[0], f"toolu_{len(ids):04}"),
        json.dumps(sent, indent=1, ensure_ascii=False) + "\n",
    )


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("files", nargs="*", type=Path)
    files = parser.parse_args().files
    if not files:
        RECORD.write_text(record_seat(), encoding="utf-8")  # 00 shows it
    for path in files or lesson_notebooks().values():
        with tempfile.TemporaryDirectory() as folder:
            copy_lesson(Path(folder))
            text = rebuild(path, Path(folder))
        if text != path.read_text(encoding="utf-8"):
            path.write_text(text, encoding="utf-8", newline="\n")
            print(f"{path}: renewed")
    if not files:
        play_page.main()


if __name__ == "__main__":
    main()
