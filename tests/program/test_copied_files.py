"""What a learner or a teacher has copied goes on working with the packages of today.

`tests/data/copied` has the four files that leave the lesson, as they are in the newest version: a
changed `frame.py` or `guards.py` is never replaced in a learner's folder. A release replaces them,
as CONTRIBUTING.md says.
"""

import ast
import importlib
import re
from pathlib import Path

import pytest

from lesson.samples.copies import copy_project
from lesson.samples.jobs import load_job

COPIED = sorted((Path(__file__).parents[1] / "data" / "copied").glob("*.txt"))
OURS = ("agentlib", "safetylib", "exerciselib", "lesson")


@pytest.mark.parametrize("path", COPIED, ids=lambda path: path.stem)
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


def test_copied_program_does_a_job_with_the_packages_of_today(program, practice, tmp_path):
    """It reads, changes and runs files, is asked at each, and saves its run."""
    for name in ("frame", "guards"):
        [stored] = [path for path in COPIED if path.stem == f"{name}.py"]
        (program.path / f"{name}.py").write_text(stored.read_text("utf-8"), encoding="utf-8")
    job = load_job("hello")
    program.project.rmdir()
    copy_project(job, program.project)
    done = program.start(practice, job.prompt, "--save", str(tmp_path / "run.jsonl"))
    assert done.returncode == 0, done.stderr
    assert "(not done)" not in done.stdout and "Traceback" not in done.stderr
    assert '__name__ == "__main__"' in (program.project / "hello.py").read_text("utf-8")
    assert (tmp_path / "run.jsonl").read_text("utf-8").count("\n") > 5
