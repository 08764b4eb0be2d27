#!/usr/bin/env bash
# litellm 1.110.2, langchain-anthropic 1.7.10, pydantic-ai-slim 2.68.0. Seen on 1 December 2026.
# A good guess: a reminder with the role `system` goes to the system prompt.
# A conversation contains a reminder, a message with the role system, before the user's next
# prompt. For an older Claude, litellm and pydantic-ai put it into the user's message, and add a
# text that the program has not written: litellm before the reminder, pydantic-ai in the system
# prompt. For a newer Claude, they send the role system, and move the reminder behind the prompt.
# langchain raises a ValueError for both.
# Seen (claude-sonnet-4-5 / claude-opus-5-5): litellm, pydantic-ai: user, before the prompt, with
# an added text / system, after the prompt, without one; langchain: ValueError / ValueError
# Took 315 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "langchain-anthropic==1.7.10" \
  "litellm==1.110.2" \
  "pydantic-ai-slim[anthropic]==2.68.0" \
  "anthropic==2.14.0"
cd "$folder"
export LITELLM_LOCAL_MODEL_COST_MAP=True  # or it asks the network for prices
bin/python - <<'PYTHON'
import json
import logging
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import litellm
from langchain_anthropic import ChatAnthropic
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from pydantic_ai import Agent
from pydantic_ai.messages import (
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    UserPromptPart,
)
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider

logging.disable(logging.CRITICAL)
litellm.suppress_debug_info = True
RULES, FIRST, REPLY, REMINDER, PROMPT = "rules", "first prompt", "reply", "reminder", "next prompt"
WRITTEN = (RULES, FIRST, REPLY, REMINDER, PROMPT, f"<system>{REMINDER}</system>")


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        asked.append(body)
        content = [{"type": "text", "text": "Hello."}]
        head = {"id": "msg_1", "type": "message", "role": "assistant", "model": body["model"]}
        usage = {"input_tokens": 1, "output_tokens": 1}
        reply = {**head, "content": content, "stop_reason": "end_turn", "usage": usage}
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


def ask_litellm(model):
    roles = ("system", "user", "assistant", "system", "user")
    messages = [{"role": r, "content": text} for r, text in zip(roles, WRITTEN)]
    options = {"api_base": url, "api_key": "none", "max_tokens": 9}
    litellm.completion(f"anthropic/{model}", messages, **options)


def ask_langchain(model):
    kinds = (SystemMessage, HumanMessage, AIMessage, SystemMessage, HumanMessage)
    chat = ChatAnthropic(model=model, base_url=url, api_key="none", max_tokens=9)
    chat.invoke([kind(text) for kind, text in zip(kinds, WRITTEN)])


def ask_pydantic_ai(model):
    client = AnthropicModel(model, provider=AnthropicProvider(api_key="none", base_url=url))
    history = [
        ModelRequest([SystemPromptPart(RULES), UserPromptPart(FIRST)]),
        ModelResponse([TextPart(REPLY)]),
        ModelRequest([SystemPromptPart(REMINDER)]),
    ]
    settings = {"max_tokens": 9}
    Agent(client).run_sync(PROMPT, message_history=history, model_settings=settings)


def find_reminder(ask, model):
    asked.clear()
    try:
        ask(model)
    except ValueError:
        return "ValueError"
    parts = [{"role": "top", "content": asked[0]["system"]}, *asked[0]["messages"]]
    texts = []
    for part in parts:
        content = part["content"]
        blocks = [{"text": content}] if isinstance(content, str) else content
        texts += [(part["role"], block["text"]) for block in blocks]
    [reminder] = [at for at, (_, text) in enumerate(texts) if text in (REMINDER, WRITTEN[-1])]
    [prompt] = [at for at, (_, text) in enumerate(texts) if text == PROMPT]
    place = "before" if reminder < prompt else "after"
    is_added = any(text not in WRITTEN for _, text in texts)
    return f"{texts[reminder][0]}, {place} the prompt{', with an added text' if is_added else ''}"


asks = {"litellm": ask_litellm, "langchain": ask_langchain, "pydantic-ai": ask_pydantic_ai}
models = ("claude-sonnet-4-5", "claude-opus-5-5")
seen = {name: [find_reminder(ask, model) for model in models] for name, ask in asks.items()}
moved = ["user, before the prompt, with an added text", "system, after the prompt"]
expected = {"litellm": moved, "langchain": ["ValueError"] * 2, "pydantic-ai": moved}

if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
