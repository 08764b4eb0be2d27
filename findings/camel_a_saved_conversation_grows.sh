#!/usr/bin/env bash
# camel-ai 0.2.90, with mcp 1. Seen on 1 December 2026.
# A good guess: a conversation that is saved, opened and saved again is in the file once.
# `save_memory` "writes" the conversation "into a JSON file", and appends it: saved after each of
# two turns, the file has the first turn twice. `load_memory_from_path` adds to what the agent has,
# which is at least its system message, so that there are two of them. An agent that is opened,
# asked once and saved sends its first prompt four times in the fourth session, and nothing says
# so. With a new file for each save, the system message is still there once more each time.
# Seen, system messages and first prompts in the requests of four sessions: 1 and 1, 2 and 1,
# 4 and 2, 8 and 4; with a new file for each save: 1 and 1, 2 and 1, 3 and 1, 4 and 1
# Took 255 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "camel-ai==0.2.90" "mcp<2"
cd "$folder"
export OPENAI_API_KEY=none
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import sys

from camel.agents import ChatAgent
from camel.models import StubModel
from camel.types import ModelType

asked = []


class Model(StubModel):
    """A model that gives a fixed answer."""

    def run(self, messages, *rest, **options):
        asked.append([message["content"] for message in messages])
        return super().run(messages, *rest, **options)


model = Model(ModelType.STUB)


def session(number, read, write):
    """Open the saved conversation, ask once and save it; count two texts of the request."""
    agent = ChatAgent("You are a clerk.", model=model)
    if number:
        agent.load_memory_from_path(read)
    agent.step(f"Prompt {number}")
    agent.save_memory(write)
    return asked[-1].count("You are a clerk."), asked[-1].count("Prompt 0")


seen = {
    "one file": [session(number, "one.json", "one.json") for number in range(4)],
    "new files": [session(number, f"{number - 1}.json", f"{number}.json") for number in range(4)],
}
expected = {
    "one file": [(1, 1), (2, 1), (4, 2), (8, 4)],
    "new files": [(1, 1), (2, 1), (3, 1), (4, 1)],
}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
