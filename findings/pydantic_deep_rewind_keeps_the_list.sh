#!/usr/bin/env bash
# pydantic-deep 0.3.50, pydantic-ai-slim 2.62.0, pydantic-ai-todo 0.2.7. Seen on 1 December 2026.
# A good guess: after a rewind, the list is that of the checkpoint, as the conversation is.
# A checkpoint has the messages of a conversation and not its list, which is in the `deps`. After
# `rewind_to`, the messages are those of the checkpoint, and the list is the one of the way that was
# given up: a model that reads it is told that all tasks are completed, although its conversation
# has done none of them. A fork of this checkpoint, with `deps` of its own, has no list.
# Seen: in the messages after the rewind, 1 list with both tasks open; then read_todos says
# "2 completed, 0 in progress, 0 pending" and "All tasks are completed."; in the fork it says
# "No todos in the list."
# Took 126 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "pydantic-deep==0.3.50" \
  "pydantic-ai-slim==2.62.0" \
  "pydantic-ai-todo==0.2.7"
cd "$folder"
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import asyncio
import sys

from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel
from pydantic_deep import DeepAgentDeps, create_deep_agent
from pydantic_deep.features.checkpointing import (
    InMemoryCheckpointStore,
    RewindRequested,
    fork_from_checkpoint,
)

store = InMemoryCheckpointStore()
requests = []


def make_list(first, second):
    tasks = [("a", "Count", first), ("b", "Order", second)]
    todos = [{"id": i, "content": c, "active_form": c, "status": s} for i, c, s in tasks]
    return "write_todos", {"todos": todos}


async def find_call():
    if len(requests) == 1:
        return make_list("in_progress", "pending")
    if len(requests) == 2:
        return "save_checkpoint", {"label": "before"}
    if len(requests) == 3:
        return make_list("completed", "completed")
    if len(requests) == 4:
        return "rewind_to", {"checkpoint_id": (await store.get_by_label("before")).id}
    return "read_todos", {}


async def model(messages, info):
    requests.append(messages)
    read = any(getattr(one, "tool_name", "") == "read_todos" for one in messages[-1].parts)
    part = TextPart("ok") if read else ToolCallPart(*await find_call())
    return ModelResponse([part])


def find(messages, kind, name):
    parts = [part for message in messages for part in message.parts]
    return [one for one in parts if isinstance(one, kind) and one.tool_name == name]


async def main():
    agent = create_deep_agent(
        FunctionModel(model),
        include_checkpoints=True,
        checkpoint_store=store,
        include_subagents=False,
        include_skills=False,
        include_memory=False,
    )
    deps = DeepAgentDeps()
    try:
        await agent.run("Make the shop ready.", deps=deps)
    except RewindRequested as rewind:
        back = rewind
    calls = find(back.messages, ToolCallPart, "write_todos")
    lists = [[task["status"] for task in one.args_as_dict()["todos"]] for one in calls]
    seen = {"lists in the messages": lists}
    fork = await fork_from_checkpoint(store, back.checkpoint_id)
    for name, history, its_deps in (
        ("rewound", back.messages, deps),
        ("fork", fork, DeepAgentDeps()),
    ):
        run = await agent.run("Go on.", deps=its_deps, message_history=history)
        seen[name] = find(run.all_messages(), ToolReturnPart, "read_todos")[-1].content
    return seen


seen = asyncio.run(main())
expected = {
    "lists in the messages": [["in_progress", "pending"]],
    "rewound": "Current todos:\n1. [x] [a] Count\n2. [x] [b] Order\n\n"
    "Summary: 2 completed, 0 in progress, 0 pending\n\nAll tasks are completed. "
    "Do NOT call read_todos again — respond to the user with a summary instead.",
    "fork": "No todos in the list. Use write_todos to create tasks.",
}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
