"""The sample projects: each is a folder with a `project` and a `job.toml`."""

import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any

from agentlib.safety import import_guard
from agentlib.workspace import Workspace

from ..practice.policy.jobs import list_jobs

FOLDER = Path(__file__).parent


def sample(name: str, kind: type[Workspace] = Workspace, **options: Any) -> Workspace:
    """Return a `kind` of Workspace on a new copy of a sample project.

    The copy is deleted together with the Workspace. `options` are those of
    Workspace. Raise FileNotFoundError if there is no sample of this name.
    """
    if name not in list_jobs():
        raise FileNotFoundError(f"There is no sample {name!r}, only {', '.join(list_jobs())}.")
    root = Path(tempfile.mkdtemp(prefix="agentlib-"), name)
    copy_sample(name, root)
    workspace = kind(root, **options)
    weakref.finalize(workspace, delete, workspace.root)
    return workspace


def copy_sample(name: str, target: Path) -> None:
    """Copy a sample project to `target`, which does not exist yet: all of it, or nothing."""
    source = FOLDER / name / "project"
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".") as folder:
        copy = Path(folder, name)
        for file in source.rglob("*"):
            # (An installer may have left bytecode.)
            if file.is_file() and "__pycache__" not in file.parts:
                place = copy / file.relative_to(source)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, place)  # without the mode: an installation can be read-only
        copy.rename(target)


def delete(root: Path) -> None:
    """Delete a copy of a sample, and unregister it as a workspace."""
    import_guard.forget(root)
    shutil.rmtree(root.parent, ignore_errors=True)
