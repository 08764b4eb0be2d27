#!/usr/bin/env bash
# langchain 1.5.2, langgraph 1.2.24. Seen on 1 December 2026.
# A good guess: a limit of three calls for a message of the user ends an agent that goes in circles.
# `run_limit` of `ToolCallLimitMiddleware` is documented to be for "one user message → response cycle"
# and to reset "with each new user message", that of `ModelCallLimitMiddleware` to be for one run. In
# an agent that asks before it acts, with `HumanInTheLoopMiddleware`, both count from 0 again after
# each answer of the user: the count is in an `UntrackedValue`, which is not saved. So an agent that
# goes in circles never meets its limit, and the user approves and pays one call after another.
# `thread_limit` holds.
# Seen, model calls for one message with a limit of 3: without questions 3, and 4 for the tools' limit;
# with questions 11, because the script stops after ten answers; with a thread_limit of 3, 3
# Took 92 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "langchain==1.5.2" "langgraph==1.2.24"
cd "$folder"
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import itertools
import sys

from langchain.agents import create_agent
from langchain.agents.middleware import (
    HumanInTheLoopMiddleware,
    ModelCallLimitMiddleware,
    ToolCallLimitMiddleware,
)
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command


class Circles(GenericFakeChatModel):
    """A model that reads the same file again and again."""

    def bind_tools(self, tools, **options):
        return self


def read(path: str) -> str:
    """Read a file."""
    return "x = 1"


def calls(limit, asks):
    """Send one message, approve up to ten times, and return how often the model was asked."""
    asked = []

    def replies():
        for number in itertools.count():
            asked.append(number)
            call = {"name": "read", "args": {"path": "a.py"}, "id": str(number)}
            yield AIMessage("", tool_calls=[call])

    approval = [HumanInTheLoopMiddleware(interrupt_on={"read": True})] if asks else []
    agent = create_agent(
        Circles(messages=replies()),
        [read],
        middleware=[limit, *approval],
        checkpointer=InMemorySaver(),
    )
    thread = {"configurable": {"thread_id": "1"}}
    result = agent.invoke({"messages": "Read it."}, thread)
    for _ in range(10):
        if "__interrupt__" in result:
            answer = Command(resume={"decisions": [{"type": "approve"}]})
            result = agent.invoke(answer, thread)
    return len(asked)


seen = {}
for asks in (False, True):
    seen[asks] = {
        "model": calls(ModelCallLimitMiddleware(run_limit=3), asks),
        "tool": calls(ToolCallLimitMiddleware(run_limit=3, exit_behavior="end"), asks),
        "thread": calls(ModelCallLimitMiddleware(thread_limit=3), asks),
    }
expected = {
    False: {"model": 3, "tool": 4, "thread": 3},
    True: {"model": 11, "tool": 11, "thread": 3},
}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
