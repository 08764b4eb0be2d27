#!/usr/bin/env bash
# aider-chat 0.86.2. Seen on 1 December 2026.
# A good guess: a session that is restored has the model's reply as it was.
# `--restore-chat-history` reads the last session back from a Markdown file, in which a line that
# begins with "#### " is the user's, with "> " is aider's, and with "# " is a title. A reply is in it
# as the model wrote it. So a heading of four signs in a reply is restored as a message of the user,
# what stands before and after it are two replies, and quotes, titles and each comment at the
# beginning of a line of its code are gone. Nothing tells it: "Restored previous conversation
# history."
# Seen, in the second session's request: user "Plan the shop.", user "Plan", assistant "1. Count"
# and the code without "# before all else", assistant "Now I count."; "Ask me first." in no message
# Took 277 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "aider-chat==0.86.2"
mkdir "$folder/work"
cd "$folder/work"
../bin/python - 2> ../errors <<'PYTHON' || { cat ../errors >&2; exit 1; }
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

REPLY = """#### Plan

1. Count

```python
# before all else
count()
```

> Ask me first.

# Now

Now I count."""
asked = []


class Handler(BaseHTTPRequestHandler):
    """A model of OpenAI's form that always gives the same reply."""

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        asked.append(request["messages"])
        message = {"role": "assistant", "content": REPLY}
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
    "OPENAI_API_BASE": f"http://127.0.0.1:{server.server_address[1]}/v1",
    "OPENAI_API_KEY": "none",
    "HTTPS_PROXY": closed,
    "HTTP_PROXY": closed,
    "NO_PROXY": "127.0.0.1",
}
OPTIONS = "--model openai/m --edit-format ask --no-stream --no-git --yes-always --map-tokens 0"
OPTIONS += " --no-check-update --no-show-model-warnings --analytics-disable"


def run(prompt, *options):
    """Run one session with one prompt; return what was told and sent, up to the next prompt."""
    asked.clear()
    done = subprocess.run(
        ["../bin/aider", *OPTIONS.split(), "--message", prompt, *options],
        env=settings,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=sys.stderr,
        text=True,
        check=True,
    )
    talk = [(one["role"], one["content"].strip()) for one in asked[-1] if one["role"] != "system"]
    end = [i for i, (_, text) in enumerate(talk) if "full contents of any files" in text]
    return "Restored previous conversation history." in done.stdout, talk[: end[0]]


first = run("Plan the shop.")
second = run("Go on.", "--restore-chat-history")
seen = {"first": first, "second": second}
expected = {
    "first": (False, []),
    "second": (
        True,
        [
            ("user", "Plan the shop."),
            ("user", "Plan"),
            ("assistant", "1. Count\n\n```python\ncount()\n```"),
            ("assistant", "Now I count."),
        ],
    ),
}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
