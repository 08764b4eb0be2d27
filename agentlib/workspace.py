"""The four tools: a shell and three ways to handle files, all inside one folder."""

import os
from collections.abc import Callable
from functools import partial
from inspect import getdoc, signature
from pathlib import Path
from typing import Any

from .sandbox import diffs, excerpts, files, import_guard, paths, repositories, shell
from .tools import Tool

PATH = {"type": "string", "description": "Relative to the workspace."}
TEXT = {"type": "string"}
LIMIT = {"type": "integer", "minimum": 1, "description": "Only the first so many lines."}


class Workspace:
    """A folder that an agent works in, and the four tools that work there.

    A command may take `timeout` seconds. Where there is a sandbox it writes only in the folder,
    and has a network only with `network=True`. The `.git` in the folder is read-only, and this
    Python imports nothing from there. A refusal is a ValueError or OSError: a sentence.
    """

    def __init__(
        self, root: Any, *, timeout: float = 120, network: bool = False, sandbox: bool = True
    ) -> None:
        self.root = Path(os.path.realpath(os.path.expanduser(root)))
        if not (root and self.root.is_dir()):
            raise NotADirectoryError(f"The workspace {root} is not a folder: make it first.")
        self.name = os.fsencode(self.root.name).decode("utf-8", "replace")
        import_guard.register(self.root)
        self.limits: dict[str, Any] = {"timeout": timeout, "network": network, "sandbox": sandbox}
        self.limits["read_only"] = repositories.find(self.root)
        self._seen: dict[tuple[str, ...], int] = {}  # the hash of each file that the model knows

    def __repr__(self) -> str:
        return f"Workspace({self.name!r})"

    def tools(self) -> list[Tool]:
        """The four as Tools, for rounds(). A person may be shown a command, or a change first."""
        write, edit = partial(diffs.write, self.root), partial(diffs.edit, self.root)
        return [
            tool(self.bash, preview=str, command=TEXT),
            tool(self.read_file, path=PATH, limit=LIMIT),
            tool(self.write_file, preview=write, path=PATH, content=TEXT),
            tool(self.edit_file, preview=edit, path=PATH, old_text=TEXT, new_text=TEXT),
        ]

    def bash(self, command: str) -> str:
        """Run a bash command in the workspace. It gets no input; background processes are ended
        when it returns."""
        output, code = shell.run_command(command, self.root, **self.limits)
        output = output or "(no output)"
        if code:
            output += f"\n(exit code {code})"
        return output

    def read_file(self, path: str, limit: int | None = None) -> str:
        """Read a text file."""
        with files.naming(path):
            place = paths.inside(self.root, path)
            file = files.read(self.root, place)
        self._seen[place] = hash(file.data)
        return excerpts.excerpt(file, excerpts.parse_line_limit(limit))

    def write_file(self, path: str, content: str) -> str:
        """Write a text file: a new one, or in place of the old one. Missing folders are made."""
        with files.naming(path):
            data = files.encode(content)
            place = paths.writable(self.root, path)
            files.write(self.root, place, data)
        self._seen[place] = hash(data)
        return f"Wrote {len(data)} bytes to {path}"

    def edit_file(self, path: str, old_text: str, new_text: str) -> str:
        """Replace a text that occurs exactly once in a file."""
        with files.naming(path):
            place = paths.writable(self.root, path)
            file = files.read(self.root, place, whole=True)
        # That old_text occurs once proves that the model knows this place, but not the rest.
        current = hash(file.data)
        is_known = self._seen.get(place, current) == current
        note = "" if is_known else " It has changed since you last read it: read it again."
        with files.naming(path, note):
            data = file.encode(excerpts.replace(file.text, old_text, new_text))
            files.write(self.root, place, data, known=file.status)
        if is_known:
            self._seen[place] = hash(data)
        return f"Edited {path}.{note}"


def tool(
    run: Callable[..., str], preview: Callable[..., str] | None = None, **properties: Any
) -> Tool:
    """The Tool for a method. Its docstring tells the model; what has a default is optional."""
    arguments = signature(run).parameters.values()
    required = [argument.name for argument in arguments if argument.default is argument.empty]
    schema = {"type": "object", "properties": properties, "required": required}
    return Tool(run.__name__, " ".join((getdoc(run) or "").split()), schema, run, preview)
