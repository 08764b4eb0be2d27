"""What a learner or a teacher has copied goes on working with the packages of today.

`tests/data/copied` has what leaves the lesson as it is in the newest version: `frame.py`, the parts
of a learner, and a teacher's two files. None of them is replaced by an update. A release stores
them, as CONTRIBUTING.md says, and the folder of an older version has what differs: 1.6 its frame.py
and guards.py until 2.0, 1.5 its list until 1.8.
"""

import ast
import importlib
import re
from pathlib import Path

import pytest

from lesson import my_agent, play
from lesson.common.parts import PARTS
from lesson.program import folder
from lesson.program.folder import create_folder
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
    is_part = path.name in [f"{part.file}.py.txt" for part in PARTS.values()]
    assert wanted or is_part, "it imports nothing of ours: is it worth storing?"
    for module, name in wanted:
        if not hasattr(importlib.import_module(module), name):
            importlib.import_module(f"{module}.{name}")


@pytest.mark.parametrize("version", ["", "1.5", "1.6"])
def test_copied_program_does_a_job_with_the_packages_of_today(program, practice, tmp_path, version):
    """It reads, changes and runs files, is asked at each, and saves its run."""
    for stored in (*FOLDER.glob("*.py.txt"), *(FOLDER / version).glob("*.py.txt")):
        if "config" not in stored.stem:
            (program.path / stored.stem).write_text(stored.read_text("utf-8"), encoding="utf-8")
    job = load_job("hello")
    program.project.rmdir()
    copy_project(job, program.project)
    done = program.start(practice, job.prompt, "--save", str(tmp_path / "run.jsonl"))
    assert done.returncode == 0, done.stderr
    assert "(not done)" not in done.stdout and "Traceback" not in done.stderr
    assert ("are of version 1.6, which has known faults." in done.stderr) is (version == "1.6")
    assert '__name__ == "__main__"' in (program.project / "hello.py").read_text("utf-8")
    assert (tmp_path / "run.jsonl").read_text("utf-8").count("\n") > 5
    assert '"todo"' in (tmp_path / "run.jsonl").read_text("utf-8")  # the list works


@pytest.mark.parametrize("version", ["", "1.5"])
def test_copied_parts_play_in_the_folder_of_the_lesson(notebook_of, version):
    """An update must not take a learner's list out of their agent."""
    notebook_of()
    create_folder()
    for stored in (*FOLDER.glob("*.py.txt"), *(FOLDER / version).glob("*.py.txt")):
        if (folder.path / stored.stem).exists():
            (folder.path / stored.stem).write_text(stored.read_text("utf-8"), encoding="utf-8")
    parts = "agent_loop MyTodo MyNag PriorityTodo PriorityNag TimedTodo".split()
    assert {one: getattr(my_agent, one).__module__ for one in parts} == {
        one: f"my_agent.{PARTS[one].file}" for one in parts
    }
    run = play("hello")
    assert run.whose == "Yours: loop, list, nag, read_file." and run.steps_done == 3
