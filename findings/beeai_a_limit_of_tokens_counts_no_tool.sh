#!/usr/bin/env bash
# beeai-framework 0.1.85. Seen on 1 December 2026.
# A good guess: a memory with a limit of tokens stays below it.
# `TokenMemory(max_tokens=1000)` is documented to manage "token usage to stay within model context
# limits". It counts the text of a message, and calls and results of tools are no text to it: they
# count as 0 tokens. An agent that reads a file for each prompt keeps them all, the memory says that
# it uses a few tokens, and the requests grow until the server refuses one. The same files, sent as
# text by the user, are cut as documented.
# Seen, after five prompts: files of 3,000 characters in the last request 5, tokens_used 36 of 1,000;
# as text of the user 1 of 5, and tokens_used 750
# Took 267 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "beeai-framework==0.1.85"
cd "$folder"
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import asyncio
import sys

from beeai_framework.agents.requirement import RequirementAgent
from beeai_framework.backend import (
    AssistantMessage,
    ChatModel,
    ChatModelOutput,
    MessageToolCallContent,
    ToolMessage,
    UserMessage,
)
from beeai_framework.memory import TokenMemory
from beeai_framework.tools import tool

FILE = "x = 1\n" * 500
requests = []


class Reader(ChatModel):
    """A model that reads the file, and then answers."""

    model_id = "reader"
    provider_id = "ollama"

    async def _create(self, input, run):
        requests.append(str([message.to_plain() for message in input.messages]))
        name, arguments = "read", '{"path": "a.py"}'
        if isinstance(input.messages[-1], ToolMessage):
            name, arguments = "final_answer", '{"response": "Read."}'
        call = MessageToolCallContent(id=str(len(requests)), tool_name=name, args=arguments)
        return ChatModelOutput(output=[AssistantMessage([call])])

    async def _create_stream(self, input, run):
        yield await self._create(input, run)


@tool
def read(path: str) -> str:
    """Read a file."""
    return FILE


async def by_tool():
    """Return how many files the last request has, and what the memory says that it uses."""
    memory = TokenMemory(max_tokens=1000)
    agent = RequirementAgent(llm=Reader(), tools=[read], memory=memory)
    for number in range(5):
        await agent.run(f"Read it, {number}.")
    return requests[-1].count("x = 1") // 500, memory.tokens_used


async def by_user():
    """Return how many files the memory keeps, and what it says that it uses."""
    memory = TokenMemory(max_tokens=1000)
    for _ in range(5):
        await memory.add(UserMessage(FILE))
    return len(memory.messages), memory.tokens_used


seen = {"by a tool": asyncio.run(by_tool()), "by the user": asyncio.run(by_user())}
expected = {"by a tool": (5, 36), "by the user": (1, 750)}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
