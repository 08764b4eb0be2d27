"""The real nbgrader releases one notebook and grades it, as docs/teach-set-up.md says.

`make build/env-grade/done` installs nbgrader, as .ci/run does.
"""

import csv
import os
import re
import shlex
import shutil
import subprocess
import zipfile
from pathlib import Path

import nbformat
import pytest
from solved import has

from lesson.common.solutions import read_solutions

pytestmark = pytest.mark.release
REPOSITORY = Path(__file__).parents[2]
PROGRAMS = REPOSITORY / "build" / "env-grade" / "bin"
CONFIG = REPOSITORY / "lesson" / "classroom" / "nbgrader_config.py"
TEACH = REPOSITORY / "docs" / "teach-set-up.md"
NOTEBOOK = "s02_tool_use"
POLICY = '<head><meta http-equiv="Content-Security-Policy"'


def read_commands(step: str) -> list[list[str]]:
    """Return the commands of a step of *Grade*, from the folder of the class on."""
    text = TEACH.read_text("utf-8")
    [block] = re.findall(rf"(?s)\*\*{step}\*\*.*?\n\n((?:    [^\n]+\n)+)", text)
    lines = block.partition("cd ~/class\n")[2] or block
    return [shlex.split(line) for line in lines.splitlines()]


@pytest.fixture
def run(tmp_path):
    """Return a function that runs a command in its `folder`, that of the class."""
    if not (PROGRAMS / "nbgrader").exists():
        give_up = pytest.fail if os.environ.get("CI") else pytest.skip
        give_up("`make build/env-grade/done` has not installed nbgrader")
    folder = tmp_path / "class"
    folder.mkdir()
    # As in `leave_out_slow_parser`, for each program that starts.
    (tmp_path / "rfc3987_syntax.py").write_text("raise ImportError('left out')\n")
    shutil.copy(CONFIG, folder)
    env = {
        "HOME": str(folder),
        "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}",  # nbgrader runs alembic
        "PYTHONPATH": f"{REPOSITORY}{os.pathsep}{tmp_path}",
    }

    def run(program, *arguments):
        command = [shutil.which(program, path=env["PATH"]), *arguments]
        done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    run.folder = folder
    return run


def hand_in(student: Path, released: Path, source: str | None, check: str | None = None) -> None:
    """Copy the released notebook for a student, with these texts in the exercise and its check."""
    shutil.copytree(released, student)
    path = student / f"{NOTEBOOK}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        for tag, text in (("exercise", source), ("check", check)):
            if has(cell, tag) and text is not None:
                cell.source = text
    nbformat.write(notebook, path)


def test_nbgrader_gives_a_point_for_each_check_that_passes(run):
    """A student who replaces the check gets no point: nbgrader puts the lesson's back."""
    *prepare, release = read_commands("Prepare")
    for command in prepare:
        run(*command)
    for path in (run.folder / "source" / "lesson").glob("*.ipynb"):
        if path.stem != NOTEBOOK:
            path.unlink()
    run(*release)
    released = run.folder / "release" / "lesson"
    submitted = run.folder / "submitted"
    hand_in(submitted / "ada" / "lesson", released, read_solutions()["agent_loop"])
    hand_in(submitted / "ben" / "lesson", released, None, check="pass")
    for command in read_commands("Grade"):
        run(*command)
    with (run.folder / "grades.csv").open(newline="") as file:
        scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert scores == {"ada": 1, "ben": 0}
    feedback = run.folder / "feedback"
    assert [*released.rglob("solutions/*")] == [*feedback.rglob("solutions/*")] == []
    # Chromium opens such a page in tests/browser/test_feedback_page.py.
    pages = [*feedback.glob("*/lesson/*.html")]
    assert len(pages) == 2 and all(POLICY in page.read_text("utf-8") for page in pages)


@pytest.mark.parametrize(
    "system, files",
    [
        (
            "MOODLE",
            "{0}_123456_assignsubmission_file/{1}.ipynb {0}_7_assignsubmission_file_/{1}.ipynb",
        ),
        ("CANVAS", "{0}_1234_5678_{1}.ipynb {0}_LATE_1234_5679_{1}-2.ipynb"),
    ],
)
def test_zip_collect_finds_the_files_as_a_system_names_them(run, system, files):
    """Moodle writes the whole name of a student, with its blank, and Canvas one word."""
    config = run.folder / CONFIG.name
    line = f"c.FileNameCollectorPlugin.named_regexp = {system}\n"
    text = config.read_text()
    assert f"# {line}" in text
    config.write_text(text.replace(f"# {line}", line))
    students = ["Ada Lovelace", "Ben Li"] if system == "MOODLE" else ["lovelaceada", "liben"]
    archive = run.folder / "downloaded" / "lesson" / "archive"
    archive.mkdir(parents=True)
    with zipfile.ZipFile(archive / "all.zip", "w") as packed:
        for student, form in zip(students, files.split(), strict=True):
            packed.writestr(form.format(student, NOTEBOOK), "{}")
    run("nbgrader", "zip_collect", "lesson")
    collected = {path.parts[-3] for path in run.folder.glob(f"submitted/*/lesson/{NOTEBOOK}.ipynb")}
    assert collected == {*students}
