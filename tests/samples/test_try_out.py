"""Whether the tests pass is tried in a copy, in the sandbox or after the user has allowed it."""

import pytest
from steps_done.accepted import ten_steps
from steps_done.states import after

from lesson import sample
from lesson.samples.jobs import list_jobs, load_job
from lesson.samples.try_out import NOT_ALLOWED, try_out
from safetylib import bubblewrap, shell

needs_sandbox = pytest.mark.skipif(
    not bubblewrap.sandbox_works(), reason="there is no sandbox here"
)


def open_sample(name, files):
    workspace = sample(name)
    for file, text in files.items():
        workspace.write_file(file, text)
    return workspace


@needs_sandbox
@pytest.mark.parametrize("style", ten_steps.ACCEPTED)
def test_right_work_passes_and_prints_the_same(style):
    said = try_out(open_sample("ten_steps", ten_steps.ACCEPTED[style]))
    assert said == (
        "The tests pass, and shop.py prints the same as before (in a copy of the folder)."
    )


@needs_sandbox
@pytest.mark.parametrize("name", list_jobs())
def test_result_of_each_job_passes(name):
    files = after(name)
    said = try_out(open_sample(name, files))
    has_tests = any("import unittest" in text for text in files.values())
    assert said.startswith("The tests pass" if has_tests else "There are no tests")
    assert ("prints the same as before" in said) == bool(load_job(name).program)


@needs_sandbox
def test_wrong_price_and_failing_test_are_seen():
    workspace = open_sample("ten_steps", after("ten_steps"))
    workspace.edit_file("pricing.py", "SHIPPING = 395", "SHIPPING = 396")
    assert try_out(workspace).startswith(
        "The tests fail, and shop.py prints something else than before"
    )


@needs_sandbox
def test_it_runs_in_a_copy_and_cannot_write_to_the_folder(tmp_path):
    workspace = open_sample("ten_steps", after("ten_steps"))
    outside = workspace.root / "written"
    program = workspace.read_file("shop.py")
    writes = f"open('here', 'w').close()\nopen({str(outside)!r}, 'w').close()\n"
    workspace.write_file("shop.py", writes + program)
    try_out(workspace, confirm=lambda question: pytest.fail("it asked, in spite of a sandbox"))
    assert not outside.exists() and not (workspace.root / "here").exists()


def test_without_a_sandbox_nothing_runs_unless_the_user_allows_it(monkeypatch):
    monkeypatch.setattr(bubblewrap, "find_program", lambda name: None)
    workspace = open_sample("hello", after("hello"))
    asked = []
    assert try_out(workspace) == NOT_ALLOWED
    assert try_out(workspace, lambda question: asked.append(question) or False) == NOT_ALLOWED
    assert "hello.py in a copy of the folder?" in asked[0]
    assert "hello.py prints the same as before" in try_out(workspace, lambda question: True)


def test_demanded_sandbox_is_not_replaced_by_a_plain_shell(monkeypatch, tmp_path):
    monkeypatch.setattr(bubblewrap, "find_program", lambda name: None)
    with pytest.raises(OSError, match="no sandbox here"):
        shell.run_command("touch here", tmp_path, sandbox=True)
    assert not (tmp_path / "here").exists()


def test_other_folder_is_not_tried(tmp_path):
    from agentlib import Workspace

    assert try_out(Workspace(tmp_path)) == ""
