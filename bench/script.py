"""The scripted run in which every agent is measured.

In each round the model reads, edits or writes a small file; in every fifth round it writes its
list. The last reply is text. The server ignores the content of requests, so the CPU time is the
agent's: to keep the history, to send it, to read the reply, and to run the tool.
"""

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import httpx2

MODEL = "claude-haiku-4-5"
SYSTEM = "You are a coding agent. List the steps first, then work through them."
PROMPT = "Bring the project up to date, step by step."
STEPS = [f"Step {number}: bring one part of the project up to date" for number in range(1, 9)]
PLAN = [{"id": str(n), "text": text, "status": "pending"} for n, text in enumerate(STEPS, 1)]
LINES = "".join(f"line {number} of a file that an agent reads\n" for number in range(1, 31))
WORDS = "Now the next part: I look at it, change it, and go on."

Call = tuple[str, dict[str, Any]]
Dialect = Callable[[int, Call | None], dict[str, Any]]


def call_in_round(number: int) -> Call:
    """Return the tool's name and input for the call in round `number`, counted from 0."""
    match number % 5:
        case 0:
            return "todo", {"items": PLAN}
        case 2:
            old, new = f"version {number // 5}\n", f"version {number // 5 + 1}\n"
            return "edit_file", {"path": "notes.txt", "old_text": old, "new_text": new}
        case 4:
            return "write_file", {"path": "report.txt", "content": LINES}
    return "read_file", {"path": "notes.txt"}


def anthropic_reply(number: int, call: Call | None) -> dict[str, Any]:
    """Return a reply of the Messages API with this call, or with text only."""
    content: list[dict[str, Any]] = [{"type": "text", "text": WORDS}]
    if call:
        name, input = call
        id = f"toolu_{number:022}"
        content.append({"type": "tool_use", "id": id, "name": name, "input": input})
    return {
        "id": f"msg_{number:024}",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": content,
        "stop_reason": "tool_use" if call else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1000, "output_tokens": 50},
    }


def langchain_reply(number: int, call: Call | None) -> dict[str, Any]:
    """Return the reply for LangChain, whose todo tool has another name and other fields."""
    if call and call[0] == "todo":
        todos = [{"content": item["text"], "status": item["status"]} for item in PLAN]
        call = "write_todos", {"todos": todos}
    return anthropic_reply(number, call)


def smolagents_reply(number: int, call: Call | None) -> dict[str, Any]:
    """Return the reply for smolagents, which ends with a call of its tool `final_answer`."""
    return anthropic_reply(number, call or ("final_answer", {"answer": WORDS}))


@cache
def bodies(dialect: Dialect, rounds: int) -> list[bytes]:
    """Return the replies of a whole run, as JSON."""
    calls = [call_in_round(number) for number in range(rounds - 1)]
    return [json.dumps(dialect(n, call)).encode() for n, call in enumerate([*calls, None])]


class Server:
    """A server in place of the network: it answers the nth request with the nth reply."""

    def __init__(self, dialect: Dialect = anthropic_reply) -> None:
        self.dialect = dialect
        self.expect(0)

    def expect(self, rounds: int) -> None:
        """Begin a run of this number of rounds."""
        self.bodies = iter(bodies(self.dialect, rounds) if rounds else [])
        self.answered = 0

    def respond(self, request: httpx2.Request) -> httpx2.Response:
        """Return the next reply for any request."""
        self.answered += 1
        json_type = {"content-type": "application/json"}
        return httpx2.Response(200, content=next(self.bodies), headers=json_type)

    async def respond_later(self, request: httpx2.Request) -> httpx2.Response:
        """Return the next reply to an asynchronous client."""
        return self.respond(request)

    def http(self) -> httpx2.Client:
        """Return a client of this server, for an SDK."""
        return httpx2.Client(transport=httpx2.MockTransport(self.respond), trust_env=False)

    def async_http(self) -> httpx2.AsyncClient:
        """Return an asynchronous client of this server."""
        transport = httpx2.MockTransport(self.respond_later)
        return httpx2.AsyncClient(transport=transport, trust_env=False)


@contextmanager
def new_project() -> Iterator[Path]:
    """Change to a new folder with the file that the run reads and edits. Yield the file's path."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, chdir(folder):
        notes = Path(folder, "notes.txt")
        notes.write_text(f"version 0\n{LINES}")
        yield notes


def is_finished(notes: Path, rounds: int) -> bool:
    """Return True if the file contains all edits of a run of this number of rounds."""
    edits = sum(number % 5 == 2 for number in range(rounds - 1))
    return notes.read_text().startswith(f"version {edits}\n")


# The tools of the other agents: simple, without a check of paths.


def read_file(path: str) -> str:
    """Read a text file.

    Args:
        path: Relative to the workspace.
    """
    return Path(path).read_text()


def write_file(path: str, content: str) -> str:
    """Create or overwrite a text file.

    Args:
        path: Relative to the workspace.
        content: The complete new content.
    """
    Path(path).write_text(content)
    return f"Wrote {len(content)} characters to {path}"


def edit_file(path: str, old_text: str, new_text: str) -> str:
    """Replace text that occurs exactly once in a file.

    Args:
        path: Relative to the workspace.
        old_text: The text to replace.
        new_text: The replacement.
    """
    text = Path(path).read_text()
    if text.count(old_text) != 1:
        raise ValueError("old_text must occur exactly once")
    Path(path).write_text(text.replace(old_text, new_text))
    return f"Edited {path}"


def todo(items: list[dict[str, str]]) -> str:
    """Write your plan, and keep it up to date: send the whole list each time.

    Args:
        items: The steps, each with an id, a text and a status.
    """
    return "\n".join(f"[{item['status']}] {item['id']}: {item['text']}" for item in items)


FILE_TOOLS = (read_file, write_file, edit_file)
