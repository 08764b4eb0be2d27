"""The sample projects: each is a folder with a `project` and a `task.toml`."""

import os
import shutil
import sys
import tempfile
import weakref
from functools import cache
from pathlib import Path
from typing import Any

from agentlib.sandbox import import_guard
from agentlib.workspace import Workspace

from ..practice.policy.tasks import names

FOLDER = Path(__file__).parent


def copy(name: str) -> Path:
    """Copy a sample project to a new temporary folder, and return the path of the copy.

    Raise FileNotFoundError if there is no sample of this name.
    """
    if name not in names():
        raise FileNotFoundError(f"There is no sample {name!r}, only {', '.join(names())}.")
    delete_orphans()
    root = Path(tempfile.mkdtemp(prefix=f"agentlib-{os.getpid()}-"), name)
    bytecode = shutil.ignore_patterns("__pycache__")  # an installer may have left some
    return shutil.copytree(FOLDER / name / "project", root, ignore=bytecode)


@cache  # only once in each process
def delete_orphans() -> None:
    """Delete the copies of processes that have ended: a killed kernel does not delete them."""
    if sys.platform not in ("linux", "darwin"):
        return  # on Windows, os.kill(pid, 0) is not a test but sends Ctrl-C
    for folder in Path(tempfile.gettempdir()).glob("agentlib-*-*"):
        try:
            os.kill(int(folder.name.split("-")[1]), 0)
        except ProcessLookupError:
            shutil.rmtree(folder, ignore_errors=True)
        except (OSError, ValueError, OverflowError):
            pass  # another user's process, or the name contains no process id


def delete(root: Path) -> None:
    """Delete a copy that `copy` made, and unregister it as a workspace."""
    import_guard.forget(root)
    shutil.rmtree(root.parent, ignore_errors=True)


def sample(name: str, kind: type[Workspace] = Workspace, **options: Any) -> Workspace:
    """Return a `kind` of Workspace on a new copy of a sample project.

    The copy is deleted together with the Workspace. `options` are those of
    Workspace. Raise FileNotFoundError if there is no sample of this name.
    """
    workspace = kind(copy(name), **options)
    weakref.finalize(workspace, delete, workspace.root)
    return workspace
