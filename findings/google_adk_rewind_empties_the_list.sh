#!/usr/bin/env bash
# google-adk 2.13.0. Seen on 1 December 2026.
# A good guess: after a rewind, the list is the one that was there before the turn.
# A session is made with a list and the name of a shop as its first state, and both are in the
# agent's instruction. One turn ticks a task, and is rewound. The list is then not the one that was
# there before the turn, but None, and so is the shop, which no turn has touched: the rewind knows
# only what events have set, and the first state is in no event. The next request is sent without a
# word that both are missing.
# Seen, instruction before the rewound turn: "Tasks: {'Count': 'open'}. Shop: A."; in it, after the
# tick: "Tasks: {'Count': 'done'}. Shop: A."; after the rewind: "Tasks: . Shop: ."
# Took 114 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "google-adk==2.13.0"
cd "$folder"
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import asyncio
import sys

from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.adk.tools import ToolContext
from google.genai import types

asked = []


class Model(BaseLlm):
    """A model that ticks a task if it is told so, and is then done."""

    async def generate_content_async(self, llm_request, stream=False):
        asked.append(llm_request.config.system_instruction.partition("\n")[0])
        part = types.Part(text="ok")
        if llm_request.contents[-1].parts[-1].text == "Tick.":
            part = types.Part.from_function_call(name="tick", args={"task": "Count"})
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


def tick(task: str, tool_context: ToolContext) -> str:
    """Tick a task."""
    tool_context.state["todos"] = {task: "done"}
    return "ok"


async def main():
    names = {"app_name": "shop", "user_id": "a"}
    sessions = InMemorySessionService()
    first = {"todos": {"Count": "open"}, "shop": "A"}
    session = await sessions.create_session(**names, state=first)
    instruction = "Tasks: {todos}. Shop: {shop}."
    agent = LlmAgent(name="clerk", model=Model(model="m"), instruction=instruction, tools=[tick])
    runner = Runner(agent=agent, app_name="shop", session_service=sessions)
    seen = []
    for prompt in ("Hello.", "Tick.", "Go on."):
        message = types.Content(role="user", parts=[types.Part(text=prompt)])
        turn = {"user_id": "a", "session_id": session.id}
        async for event in runner.run_async(**turn, new_message=message):
            last = event.invocation_id
        seen.append(asked[-1])
        if prompt == "Tick.":
            await runner.rewind_async(**turn, rewind_before_invocation_id=last)
            state = (await sessions.get_session(**names, session_id=session.id)).state
            seen.append(dict(state))
    return seen


seen = asyncio.run(main())
expected = [
    "Tasks: {'Count': 'open'}. Shop: A.",
    "Tasks: {'Count': 'done'}. Shop: A.",
    {"todos": None, "shop": None},
    "Tasks: . Shop: .",
]
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
