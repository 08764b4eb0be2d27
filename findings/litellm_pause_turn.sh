#!/usr/bin/env bash
# litellm 1.110.2. Seen on 1 December 2026.
# A good guess: `pause_turn` becomes `stop`.
# The stop reason pause_turn of the Messages API says: send this reply back, and the model goes
# on. litellm translates it into the finish reason "length", the one of a reply that was cut off
# by max_tokens. A program that reads only the finish reason ends there, or raises max_tokens.
# Seen: end_turn: stop / max_tokens: length / pause_turn: length
# Took 244 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "litellm==1.110.2"
cd "$folder"
export LITELLM_LOCAL_MODEL_COST_MAP=True  # or it asks the network for prices
bin/python - <<'PYTHON'
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import litellm

litellm.suppress_debug_info = True
STOP, USAGE = "end_turn", {"input_tokens": 1, "output_tokens": 1}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        asked.append(body)
        content = [{"type": "text", "text": "Hello."}]
        head = {"id": "msg_1", "type": "message", "role": "assistant", "model": body["model"]}
        reply = {**head, "content": content, "stop_reason": STOP, "usage": USAGE}
        data = json.dumps({**reply, "stop_sequence": None}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


asked = []
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_address[1]}"


def finish_reason(stop):
    global STOP
    STOP = stop
    messages = [{"role": "user", "content": "Hi"}]
    reply = litellm.completion("anthropic/m", messages, api_base=url, api_key="none")
    kept = reply.choices[0].message.provider_specific_fields or {}
    return [reply.choices[0].finish_reason, kept.get("stop_reason")]


seen = {stop: finish_reason(stop) for stop in ("end_turn", "max_tokens", "pause_turn")}
expected = {"end_turn": ["stop", None], "max_tokens": ["length", None]}
expected["pause_turn"] = ["length", "pause_turn"]

if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
