"""The sample projects: every action of each job, on real files."""

import re
import subprocess
import sys

import pytest

from lesson import sample
from lesson.samples.jobs import list_jobs, load_job

RUFF = ["check", "--isolated", "--no-cache", "--select", "E,F,W,I,B", "--line-length", "79", "."]


def do(step, workspace):
    """Do the actions of a step. Raise an exception or fail if one of them fails."""
    for action in step.actions:
        assert "(exit code" not in getattr(workspace, action.tool)(**action.input)


def run_program(name, workspace):
    """Return what the program of a job prints, or "" if it has none."""
    program = load_job(name).program
    output = workspace.bash(f"python {program}") if program else ""
    assert "(exit code" not in output
    return output


@pytest.mark.parametrize("name", list_jobs())
def test_step_has_words_and_is_done_after_its_actions_and_the_program_prints_the_same(name):
    workspace, steps = sample(name), load_job(name).steps
    before = run_program(name, workspace)
    for step in steps:
        assert step.activeForm.strip() and step.priority in ("high", "medium", "low")
        assert not step.is_done(workspace.root), f"done too early: {step.text}"
        do(step, workspace)
        assert run_program(name, workspace) == before, step.text
        assert step.is_done(workspace.root), f"not done: {step.text}"
    assert all(step.is_done(workspace.root) for step in steps)


@pytest.mark.parametrize("name", list_jobs())
def test_result_of_a_job_passes_the_linter_and_the_tests_that_it_writes(name):
    workspace = sample(name)
    for step in load_job(name).steps:
        do(step, workspace)
    command = [sys.executable, "-m", "ruff", *RUFF]
    result = subprocess.run(command, cwd=workspace.root, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout
    if any("test_" in path for step in load_job(name).steps for path in step.patterns):
        output = workspace.bash("python -m unittest -q")
        assert output.splitlines()[-1] == "OK"
        assert int(re.search(r"Ran (\d+) tests?", output)[1]) >= 3
