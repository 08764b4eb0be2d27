#!/usr/bin/env bash
# google-adk 2.13.0, anthropic 2.14.0. Seen on 1 December 2026.
# A good guess: a thinking block that has a signature and no text is sent back as it came, or not at
# all.
# A thinking block of the newest Claude models has a signature and an empty text, unless they are
# asked for a summary. ADK's own class for Claude models sends it back as a block of another type,
# `redacted_thinking`, whose data is the signature, streamed or not. No block of this type was in
# the reply, and the Messages API rejects such a one, by a report on another library
# (crmne/ruby_llm #895). With a text, the block goes back as it came.
# Seen, sent back of thinking, text, tool_use: the same / with an empty thinking text:
# redacted_thinking, text, tool_use, with the signature as data / streamed: the same two
# Took 143 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "google-adk==2.13.0" "anthropic==2.14.0"
cd "$folder"
bin/python -W ignore - <<'PYTHON'
import asyncio
import hashlib
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from google.adk.agents import Agent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.models.anthropic_llm import AnthropicLlm
from google.adk.runners import InMemoryRunner
from google.genai import types

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
os.environ["ANTHROPIC_API_KEY"] = "none"


def read(path: str) -> dict:
    """Read a file."""
    return {"text": "stock: 3"}


async def run(streaming):
    model = AnthropicLlm(model="claude-haiku-5-5")
    agent = Agent(name="shop", model=model, instruction="Help.", tools=[read])
    runner = InMemoryRunner(agent=agent, app_name="shop")
    session = await runner.session_service.create_session(app_name="shop", user_id="user")
    prompt = types.Content(role="user", parts=[types.Part(text="Make the shop ready.")])
    async for _ in runner.run_async(
        user_id="user",
        session_id=session.id,
        new_message=prompt,
        run_config=RunConfig(streaming_mode=streaming),
    ):
        pass


def sent_back(thought, streaming=StreamingMode.NONE):
    """Return the kinds of the reply's blocks in the next request, and where the signature is."""
    global came
    came = reply(["thinking", "text", "tool_use"], thought)
    asked.clear()
    asyncio.run(run(streaming))
    content = asked[1]["messages"][1]["content"]
    places = [name for name, value in content[0].items() if value == came[0]["signature"]]
    return [block["type"] for block in content], places


seen = {
    "a text": sent_back("I read it."),
    "no text": sent_back(""),
    "a text, streamed": sent_back("I read it.", StreamingMode.SSE),
    "no text, streamed": sent_back("", StreamingMode.SSE),
}
same = (["thinking", "text", "tool_use"], ["signature"])
other = (["redacted_thinking", "text", "tool_use"], ["data"])
expected = {
    "a text": same,
    "no text": other,
    "a text, streamed": same,
    "no text, streamed": other,
}

if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print("as described:", seen)
PYTHON
