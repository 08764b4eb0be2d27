#!/usr/bin/env bash
# langchain-anthropic 1.7.10. Seen on 1 December 2026.
# A good guess: the usage of a reply is the same, streamed or not.
# Writing to Anthropic's cache costs twice as much as an input token if it is for an hour, and 1.25
# times as much if it is for five minutes. The usage of a reply says which it was. The usage of the
# same reply as a stream says only `cache_creation`, as if it were not known: the API says it in the
# first event, and only the last one is read. A program that counts the cost of a long session, whose
# tools and prompt are cached for an hour, takes these tokens for the cheaper kind or for no kind.
# Seen, details of the input of one reply that wrote 100 tokens for an hour: not streamed
# ephemeral_1h_input_tokens 100 and cache_creation 0; streamed cache_creation 100, and no other field
# Took 150 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "langchain-anthropic==1.7.10"
cd "$folder"
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from langchain_anthropic import ChatAnthropic

TOTALS = {
    "input_tokens": 10,
    "cache_creation_input_tokens": 100,
    "cache_read_input_tokens": 1000,
}
USAGE = {
    **TOTALS,
    "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 100},
}
MESSAGE = {"id": "1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5"}
TEXT = {"type": "text", "text": "Done."}
END = {"stop_reason": "end_turn", "stop_sequence": None}


class Server(BaseHTTPRequestHandler):
    """The Messages API: one reply, streamed or not."""

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        begun = {**MESSAGE, "stop_reason": None, "content": []}
        begun["usage"] = {**USAGE, "output_tokens": 1}
        events = [
            {"type": "message_start", "message": begun},
            {"type": "content_block_start", "index": 0, "content_block": TEXT},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": END, "usage": {**TOTALS, "output_tokens": 20}},
            {"type": "message_stop"},
        ]
        whole = {**MESSAGE, **END, "content": [TEXT], "usage": {**USAGE, "output_tokens": 20}}
        stream = "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events)
        body = (stream if request.get("stream") else json.dumps(whole)).encode()
        kind = "text/event-stream" if request.get("stream") else "application/json"
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
seen = {}
for streaming in (False, True):
    model = ChatAnthropic(
        model="claude-sonnet-4-5",
        base_url=f"http://127.0.0.1:{server.server_port}",
        api_key="none",
        streaming=streaming,
    )
    usage = model.invoke("Count.").usage_metadata
    seen[streaming] = usage["total_tokens"], usage["input_token_details"]
hour = {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 100}
expected = {
    False: (1130, {"cache_read": 1000, "cache_creation": 0, **hour}),
    True: (1130, {"cache_read": 1000, "cache_creation": 100}),
}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
