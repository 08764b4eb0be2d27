"""What a learner or a teacher has copied goes on working with the packages of today.

`tests/data/copied` has the three files that leave the lesson, as they are in the newest version: a
`frame.py` is never replaced in a learner's folder. A release replaces them, as CONTRIBUTING.md
says. Until 2.0, the folder 1.6 has the frame.py and guards.py of that version.
"""

import ast
import importlib
import re
from pathlib import Path

import pytest

from lesson.samples.copies import copy_project
from lesson.samples.jobs import load_job

FOLDER = Path(__file__).parents[1] / "data" / "copied"
COPIED = sorted(FOLDER.rglob("*.txt"))
OURS = ("agentlib", "safetylib", "exerciselib", "lesson")


@pytest.mark.parametrize("path", COPIED, ids=str)
def test_each_name_that_a_copied_file_imports_is_there(path):
    text = path.read_text(encoding="utf-8")
    code = [text, *re.findall(r"(?s)python3 -c '(.*?)'", text)]
    imports = [one for part in code for one in ast.walk(ast.parse(part))]
    wanted = [
        (one.module, name.name)
        for one in imports
        if isinstance(one, ast.ImportFrom) and one.module.split(".")[0] in OURS
        for name in one.names
    ]
    assert wanted, "it imports nothing of ours: is it worth storing?"
    for module, name in wanted:
        if not hasattr(importlib.import_module(module), name):
            importlib.import_module(f"{module}.{name}")


@pytest.mark.parametrize("version", ["", "1.6"])
def test_copied_program_does_a_job_with_the_packages_of_today(program, practice, tmp_path, version):
    """It reads, changes and runs files, is asked at each, and saves its run."""
    for stored in (FOLDER / version).glob("*.py.txt"):
        if "config" not in stored.stem:
            (program.path / stored.stem).write_text(stored.read_text("utf-8"), encoding="utf-8")
    job = load_job("hello")
    program.project.rmdir()
    copy_project(job, program.project)
    done = program.start(practice, job.prompt, "--save", str(tmp_path / "run.jsonl"))
    assert done.returncode == 0, done.stderr
    assert "(not done)" not in done.stdout and "Traceback" not in done.stderr
    assert ("are of version 1.6, which has known faults." in done.stderr) is bool(version)
    assert '__name__ == "__main__"' in (program.project / "hello.py").read_text("utf-8")
    assert (tmp_path / "run.jsonl").read_text("utf-8").count("\n") > 5
