#!/usr/bin/env bash
# aisuite 0.2.0, anthropic 2.14.0. Seen on 1 December 2026.
# A good guess: both calls of a reply are run, and the model reads the list as the tool returned it.
# With `max_turns`, aisuite runs a model's tool calls and sends their results back. If a reply of
# Anthropic's API has two calls, only the first is run, and the second is in no later request,
# without a message. And a result that is a string is sent as JSON: a list of tasks, one a line,
# arrives in quotes, and in one line with "\n" between the tasks.
# Seen: run: todo, and not read; blocks sent back: tool_use todo; its result: "[ ] Count\n[x] Order"
# with the quotes and the backslash
# Took 23 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "aisuite==0.2.0" \
  "anthropic==2.14.0" \
  "docstring-parser==0.18.0"
cd "$folder"
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import aisuite

CALLS = [
    {"type": "tool_use", "id": "c1", "name": "todo", "input": {"tasks": ["Count"]}},
    {"type": "tool_use", "id": "c2", "name": "read", "input": {"path": "stock.txt"}},
]
asked = []
run = []


class Server(BaseHTTPRequestHandler):
    """A server with the Messages API whose first reply has two calls."""

    def log_message(self, *_):
        pass

    def do_POST(self):
        asked.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        first = len(asked) == 1
        reply = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "m",
            "content": CALLS if first else [{"type": "text", "text": "Done."}],
            "stop_reason": "tool_use" if first else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        body = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def todo(tasks: list[str]) -> str:
    """Write the list of tasks.

    Args:
        tasks: The tasks.
    """
    run.append("todo")
    return "[ ] Count\n[x] Order"


def read(path: str) -> str:
    """Read a file.

    Args:
        path: The file.
    """
    run.append("read")
    return "12 books"


server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"
client = aisuite.Client({"anthropic": {"api_key": "none", "base_url": address}})
client.chat.completions.create(
    model="anthropic:m",
    messages=[{"role": "user", "content": "Plan."}],
    tools=[todo, read],
    max_turns=3,
)
_, calls, results = asked[1]["messages"]
seen = {
    "run": run,
    "sent back": [one["name"] for one in calls["content"] if one["type"] == "tool_use"],
    "results": [one["content"] for one in results["content"]],
}
expected = {"run": ["todo"], "sent back": ["todo"], "results": [r'"[ ] Count\n[x] Order"']}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
