"""A learner at the exercises: not yet, then right, and the feedback in between."""

import pytest
from learner import NOT_YET, RIGHT, Notebook


@pytest.fixture(scope="module")
def notebook(lab):
    return Notebook(lab)


def test_not_yet_then_right(notebook, lab):
    notebook.run("setup")
    notebook.run("exercise", "priority")
    notebook.run("check", "priority")
    assert "nothing there yet, and that is fine" in notebook.feedback("check", "priority")

    notebook.write(NOT_YET, "exercise", "priority")
    notebook.run("exercise", "priority")
    notebook.run("check", "priority")
    said = notebook.feedback("check", "priority")
    assert "PriorityTodo: not yet. 8 of 10 rules pass." in said
    assert "A priority that is left out is medium" in said
    assert "'medium'" in said and "'low'" in said
    lab.picture("exercises-not-yet", f"[data-windowed-list-index='{place(notebook)}']")
    assert lab.axe(f"[data-windowed-list-index='{place(notebook)}'] .jp-RenderedHTML") == []

    notebook.write(RIGHT, "exercise", "priority")
    notebook.run("exercise", "priority")
    notebook.run("check", "priority")
    assert "all 10 rules pass" in notebook.feedback("check", "priority")
    lab.picture("exercises-right", f"[data-windowed-list-index='{place(notebook)}']")
    lab.theme("dark")
    lab.picture("exercises-right-dark", f"[data-windowed-list-index='{place(notebook)}']")
    assert lab.problems == []


def place(notebook):
    return notebook.index("check", "priority")
