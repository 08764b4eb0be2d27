#!/usr/bin/env bash
# griptape 1.13.0, openai 3.57.0. Seen on 1 December 2026.
# A good guess: a memory that summarizes, and has a limit of runs, sends the summary and the newest
# run.
# `SummaryConversationMemory` sends a summary of older runs and the newest ones as they were. With
# `max_runs`, the oldest run is dropped from its list, and the place at which the summary ends is not
# moved: from then on it is behind the end of the list. So a new run is neither sent nor summarized,
# and each prompt is sent with the same old summary.
# Seen, before the sixth prompt: without a limit: summary of 1 to 4, run 5; with max_runs=3: summary
# of 1 to 3, and nothing of 4 and 5; ConversationMemory with max_runs=3: runs 3 to 5
# Took 69 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "griptape==1.13.0" "openai==3.57.0"
cd "$folder"
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import json
import logging
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from griptape.drivers.prompt.openai import OpenAiChatPromptDriver
from griptape.memory.structure import ConversationMemory, SummaryConversationMemory
from griptape.structures import Agent
from griptape.tokenizers import SimpleTokenizer

asked = []
logging.getLogger("griptape").setLevel(logging.ERROR)


class Server(BaseHTTPRequestHandler):
    """A server in OpenAI's form whose summary names the prompts that it has been given."""

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        text = json.dumps(body["messages"])
        answer = "I see."
        if "Summarize the following" in text or "Update the summary" in text:
            answer = "Told: " + " ".join(re.findall(r"Prompt \d", text))
        else:
            asked.append(body["messages"])
        message = {"role": "assistant", "content": answer}
        reply = {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }
        body = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
driver = OpenAiChatPromptDriver(
    model="m",
    api_key="none",
    base_url=f"http://127.0.0.1:{server.server_port}/v1",
    tokenizer=SimpleTokenizer(characters_per_token=4, max_input_tokens=9000, max_output_tokens=900),
)


def sixth(kind, **options):
    """Send six prompts; return the prompts that the sixth request's summary and messages have."""
    asked.clear()
    if kind is SummaryConversationMemory:
        options["prompt_driver"] = driver
    agent = Agent(prompt_driver=driver, conversation_memory=kind(**options))
    for number in range(1, 7):
        agent.run(f"Prompt {number}")
    texts = [one["content"] for one in asked[-1] if one["role"] == "user"]
    told = [re.findall(r"Prompt (\d)", text) for text in texts if "Told:" in text]
    return told, [text[-1] for text in texts if text.startswith("Prompt")]


seen = {
    "no limit": sixth(SummaryConversationMemory),
    "max_runs=3": sixth(SummaryConversationMemory, max_runs=3),
    "no summary": sixth(ConversationMemory, max_runs=3),
}
expected = {
    "no limit": ([["1", "2", "3", "4"]], ["5", "6"]),
    "max_runs=3": ([["1", "2", "3"]], ["6"]),
    "no summary": ([], ["3", "4", "5", "6"]),
}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
