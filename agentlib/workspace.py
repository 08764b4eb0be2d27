"""The four tools: a shell and three ways to handle files, all inside one folder."""

import os
import shutil
import tempfile
import weakref
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from .machine import changes, files, lookup, paths, repositories, shell
from .tools import Tool

SAMPLES = Path(__file__).parent / "samples"


class Workspace:
    """A folder that an agent works in, and the four tools that work there.

    A command may take `timeout` seconds. Where there is a sandbox it writes only in the folder,
    and has a network only with `network=True`. The `.git` in the folder is read-only, and this
    Python imports nothing from there. A refusal is a ValueError or OSError: a sentence.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        timeout: float = 120,
        network: bool = False,
        sandbox: bool = True,
    ) -> None:
        self.root = Path(os.path.realpath(os.path.expanduser(root)))
        if not (root and self.root.is_dir()):
            raise NotADirectoryError(f"The workspace {root} is not a folder: make it first.")
        self.name = os.fsencode(self.root.name).decode("utf-8", "replace")
        lookup.register(self.root)
        locked = repositories.find(self.root)
        self.limits: dict[str, Any] = {
            "timeout": timeout,
            "network": network,
            "sandbox": sandbox,
            "read_only": locked,
        }
        self._seen: dict[
            tuple[str, ...], int
        ] = {}  # of each file that the model knows, its content's hash

    @classmethod
    def sample(cls, name: str, **options: Any) -> "Workspace":
        """A fresh copy of a task's project, which is deleted together with the Workspace."""
        names = sorted(project.parent.name for project in SAMPLES.glob("*/project"))
        if name not in names:
            raise FileNotFoundError(f"There is no sample {name!r}, only {', '.join(names)}.")
        root = Path(tempfile.mkdtemp(prefix="agentlib-"), name)
        bytecode = shutil.ignore_patterns("__pycache__")  # an installer may have left some
        shutil.copytree(SAMPLES / name / "project", root, ignore=bytecode)
        workspace = cls(root, **options)
        weakref.finalize(workspace, delete, workspace.root)
        return workspace

    def __repr__(self) -> str:
        return f"Workspace({self.name!r})"

    def tools(self) -> list[Tool]:
        """The four as Tools, for rounds()."""
        path = {"type": "string", "description": "Relative to the workspace."}
        text = {"type": "string"}
        limit = {"type": "integer", "minimum": 1, "description": "Only the first so many lines."}
        return [
            tool(self.bash, str, command=text),
            tool(self.read_file, path=path, limit=limit),
            tool(self.write_file, partial(changes.write, self.root), path=path, content=text),
            tool(
                self.edit_file,
                partial(changes.edit, self.root),
                path=path,
                old_text=text,
                new_text=text,
            ),
        ]

    def bash(self, command: str) -> str:
        """Run a bash command, without input. What it leaves in the background ends with it."""
        output, code = shell.run(command, self.root, **self.limits)
        return (output or "(no output)") + (f"\n(exit code {code})" if code else "")

    def read_file(self, path: str, limit: int | None = None) -> str:
        """Read a text file."""
        with files.told(path):
            file = files.read(self.root, place := paths.inside(self.root, path))
        self._seen[place] = hash(file.data)
        return files.excerpt(file, files.line_limit(limit))

    def write_file(self, path: str, content: str) -> str:
        """Write a text file, new or instead of the old one. Missing folders are made."""
        with files.told(path):
            data = files.encode(content)
            files.write(self.root, place := paths.writable(self.root, path), data)
        self._seen[place] = hash(data)
        return f"Wrote {len(data)} bytes to {path}"

    def edit_file(self, path: str, old_text: str, new_text: str) -> str:
        """Replace a text that occurs exactly once in a file."""
        with files.told(path):
            file = files.read(self.root, place := paths.writable(self.root, path), whole=True)
        # That old_text is there once proves that the model knows this place, but not the rest.
        changed = self._seen.get(place, hash(file.data)) != hash(file.data)
        note = " It has changed since you last read it: read it again." if changed else ""
        with files.told(path, note):
            data = file.encode(files.replace(file.text, old_text, new_text))
            files.write(self.root, place, data, known=file.status)
        if not changed:
            self._seen[place] = hash(data)
        return f"Edited {path}.{note}"


def tool(
    run: Callable[..., str], preview: Callable[..., str] | None = None, **properties: dict[str, Any]
) -> Tool:
    """The Tool for a method: its docstring tells the model, what has a default is optional."""
    required = list(properties)[: len(properties) - len(run.__defaults__ or ())]
    schema = {"type": "object", "properties": properties, "required": required}
    return Tool(run.__name__, " ".join((run.__doc__ or "").split()), schema, run, preview)


def delete(root: Path) -> None:
    """Remove a sample's project, and what is remembered of it."""
    lookup.forget(root)
    shutil.rmtree(root.parent, ignore_errors=True)
