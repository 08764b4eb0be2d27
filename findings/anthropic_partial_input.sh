#!/usr/bin/env bash
# anthropic 2.14.0. Seen on 1 December 2026.
# A good guess: while a tool's input is streamed, its snapshot has the part of a string that has
# come.
# While a tool's input is streamed, each event input_json has a `snapshot`, the input as far as it
# has come. A program would show with it how a file is being written. A string is in the snapshot
# only when its closing quote has come: the content of a long file is missing until its very end,
# while a number is there with its first digit.
# Seen: n is 12 while "123" arrives; content is missing, then complete
# Took 75 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "anthropic==2.14.0"
cd "$folder"
bin/python - <<'PYTHON'
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import anthropic

PARTS = ['{"n": 12', '3, "path": "a.py", "content": "one ', 'two ', 'three"}']
HEAD = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_sequence": None}
USAGE = {"input_tokens": 1, "output_tokens": 1}
CALL = {"type": "tool_use", "id": "toolu_1", "name": "write", "input": {}}


def events():
    message = {**HEAD, "content": [], "stop_reason": None, "usage": USAGE}
    yield {"type": "message_start", "message": message}
    yield {"type": "content_block_start", "index": 0, "content_block": CALL}
    for part in PARTS:
        delta = {"type": "input_json_delta", "partial_json": part}
        yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    why = {"stop_reason": "tool_use", "stop_sequence": None}
    yield {"type": "message_delta", "delta": why, "usage": {"output_tokens": 1}}
    yield {"type": "message_stop"}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        lines = [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events()]
        data = "".join(lines).encode()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_address[1]}"
client = anthropic.Anthropic(api_key="none", base_url=url)
messages = [{"role": "user", "content": "Write."}]
seen = []
with client.messages.stream(model="m", max_tokens=9, messages=messages) as stream:
    for event in stream:
        if event.type == "input_json":
            seen.append(dict(event.snapshot))
path = {"n": 123, "path": "a.py"}
expected = [{"n": 12}, path, path, path | {"content": "one two three"}]

if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
