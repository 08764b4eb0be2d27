#!/usr/bin/env bash
# ccusage 20.0.24, 29 November 2026.
# A fork of a session of Claude Code begins with the lines of its parent, in a file of its own. ccusage
# counts such a reply once, so the sum is right. It counts it for the session whose id comes first in
# the alphabet, and ids are random. So a parent can lose what it shares to its fork, and one that has
# not gone on has no row left.
# Seen: parent "2…" with two replies, fork "1…" with these and a third: one row, "1…", 3,300 tokens /
# the same with the ids exchanged: parent "1…" 2,200, fork "2…" 1,100
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


seen = []
for parent, fork in ((SECOND, FIRST), (FIRST, SECOND)):
    write(parent, "12")
    write(fork, "123")
    seen.append(count()[0])
expected = [{FIRST: 3300}, {FIRST: 2200, SECOND: 1100}]
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print("as described:", seen)
PYTHON
