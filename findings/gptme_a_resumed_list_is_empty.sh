#!/usr/bin/env bash
# gptme 0.35.1. Seen on 1 December 2026.
# A good guess: as its tool tells the model, the list is there again when a conversation is resumed.
# The todo tool's text, which the model reads, says "Todo state is auto-replayed when resuming the
# conversation." A conversation with two open tasks is resumed by its name, its messages are sent
# again, and the list is empty: the hook that replays them is called before the log is loaded, with
# no message of it. So gptme, which says at the end of the first session that tasks are open, does
# not say it at the end of the second one. `/replay todo` makes the list again.
# Seen: at the end of the first session "You have incomplete todos: Order, Ship"; resumed, `todo
# read` answers "Todo list is empty", and the end asks "Did you mean to finish?"
# Took 193 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "gptme==0.35.1"
mkdir "$folder/work"
cd "$folder/work"
../bin/python - 2> ../errors <<'PYTHON' || { cat ../errors >&2; exit 1; }
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PROMISE = "Todo state is auto-replayed when resuming the conversation."
WRITE = '```todo write\nadd "Count"\nadd "Order"\nadd "Ship"\nupdate 1 completed\n```'
READ = "```todo read\n\n```"
asked = []


def text_of(message):
    content = message["content"]
    return content if isinstance(content, str) else "".join(one["text"] for one in content)


class Handler(BaseHTTPRequestHandler):
    """A model of OpenAI's form that makes or reads the list, and is then done."""

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        texts = [text_of(message) for message in request["messages"]]
        asked.append(texts)
        reply = {"Make the shop ready.": WRITE, "Read the list.": READ}.get(texts[-1], "Done.")
        message = {"role": "assistant", "content": reply}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        answer = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
        data = json.dumps(answer | {"choices": [choice], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
closed = "http://127.0.0.1:9"
settings = {
    "PATH": os.environ["PATH"],
    "HOME": os.path.dirname(os.getcwd()),
    "OPENAI_BASE_URL": f"http://127.0.0.1:{server.server_address[1]}/v1",
    "OPENAI_API_KEY": "none",
    "HTTPS_PROXY": closed,
    "HTTP_PROXY": closed,
    "NO_PROXY": "127.0.0.1",
}


def run(prompt):
    """Start or resume the conversation, and return the texts of its last request."""
    asked.clear()
    options = ["-m", "local/m", "-t", "todo", "--no-stream", "-n", "--name", "shop"]
    subprocess.run(
        ["../bin/gptme", *options, prompt],
        env=settings,
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr,
        check=True,
    )
    return asked[-1]


first = run("Make the shop ready.")
second = run("Read the list.")
result = second[second.index(READ + "\n") + 1]
seen = {
    "promised": any(PROMISE in text for text in second),
    "first session's end": [word for word in ("Count", "Order", "Ship") if word in first[-1]],
    "the old list is sent again": WRITE + "\n" in second,
    "todo read": result.split(maxsplit=1)[-1],
    "second session's end": "Did you mean to finish?" in second[-1],
}
expected = {
    "promised": True,
    "first session's end": ["Order", "Ship"],
    "the old list is sent again": True,
    "todo read": "Todo list is empty",
    "second session's end": True,
}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
