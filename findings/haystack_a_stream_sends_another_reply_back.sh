#!/usr/bin/env bash
# anthropic-haystack 8.0.1, haystack-ai 3.4.1. Seen on 1 December 2026.
# A good guess: an agent sends the same reply back, streamed or not, its thinking included.
# An agent whose model thinks, speaks and calls a tool sends the reply back with the tool's result.
# What is sent differs: without a stream, the words before the call are gone (the setting
# `ignore_tools_thinking_messages`, on by default, is older than thinking blocks, and drops all text
# beside a call), and the thinking block goes back. Streamed, the words go back, and of the
# thinking only a block with text: one with a signature and an empty text, which the newest Claude
# models give unless they are asked for a summary, is gone without a message. Of a thought, a call,
# a thought and a call, both thoughts come first, so the second one no longer fits.
# Seen, sent back of thinking, text, tool_use: thinking, tool_use / streamed: thinking, text,
# tool_use / streamed, with an empty thinking text: text, tool_use; of thinking, tool_use, thinking,
# tool_use: thinking, thinking, tool_use, tool_use
# Took 125 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "anthropic-haystack==8.0.1" \
  "haystack-ai==3.4.1"
cd "$folder"
export HAYSTACK_TELEMETRY_ENABLED=False
bin/python - <<'PYTHON'
import hashlib
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from haystack.components.agents import Agent
from haystack.dataclasses import ChatMessage
from haystack.tools import create_tool_from_function
from haystack.utils import Secret
from haystack_integrations.components.generators.anthropic import AnthropicChatGenerator

USAGE = {"input_tokens": 1, "output_tokens": 1}
MESSAGE = {"id": "1", "type": "message", "role": "assistant", "model": "m", "content": []}
MESSAGE |= {"stop_reason": None, "stop_sequence": None, "usage": USAGE}


def signature(*before):
    return hashlib.sha256(json.dumps(before, sort_keys=True).encode()).hexdigest()


def reply(kinds, thought="I read it."):
    """Return the blocks of a reply; a thought's signature is that of the blocks before it."""
    blocks = []
    for at, kind in enumerate(kinds):
        if kind == "thinking":
            block = {"thinking": thought, "signature": signature(*blocks)}
        elif kind == "text":
            block = {"text": "First the stock, then the discount."}
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
        elif block["type"] == "text":
            empty, deltas = {"type": "text", "text": ""}, [{**block, "type": "text_delta"}]
        else:
            empty, text = {**block, "input": {}}, json.dumps(block["input"])
            deltas = [{"type": "input_json_delta", "partial_json": text}]
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    reason = "tool_use" if blocks[-1]["type"] == "tool_use" else "end_turn"
    delta = {"stop_reason": reason, "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": USAGE}
    yield {"type": "message_stop"}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        asked.append(request)
        blocks = came if len(asked) == 1 else [{"type": "text", "text": "Done."}]
        reason = "tool_use" if len(asked) == 1 else "end_turn"
        kind, answer = "application/json", {**MESSAGE, "content": blocks, "stop_reason": reason}
        data = json.dumps(answer)
        if request.get("stream"):
            kind, events = "text/event-stream", stream(blocks)
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
os.environ["ANTHROPIC_BASE_URL"] = f"http://127.0.0.1:{server.server_address[1]}"


def read(path: str) -> str:
    """Read a file."""
    return "stock: 3"


def sent_back(blocks, streamed=False):
    """Return the kinds of the reply's blocks in the request with the results."""
    global came
    came = blocks
    asked.clear()
    model = AnthropicChatGenerator(
        model="claude-haiku-5-5",
        api_key=Secret.from_token("none"),
        streaming_callback=(lambda chunk: None) if streamed else None,
    )
    agent = Agent(chat_generator=model, tools=[create_tool_from_function(read)])
    agent.run(messages=[ChatMessage.from_user("Make the shop ready.")])
    return [block["type"] for block in asked[1]["messages"][1]["content"]]


spoken, two = ["thinking", "text", "tool_use"], ["thinking", "tool_use"] * 2
seen = {
    "came": spoken,
    "sent back": sent_back(reply(spoken)),
    "streamed": sent_back(reply(spoken), streamed=True),
    "thinking without text": sent_back(reply(spoken, thought="")),
    "streamed, thinking without text": sent_back(reply(spoken, thought=""), streamed=True),
    "two thoughts": sent_back(reply(two)),
    "two thoughts, streamed": sent_back(reply(two), streamed=True),
}
moved = ["thinking", "thinking", "tool_use", "tool_use"]
expected = {
    "came": spoken,
    "sent back": ["thinking", "tool_use"],
    "streamed": spoken,
    "thinking without text": ["thinking", "tool_use"],
    "streamed, thinking without text": ["text", "tool_use"],
    "two thoughts": moved,
    "two thoughts, streamed": moved,
}

if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print("as described:", seen)
PYTHON
