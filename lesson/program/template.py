"""A coding agent in one file: `pip install anthropic`, set ANTHROPIC_API_KEY, then

    MODEL_ID=NAME python FILE "Write a program that counts the words in a file."

The agent works in the folder `project`, and asks you before each command and each change. Unlike
`agentlib`, it has no sandbox (a command can do what you can do), hides no keys, and checks nothing.
"""

import os
import signal
import sys
from contextlib import suppress
from inspect import signature
from pathlib import Path
from subprocess import PIPE, Popen
from types import SimpleNamespace
from typing import Any

try:
    import anthropic
except ImportError:
    sys.exit(f"The package anthropic is missing. Run: {sys.executable} -m pip install anthropic")

FOLDER = Path("project")
MAX_REQUESTS = 60
NEEDED = {"MODEL_ID": "the name of a model", "ANTHROPIC_API_KEY": "your key"}
TYPES: dict[str, dict[str, type]] = {
    "text": {"text": str},
    "tool_use": {"id": str, "name": str, "input": dict},
}


def visible(text: str) -> str:
    """Return the text with control characters, which could hide a part of it, as codes."""
    return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text)


def ask_user(question: str) -> None:
    """Show what the model wants to do. Raise PermissionError unless the user allows it."""
    if input(f"{visible(question)}\nAllow this? [y/n] ").strip().lower() not in ("y", "yes"):
        raise PermissionError("the user did not allow this")


def find_file(path: str) -> Path:
    """Return a path in the folder. Raise ValueError if it leads outside."""
    file = (FOLDER / path).resolve()
    if not file.is_relative_to(FOLDER.resolve()):
        raise ValueError(f"{path} is outside of the folder")
    return file


class Workspace:
    """The four tools, in one folder."""

    def bash(self, command: str) -> str:
        """Run a bash command in the folder."""
        ask_user(f"Run: {command}")
        env = {name: value for name, value in os.environ.items() if "ANTHROPIC" not in name}
        bash = ["bash", "-c", f"exec </dev/null 2>&1\n{command}"]
        process = Popen(bash, cwd=FOLDER, env=env, stdout=PIPE, start_new_session=True)
        try:
            output = process.communicate(timeout=120)[0].decode(errors="replace")
        finally:
            with suppress(ProcessLookupError, AttributeError):  # Windows has no process groups
                os.killpg(process.pid, signal.SIGKILL)
        return f"{output[:50_000]}\n(exit code {process.returncode})"

    def read_file(self, path: str) -> str:
        """Read a text file."""
        return find_file(path).read_text(encoding="utf-8") or "(empty)"

    def write_file(self, path: str, content: str) -> str:
        """Create or overwrite a text file."""
        file = find_file(path)
        ask_user(f"Write {path}:\n{content}")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
        return f"Wrote {path}"

    def edit_file(self, path: str, old_text: str, new_text: str) -> str:
        """Replace old_text, which must occur exactly once in the file."""
        text = self.read_file(path)
        if text.count(old_text) != 1:
            raise ValueError(f"old_text occurs {text.count(old_text)} times in {path}, not once")
        return self.write_file(path, text.replace(old_text, new_text))

    def tools(self) -> list[SimpleNamespace]:
        tools = []
        for run in (self.bash, self.read_file, self.write_file, self.edit_file):
            fields = {name: {"type": "string"} for name in signature(run).parameters}
            schema = {"type": "object", "properties": fields, "required": [*fields]}
            spec = {"name": run.__name__, "description": run.__doc__, "input_schema": schema}
            tools.append(SimpleNamespace(name=run.__name__, run=run, spec=spec))
        return tools


def is_usable(block: Any) -> bool:
    """Return whether the fields that an agent reads have the types of the API."""
    kind = getattr(block, "type", None)
    fields = TYPES.get(kind, {}) if isinstance(kind, str) else {"type": str}
    return all(isinstance(getattr(block, name, None), fields[name]) for name in fields)


class Client:
    """A client that prints each reply, and sends at most MAX_REQUESTS requests."""

    def __init__(self) -> None:
        self.client, self.sent = anthropic.Anthropic(), 0
        self.messages = self  # so that `client.messages.create` is `create`

    def create(self, **request: Any) -> Any:
        self.sent += 1
        if self.sent > MAX_REQUESTS:
            sys.exit(f"Stopped after {MAX_REQUESTS} requests.")
        try:
            reply: Any = self.client.messages.create(**request)
        except (ValueError, RecursionError) as problem:  # no JSON, or what JSON cannot contain
            sys.exit(f"Stopped: this cannot be sent or read: {problem!s:.200}")
        blocks = getattr(reply, "content", "") or []  # Ollama sends null for nothing
        if not isinstance(blocks, list) or not all(map(is_usable, blocks)):
            sys.exit(f"Stopped: the model's server sent no valid message, but this: {reply!s:.200}")
        reply.content = blocks
        for block in blocks:
            print(visible(block.text if block.type == "text" else f"({block.type})"))
        return reply


# --- agent ---
def agent(client: Any, messages: Any, workspace: Any, **settings: Any) -> Any:
    """Do nothing: `export` puts the learner's agent here."""


# --- main ---
def main() -> None:
    prompt = " ".join(sys.argv[1:])
    missing = [
        f"the variable {name}, {NEEDED[name]}" for name in NEEDED if not os.environ.get(name)
    ]
    if not prompt:
        missing.append("the prompt, after the name of this file")
    if missing:
        sys.exit(f"This is missing: {'; '.join(missing)}.\n\n{__doc__}")
    FOLDER.mkdir(exist_ok=True)
    messages = [{"role": "user", "content": prompt}]
    try:
        done = agent(Client(), messages, Workspace(), model=os.environ["MODEL_ID"], max_tokens=8000)
        if hasattr(done, "__next__"):  # a generator works only while it is read
            list(done)
    except (anthropic.AnthropicError, KeyboardInterrupt) as problem:
        sys.exit(f"Stopped: {problem!r}")


if __name__ == "__main__":
    main()
