"""Compare our loop with the shortest possible loop on the SDK: python tools/benchmark.py

Both play the same scripted run: the model reads and edits a small real file, and writes its list in
every fifth round. The replies come from a server in this process, so that only the agent's own work
is measured. Our loop has the todo list, the nag and the safe file tools; the bare loop has none.
"""

import gc
import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import anthropic
import httpx2

from agentlib import Nag, TodoManager, Workspace, rounds

LENGTHS = (10, 50, 200)  # rounds in a run
REPEATS = 5
LINES = "".join(f"line {number} of a file that an agent reads\n" for number in range(1, 31))
PLAN = [{"id": str(number), "text": f"Step {number}", "status": "pending"} for number in range(8)]
SETTINGS: dict[str, Any] = {"model": "claude-haiku-4-5", "max_tokens": 1000}
REPLY = {"type": "message", "role": "assistant", "model": "script", "usage": {"output_tokens": 50}}
PROMPT = {"role": "user", "content": "Bring the project up to date, step by step."}
Play = Callable[[anthropic.Anthropic, Path], None]


def replies(length: int) -> Iterator[bytes]:
    """Yield the replies of a run as JSON. The last one has no tool call."""
    for number in range(length):
        content: list[dict[str, Any]] = [{"type": "text", "text": "Now I do the next part."}]
        if number < length - 1:
            name, arguments = call(number)
            use = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": arguments}
            content.append(use)
        end = "tool_use" if len(content) > 1 else "end_turn"
        reply = REPLY | {"id": f"msg_{number}", "content": content, "stop_reason": end}
        yield json.dumps(reply).encode()


def call(number: int) -> tuple[str, dict[str, Any]]:
    """Return the tool's name and input for the call in round `number`, counted from 0."""
    if number % 5 == 0:
        return "todo", {"items": PLAN}
    if number % 5 == 2:
        old, new = f"version {number // 5}\n", f"version {number // 5 + 1}\n"
        return "edit_file", {"path": "notes.txt", "old_text": old, "new_text": new}
    return "read_file", {"path": "notes.txt"}


def our_loop(client: anthropic.Anthropic, folder: Path) -> None:
    """Play a run with the lesson's agent."""
    todo = TodoManager()
    tools = [*Workspace(folder).tools(), todo.tool()]
    for _ in rounds(client, [PROMPT], tools, remind=Nag(todo), **SETTINGS):
        pass


def bare_loop(client: anthropic.Anthropic, folder: Path) -> None:
    """Play a run with a loop that checks nothing, and with tools of one line."""
    specs: Any = [tool.spec for tool in (*Workspace(folder).tools(), TodoManager().tool())]
    notes = folder / "notes.txt"

    def edit(path: str, old_text: str, new_text: str) -> str:
        notes.write_text(notes.read_text().replace(old_text, new_text))
        return "Edited notes.txt"

    functions: dict[str, Callable[..., str]] = {
        "read_file": lambda path: notes.read_text(),
        "edit_file": edit,
        "todo": lambda items: "\n".join(item["text"] for item in items),
    }
    messages: list[Any] = [PROMPT]
    while True:
        reply = client.messages.create(messages=messages, tools=specs, **SETTINGS)
        messages.append({"role": "assistant", "content": reply.content})
        results = []
        for block in reply.content:
            if block.type == "tool_use":
                output = functions[block.name](**block.input)
                results.append(dict(type="tool_result", tool_use_id=block.id, content=output))
        if not results:
            return
        messages.append({"role": "user", "content": results})


def cpu_seconds(play: Play, length: int) -> float:
    """Return the CPU time of one run. Raise AssertionError if its edits are not in the file."""
    bodies = replies(length)
    transport = httpx2.MockTransport(lambda request: httpx2.Response(200, content=next(bodies)))
    http = httpx2.Client(transport=transport, trust_env=False)
    with tempfile.TemporaryDirectory() as name, http:
        folder = Path(name)
        (folder / "notes.txt").write_text(f"version 0\n{LINES}")
        client = anthropic.Anthropic(api_key="none", base_url="http://script", http_client=http)
        gc.collect()
        start = process_time()
        play(client, folder)
        used = process_time() - start
        edits = sum(number % 5 == 2 for number in range(length - 1))
        assert (folder / "notes.txt").read_text().startswith(f"version {edits}\n")
    return used


def ratio(length: int, repeats: int = REPEATS) -> float:
    """Return the CPU time of our loop as a multiple of the bare loop's: a median of pairs."""
    pairs = range(repeats)
    return median(cpu_seconds(our_loop, length) / cpu_seconds(bare_loop, length) for _ in pairs)


if __name__ == "__main__":
    ratio(10)  # both loops import modules in their first runs
    for length in LENGTHS:
        print(f"{length} rounds: our loop takes {ratio(length):.2f} times the CPU of a bare loop")
