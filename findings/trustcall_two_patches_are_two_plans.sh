#!/usr/bin/env bash
# trustcall 0.0.39, langgraph 1.2.24, langchain-core 1.8.3. Seen on 1 December 2026.
# A good guess: two patches of one plan in a reply give a plan with both changes.
# An extractor that updates an existing plan lets the model call `PatchDoc`. If one reply has two
# calls for the same plan, each is applied to the old plan: there are two results, each has one of
# the two changes, and both say that they are this plan, so whoever stores them keeps the last one.
# A patch that cannot be applied is logged, and the model is not asked again, as it is for a status
# that the schema does not have: no result, no error.
# Seen, statuses in the results: two calls: pending, completed / completed, pending; one call with
# both: completed, completed; a place that is not in the list: no result, 1 request
# Took 121 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "trustcall==0.0.39" \
  "langgraph==1.2.24" \
  "langchain-core==1.8.3"
cd "$folder"
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import sys
from typing import Literal

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import BaseModel
from trustcall import create_extractor


class Task(BaseModel):
    content: str
    status: Literal["pending", "completed"]


class Plan(BaseModel):
    """The plan."""

    todos: list[Task]


class Model(BaseChatModel):
    """A model that calls PatchDoc, and counts how often it is asked."""

    calls: list
    asked: list = []

    @property
    def _llm_type(self):
        return "scripted"

    def bind_tools(self, tools, **_):
        return self

    def _generate(self, messages, *_, **__):
        self.asked.append(messages)
        return ChatResult(generations=[ChatGeneration(message=AIMessage("", tool_calls=self.calls))])


def complete(place):
    return {"op": "replace", "path": f"/todos/{place}/status", "value": "completed"}


def patch(number, *operations):
    edits = {"planned_edits": "Complete it.", "patches": list(operations)}
    return {"name": "PatchDoc", "id": f"c{number}", "args": {"json_doc_id": "Plan", **edits}}


def update(*calls):
    """Update a plan with two open tasks; return the results, their ids and the requests."""
    model = Model(calls=list(calls), asked=[])
    plan = {"todos": [{"content": name, "status": "pending"} for name in ("Count", "Order")]}
    extractor = create_extractor(model, tools=[Plan], tool_choice="Plan")
    result = extractor.invoke({"messages": [("user", "Both are done.")], "existing": {"Plan": plan}})
    statuses = [[task.status for task in one.todos] for one in result["responses"]]
    return statuses, [one["json_doc_id"] for one in result["response_metadata"]], len(model.asked)


seen = {
    "two calls": update(patch(1, complete(1)), patch(2, complete(0))),
    "one call": update(patch(1, complete(1), complete(0))),
    "no such place": update(patch(1, complete(9))),
}
expected = {
    "two calls": ([["pending", "completed"], ["completed", "pending"]], ["Plan", "Plan"], 1),
    "one call": ([["completed", "completed"]], ["Plan"], 1),
    "no such place": ([], [], 1),
}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
