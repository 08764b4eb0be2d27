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
from textwrap import indent, shorten
from types import SimpleNamespace
from typing import Any

try:
    import anthropic
except ImportError:
    sys.exit("The package anthropic is missing. Run: pip install anthropic")


# --- the agent ---
def agent(client: Any, messages: Any, workspace: Any, **settings: Any) -> Any:
    """Do nothing: `export` puts the learner's agent here."""


# --- the question before each command and each change ---
def visible(text: str) -> str:
    """Return the text with codes for characters that could hide a part of it."""
    shown = "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)
    encoding = sys.stdout.encoding or "utf-8"  # also for those that this terminal cannot show
    return shown.encode(encoding, "backslashreplace").decode(encoding)


def fold_lines(text: str, columns: int) -> list[str]:
    """Return the rows that the text fills on a screen with so many columns, indented."""
    rows = []
    for line in visible(text).split("\n"):
        width = columns if line.isascii() else columns // 2  # other characters may be wide
        for at in range(0, len(line) or 1, width):
            rows.append(("  > " if at else "    ") + line[at : at + width])  # > continues a line
    return rows


def ask_user(action: str, text: str) -> None:
    """Show what the model wants to do. Raise PermissionError unless the user allows it."""
    columns, screen_rows = shutil.get_terminal_size()
    # Only our own words begin at the margin, so the text cannot imitate the question.
    rows = fold_lines(text, max(columns - 5, 20))
    shown, half = rows, max(screen_rows - 8, 8) // 2
    hidden = len(rows) - 2 * half
    if hidden > 2:  # one or two rows are simply shown
        note = f"[{hidden} lines are not shown here. To see all, type s]"
        shown = [*rows[:half], note, *rows[-half:]]
    print(f"\nThe model wants to {action}:\n")
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


# --- the tools ---
FOLDER = Path("project")


def find_file(path: str) -> Path:
    """Return a path in the folder. Raise ValueError if it leads outside, or to no plain file."""
    file = (FOLDER / path).resolve()
    if not file.is_relative_to(FOLDER.resolve()):
        raise ValueError(f"{path} is outside of the folder")
    if file.exists() and not file.is_file():
        raise ValueError(f"{path} is a folder, a pipe or a device, not a file")
    return file


class Workspace:
    """The four tools, in one folder."""

    def bash(self, command: str) -> str:
        """Run a bash command in the folder."""
        ask_user("run a command", command)
        env = {name: value for name, value in os.environ.items() if "ANTHROPIC" not in name}
        # 1 GiB at most for each file, also for the output.
        bash = ["bash", "-c", f"ulimit -f {2**20} 2>/dev/null; exec </dev/null 2>&1\n{command}"]
        with TemporaryFile() as output:
            # In a session of its own, the command cannot type an answer into this terminal.
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
        return find_file(path).read_bytes().decode() or "(empty)"

    def edit_file(self, path: str, old_text: str, new_text: str) -> str:
        """Replace old_text, which must occur exactly once in the file."""
        text = find_file(path).read_bytes().decode()
        if text.count(old_text) != 1:
            raise ValueError(f"old_text occurs {text.count(old_text)} times in {path}, not once")
        return self.write_file(path, text.replace(old_text, new_text))

    def write_file(self, path: str, content: str) -> str:
        """Create or overwrite a text file."""
        file = find_file(path)
        old = file.read_bytes() if file.exists() else None
        lines = [] if old is None else old.decode(errors="replace").split("\n")
        changes = [*unified_diff(lines, content.split("\n"), lineterm="")][2:]
        name = repr(file.relative_to(FOLDER.resolve()).as_posix())
        ask_user("change a file" if lines else "write a new file", "\n".join([name, *changes]))
        if find_file(path) != file or old != (file.read_bytes() if file.exists() else None):
            raise ValueError(f"{path} has changed since the user was asked: read it again")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode())  # half a character is an error before it is opened
        return f"Wrote {path}"

    def tools(self) -> list[SimpleNamespace]:
        tools = []
        for run in (self.bash, self.read_file, self.write_file, self.edit_file):
            fields = {name: {"type": "string"} for name in signature(run).parameters}
            schema = {"type": "object", "properties": fields, "required": [*fields]}
            spec = {"name": run.__name__, "description": run.__doc__, "input_schema": schema}
            tools.append(SimpleNamespace(name=run.__name__, run=run, spec=spec))
        return tools


# --- the connection to the model ---
MAX_REQUESTS = 60
MARGIN = "     "  # of what the model or a tool says
LOCAL = ("localhost", "127.0.0.1", "::1", "0.0.0.0")  # names of this machine
UNREACHABLE = "The server cannot be reached. Is there a network, and is ANTHROPIC_BASE_URL right?"
INVALID = "The server sent no valid message. Run this again, or choose another model or server."
ADVICE = {
    401: "The server does not accept your key. Copy it again into ANTHROPIC_API_KEY.",
    403: "Your key may not use this model. Choose another MODEL_ID.",
    404: "The server has no such model or page. Are MODEL_ID and ANTHROPIC_BASE_URL right?",
    429: "Your rate limit is reached. Wait a minute, then run this again.",
}


class Client:
    """A client that prints each round, and sends at most MAX_REQUESTS requests."""

    def __init__(self) -> None:
        try:
            # A proxy would get the key that is sent to a server on this machine, and a redirect
            # would send the conversation to another server.
            direct = {f"all://[{host}]" if ":" in host else f"all://{host}": None for host in LOCAL}
            http = anthropic.DefaultHttpxClient(mounts=direct, follow_redirects=False)
            self.client = anthropic.Anthropic(http_client=http)
        except Exception as problem:  # of many types; its text may contain a proxy's password
            sys.exit(f"Stopped: is a variable for a proxy or a certificate wrong? {type(problem)}")
        url = self.client.base_url
        if url.scheme == "http" and url.host not in LOCAL:
            sys.exit("Stopped: ANTHROPIC_BASE_URL must begin with https://, to hide your key.")
        self.sent = 0
        self.lists: list[str] = []  # the ids of the last reply's todo calls
        self.messages = self  # so that `client.messages.create` is `create`

    def create(self, **request: Any) -> Any:
        """Print the results of the last calls, send the request, and print the reply."""
        self.print_results(request["messages"][-1]["content"])
        self.sent += 1
        if self.sent > MAX_REQUESTS:
            sys.exit(f"Stopped after {MAX_REQUESTS} requests.")
        try:
            reply: Any = self.client.messages.create(**request)
            reply.content = reply.content or []  # some servers send null for nothing
            self.print_reply(reply.content)
            return reply
        except Exception as problem:
            sys.exit(f"Stopped: {explain_error(problem)}\n{visible(str(problem)):.300}")

    def print_results(self, content: Any) -> None:
        """Print the list that a todo call has returned, errors, and whether there is a reminder."""
        for result in content:
            if isinstance(result, dict) and result.get("type") == "tool_result":
                output = result.get("content") or ""
                texts = [output] if isinstance(output, str) else [one["text"] for one in output]
                if result["tool_use_id"] in self.lists or result.get("is_error"):
                    print(indent(visible(texts[0]), MARGIN))
                if len(texts) > 1 or "reminder>" in texts[0]:
                    print(MARGIN + "+ reminder")

    def print_reply(self, content: Any) -> None:
        """Print what the model says, and each tool that it calls."""
        print()
        self.lists = [b.id for b in content if b.type == "tool_use" and b.name == "todo"]
        for block in content:
            if block.type == "text":
                print(indent(visible(block.text), MARGIN))
            elif block.type == "tool_use":
                subject = block.input.get("path") or block.input.get("command") or ""
                print(f"{self.sent:3}  {shorten(visible(f'{block.name} {subject}'), 70)}")


def explain_error(problem: Exception) -> str:
    """Return what failed at the server, and what to do."""
    if isinstance(problem, anthropic.APIConnectionError):
        return UNREACHABLE
    status = getattr(problem, "status_code", None)
    if status is None:
        return INVALID
    if status >= 500:
        return "The server has a problem. Run this again later."
    return ADVICE.get(status, "The server does not accept the request.")


def main() -> None:
    prompt = " ".join(sys.argv[1:])
    model, key = os.environ.get("MODEL_ID"), os.environ.get("ANTHROPIC_API_KEY")
    if not (prompt and model and key):
        sys.exit(f"The prompt, MODEL_ID or ANTHROPIC_API_KEY is missing.\n\n{__doc__}")
    try:
        FOLDER.mkdir(exist_ok=True)
    except OSError as problem:
        sys.exit(f"Stopped: no folder {FOLDER} could be made here. {problem.strerror}.")
    messages = [{"role": "user", "content": prompt}]
    try:
        done = agent(Client(), messages, Workspace(), model=model, max_tokens=8000)
        if hasattr(done, "__next__"):  # a generator works only while it is read
            list(done)
    except KeyboardInterrupt:
        sys.exit("Stopped.")


if __name__ == "__main__":
    main()
