#!/usr/bin/env bash
# openai-agents 0.24.0. Seen on 1 December 2026.
# A good guess: a session that is reopened goes on with the branch that it was on.
# An AdvancedSQLiteSession makes a branch at a turn that went wrong, and goes on there. The database
# has the branch and its messages, and not which branch the session is on. Reopened, as in the next
# process or the next request of a web server, it is on "main": the model is sent the way that was
# given up, the prompt is stored behind it, and `list_branches` says that main is the current one.
# Nothing tells it; `switch_to_branch` has to be called each time.
# Seen, prompts in the request: on the branch: "Make a list.", "Count." / reopened: "Make a list.",
# "Delete all.", "Go on."; current branch: "better" / "main"
# Took 36 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "openai-agents==0.24.0"
cd "$folder"
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import asyncio
import sys

from agents import Agent, ModelResponse, Runner, Usage, set_tracing_disabled
from agents.extensions.memory import AdvancedSQLiteSession
from agents.models.interface import Model
from openai.types.responses import ResponseOutputMessage, ResponseOutputText

set_tracing_disabled(True)
asked = []


class Clerk(Model):
    """A model that answers each request with a text."""

    async def get_response(self, system_instructions, input, **_):
        asked.append([item["content"] for item in input if item["role"] == "user"])
        text = ResponseOutputText(type="output_text", text="ok", annotations=[])
        answer = ResponseOutputMessage(
            id="1", type="message", role="assistant", status="completed", content=[text]
        )
        return ModelResponse(output=[answer], usage=Usage(), response_id=None)

    def stream_response(self, *_, **__):
        raise NotImplementedError


def reopen():
    return AdvancedSQLiteSession(session_id="shop", db_path="shop.db", create_tables=True)


async def look(session):
    (branch,) = [one["branch_id"] for one in await session.list_branches() if one["is_current"]]
    return branch, asked[-1]


async def main():
    agent = Agent("clerk", model=Clerk())
    session = reopen()
    for prompt in ("Make a list.", "Delete all."):
        await Runner.run(agent, prompt, session=session)
    await session.create_branch_from_turn(2, branch_name="better")
    await Runner.run(agent, "Count.", session=session)
    seen = {"open": await look(session)}
    session.close()
    session = reopen()
    await Runner.run(agent, "Go on.", session=session)
    seen["reopened"] = await look(session)
    await session.switch_to_branch("better")
    await Runner.run(agent, "Go on.", session=session)
    seen["switched"] = await look(session)
    session.close()
    return seen


seen = asyncio.run(main())
expected = {
    "open": ("better", ["Make a list.", "Count."]),
    "reopened": ("main", ["Make a list.", "Delete all.", "Go on."]),
    "switched": ("better", ["Make a list.", "Count.", "Go on."]),
}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
