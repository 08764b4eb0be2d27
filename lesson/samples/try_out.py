"""Try what an agent has made: do its tests pass, and does the program print the same as before?

This runs code that a model wrote. So it runs in a copy of the folder, and in the sandbox, or else
only if the user allows it. What the files show is read without running them (`find_missing`), and
is another question.
"""

import ast
import tempfile
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

from agentlib.workspace import Workspace
from safetylib import bubblewrap, shell

from .copies import find_job_of
from .project_files import ProjectFiles, read_files
from .temporary import own_folder

SECONDS = 60  # for the tests, and for each of the two programs: those of a sample take one
QUESTION = (
    "Run the tests and {program} in a copy of the folder? There is no sandbox here, so they can do "
    "whatever you can do. [y/n] "
)
NOT_ALLOWED = "Not tried: there is no sandbox here, and nobody allowed to run this without one."


def try_out(workspace: Workspace, confirm: Callable[[str], bool] | None = None) -> str:
    """Return a line that says whether the tests pass and the program prints the same as before.

    If there is no sandbox, `confirm` is asked first; without it, nothing is run, and the line says
    so. In a folder that is no copy of a sample, return "".
    """
    job = find_job_of(workspace)
    if job is None:
        return ""
    files = read_files(workspace.root)
    if limit := files.find_limit(files.unread):  # a copy without a file would say nothing of it
        return f"Not tried: {limit}."
    before = read_files(job.folder).texts
    try:
        has_sandbox = bubblewrap.sandbox_works()
        question = QUESTION.format(program=job.program or "nothing else")
        if not has_sandbox and not (confirm and confirm(question)):
            return NOT_ALLOWED
        said = [describe_tests(files, has_sandbox)]
        if job.program:
            now = run_in_copy(f"python {job.program}", files.texts, has_sandbox)
            is_same = now == run_in_copy(f"python {job.program}", before, has_sandbox)
            what = "the same as" if is_same else "something else than"
            said.append(f"{job.program} prints {what} before")
    except (OSError, ValueError) as problem:  # also TimeoutError
        return f"Not tried: {problem}"
    return f"{', and '.join(said)} (in a copy of the folder)."


def describe_tests(files: ProjectFiles, has_sandbox: bool) -> str:
    """Run the tests, and return in a few words what came of it."""
    if not files.tests:
        return "There are no tests"
    needs_pytest = any(map(is_for_pytest, files.tests.values()))
    if needs_pytest and not find_spec("pytest"):
        return "The tests were not run, because they need pytest"
    command = "python -m pytest -q -p no:cacheprovider" if needs_pytest else "python -m unittest"
    output, code = run_in_copy(command, files.texts, has_sandbox)
    if "Ran 0 tests" in output or code == 5:  # the exit code of both if they find no test
        return "No test was found"
    return "The tests pass" if code == 0 else "The tests fail"


def is_for_pytest(tree: ast.Module) -> bool:
    """Return whether only pytest can run all tests of a file: some are functions, not methods."""
    return any(
        isinstance(one, ast.FunctionDef) and one.name.startswith("test") for one in tree.body
    )


def run_in_copy(command: str, texts: Mapping[str, str], has_sandbox: bool) -> tuple[str, int]:
    """Run a command in a new folder with these files. Return its output and its exit code."""
    with tempfile.TemporaryDirectory(dir=own_folder()) as folder:
        for name, text in texts.items():
            file = Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="")
        root = Path(folder).resolve()
        return shell.run_command(command, root, timeout=SECONDS, sandbox=has_sandbox)
