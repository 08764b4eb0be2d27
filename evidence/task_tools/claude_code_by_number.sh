#!/usr/bin/env bash
# Play a script to Claude Code 2.1.332: what is sent of its tasks after a compaction whose summary names none?
# It needs Node 20 and Python 3.11, loads 240 MB, and takes 90 seconds. Run on 1 December 2026 (`claude -p`, the model name
# claude-sonnet-4-5). The scripted model adds three tasks, and then runs `true`. In every fifth reply it does nothing else,
# ticks a task (TaskUpdate), or looks (TaskList). Request 10 says that the window is full, so the program compacts.
# Seen: an update answers "Updated task #1 status" and no more. The model that ticks is never reminded, and no request
# after the compaction has the text of a task. The other two are reminded in requests 20, 30 and 40.
# It exits non-zero if this has changed.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export HOME=$dir TMPDIR=$dir
cd "$dir"
npm install --loglevel=error --no-audit --no-fund --no-update-notifier @anthropic-ai/claude-code@2.1.332 >/dev/null
cat > look.py <<'PY'
import json, os, subprocess, sys, tempfile, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SUBJECTS, COMPACT_AT, TOTAL = ("Sand the blue door", "Paint the blue door", "Hang the blue door"), 10, 45
WORDS = "task tools haven't been used"

def texts(body):
    """Returns all texts of a request, with those of results and the inputs of calls."""
    blocks = [b for m in body["messages"] for b in (m["content"] if isinstance(m["content"], list) else [{"type": "text", "text": m["content"]}])]
    inner = [c for b in blocks if isinstance(b.get("content"), list) for c in b["content"]]
    return [b["text"] for b in blocks + inner if "text" in b] + [b["content"] for b in blocks if isinstance(b.get("content"), str)] + [json.dumps(b["input"]) for b in blocks if "input" in b]

def play(every):
    """Plays a model that makes the call `every` in each fifth reply, and else runs `true`. Returns its requests."""
    requests = []
    class Model(BaseHTTPRequestHandler):
        def log_message(self, *_): pass
        def do_GET(self): self.send_error(404)
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            content, end, used = [{"type": "text", "text": "<summary>Some work on a house goes on.</summary>"}], "end_turn", 9
            asked = body["messages"][-1]["content"]
            asked = asked if isinstance(asked, str) else "".join(b.get("text", "") for b in asked)
            if body.get("tools") and not asked.startswith("CRITICAL"):  # else it asks for the summary
                requests.append(body)
                n = len(requests)
                calls = [("TaskCreate", {"subject": s, "description": s, "activeForm": s}) for s in SUBJECTS] if n == 1 else \
                    [every(n)] if every and n % 5 == 0 else [("Bash", {"command": "true", "description": "nothing"})]
                if n <= TOTAL: end, content = "tool_use", [{"type": "tool_use", "id": f"call_{n}_{p}", "name": name, "input": given} for p, (name, given) in enumerate(calls)]
                used = 198000 if n == COMPACT_AT else 9
            usage = {"input_tokens": used, "output_tokens": 9, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
            reply = {"id": f"msg_{id(body)}", "type": "message", "role": "assistant", "model": body.get("model"), "content": content, "stop_reason": end, "stop_sequence": None, "usage": usage}
            events = [{"type": "message_start", "message": {**reply, "content": [], "stop_reason": None}}]
            for i, b in enumerate(content):
                text = b["type"] == "text"
                delta = {"type": "text_delta", "text": b["text"]} if text else {"type": "input_json_delta", "partial_json": json.dumps(b["input"])}
                events += [{"type": "content_block_start", "index": i, "content_block": {**b, "text": ""} if text else {**b, "input": {}}},
                           {"type": "content_block_delta", "index": i, "delta": delta}, {"type": "content_block_stop", "index": i}]
            events += [{"type": "message_delta", "delta": {"stop_reason": end, "stop_sequence": None}, "usage": usage}, {"type": "message_stop"}]
            out = "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events) if body.get("stream") else json.dumps(reply)
            self.send_response(200)
            self.send_header("content-type", "text/event-stream" if body.get("stream") else "application/json")
            self.end_headers()
            self.wfile.write(out.encode())
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home = tempfile.mkdtemp(dir=os.getcwd()); os.makedirs(home + "/work")
    env = {"PATH": os.environ["PATH"], "HOME": home, "TMPDIR": home, "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{server.server_port}",
           "ANTHROPIC_API_KEY": "none", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1", "NO_PROXY": "*",
           "ENABLE_TOOL_SEARCH": "false", "CLAUDE_CODE_AUTO_COMPACT_WINDOW": "100000"}
    command = [os.path.abspath("node_modules/.bin/claude"), "-p", "Work.", "--model", "claude-sonnet-4-5", "--allowedTools", "TaskCreate,TaskUpdate,TaskList,Bash"]
    done = subprocess.run(command, env=env, cwd=home + "/work", stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=150)
    server.shutdown()
    if done.returncode or len(requests) <= TOTAL: sys.exit(f"the client did not run: {done.stdout[-300:]} {done.stderr[-300:]}")
    return requests

def read(every):
    """Returns the requests after the compaction with a new reminder, and how many have the text of a task."""
    requests = play(every)
    after = requests[COMPACT_AT:]
    counts = [sum(WORDS in text for text in texts(body)) for body in after]
    reminded = [n for n, (old, new) in enumerate(zip([0, *counts], counts), COMPACT_AT + 1) if new > old]
    shown = sum(any(s in text for s in SUBJECTS for text in texts(body)) for body in after)
    return len(after), reminded, shown, texts(requests[-1])

number, silent, shown_silent, _ = read(None)
_, ticked, shown_ticked, last = read(lambda n: ("TaskUpdate", {"taskId": "1", "status": "in_progress" if n % 10 else "pending"}))
_, looked, shown_looked, _ = read(lambda n: ("TaskList", {}))
print(f"silent: reminded in {silent}, {shown_silent} of {number} requests have a task\nticks:  reminded in {ticked}, {shown_ticked} of {number}\nlooks:  reminded in {looked}, {shown_looked} of {number}")
seen = [bool(silent) and silent[0] == 20, shown_silent == number - 9, ticked == [], shown_ticked == 0, looked == silent,
        any(text.startswith("Updated task #1 status") for text in last)]
print("as described" if all(seen) else f"CHANGED: {seen}")
sys.exit(not all(seen))
PY
python3 look.py
