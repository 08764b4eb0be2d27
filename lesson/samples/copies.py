"""Copies of the sample projects: each sample is a folder with a `project` and a `job.toml`."""

import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from agentlib.workspace import Workspace
from safetylib import import_guard

from .jobs import Job, list_jobs, list_missing, load_job
from .own_job import make_job
from .project_files import read_text
from .temporary import make_folder

MARK = ".sample"  # the file in a copy that names its sample
# The functions that delete the copies made in the block of `deleting`; None outside of one.
finalizers_here: ContextVar[list[Callable[[], object]] | None] = ContextVar(
    "finalizers_here", default=None
)


def sample(name: str) -> Workspace:
    """Return a Workspace on a new copy of a sample project.

    The copy is deleted together with the Workspace, or at the end of `deleting`. Raise
    FileNotFoundError if there is no sample of this name.
    """
    load_job(name)  # raises the error if there is none
    root = make_folder() / name
    copy_sample(name, root)
    return open_temporary(root)


def open_job(job: str | Iterable[Sequence[str]]) -> tuple[Job, Workspace]:
    """Return a job and a new workspace for it, which is deleted like that of a `sample`.

    `job` is the name of a sample, or the learner's own: steps of a text, a path, a content and
    perhaps a priority, which begin in an empty folder.
    """
    if isinstance(job, str):
        return load_job(job), sample(job)
    own = make_job(job)
    root = make_folder() / own.name
    root.mkdir()
    return own, open_temporary(root)


def open_temporary(root: Path) -> Workspace:
    """Return a Workspace on a folder that is deleted together with it."""
    workspace = Workspace(root)
    finalizer = weakref.finalize(workspace, delete, workspace.root)
    finalizers = finalizers_here.get()
    if finalizers is not None:
        finalizers.append(finalizer)
    return workspace


@contextmanager
def deleting() -> Iterator[None]:
    """Delete the copies that this thread makes in the block, also those in a reference cycle.

    Otherwise the garbage collector would delete them later, in the middle of any other code.
    """
    finalizers: list[Callable[[], object]] = []
    token = finalizers_here.set(finalizers)
    try:
        yield
    finally:
        finalizers_here.reset(token)
        for delete_copy in finalizers:
            delete_copy()


def copy_sample(name: str, target: Path) -> None:
    """Copy a sample project to `target`, which does not exist yet: all of it, or nothing."""
    # An installer may have left bytecode, and files that only it can write.
    ignored = shutil.ignore_patterns("__pycache__")
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{name}-") as folder:
        copy = Path(folder, name)
        shutil.copytree(load_job(name).folder, copy, ignore=ignored, copy_function=shutil.copyfile)
        Path(copy, MARK).write_text(name, encoding="utf-8")
        copy.rename(target)


def find_missing(workspace: Workspace) -> list[str]:
    """Return the steps of a sample's job that the files do not show, or [] in any other folder.

    Raise NotJudgedError if the files are too much for the judge.

    For your own job, use a check that can say no, such as one that runs your tests.
    """
    mark = workspace.root / MARK
    name = read_text(mark) if mark.is_file() else None  # an agent may have made it huge
    return list_missing(load_job(name).steps, workspace.root) if name in list_jobs() else []


def delete(root: Path) -> None:
    """Delete a copy of a sample, and unregister it as a workspace."""
    import_guard.forget(root)
    with suppress(RecursionError):  # an agent has made a thousand folders, one in the other
        shutil.rmtree(root.parent, ignore_errors=True)
