"""A copied notebook says when the lesson has a newer version of it."""

import json
from copy import deepcopy

import pytest
from jupyter_client import KernelManager
from jupyter_client.kernelspec import KernelSpecManager

from lesson.copy_lesson import COPIED, copy_lesson, lesson_notebooks, version_of

NAME = "s03d_walkthrough.ipynb"
NEWER = (
    f"The lesson has a newer {NAME} than this one. To get it beside this one, choose File › Rename "
    "Notebook, and then run %run -m lesson lesson . in a cell.\n"
)


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture
def run_cell(tmp_path):
    """Return a function that runs a cell like a page, with its metadata; it returns the output."""
    manager = KernelManager(kernel_spec_manager=KernelSpecManager(kernel_dirs=[]))
    manager.start_kernel(cwd=str(tmp_path))
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=120)

    def run(code, metadata):
        request = client.session.msg("execute_request", {"code": code}, metadata=metadata)
        client.shell_channel.send(request)
        said = ""
        while True:
            message = client.get_iopub_msg(timeout=120)
            content = message["content"]
            if message["parent_header"].get("msg_id") != request["header"]["msg_id"]:
                continue
            said += content.get("text", content.get("evalue", ""))
            if content.get("execution_state") == "idle":
                return said

    yield run
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def test_each_change_of_a_cell_makes_another_version_and_an_output_makes_none():
    notebook = read(lesson_notebooks()[NAME])
    changed, run = deepcopy(notebook), deepcopy(notebook)
    changed["cells"][0]["source"][0] += "."
    for cell in run["cells"]:
        cell["outputs"] = []
    assert version_of(run) == version_of(notebook) != version_of(changed)


def test_copy_of_another_version_says_once_that_the_lesson_has_a_newer_one(tmp_path, run_cell):
    copy_lesson(tmp_path)
    copies = {name: read(tmp_path / name) for name in (NAME, "s03d_walkthrough.ipynb")}
    first = {
        name: next(cell for cell in copy["cells"] if cell["cell_type"] == "code")["metadata"]
        for name, copy in copies.items()
    }
    old = {COPIED: first[NAME][COPIED] | {"version": "of last week"}}
    solved = {COPIED: old[COPIED] | {"notebook": "solutions/s04_exercises.ipynb"}}
    removed = {COPIED: {"notebook": "s01.ipynb", "version": "of last week"}}
    assert run_cell("from lesson import connect", {}) == ""
    assert run_cell("from lesson import Walk", first["s03d_walkthrough.ipynb"]) == ""
    assert run_cell("from lesson import play", removed) == ""
    assert run_cell("from lesson import Seat, Board", old) == NEWER
    assert "%run -m lesson lesson .. in a cell" in run_cell("from lesson import Clock", solved)
    assert "%run -m lesson lesson .. in a cell" in run_cell("from lesson import gone", solved)


def test_every_code_cell_of_a_copy_has_the_name_and_the_version_of_our_notebook(tmp_path):
    copy_lesson(tmp_path)
    for name, source in lesson_notebooks().items():
        copied = {"notebook": name, "version": version_of(read(source))}
        cells = [cell for cell in read(tmp_path / name)["cells"] if cell["cell_type"] == "code"]
        assert [cell["metadata"].get(COPIED) for cell in cells] == [copied] * len(cells)
