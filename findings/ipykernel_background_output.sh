#!/usr/bin/env bash
# nbclient 0.11.0, ipykernel 7.4.0. Seen on 1 December 2026.
# A good guess: what a thread or an asyncio task of a cell prints later is an output of this cell.
# Something that the first cell has started prints while the second one runs. What a thread prints
# is an output of the second cell. What an asyncio task prints belongs to the first cell, and
# because this cell is done, nbclient leaves it out without a warning: it is in no cell.
# Seen: thread: first cell [], second cell ['from the thread', 'end'] /
# task: first cell [], second cell ['end']
# Took 122 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "nbclient==0.11.0" \
  "ipykernel==7.4.0"
cd "$folder"
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import sys

from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

THREAD = [
    """\
from threading import Event, Thread
start = Event()
def work():
    start.wait()
    print("from the thread")
thread = Thread(target=work)
thread.start()""",
    """\
start.set()
thread.join()
print("end")""",
]
TASK = [
    """\
import asyncio
start, printed = asyncio.Event(), []
async def work():
    await start.wait()
    print("from the task")
    printed.append(True)
task = asyncio.create_task(work())""",
    """\
start.set()
await task
assert printed
print("end")""",
]


def run(sources):
    """Return the lines that each cell has printed, in the notebook as nbclient leaves it."""
    kernel = {"name": "python3", "display_name": "Python 3"}
    cells = [new_code_cell(source) for source in sources]
    notebook = new_notebook(cells=cells, metadata={"kernelspec": kernel})
    NotebookClient(notebook, timeout=120).execute()
    return ["".join(one.text for one in cell.outputs).splitlines() for cell in cells]


seen = {"thread": run(THREAD), "task": run(TASK)}
expected = {"thread": [[], ["from the thread", "end"]], "task": [[], ["end"]]}
if seen != expected:
    print(f"CHANGED: expected {expected}, got {seen}")
    sys.exit(1)
print("as described:", seen)
PYTHON
