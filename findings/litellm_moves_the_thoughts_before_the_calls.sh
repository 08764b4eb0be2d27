#!/usr/bin/env bash
# litellm 1.110.2. Seen on 1 December 2026.
# A good guess: thought, call, thought, call is sent back in this order, as LangChain, pydantic-ai,
# Strands, agno and the AI SDK do.
# A reply of a Claude model can have a thought before each of its calls: thought, call, thought,
# call. Each thought is bound to all that was before it, its own reply included. `completion` keeps
# the thoughts in one list and the calls in another, and sends the conversation back with all
# thoughts first. So the second one stands before the call that it was behind, and a server that
# checks it refuses the request with the results, streamed or not. With one thought in a reply, all
# is sent as it came.
# Seen: came: thinking, tool_use, thinking, tool_use; sent back: thinking, thinking, tool_use,
# tool_use; the second thought no longer fits; streamed: the same
# Took 236 seconds on a busy machine. Needs Python.
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
import hashlib
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import litellm

litellm.suppress_debug_info = True
USAGE = {"input_tokens": 1, "output_tokens": 1}
MESSAGE = {"id": "1", "type": "message", "role": "assistant", "model": "m", "content": []}
MESSAGE |= {"stop_reason": None, "stop_sequence": None, "usage": USAGE}


def signature(*before):
    return hashlib.sha256(json.dumps(before, sort_keys=True).encode()).hexdigest()


def reply(kinds):
    """Return the blocks of a reply; a thought's signature is that of the blocks before it."""
    blocks = []
    for at, kind in enumerate(kinds):
        if kind == "thinking":
            block = {"thinking": f"Thought {at}.", "signature": signature(*blocks)}
        else:
            block = {"id": f"call_{at}", "name": "read", "input": {"path": f"{at}.txt"}}
        blocks.append({"type": kind, **block})
    return blocks


def stream(blocks):
    """Return the events of a streamed reply."""
    yield {"type": "message_start", "message": MESSAGE}
    for index, block in enumerate(blocks):
        if block["type"] == "thinking":
            empty = {"type": "thinking", "thinking": "", "signature": ""}
            keys = ("thinking", "signature")
            deltas = [{"type": f"{key}_delta", key: block[key]} for key in keys]
        else:
            empty, text = {**block, "input": {}}, json.dumps(block["input"])
            deltas = [{"type": "input_json_delta", "partial_json": text}]
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    delta = {"stop_reason": "tool_use", "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": USAGE}
    yield {"type": "message_stop"}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        asked.append(request)
        kind, answer = "application/json", {**MESSAGE, "content": came, "stop_reason": "tool_use"}
        data = json.dumps(answer)
        if request.get("stream"):
            kind, events = "text/event-stream", stream(came)
            data = "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events)
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data.encode())

    def log_message(self, *_):
        pass


asked = []
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_address[1]}"
PATH = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
FUNCTION = {"name": "read", "description": "Read a file.", "parameters": PATH}
MODEL = {"model": "anthropic/claude-haiku-5-5", "api_base": url, "api_key": "none"}
MODEL["max_tokens"] = 1000


def ask(messages, streamed):
    tools = [{"type": "function", "function": FUNCTION}]
    answer = litellm.completion(messages=messages, tools=tools, stream=streamed, **MODEL)
    if streamed:
        answer = litellm.stream_chunk_builder(list(answer), messages=messages)
    return answer.choices[0].message


def sent_back(kinds, streamed=False):
    """Return the kinds of the reply's blocks in the request with the results, and which fit."""
    global came
    came, messages = reply(kinds), [{"role": "user", "content": "Read both."}]
    messages.append(ask(messages, streamed))
    for call in messages[-1].tool_calls:
        messages.append({"role": "tool", "tool_call_id": call.id, "content": "stock: 3"})
    ask(messages, streamed)
    return described(asked[-1]["messages"][1]["content"])


def described(content):
    fits = [
        block["signature"] == signature(*content[:at])
        for at, block in enumerate(content)
        if block["type"] == "thinking"
    ]
    return [block["type"] for block in content], fits


one, two = ["thinking", "tool_use"], ["thinking", "tool_use"] * 2
seen = {
    "one thought": sent_back(one),
    "two thoughts": sent_back(two),
    "two thoughts, streamed": sent_back(two, streamed=True),
}
moved = (["thinking", "thinking", "tool_use", "tool_use"], [True, False])
expected = {"one thought": (one, [True]), "two thoughts": moved, "two thoughts, streamed": moved}

if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print("as described:", seen)
PYTHON
