"""The sample projects: every action of each job, on real files."""

import re
import subprocess
import sys
from threading import Thread
from types import SimpleNamespace

import pytest
from support.blocks import result, text

from lesson import connect, sample
from lesson.practice.run_program import PracticeServer
from lesson.runs.run import Run
from lesson.samples.find_job import find_job, part_prompts
from lesson.samples.jobs import list_jobs, load_job
from lesson.samples.project_files import read_files
from safetylib.wire.replies import NO_RESULT

RUFF = ["check", "--isolated", "--no-cache", "--select", "E,F,W,I,B", "--line-length", "79"]
PROGRAMS = {
    name: {path for step in load_job(name).steps for path in step.patterns if path.endswith(".py")}
    for name in list_jobs()
}


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
def test_program_prints_the_same_after_each_step_which_leaves_its_marks(name):
    workspace, steps = sample(name), load_job(name).steps
    before = run_program(name, workspace)
    for step in steps:
        assert step.activeForm.strip() and step.priority in ("high", "medium", "low")
        do(step, workspace)
        assert step.done(read_files(workspace.root)), step.text
        assert run_program(name, workspace) == before, step.text
        assert step.is_written(dict(read_files(workspace.root).texts)), step.text


@pytest.mark.parametrize("name", [*filter(PROGRAMS.get, PROGRAMS)])
def test_result_of_a_job_passes_the_linter_and_the_tests_that_it_writes(name):
    workspace = sample(name)
    for step in load_job(name).steps:
        do(step, workspace)
    command = [sys.executable, "-m", "ruff", *RUFF, *PROGRAMS[name]]
    result = subprocess.run(command, cwd=workspace.root, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout
    if any("test_" in path for path in PROGRAMS[name]):
        output = workspace.bash("python -m unittest -q")
        assert output.splitlines()[-1] == "OK"
        assert int(re.search(r"Ran (\d+) tests?", output)[1]) >= 3


REAL, PRACTICE = SimpleNamespace(real=True), SimpleNamespace(real=False)


@pytest.mark.parametrize("name", list_jobs())
def test_real_model_gets_the_steps_and_the_practice_model_the_prompt(name):
    job = load_job(name)
    assert job.prompt_for(PRACTICE) is job.prompt
    asked = job.prompt_for(REAL)
    assert asked.startswith(job.prompt.strip())
    assert all(f"{n}. {step.text}" in asked for n, step in enumerate(job.steps, 1))
    assert find_job(asked) is find_job(" ".join(asked.split())) is job
    assert find_job(f"{asked}\nTranslate it.") is None


OWN = [("Write a port", "a.txt", "a"), ("Add b", "b.txt", "b")]


@pytest.mark.parametrize("job", ["package", OWN], ids=["a sample", "an own job"])
def test_served_practice_model_does_the_job_that_a_real_model_is_asked_for(job):
    with PracticeServer() as server:
        Thread(target=server.serve_forever, daemon=True).start()
        env = {"ANTHROPIC_BASE_URL": server.url}
        model = connect("claude-served", env=env, ask=lambda question: "run")
        run = Run(job, model=model).play()
        server.shutdown()
    assert (run.is_real, run.problem, all(run.done)) == (True, "", True)


LOST = result("t", NO_RESULT, is_error=True)
TEN = load_job("ten_steps").prompt


@pytest.mark.parametrize(
    "content, parts",
    [
        ([text("Hello."), text(TEN)], [[text("Hello.")], [text(TEN)]]),
        ([LOST, text("Stop."), text(TEN)], [[LOST], [text("Stop.")], [text(TEN)]]),
        ([result("t"), text(TEN)], [[result("t")], [text(TEN)]]),
        ([result("t"), text("Update your list.")], None),
        ([text(TEN), text("<reminder>Plan first.</reminder>")], None),
        (TEN, None),
    ],
)
def test_prompts_that_were_joined_are_found_again(content, parts):
    message = {"role": "user", "content": content}
    expected = [message | {"content": part} for part in parts] if parts else [message]
    assert part_prompts([message]) == expected
