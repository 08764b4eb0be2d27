#!/usr/bin/env bash
# ccusage 20.0.24, 29 November 2026.
# ccusage adds up what sessions of Claude Code have cost. A session that a program has written anew
# with Python's json.dumps, to take a key out of it or to convert it, has a space behind each colon.
# None of its lines is counted, and nothing says so: the session is not in the report.
# Seen: without the space 1,100 tokens / with it: no row, exit code 0, nothing on stderr
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --loglevel=error --no-audit --no-fund --prefix . "ccusage@20.0.24"
mkdir -p home/projects/-project
HOME=$folder/home CLAUDE_CONFIG_DIR=$folder/home python3 - <<'PYTHON'
import json
import subprocess
import sys
from pathlib import Path

PLACE = Path("home/projects/-project")
FIRST, SECOND = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"


def write(name, ids, separators=(",", ":")):
    """Write a session of Claude Code: a reply of 1,100 tokens for each id."""
    lines = []
    for minute, one in enumerate(ids):
        usage = {"input_tokens": 1000, "output_tokens": 100}
        usage |= {"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
        message = {"id": f"msg_{one}", "type": "message", "role": "assistant", "usage": usage}
        message |= {"model": "claude-sonnet-4-5", "content": [{"type": "text", "text": "Done."}]}
        line = {"type": "assistant", "sessionId": name, "version": "2.1.332", "cwd": "/project"}
        line |= {"uuid": f"{name}-{one}", "requestId": f"req_{one}", "message": message}
        line |= {"timestamp": f"2026-11-28T10:{minute:02}:00.000Z", "isSidechain": False}
        lines.append(json.dumps(line, separators=separators))
    (PLACE / f"{name}.jsonl").write_text("\n".join(lines) + "\n")


def count():
    """Return the tokens of each session in the report, and what is said besides."""
    command = ["node_modules/.bin/ccusage", "claude", "session", "--json", "--offline"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = json.loads(done.stdout)["sessions"]
    return {row["sessionId"]: row["totalTokens"] for row in rows}, done.stderr


write(FIRST, "1")
write(SECOND, "2", separators=None)
seen = count()
expected = ({FIRST: 1100}, "")
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print("as described:", seen)
PYTHON
