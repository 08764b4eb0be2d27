#!/usr/bin/env bash
# pydantic-ai-todo 0.2.7, pydantic-ai-slim 2.68.0. Seen on 1 December 2026.
# A good guess: as the description of its tool says, a task is blocked until the one that it waits
# for is completed.
# With `enable_subtasks`, the package promises a model that a dependent task is 'blocked' until its
# dependency is completed. After that it is still blocked, and is not among the available tasks. And
# since nothing is pending or in progress, reading the list again tells the model that all tasks are
# completed, that it must not read again, and that it must end with a summary.
# Seen, one task completed and one open: "1 completed, 1 blocked, 0 in progress, 0 pending", then
# "All tasks are completed. Do NOT call read_todos again — respond to the user with a summary
# instead.", with each of the two storages in memory
# Took 93 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "pydantic-ai-slim==2.68.0" \
  "pydantic-ai-todo==0.2.7"
cd "$folder"
bin/python - <<'PYTHON'
import sys

from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai_todo import AsyncMemoryStorage, TodoStorage, create_todo_toolset

COUNT = {"id": "a", "content": "Count", "active_form": "Counting", "status": "in_progress"}
ORDER = {"id": "b", "content": "Order", "active_form": "Ordering"}
CALLS = [
    ("write_todos", {"todos": [COUNT, ORDER]}),
    ("set_dependency", {"todo_id": "b", "depends_on_id": "a"}),
    ("update_todo_status", {"todo_id": "a", "status": "completed"}),
    ("get_available_tasks", {}),
    ("read_todos", {}),
]


def model(messages, info):
    at = sum(isinstance(one, ModelResponse) for one in messages)
    return ModelResponse([ToolCallPart(*CALLS[at]) if at < len(CALLS) else TextPart("ok")])


def read_results(**storage):
    toolset = create_todo_toolset(enable_subtasks=True, **storage)
    run = Agent(FunctionModel(model), toolsets=[toolset]).run_sync("Make the shop ready.")
    parts = [part for message in run.all_messages() for part in message.parts]
    return [part.content for part in parts if isinstance(part, ToolReturnPart)]


expected = [
    "Updated 2 todos: 0 completed, 1 in progress, 1 pending",
    "Added dependency: 'Order' now depends on 'Count'. Task automatically blocked.",
    "Updated todo 'Count' status to 'completed'",
    "No available tasks. All tasks are either completed or blocked.",
    "Current todos:\n1. [x] [a] Count\n2. [!] [b] Order\n   (depends on: a)\n\n"
    "Summary: 1 completed, 1 blocked, 0 in progress, 0 pending\n\nAll tasks are completed. "
    "Do NOT call read_todos again — respond to the user with a summary instead.",
]
for storage in ({"storage": TodoStorage()}, {"async_storage": AsyncMemoryStorage()}):
    seen = read_results(**storage)
    if seen != expected:
        sys.exit(f"CHANGED: with {list(storage)} expected {expected}, got {seen}")
print("\n".join(expected[2:]))
PYTHON
