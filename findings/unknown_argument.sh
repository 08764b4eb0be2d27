#!/usr/bin/env bash
# mcp 2.3.0, fastmcp 4.2.3, langchain-core 1.8.3, pydantic-ai-slim 2.68.0. Seen on 1 December 2026.
# A good guess: LangChain refuses an argument that a tool does not have, and pydantic-ai drops it.
# A model calls the tool write(path) with one argument more, mode="append". Two packages drop it
# without a word, so the model believes that it has appended; two refuse the call, and the model
# can read why. The same tool in another framework has the other behaviour.
# Seen: mcp: dropped / fastmcp: refused / langchain: dropped / pydantic-ai: refused
# Took 158 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "mcp==2.3.0" \
  "fastmcp==4.2.3" \
  "langchain-core==1.8.3" \
  "pydantic-ai-slim==2.68.0"
cd "$folder"
bin/python - <<'PYTHON'
import asyncio
import logging
import sys

import fastmcp
import mcp
from langchain_core.tools import tool
from mcp.server.mcpserver import MCPServer
from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

logging.disable(logging.CRITICAL)
GIVEN = {"path": "a.txt", "mode": "append"}


def write(path: str) -> str:
    """Write a file."""
    return f"wrote {path}"


async def call(server, client, **options):
    server.tool()(write)
    async with client(server) as session:
        return str((await session.call_tool("write", GIVEN, **options)).content[0].text)


def reply(messages, info):
    told.append(str(messages[-1].parts[-1].content))
    return ModelResponse([TextPart("ok") if told[1:] else ToolCallPart("write", GIVEN)])


told = []
Agent(FunctionModel(reply), tools=[write]).run_sync("Write.")
answers = {
    "mcp": asyncio.run(call(MCPServer("s"), mcp.Client)),
    "fastmcp": asyncio.run(call(fastmcp.FastMCP("s"), fastmcp.Client, raise_on_error=False)),
    "langchain": tool(write).invoke(GIVEN),
    "pydantic-ai": told[1],
}
seen = {name: "dropped" if said == "wrote a.txt" else "refused" for name, said in answers.items()}
expected = {"mcp": "dropped", "fastmcp": "refused"}
expected |= {"langchain": "dropped", "pydantic-ai": "refused"}

if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
