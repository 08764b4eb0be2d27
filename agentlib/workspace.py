"""The basic tools: a shell, and three tools for files. All work in one folder."""

from collections.abc import Callable
from functools import partial
from inspect import getdoc
from pathlib import Path
from typing import Any

from safetylib.guard import diffs, edits, escape, files, import_guard, paths, seen_files, shell

from .tools import Tool

__all__ = ["Workspace"]

PATH = {"type": "string", "description": "Relative to the workspace."}


class Workspace:
    """A folder for an agent to work in, with its tools: a shell, and three tools for files.

    The file tools cannot leave the folder. A bash command may take `timeout` seconds. If bubblewrap
    is installed, a command can write only in the folder, and has no network unless `network` is
    true. The `.git` in the folder is read-only. Without `sandbox`, a command runs as the user does.
    Raise ValueError for a folder from which this Python imports modules.

    The tools raise ValueError or OSError with a message for the model.
    """

    # A tool is a method, with its input schema above it. The docstring of the method is the
    # description that the model reads, so it says what a model needs to know.

    def __init__(
        self,
        root: str | Path,
        *,
        timeout: float = shell.TIMEOUT_SECONDS,
        network: bool = False,
        sandbox: bool = True,
    ) -> None:
        # Resolve symlinks: `find_file` compares paths with this one, to see if they lead outside.
        folder = Path(root).expanduser().resolve()
        if not (root and folder.is_dir()):  # "" would be the current folder
            raise NotADirectoryError(f"The workspace {root} is not a folder: create it first.")
        # Files in .git can name programs, and the user's git would run them outside the sandbox.
        read_only = paths.find_git(folder) if sandbox else []
        # The agent will write code into the folder, which must never run outside the sandbox.
        import_guard.register(folder)
        # Assigned last, so that a folder that is rejected changes nothing.
        self.root, self.read_only = folder, read_only
        self.name = escape.for_api(folder.name)  # it is sent in the system prompt
        self.timeout, self.network, self.sandbox = timeout, network, sandbox

    bash_input = {
        "type": "object",
        "properties": {"command": {"type": "string"}},
        "required": ["command"],
    }

    def bash(self, command: str) -> str:
        """Run a bash command in the workspace. It gets no input, and background processes are
        killed when it returns."""
        output, code = self.run_command(command)
        return f"{output}\n(exit code {code})" if code else output

    def run_command(self, command: str) -> tuple[str, int]:
        """Run a command as `bash` does. Return its output and its exit code."""
        output, code = shell.run_command(
            command,
            self.root,
            timeout=self.timeout,
            network=self.network,
            read_only=self.read_only,
            sandbox=self.sandbox,
        )
        return output or "(no output)", code

    read_file_input = {
        "type": "object",
        "properties": {
            "path": PATH,
            "start_line": {"type": "integer", "description": "First line to read, from 1."},
            "limit": {"type": "integer", "description": "Maximum number of lines."},
        },
        "required": ["path"],
    }

    @files.explain_errors
    def read_file(self, path: str, start_line: int | None = None, limit: int | None = None) -> str:
        """Read a text file of at most 10 MiB: at most `limit` lines, and 50,000 characters."""
        file = paths.find_file(self.root, path)
        text = edits.show_lines(files.read(file), start_line, limit)
        seen_files.note(file)  # from now on, the answer "all" also allows changes of this file
        return text

    write_file_input = {
        "type": "object",
        "properties": {"path": PATH, "content": {"type": "string"}},
        "required": ["path", "content"],
    }

    @files.explain_errors
    def write_file(self, path: str, content: str) -> str:
        """Create or overwrite a text file. Creates missing folders."""
        file = paths.find_file(self.root, path)
        size = files.write(file, files.in_its_form(file, content))
        seen_files.note(file)
        return f"Wrote {size} bytes to {path}"

    edit_file_input = {
        "type": "object",
        "properties": {
            "path": PATH,
            "old_text": {"type": "string"},
            "new_text": {"type": "string"},
        },
        "required": ["path", "old_text", "new_text"],
    }

    @files.explain_errors
    def edit_file(self, path: str, old_text: str, new_text: str) -> str:
        """Replace old_text, which must occur exactly once in the file."""
        file = paths.find_file(self.root, path)
        text = edits.replace_once(files.read(file), old_text, new_text)
        files.write(file, text)
        seen_files.note(file)
        return f"Edited {path}."

    def tools(self) -> list[Tool]:
        """Return the tools for `rounds`. Those that change something ask the user first."""
        write_diff = partial(diffs.write_diff, self.root)
        edit_diff = partial(diffs.edit_diff, self.root)
        changes = {
            "depends_on": partial(diffs.digest_target, self.root),
            "asks_again": partial(seen_files.why_asked, self.root),
        }
        return [
            make_tool(self.bash, self.bash_input, preview=lambda command: str(command)),
            make_tool(self.read_file, self.read_file_input, asks=False),
            make_tool(self.write_file, self.write_file_input, preview=write_diff, **changes),
            make_tool(self.edit_file, self.edit_file_input, preview=edit_diff, **changes),
        ]


def make_tool(method: Callable[..., str], input_schema: dict[str, Any], **fields: Any) -> Tool:
    """Return a method as a Tool, with its name, and with its docstring as the description."""
    # A docstring can have several lines; a description has one.
    description = " ".join((getdoc(method) or "").split())
    return Tool(method.__name__, description, input_schema, method, **fields)
