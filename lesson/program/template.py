"""A coding agent in one file: `pip install anthropic`, set ANTHROPIC_API_KEY, then

    MODEL_ID=NAME python FILE "Write a program that counts the words in a file."

The agent works in the folder `project`, and asks you before each command and each change. Unlike
`agentlib`, it has no sandbox: a command can do what you can do, and read what you can read. Only
the variables of Anthropic, such as your key, are not in its environment.
"""

import os
import shutil
import signal
import sys
from contextlib import suppress
from difflib import unified_diff
from inspect import signature
from pathlib import Path
from subprocess import Popen
from tempfile import TemporaryFile
from types import SimpleNamespace
from typing import Any

try:
    import anthropic
except ImportError:
    sys.exit(f"The package anthropic is missing. Run: {sys.executable} -m pip install anthropic")

FOLDER = Path("project")
MAX_REQUESTS = 60
MAX_FILE_BYTES = 1_000_000  # more than a model can read at once
NEEDED = {"MODEL_ID": "the name of a model", "ANTHROPIC_API_KEY": "your key"}
TYPES: dict[str, dict[str, type]] = {
    "text": {"text": str},
    "tool_use": {"id": str, "name": str, "input": dict},
}
LOCAL = ("localhost", "127.0.0.1", "::1", "0.0.0.0")  # names of this machine
OPEN = (
    "ANTHROPIC_BASE_URL begins with http://, so others on the network could read your key. Use "
    "https://."
)
UNREACHABLE = "The server cannot be reached. Is there a network, and is ANTHROPIC_BASE_URL right?"
INVALID = "The server sent no valid message. Run this again, or choose another model or server."
ADVICE = {
    401: "The server does not accept your key. Copy it again into ANTHROPIC_API_KEY.",
    403: "Your key may not use this model. Choose another MODEL_ID.",
    404: "The server has no such model or page. Are MODEL_ID and ANTHROPIC_BASE_URL right?",
    429: "Your rate limit is reached. Wait a minute, then run this again.",
}


def visible(text: str) -> str:
    """Return the text with codes for characters that could hide a part of it."""
    shown = "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)
    encoding = sys.stdout.encoding or "utf-8"
    return shown.encode(encoding, "backslashreplace").decode(encoding)


def fold_lines(text: str, columns: int) -> list[str]:
    """Return the rows that the text fills on a screen with so many columns."""
    rows = []
    for line in visible(text).split("\n"):
        width = columns if line.isascii() else columns // 2  # other characters may be wide
        rows += [line[at : at + width] for at in range(0, len(line) or 1, width)]
    return rows


def ask_user(action: str, text: str) -> None:
    """Show what the model wants to do. Raise PermissionError unless the user allows it."""
    columns, screen_rows = shutil.get_terminal_size()
    # Only our own words begin at the margin, so the text cannot imitate the question.
    rows = [f"    {row}" for row in fold_lines(text, max(columns - 5, 20))]
    shown, half = rows, max(screen_rows - 8, 8) // 2
    if len(rows) > 2 * half:
        note = f"[{len(rows) - 2 * half} rows are not shown here. To see them, type s]"
        shown = [*rows[:half], note, *rows[-half:]]
    print(f"\nThe model wants to {action} (lines: {text.count(chr(10)) + 1}):\n")
    answer = "s"
    while answer == "s":
        print(*shown, "", sep="\n", flush=True)
        with suppress(ImportError):  # on Windows
            import termios

            if sys.stdin.isatty():  # what was typed before the question is no answer
                termios.tcflush(sys.stdin, termios.TCIFLUSH)
        answer = input("Allow this? [y/n] ").strip().lower()
        shown = rows
    if answer not in ("y", "yes"):
        raise PermissionError("the user did not allow this")


def find_file(path: str) -> Path:
    """Return a path in the folder. Raise ValueError if it leads outside, or to no plain file."""
    file = (FOLDER / path).resolve()
    if not file.is_relative_to(FOLDER.resolve()):
        raise ValueError(f"{path} is outside of the folder")
    if file.exists() and not file.is_file():
        raise ValueError(f"{path} is a folder, a pipe or a device, not a file")
    return file


def read_bytes(file: Path) -> bytes | None:
    """Return what a file contains, or None if there is none. Raise ValueError if it is large."""
    if not file.exists():
        return None
    if file.stat().st_size > MAX_FILE_BYTES:
        raise ValueError(f"{file.name} is too large for this tool: use bash, such as head")
    return file.read_bytes()


def read_text(path: str) -> str:
    """Return the text of a file in the folder."""
    data = read_bytes(find_file(path))
    if data is None:
        raise FileNotFoundError(f"there is no file {path}")
    return data.decode()


def change_file(path: str, text: str) -> str:
    """Show what changes in a file, ask the user, and write it."""
    file, data = find_file(path), text.encode()  # half a character is an error here already
    old = read_bytes(file)
    name = file.relative_to(FOLDER.resolve()).as_posix()
    lines = [] if old is None else old.decode(errors="replace").split("\n")
    changes = [*unified_diff(lines, text.split("\n"), lineterm="")][2:]
    ask_user("change a file" if lines else "write a new file", "\n".join([repr(name), *changes]))
    if find_file(path) != file or read_bytes(file) != old:
        raise ValueError(f"{path} has changed since the user was asked: read it again")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return f"Wrote {path}"


class Workspace:
    """The four tools, in one folder."""

    def bash(self, command: str) -> str:
        """Run a bash command in the folder."""
        ask_user("run a command", command)
        env = {name: value for name, value in os.environ.items() if "ANTHROPIC" not in name}
        # 1 GiB at most for each file, also for the output.
        bash = ["bash", "-c", f"ulimit -f {2**20} 2>/dev/null; exec </dev/null 2>&1\n{command}"]
        with TemporaryFile() as output:
            process = Popen(bash, cwd=FOLDER, env=env, stdout=output, start_new_session=True)
            try:
                code = process.wait(timeout=120)
            finally:
                with suppress(ProcessLookupError, AttributeError):  # Windows has no groups
                    os.killpg(process.pid, signal.SIGKILL)
            output.seek(0)
            return f"{output.read(50_000).decode(errors='replace')}\n(exit code {code})"

    def read_file(self, path: str) -> str:
        """Read a text file."""
        return read_text(path).replace("\r\n", "\n") or "(empty)"

    def write_file(self, path: str, content: str) -> str:
        """Create or overwrite a text file."""
        return change_file(path, content)

    def edit_file(self, path: str, old_text: str, new_text: str) -> str:
        """Replace old_text, which must occur exactly once in the file."""
        text = read_text(path)
        if text.count("\r\n") == text.count("\n") > 0:  # lines end as on Windows, and stay so
            old_text, new_text = (
                one.replace("\r\n", "\n").replace("\n", "\r\n") for one in (old_text, new_text)
            )
        if text.count(old_text) != 1:
            raise ValueError(f"old_text occurs {text.count(old_text)} times in {path}, not once")
        return change_file(path, text.replace(old_text, new_text))

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
        try:
            # A proxy would get the key that is sent to a server on this machine, and a redirect
            # would send the conversation to another server.
            direct = {f"all://[{host}]" if ":" in host else f"all://{host}": None for host in LOCAL}
            http = anthropic.DefaultHttpxClient(mounts=direct, follow_redirects=False)
            self.client = anthropic.Anthropic(http_client=http)
        except Exception as problem:  # of many types; its text may contain a proxy's password
            name = type(problem).__name__
            sys.exit(f"Stopped: is a variable for a proxy or a certificate wrong? ({name})")
        url = self.client.base_url
        if url.scheme == "http" and url.host not in LOCAL:
            sys.exit(f"Stopped: {OPEN}")
        self.sent = 0
        self.messages = self  # so that `client.messages.create` is `create`

    def create(self, **request: Any) -> Any:
        self.sent += 1
        if self.sent > MAX_REQUESTS:
            sys.exit(f"Stopped after {MAX_REQUESTS} requests.")
        try:
            reply: Any = self.client.messages.create(**request)
        except UnicodeEncodeError as problem:  # half a character
            sys.exit(f"Stopped: the messages cannot be sent. {problem!s:.300}")
        except (ValueError, RecursionError) as problem:  # no JSON
            sys.exit(f"Stopped: {INVALID} {problem!s:.300}")
        blocks = getattr(reply, "content", reply)  # a string if the server sent a web page
        if blocks is None:  # Ollama sends this for nothing
            blocks = []
        if not isinstance(blocks, list) or not all(map(is_usable, blocks)):
            sys.exit(f"Stopped: {INVALID} It was: {reply!s:.300}")
        reply.content = blocks
        for block in blocks:
            print(visible(block.text if block.type == "text" else f"({block.type})"))
        return reply


def explain_error(problem: anthropic.AnthropicError) -> str:
    """Return what an error of the server means, and what to do."""
    if isinstance(problem, anthropic.APIConnectionError):
        return UNREACHABLE
    status = getattr(problem, "status_code", 0)
    advice = "The server has a problem. Run this again later." if status >= 500 else ""
    return f"{ADVICE.get(status, advice)} {visible(str(problem)):.300}".strip()


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
    try:
        FOLDER.mkdir(exist_ok=True)
    except OSError as problem:
        sys.exit(f"Stopped: no folder {FOLDER} could be made here. {problem.strerror}.")
    messages = [{"role": "user", "content": prompt}]
    try:
        done = agent(Client(), messages, Workspace(), model=os.environ["MODEL_ID"], max_tokens=8000)
        if hasattr(done, "__next__"):  # a generator works only while it is read
            list(done)
    except anthropic.AnthropicError as problem:
        sys.exit(f"Stopped: {explain_error(problem)}")
    except KeyboardInterrupt:
        sys.exit("Stopped.")


if __name__ == "__main__":
    main()
