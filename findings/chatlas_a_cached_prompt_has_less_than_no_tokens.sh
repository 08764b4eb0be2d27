#!/usr/bin/env bash
# chatlas 0.23.0, anthropic 2.14.0. Seen on 1 December 2026.
# A good guess: the tokens of a turn are those that it has added.
# `get_tokens` gives "the token counts for each turn", and takes what was sent before from what is
# sent now. `ChatAnthropic` asks for a cache by itself, and the API's `input_tokens` are those that
# are not in it, so from the second prompt on the count is below zero. What is written to the cache
# is counted with its price: 2,000 tokens are 2,500, or 4,000 with cache="1h". The cost is right.
# Seen, tokens of two prompts that have 2,004 and 10: 2504, -2475; with cache="1h": 4004, -3930
# Took 242 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "chatlas[anthropic]==0.23.0" \
  "anthropic==2.14.0"
cd "$folder"
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from chatlas import ChatAnthropic

COUNTED = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
asked = []


class Server(BaseHTTPRequestHandler):
    """A server with the Messages API whose second reply reads the cache."""

    def log_message(self, *_):
        pass

    def do_POST(self):
        asked.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        counts = [(4, 2000, 0), (4, 60, 2000)][(len(asked) - 1) % 2]
        reply = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "claude-sonnet-4-5",
            "content": [{"type": "text", "text": "Done."}],
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": {**dict(zip(COUNTED, counts, strict=True)), "output_tokens": 50},
        }
        body = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"


def count(**options):
    """Ask twice; return the tokens of both prompts."""
    chat = ChatAnthropic(
        api_key="none", model="claude-sonnet-4-5", kwargs={"base_url": address}, **options
    )
    for prompt in ("Plan.", "Go on."):
        chat.chat(prompt, echo="none", stream=False)
    return [turn["tokens"] for turn in chat.get_tokens() if turn["role"] == "user"]


seen = {
    "by itself": count(),
    "asked for a cache": "cache_control" in json.dumps(asked[0]),
    "one hour": count(cache="1h"),
}
expected = {"by itself": [2504, -2475], "asked for a cache": True, "one hour": [4004, -3930]}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
