"""Whether a step is done is read from the files, whoever has written them."""

import subprocess
import sys

import pytest
from steps_done.accepted import ACCEPTED
from steps_done.refused import DONE, REFUSED
from steps_done.states import after, original

from lesson.samples.jobs import load_job
from lesson.samples.project_files import ProjectFiles

pytestmark = pytest.mark.slow
STEPS = load_job("ten_steps").steps
TEXTS = [step.text for step in STEPS]
STATES = [
    pytest.param(step, state, id=f"{step}: {what}")
    for step, states in REFUSED.items()
    for what, state in states.items()
]
STYLES = {how: state.of(DONE) for how, state in ACCEPTED.items()}


def find_missing(files):
    """Return the steps that these files do not show."""
    project = ProjectFiles(tuple(sorted(files.items())))
    return [step.text for step in STEPS if not step.done(project)]


@pytest.mark.parametrize(("step", "state"), STATES)
def test_half_done_or_wrong_state_is_refused_for_its_step_only(step, state):
    assert find_missing(state.of(DONE)) == [text for text in TEXTS if text in (step, *state.also)]


def test_each_step_of_the_script_is_done_after_its_actions_and_stays_done():
    for number in range(len(TEXTS) + 1):
        assert find_missing(after("ten_steps", number)) == TEXTS[number:]


@pytest.mark.parametrize("how", STYLES)
def test_another_style_is_accepted_and_prints_the_same(how, tmp_path):
    assert find_missing(STYLES[how]) == []
    before = run(tmp_path / "before", original("ten_steps"))
    assert run(tmp_path / "after", STYLES[how]) == before != ""


def run(folder, files):
    """Write files and return what the shop prints."""
    for file, text in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text, encoding="utf-8")
    command = [sys.executable, "shop.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout
