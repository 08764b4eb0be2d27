#!/usr/bin/env bash
# pydantic-ai-slim 2.68.0. Seen on 1 December 2026.
# A good guess: `input_tokens` is the API's field of that name.
# The Messages API counts three kinds of input side by side: input_tokens, cache_read_input_tokens
# and cache_creation_input_tokens. The usage of pydantic-ai has a field with the first name, and
# its value is the sum of all three. Who adds the cached tokens to it, as with the API, counts
# them twice.
# Seen: the API's input_tokens 10, and 1000 and 100 of the cache: usage.input_tokens 1110
# Took 136 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "pydantic-ai-slim[anthropic]==2.68.0" \
  "anthropic==2.14.0"
cd "$folder"
bin/python - <<'PYTHON'
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from pydantic_ai import Agent
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider

CACHE = {"cache_read_input_tokens": 1000, "cache_creation_input_tokens": 100}
STOP, USAGE = "end_turn", {"input_tokens": 10, "output_tokens": 5, **CACHE}


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

model = AnthropicModel("my-model", provider=AnthropicProvider(api_key="none", base_url=url))
result = Agent(model).run_sync("Hi")
usage = result.usage
seen = [usage.input_tokens, usage.cache_read_tokens, usage.cache_write_tokens]
expected = [1110, 1000, 100]

if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
