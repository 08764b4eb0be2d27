#!/usr/bin/env bash
# @portkey-ai/gateway 1.15.2. Seen on 1 December 2026.
# A good guess: a gateway with the Messages API translates it for each maker's server.
# The gateway offers the Messages API at /v1/messages, and chat completions for many makers. It
# translates chat completions for an Anthropic server, but not the Messages API for a server of
# OpenAI's form: that request ends in the gateway with status 500, and the server is not asked.
# Seen: chat completions to anthropic: 200, asked once / messages to openai: 500, not asked
# Took 30 seconds on a busy machine. Needs Python and Node.js with npm.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "$gateway" 2>/dev/null || true; rm -rf "$folder"' EXIT
gateway=
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
cd "$folder"
npm install --loglevel=error --no-audit --no-fund --prefix . "@portkey-ai/gateway@1.15.2"
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


def outcome(path, provider):
    asked.clear()
    return [ask(path, provider, {"messages": [prompt]}), len(asked)]


routes = [("chat/completions", "anthropic"), ("messages", "anthropic"), ("messages", "openai")]
seen = {" to ".join(route): outcome(*route) for route in routes}
expected = {"chat/completions to anthropic": [200, 1], "messages to anthropic": [200, 1]}
expected["messages to openai"] = [500, 0]

if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print("as described:", seen)
PYTHON
