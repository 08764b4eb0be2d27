#!/usr/bin/env bash
# agent-framework-core 1.23.0, agent-framework-anthropic 1.0.0b261022. Seen on 1 December 2026.
# A good guess: the list that the framework shows at each prompt comes after what was said, and
# stays there.
# At each prompt, TodoProvider shows the list in a message that is not stored. It is the first one
# of the conversation, before the prompt that led to the list, and at the next prompt its text is
# another. Thinking of the newest Claude models is bound to all that was before it, so the thinking
# of each earlier reply is invalid: a server that checks it refuses the second prompt. In the rounds
# of one prompt, it stays the list of the beginning: "none yet", also after the model has added a
# task. With the history's provider named before it, the list stands behind the history, and this
# message is missing at the next prompt: the same thinking is invalid. If the history also stores
# what providers add, all of it fits, and each prompt has a list of its own.
# Seen, the list by request: none yet, none yet, 1 [open] Add the discount; place 0, 0, 0 (history
# first: 0, 0, 4); thinking that no longer fits: 0 of 0, 0 of 1, 2 of 2, then status 400; stored:
# both lists, at 0 and 5, and all thinking fits
# Took 29 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "agent-framework-core==1.23.0" \
  "agent-framework-anthropic==1.0.0b261022"
cd "$folder"
bin/python -W ignore - <<'PYTHON'
import asyncio
import hashlib
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from agent_framework import Agent, InMemoryHistoryProvider, TodoProvider
from agent_framework.anthropic import AnthropicClient
from anthropic import AsyncAnthropic

TASK = {"title": "Add the discount", "description": "10 percent"}
CALL = {"type": "tool_use", "id": "1", "name": "todos_add", "input": {"todos": [TASK]}}
REPLIES = [CALL, {"type": "text", "text": "The list is ready."}]
MESSAGE = {"id": "1", "type": "message", "role": "assistant", "model": "m", "stop_sequence": None}
MESSAGE["usage"] = {"input_tokens": 1, "output_tokens": 1}
WORDS = "messages.2.content.0: Invalid `signature` in `thinking` block. The block is bound to a "
WORDS += "different conversation."
ERROR = {"type": "error", "error": {"type": "invalid_request_error", "message": WORDS}}


def signature(request, messages):
    """Return what a thought is bound to: system, tools, and all messages before it."""
    before = [request.get("system"), request["tools"], messages]
    return hashlib.sha256(json.dumps(before, sort_keys=True).encode()).hexdigest()


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        messages = request["messages"]
        thoughts = [
            block["signature"] == signature(request, messages[:at])
            for at, message in enumerate(messages)
            for block in message["content"]
            if block["type"] == "thinking"
        ]
        asked.append((messages, thoughts))
        thought = {"type": "thinking", "thinking": "", "signature": signature(request, messages)}
        block = REPLIES[min(len(asked), len(REPLIES)) - 1]
        reason = "tool_use" if block is CALL else "end_turn"
        answer = {**MESSAGE, "content": [thought, block], "stop_reason": reason}
        data = json.dumps(answer if all(thoughts) else ERROR).encode()
        self.send_response(200 if all(thoughts) else 400)
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


async def run(*providers):
    asked.clear()
    errors = []
    async with AsyncAnthropic(base_url=url, api_key="none") as api:
        client = AnthropicClient(model="claude-haiku-5-5", anthropic_client=api)
        agent = Agent(client, context_providers=list(providers))
        session = agent.create_session()
        for prompt in ("Make the shop ready.", "Go on."):
            try:
                await agent.run(prompt, session=session)
            except Exception as problem:
                errors.append("bound to a different conversation" in str(problem))
    shown = []
    for messages, _ in asked:
        texts = [json.dumps(message["content"]) for message in messages]
        places = [at for at, text in enumerate(texts) if "### Current todo list" in text]
        lists = [messages[at]["content"][0]["text"].split("\n")[1] for at in places]
        shown.append(dict(zip(places, lists, strict=True)))
    return {
        "the list's message": shown,
        "thinking that no longer fits": [one.count(False) for _, one in asked],
        "thinking": [len(one) for _, one in asked],
        "refused prompts": errors,
    }


stored = InMemoryHistoryProvider(store_context_messages=True)
seen = {
    "TodoProvider": asyncio.run(run(TodoProvider())),
    "history first": asyncio.run(run(InMemoryHistoryProvider(), TodoProvider())),
    "stored": asyncio.run(run(stored, TodoProvider())),
}
counts = {"thinking that no longer fits": [0, 0, 2], "thinking": [0, 1, 2]}
counts["refused prompts"] = [True]
fits = {**counts, "thinking that no longer fits": [0, 0, 0], "refused prompts": []}
none, task = "- none yet", "- 1 [open] Add the discount: 10 percent"
expected = {
    "TodoProvider": {"the list's message": [{0: none}, {0: none}, {0: task}], **counts},
    "history first": {"the list's message": [{0: none}, {0: none}, {4: task}], **counts},
    "stored": {"the list's message": [{0: none}, {0: none}, {0: none, 5: task}], **fits},
}

if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print("as described:", seen)
PYTHON
