#!/usr/bin/env bash
# magentic 0.41.1, openai 3.57.0. Seen on 1 December 2026.
# A good guess: a chain runs the model's calls until there is a final answer.
# `prompt_chain` is there to run "LLM function calls until the final answer is reached". If the model
# says something before its call, as models do that announce what they do next, this sentence is the
# final answer: the call is not run, and nothing says that there was one. The return type
# StreamedResponse, which has both, does not run it either.
# Seen, what is returned, run and sent: call alone: 'Done.', the list, 2 requests; sentence and call:
# 'First I write the list.', nothing, 1; as a StreamedResponse: sentence and FunctionCall, nothing, 1
# Took 43 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "magentic==0.41.1" "openai==3.57.0"
cd "$folder"
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from magentic import OpenaiChatModel, StreamedResponse, StreamedStr, prompt_chain

asked = []
run = []


class Server(BaseHTTPRequestHandler):
    """A server in OpenAI's form: a call, with a sentence before it if asked for, and then an end."""

    sentence = None

    def log_message(self, *_):
        pass

    def do_POST(self):
        asked.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        function = {"name": "todo", "arguments": '{"tasks": ["Count"]}'}
        call = {"index": 0, "id": "c1", "type": "function", "function": function}
        if len(asked) == 1:
            deltas = [{"role": "assistant", "content": Server.sentence}, {"tool_calls": [call]}]
        else:
            deltas = [{"role": "assistant", "content": "Done."}]
        reason = "tool_calls" if len(asked) == 1 else "stop"
        choices = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
        choices.append({"index": 0, "delta": {}, "finish_reason": reason})
        head = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        lines = [json.dumps({**head, "choices": [choice]}) for choice in choices]
        body = "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def todo(tasks: list[str]) -> str:
    """Write the list of tasks."""
    run.append(tasks)
    return "Written."


server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
model = OpenaiChatModel("m", api_key="none", base_url=f"http://127.0.0.1:{server.server_port}/v1")


def chain(sentence, kind=str):
    """Run a chain; return its answer, what was run, and the number of requests."""
    asked.clear()
    run.clear()
    Server.sentence = sentence

    def plan():
        pass

    plan.__annotations__["return"] = kind
    answer = prompt_chain("Plan.", functions=[todo], model=model)(plan)()
    if kind is StreamedResponse:
        answer = [str(one) if isinstance(one, StreamedStr) else type(one).__name__ for one in answer]
    return answer, list(run), len(asked)


SENTENCE = "First I write the list."
seen = {
    "call": chain(None),
    "sentence and call": chain(SENTENCE),
    "StreamedResponse": chain(SENTENCE, StreamedResponse),
}
expected = {
    "call": ("Done.", [["Count"]], 2),
    "sentence and call": (SENTENCE, [], 1),
    "StreamedResponse": ([SENTENCE, "FunctionCall"], [], 1),
}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
