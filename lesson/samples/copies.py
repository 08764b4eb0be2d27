"""Copies of the sample projects: each sample is a folder with a `project` and a `job.toml`."""

import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from agentlib.workspace import Workspace
from safetylib.guard import import_guard

from .jobs import Job, list_jobs, load_job
from .own_job import HOW, Steps, make_job
from .project_files import MAX_BYTES, read_bytes

MARK = ".sample"  # the file in a copy that names its sample
BYTECODE = shutil.ignore_patterns("__pycache__")  # an installer may have left it
# The functions that delete the copies made in the block of `deleting`; None outside of one.
finalizers_here: ContextVar[list[Callable[[], object]] | None] = ContextVar(
    "finalizers_here", default=None
)


def sample(name: str) -> Workspace:
    """Return a Workspace on a new copy of a sample project.

    The copy is deleted together with the Workspace, or at the end of `deleting`. Raise
    FileNotFoundError if there is no sample of this name.
    """
    return open_job(name)[1]


def open_job(job: str | Job | Steps) -> tuple[Job, Workspace]:
    """Return a job and a new workspace for it, which is deleted like that of a `sample`.

    `job` is a Job, the name of a sample, or the learner's own steps, which begin in an empty
    folder: see `make_job`.
    """
    if isinstance(job, str):
        try:
            job = load_job(job)
        except FileNotFoundError as problem:
            raise FileNotFoundError(f"{problem} {HOW}.") from None
    elif not isinstance(job, Job):
        job = make_job(job)
    root = Path(tempfile.mkdtemp(prefix="agentlib-")) / job.name
    copy_project(job, root)
    workspace = Workspace(root)
    # The copy is also deleted at the end of the process.
    finalizer = weakref.finalize(workspace, delete, workspace.root)
    finalizers = finalizers_here.get()
    if finalizers is not None:
        finalizers.append(finalizer)
    return job, workspace


@contextmanager
def deleting() -> Iterator[None]:
    """Delete the copies that this thread makes in the block, even those in a reference cycle.

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


def copy_project(job: Job, target: Path) -> None:
    """Make the folder `target` with the files with which a job begins: all of them, or nothing.

    A job of the learner's own begins in an empty folder.
    """
    if job.name not in list_jobs():
        target.mkdir()
        return
    # Do not copy permissions: an installer may have left files that only it can write.
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{job.name}-") as folder:
        copy = Path(folder, job.name)
        shutil.copytree(job.folder, copy, ignore=BYTECODE, copy_function=shutil.copyfile)
        Path(copy, MARK).write_text(job.name, encoding="utf-8")
        copy.rename(target)


def find_missing(workspace: Workspace) -> list[str]:
    """Return the steps of a sample's job that the files do not show, or [] in any other folder.

    Raise NotJudgedError if the files are too much for the judge. For your own job, use a check that
    can say no, such as one that runs your tests.
    """
    mark = workspace.root / MARK
    # An agent may have made a huge file of it, or a pipe.
    name = (read_bytes(mark, MAX_BYTES) or b"").decode(errors="replace") if mark.is_file() else ""
    return load_job(name).list_missing(workspace.root) if name in list_jobs() else []


def delete(root: Path) -> None:
    """Delete a copy of a sample, and unregister it as a workspace."""
    import_guard.forget(root)
    with suppress(RecursionError):  # an agent has made a thousand folders, one in the other
        shutil.rmtree(root.parent, ignore_errors=True)
