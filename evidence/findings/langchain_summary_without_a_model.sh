#!/usr/bin/env bash
# langchain 1.5.2, langchain-core 1.8.3, 28 November 2026.
# SummarizationMiddleware replaces the older messages by a summary that a model writes. Of these
# messages, it gives the model the last 4,000 tokens (its default), from a prompt of the user on. In
# a run with one prompt whose older messages are longer than that, no prompt is among them, so the
# model is never asked, and a fixed sentence takes the place of the prompt and of the todo list. The
# list stays in the state of the agent, and no later request shows it.
# Seen: 0 calls of the summariser; 19 requests after the cut, 0 with the prompt, 0 with the list; in
# their place "Previous conversation was too long to summarize."; the state still has the list.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "langchain==1.5.2" "langchain-core==1.8.3"
cd "$folder"
bin/python - <<'PYTHON'
import sys

from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware, TodoListMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool

PROMPT, TASK, ROUNDS = "Make the shop ready.", "Add the discount.", 40
requests, summaries = [], []


class Scripted(BaseChatModel):
    """Writes its list once, then reads a file in each round."""

    @property
    def _llm_type(self):
        return "scripted"

    def bind_tools(self, tools, **options):
        return self

    def _generate(self, messages, stop=None, run_manager=None, **options):
        requests.append(list(messages))
        name, args = "read", {"path": "shop.txt"}
        if len(requests) == 1:
            todos = [{"content": TASK, "status": "in_progress"}]
            name, args = "write_todos", {"todos": todos}
        call = {"name": name, "args": args, "id": str(len(requests))}
        message = AIMessage("", tool_calls=[call] if len(requests) < ROUNDS else [])
        return ChatResult(generations=[ChatGeneration(message=message)])


class Summariser(Scripted):
    def _generate(self, messages, stop=None, run_manager=None, **options):
        summaries.append(messages)
        return ChatResult(generations=[ChatGeneration(message=AIMessage("A summary."))])


@tool
def read(path: str) -> str:
    """Read a file."""
    return "word " * 1600  # about 2,000 tokens


cut = SummarizationMiddleware(Summariser(), trigger=("tokens", 40_000))
agent = create_agent(Scripted(), [read], middleware=[TodoListMiddleware(), cut])
asked = {"messages": [{"role": "user", "content": PROMPT}]}
state = agent.invoke(asked, {"recursion_limit": 500})

texts = ["".join(f"{m.content} {getattr(m, 'tool_calls', '')}" for m in one) for one in requests]
first = next(at for at, text in enumerate(texts) if PROMPT not in text)
after = texts[first:]
seen = {
    "summaries": len(summaries),
    "requests after the cut": len(after),
    "with the prompt": sum(PROMPT in text for text in after),
    "with the list": sum(TASK in text for text in after),
    "list in the state": [one["content"] for one in state["todos"]] == [TASK],
    "in their place": [one.text for one in requests[first] if one.type == "human"],
}
expected = {
    "summaries": 0,
    "requests after the cut": 19,
    "with the prompt": 0,
    "with the list": 0,
    "list in the state": True,
    "in their place": [
        "Here is a summary of the conversation to date:\n\n"
        "Previous conversation was too long to summarize."
    ],
}

if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
