#!/usr/bin/env bash
# langchain-anthropic 1.7.10, litellm 1.110.2, pydantic-ai-slim 2.68.0, agno 3.1.10. Seen on 1
# December 2026.
# A good guess: 1,024 or 4,096, if a program gives none.
# The Messages API requires max_tokens. If a program does not give it, each package chooses, three
# of them by a table of model names. For a name that a gateway made up, the same request asks for at
# most 4,096 tokens in one and 128,000 in another.
# Seen (claude-sonnet-4-5, my-model): langchain 64000, 4096 / litellm 64000, 128000
# pydantic-ai 64000, 16384 / agno 8192, 8192
# Took 346 seconds on a busy machine. Needs Python.
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
  "agno==3.1.10" \
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
from agno.agent import Agent as AgnoAgent
from agno.models.anthropic import Claude
from langchain_anthropic import ChatAnthropic
from pydantic_ai import Agent
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider

logging.disable(logging.CRITICAL)
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


def ask(package, model):
    if package == "langchain":
        ChatAnthropic(model=model, base_url=url, api_key="none").invoke("Hi")
    elif package == "litellm":
        messages = [{"role": "user", "content": "Hi"}]
        litellm.completion(f"anthropic/{model}", messages, api_base=url, api_key="none")
    elif package == "pydantic-ai":
        provider = AnthropicProvider(api_key="none", base_url=url)
        try:
            Agent(AnthropicModel(model, provider=provider)).run_sync("Hi")
        except Exception:  # it asks for a stream if it may be long, and gets none here
            pass
    else:
        claude = Claude(id=model, api_key="none", client_params={"base_url": url})
        AgnoAgent(model=claude, telemetry=False).run("Hi")
    return asked[-1]["max_tokens"]


names = ("claude-sonnet-4-5", "my-model")
packages = ("langchain", "litellm", "pydantic-ai", "agno")
seen = {package: [ask(package, name) for name in names] for package in packages}
expected = {"langchain": [64000, 4096], "litellm": [64000, 128000]}
expected |= {"pydantic-ai": [64000, 16384], "agno": [8192, 8192]}

if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
