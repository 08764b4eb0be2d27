#!/usr/bin/env bash
# @portkey-ai/gateway 1.15.2, 28 November 2026.
# A list tool's schema forbids unknown fields, in the list and in each task. The gateway translates
# the tool from chat completions to the Messages API. The outer "additionalProperties": false is
# gone, and the one in each task has stayed.
# Seen: outer: no / in a task: yes
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "$gateway" 2>/dev/null || true; rm -rf "$folder"' EXIT
gateway=
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . "@portkey-ai/gateway@1.15.2"
cat >loopback.cjs <<'NODE'
// The gateway listens on all addresses; here it listens on 127.0.0.1 only.
const { Server } = require("node:net");
const listen = Server.prototype.listen;
Server.prototype.listen = function (port, ...rest) {
  const done = rest.filter((one) => typeof one === "function");
  return typeof port === "number" ? listen.call(this, port, "127.0.0.1", ...done) : listen.call(this, port, ...rest);
};
NODE
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
TRUSTED_CUSTOM_HOSTS=127.0.0.1 node -r ./loopback.cjs \
    node_modules/@portkey-ai/gateway/build/start-server.js --port="$port" --headless >log 2>&1 &
gateway=$!
PORT=$port python3 - <<'PYTHON'
import json
import os
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT = int(os.environ["PORT"])
REPLY = {"id": "1", "type": "message", "role": "assistant", "model": "m", "stop_sequence": None}
REPLY |= {"content": [{"type": "text", "text": "Hello."}], "stop_reason": "end_turn"}
REPLY["usage"] = {"input_tokens": 1, "output_tokens": 1}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        asked.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        data = json.dumps(REPLY).encode()
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
for _ in range(600):  # until the gateway listens, at most a minute
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", PORT)) == 0:
            break
    time.sleep(0.1)


def ask(path, provider, body):
    host = f"http://127.0.0.1:{server.server_address[1]}/v1"
    headers = {"content-type": "application/json", "authorization": "Bearer none"}
    headers |= {"x-portkey-provider": provider, "x-portkey-custom-host": host}
    data = json.dumps({"model": "m", "max_tokens": 100, **body}).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{PORT}/v1/{path}", data, headers)
    try:
        return urllib.request.urlopen(request).status
    except urllib.error.HTTPError as error:
        return error.code


prompt = {"role": "user", "content": "Hi"}
task = {"type": "object", "properties": {"content": {"type": "string"}}}
task["additionalProperties"] = False
todos = {"todos": {"type": "array", "minItems": 1, "items": task}}
schema = {"type": "object", "properties": todos, "required": ["todos"]}
schema["additionalProperties"] = False
function = {"name": "write_todos", "description": "Writes the list.", "parameters": schema}
body = {"messages": [prompt], "tools": [{"type": "function", "function": function}]}
status = ask("chat/completions", "anthropic", body)
arrived = asked[0]["tools"][0]["input_schema"]
inner = arrived["properties"]["todos"]["items"]
seen = [status] + ["additionalProperties" in one for one in (arrived, inner)]
expected = [200, False, True]

if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print("as described:", seen)
PYTHON
