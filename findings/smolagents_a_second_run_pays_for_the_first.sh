#!/usr/bin/env bash
# smolagents 1.26.0. Seen on 1 December 2026.
# A good guess: the tokens of a run are those of this run.
# `RunResult.token_usage` is documented as "Count of tokens used during the run". If a conversation
# goes on (`reset=False`), it has the tokens of all earlier runs as well, and `steps` has their
# steps: the third of three equal runs seems to cost three times as much as the first, and a sum over
# the runs has the first one three times. The agent's own monitor leaves out what plans have cost.
# Seen, tokens of three runs that used 118 each, 8 of them for a plan: 118, 236, 354, together 708;
# steps 3, 6, 9; the monitor's total 330
# Took 66 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "smolagents==1.26.0"
cd "$folder"
export HF_HUB_OFFLINE=1
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import sys

from smolagents import ChatMessage, Model, ToolCallingAgent
from smolagents.models import ChatMessageToolCall, ChatMessageToolCallFunction
from smolagents.monitoring import TokenUsage

used = []


class Planner(Model):
    """A model that makes a plan, or is done at once."""

    def generate(self, messages, tools_to_call_from=None, **_):
        done = ChatMessageToolCallFunction(name="final_answer", arguments={"answer": "3"})
        calls = [ChatMessageToolCall(id="1", type="function", function=done)]
        plans = tools_to_call_from is None
        usage = TokenUsage(7, 1) if plans else TokenUsage(100, 10)
        used.append(usage.total_tokens)
        return ChatMessage(
            role="assistant",
            content="1. Count." if plans else "",
            tool_calls=None if plans else calls,
            token_usage=usage,
        )


agent = ToolCallingAgent(tools=[], model=Planner(), planning_interval=1, verbosity_level=0)
seen = {"used": [], "token_usage": [], "steps": []}
for number in range(3):
    used.clear()
    result = agent.run("Count.", reset=number == 0, return_full_result=True)
    seen["used"].append(sum(used))
    seen["token_usage"].append(result.token_usage.total_tokens)
    seen["steps"].append(len(result.steps))
seen["monitor"] = agent.monitor.get_total_token_counts().total_tokens
expected = {
    "used": [118, 118, 118],
    "token_usage": [118, 236, 354],
    "steps": [3, 6, 9],
    "monitor": 330,
}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
