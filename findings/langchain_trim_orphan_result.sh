#!/usr/bin/env bash
# langchain-core 1.8.3. Seen on 1 December 2026.
# A good guess: `trim_messages` keeps a tool call and its result together.
# trim_messages keeps the last messages of an agent's conversation, by its defaults as many as
# fit. It cuts between a tool call and its result, so the first message that is kept can be the
# result of a call that is gone, and so is the user's prompt. `start_on="human"` avoids it, and then
# keeps nothing of a run with one prompt.
# Seen: tool, ai, tool / with start_on="human": nothing
# Took 138 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "langchain-core==1.8.3"
cd "$folder"
bin/python - <<'PYTHON'
import sys

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage, trim_messages

messages = [HumanMessage("Tidy the folder.")]
for number in map(str, range(4)):
    call = {"name": "read_file", "args": {}, "id": number}
    messages += [AIMessage("", tool_calls=[call]), ToolMessage("text", tool_call_id=number)]

options = {"max_tokens": 3, "token_counter": len, "strategy": "last"}
kept = trim_messages(messages, **options)
whole = trim_messages(messages, **options, start_on="human")
seen = [[message.type for message in kept], [message.type for message in whole]]
expected = [["tool", "ai", "tool"], []]

if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
