#!/usr/bin/env bash
# agno 3.1.10, openai 3.57.0, sqlalchemy 2.1.9. Seen on 1 December 2026.
# A good guess: a user who is asked to approve a call can first ask why.
# An agent with `add_history_to_context` waits for the user's approval of a tool call. If the user
# asks something before the answer, the request has this question alone: the history leaves out a run
# that is paused, so the model knows neither the job nor the call that it is asked about. If the call
# is approved then, the question comes before the job, and one prompt later behind it.
# Seen, prompts in four requests: Clean up. / Why? / Why?, Clean up. / Clean up., Why?, Thanks.
# Took 28 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "agno==3.1.10" "openai==3.57.0" \
  "sqlalchemy[asyncio]==2.1.9"
cd "$folder"
export AGNO_TELEMETRY=false
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from agno.agent import Agent
from agno.db.sqlite import SqliteDb
from agno.models.openai.like import OpenAILike
from agno.tools import tool

asked = []
deleted = []


class Server(BaseHTTPRequestHandler):
    """A server in OpenAI's form whose first reply has a call."""

    def log_message(self, *_):
        pass

    def do_POST(self):
        asked.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        message = {"role": "assistant", "content": "I see."}
        if len(asked) == 1:
            function = {"name": "delete", "arguments": '{"path": "old.txt"}'}
            message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
        reason = "tool_calls" if len(asked) == 1 else "stop"
        reply = {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }
        body = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@tool(requires_confirmation=True)
def delete(path: str) -> str:
    """Delete a file."""
    deleted.append(path)
    return "Deleted."


server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}/v1"
agent = Agent(
    model=OpenAILike(id="m", api_key="none", base_url=address),
    tools=[delete],
    db=SqliteDb(db_file="a.db"),
    session_id="s",
    add_history_to_context=True,
    telemetry=False,
)
first = agent.run("Clean up.")
paused = first.is_paused
agent.run("Why?")
for requirement in first.requirements:
    requirement.confirm()
agent.continue_run(run_id=first.run_id, requirements=first.requirements, session_id="s")
agent.run("Thanks.")
prompts = [
    [one["content"] for one in request["messages"] if one["role"] == "user"] for request in asked
]
seen = {"paused": paused, "prompts": prompts, "deleted": deleted}
expected = {
    "paused": True,
    "prompts": [
        ["Clean up."],
        ["Why?"],
        ["Why?", "Clean up."],
        ["Clean up.", "Why?", "Thanks."],
    ],
    "deleted": ["old.txt"],
}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
