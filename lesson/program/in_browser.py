"""Play the learner's program in a browser, which starts no process: in the kernel, by `%run`."""

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from ..common.message_blocks import WINDOW
from ..practice.practice_model import PracticeModel
from ..practice.run_program import DELETED, KEPT, describe_files, list_known_prompts, name_kept_copy
from ..samples.copies import copy_project
from ..samples.find_job import find_job


def main(*parts: Any) -> None:
    """Run the program of `%run my_agent/__main__.py "…"` with these parts and the practice model.

    It works in a temporary folder, because the browser's storage lacks some operations. There is
    no shell for its bash. At the end its files are copied to where `run_program` keeps them. Print
    what they show.
    """
    job = find_job(" ".join(sys.argv[1:]))
    if job is None:
        print(list_known_prompts())
        return
    before, path = os.getcwd(), sys.path[:]
    program = path[0]  # __main__.py has put its folder there
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder).resolve() / "project"
        copy_project(job, project)
        os.chdir(project)
        sys.path[:] = [place for place in path if place]  # "" is the current folder
        try:
            import frame  # which works in the current folder

            print("The practice model answers. It is a script, and costs nothing.")
            frame.main(*parts, client=PracticeModel().client(), window=WINDOW)
        finally:
            os.chdir(before)
            sys.path[:] = [place for place in path if place != program]
            forget(program)
            keep = name_kept_copy(Path(program), job)
            for file in project.rglob("*") if keep else ():
                target = keep / file.relative_to(project)
                if file.is_file():
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(file, target)
            where = KEPT.format(keep) if keep else DELETED
            print(f"\n{describe_files(job, project)} {where}")


def forget(program: str) -> None:
    """Let the next run import the files of the program again: they may have changed."""
    for name, module in list(sys.modules.items()):
        if os.path.dirname(getattr(module, "__file__", None) or "") == program:
            del sys.modules[name]
