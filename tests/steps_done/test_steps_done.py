"""Whether a step is done is read from the files, whoever has written them."""

import importlib
import subprocess
import sys

import pytest
from steps_done.accepted import changes, others, ten_steps
from steps_done.states import after, original

from lesson.samples.jobs import is_shown, list_jobs, load_job
from lesson.samples.project_files import ProjectFiles, parse

REFUSED = {name: importlib.import_module(f"steps_done.refused.{name}") for name in list_jobs()}
STATES = [
    pytest.param(name, step, state, id=f"{name}: {step}: {what}")
    for name, module in REFUSED.items()
    for step, states in module.REFUSED.items()
    for what, state in states.items()
]
ACCEPTED = [
    *(("ten_steps", how, files) for how, files in ten_steps.ACCEPTED.items()),
    *((name, "another style", files) for name, files in others.ACCEPTED.items()),
    *(
        (name, how, state.of(changes.DONE[name]))
        for name, states in changes.ACCEPTED.items()
        for how, state in states.items()
    ),
]
PROGRAMS = {
    "ten_steps": "shop.py",
    "hello": "hello.py",
    "auth": "app.py",
    "style": "report.py",
}


def find_missing(name, files):
    """Return the steps that these files do not show."""
    project = ProjectFiles(tuple(sorted(files.items())))
    return [step.text for step in load_job(name).steps if not is_shown(step.done, project)]


@pytest.mark.parametrize(("name", "step", "state"), STATES)
def test_half_done_or_wrong_state_is_refused_for_its_step_only(name, step, state):
    files = state.of(REFUSED[name].DONE)
    steps = [one.text for one in load_job(name).steps]
    assert find_missing(name, files) == [one for one in steps if one in (step, *state.also)]


@pytest.mark.parametrize("name", list_jobs())
def test_every_step_has_three_such_states_and_each_is_a_program(name):
    assert list(REFUSED[name].REFUSED) == [step.text for step in load_job(name).steps]
    for states in REFUSED[name].REFUSED.values():
        assert len(states) >= 3
        for state in states.values():
            for file, text in state.of(REFUSED[name].DONE).items():
                if file.endswith(".py"):
                    assert parse(text), file


@pytest.mark.parametrize("name", list_jobs())
def test_each_step_of_the_script_is_done_after_its_actions_and_stays_done(name):
    steps = [step.text for step in load_job(name).steps]
    assert find_missing(name, original(name)) == steps
    for number in range(len(steps) + 1):
        assert find_missing(name, after(name, number)) == steps[number:]


@pytest.mark.parametrize(("name", "how", "files"), ACCEPTED, ids=lambda part: str(part)[:30])
def test_another_style_is_accepted_and_prints_the_same(name, how, files, tmp_path):
    assert find_missing(name, files) == []
    if name in PROGRAMS:
        printed = [
            run(tmp_path / one, these, name)
            for one, these in (("before", original(name)), ("after", files))
        ]
        assert printed[0] == printed[1] != ""


def run(folder, files, name):
    """Write files and return what the program of a sample prints."""
    for file, text in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text, encoding="utf-8")
    command = [sys.executable, PROGRAMS[name]]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout
