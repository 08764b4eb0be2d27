"""A learner checks an exercise before, during and after solving it."""

import pytest
from learner import NOT_YET, RIGHT, Notebook


@pytest.fixture(scope="module")
def notebook(lab):
    notebook = Notebook(lab)
    notebook.run("setup")
    return notebook


def test_feedback_on_an_empty_a_wrong_and_a_right_solution(notebook, lab):
    place = notebook.index("check", "priority")
    output = f"[data-windowed-list-index='{place}']"
    notebook.run("exercise", "priority")
    notebook.run("check", "priority")
    assert "nothing there yet, and that is fine" in notebook.feedback("check", "priority")

    said = notebook.check(NOT_YET, "priority")
    assert "PriorityTodo: not yet. 9 of 10 rules pass." in said
    assert "A priority that is left out is medium" in said
    assert "'medium'" in said and "'low'" in said
    lab.picture("exercises-not-yet", output)
    assert lab.axe(f"{output} .jp-RenderedHTML") == []

    assert "all 10 rules pass" in notebook.check(RIGHT, "priority")
    lab.picture("exercises-right", output)
    lab.theme("dark")
    lab.picture("exercises-right-dark", output)
    assert lab.problems == []
