#!/usr/bin/env bash
# litellm 1.110.2. Seen on 1 December 2026.
# A good guess: what a model says before a tool call is sent back before the call.
# A reply says what it will do, and then calls a tool. When litellm sends this reply to OpenAI's
# Responses API, where the order of the items is the order of the conversation, the call comes
# first and the text second, between the call and its result.
# Seen: function_call, message, function_call_output
# Took 291 seconds on a busy machine. Needs Python.
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
import asyncio
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import litellm

litellm.suppress_debug_info = True
USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
CHAT = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "usage": USAGE}
SAID = {"role": "assistant", "content": "Hello."}
CHAT["choices"] = [{"index": 0, "message": SAID, "finish_reason": "stop"}]
TEXT = {"type": "output_text", "text": "Hello.", "annotations": []}
ITEM = {"type": "message", "id": "1", "status": "completed", "role": "assistant", "content": [TEXT]}
RESPONSE = {"id": "1", "object": "response", "created_at": 1, "status": "completed", "model": "m"}
RESPONSE |= {"output": [ITEM], "parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
RESPONSE["usage"] = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        asked.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        data = json.dumps(RESPONSE if self.path.endswith("/responses") else CHAT).encode()
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
url = f"http://127.0.0.1:{server.server_address[1]}/v1"


def sent(model, messages, **more):
    request = dict(model=model, messages=messages, max_tokens=100, **more)
    asyncio.run(litellm.anthropic.messages.acreate(**request, api_base=url, api_key="none"))
    return asked.pop()


call = {"type": "tool_use", "id": "call_1", "name": "read", "input": {"path": "a.txt"}}
result = {"type": "tool_result", "tool_use_id": "call_1", "content": "The file"}
messages = [{"role": "user", "content": "Hi"}]
messages += [{"role": "assistant", "content": [{"type": "text", "text": "First I read."}, call]}]
messages += [{"role": "user", "content": [result]}]

items = sent("openai/gpt-4o", messages)["input"]
seen = [item["type"] for item in items[1:]]  # without the prompt
expected = ["function_call", "message", "function_call_output"]

if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print("as described:", seen)
PYTHON
