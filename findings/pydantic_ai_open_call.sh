#!/usr/bin/env bash
# pydantic-ai-slim 2.68.0. Seen on 1 December 2026.
# A good guess: a conversation that ends with an open call is sent as it is.
# A run was interrupted after the model had called a tool. Given its messages and a new prompt,
# the agent does not send them, and raises a UserError. Given the messages *without* a prompt, it
# runs the old call first.
# Seen: with a prompt: UserError, the tool ran 0 times / without: "ok", it ran once
# Took 96 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "pydantic-ai-slim==2.68.0"
cd "$folder"
bin/python - <<'PYTHON'
import sys

from pydantic_ai import Agent
from pydantic_ai.exceptions import UserError
from pydantic_ai.messages import (
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models.function import FunctionModel

ran = []


def delete(path: str) -> str:
    ran.append(path)
    return f"deleted {path}"


agent = Agent(FunctionModel(lambda messages, info: ModelResponse([TextPart("ok")])), tools=[delete])
call = ToolCallPart("delete", {"path": "a.txt"}, tool_call_id="1")
history = [ModelRequest([UserPromptPart("Delete a.txt")]), ModelResponse([call])]
try:
    with_prompt = agent.run_sync("No, wait.", message_history=history).output
except UserError:
    with_prompt = "UserError"
seen = [with_prompt, len(ran)]
seen += [agent.run_sync(message_history=history).output, len(ran)]
expected = ["UserError", 0, "ok", 1]

if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
