#!/usr/bin/env bash
# ag-ui-langgraph 0.0.47, ag-ui-protocol 1.0.0, langchain 1.5.2, langgraph 1.2.24. Seen on 1
# December 2026.
# A good guess: in a page that shares its state with the agent, a user can open a task of the list
# again.
# In AG-UI, a page sends the state back with each prompt, so that a user can edit what the agent
# works with. With LangChain's `TodoListMiddleware`, the list is in the state that the page is sent,
# and a list that comes back is dropped without a word, because the middleware takes it out of the
# agent's input; an edit of another field arrives. `invoke` with a list drops it as well.
# Seen, after the page has opened the second task again and changed the shop: list completed,
# completed; shop B; invoke with a list: no list
# Took 36 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "ag-ui-langgraph[fastapi]==0.0.47" \
  "ag-ui-protocol==1.0.0" \
  "langchain==1.5.2" \
  "langgraph==1.2.24"
cd "$folder"
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import asyncio
import sys
from typing import NotRequired

from ag_ui.core import RunAgentInput, UserMessage
from ag_ui_langgraph import LangGraphAgent
from langchain.agents import AgentState, create_agent
from langchain.agents.middleware import TodoListMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.checkpoint.memory import MemorySaver

TODOS = [{"content": name, "status": "completed"} for name in ("Count", "Order")]
LIST = {"name": "write_todos", "id": "c1", "args": {"todos": TODOS}}


class Shop(AgentState):
    shop: NotRequired[str]


class Model(BaseChatModel):
    """A model that writes a list if the prompt asks for one."""

    @property
    def _llm_type(self):
        return "scripted"

    def bind_tools(self, tools, **_):
        return self

    def _generate(self, messages, *_, **__):
        calls = [LIST] if messages[-1].content == "Plan." else []
        return ChatResult(generations=[ChatGeneration(message=AIMessage("Done.", tool_calls=calls))])


agent = create_agent(
    Model(),
    middleware=[TodoListMiddleware()],
    state_schema=Shop,
    checkpointer=MemorySaver(),
)


async def ask(number, messages, state):
    """Send a prompt as a page does; return the messages and the state that the page gets."""
    sent = RunAgentInput(
        thread_id="t",
        run_id=f"r{number}",
        state=state,
        messages=messages,
        tools=[],
        context=[],
        forwarded_props={},
    )
    events = [event async for event in LangGraphAgent(name="a", graph=agent).run(sent)]
    shown = {event.type.value: event for event in events}
    return shown["MESSAGES_SNAPSHOT"].messages, shown["STATE_SNAPSHOT"].snapshot


async def main():
    first = [UserMessage(id="u1", role="user", content="Plan.")]
    messages, state = await ask(1, first, {"shop": "A"})
    edited = [TODOS[0], {**TODOS[1], "status": "pending"}]
    second = [*messages, UserMessage(id="u2", role="user", content="Go on.")]
    _, after = await ask(2, second, {**state, "todos": edited, "shop": "B"})
    thread = {"configurable": {"thread_id": "other"}}
    direct = await agent.ainvoke({"messages": [("user", "Go on.")], "todos": edited}, thread)
    return {
        "shown": ([task["status"] for task in state["todos"]], state["shop"]),
        "after the edit": ([task["status"] for task in after["todos"]], after["shop"]),
        "invoke": direct.get("todos"),
    }


seen = asyncio.run(main())
expected = {
    "shown": (["completed", "completed"], "A"),
    "after the edit": (["completed", "completed"], "B"),
    "invoke": None,
}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
