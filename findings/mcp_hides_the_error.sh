#!/usr/bin/env bash
# mcp 2.3.0 (Python SDK of the Model Context Protocol). Seen on 1 December 2026.
# A good guess: a model can read why a tool has failed.
# A tool of an MCPServer raises ValueError("disk full"). One would expect the client, and so the
# model, to read why. It reads only that the tool failed. (The package fastmcp 4.2.3 passes the
# message on.) A model that cannot read the cause can only try again: raise ToolError, or return
# the text.
# Seen: mcp: Error executing tool save / fastmcp: Error calling tool 'save': disk full
# Took 158 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "mcp==2.3.0" \
  "fastmcp==4.2.3"
cd "$folder"
bin/python - <<'PYTHON'
import asyncio
import logging
import sys

import fastmcp
import mcp
from mcp.server.mcpserver import MCPServer

logging.disable(logging.CRITICAL)


def save(path: str) -> str:
    """Save a file."""
    raise ValueError("disk full")


async def read_error(server, client, **options):
    server.tool()(save)
    async with client(server) as session:
        result = await session.call_tool("save", {"path": "a.txt"}, **options)
        return result.content[0].text


seen = [
    asyncio.run(read_error(MCPServer("s"), mcp.Client)),
    asyncio.run(read_error(fastmcp.FastMCP("s"), fastmcp.Client, raise_on_error=False)),
]
expected = ["Error executing tool save", "Error calling tool 'save': disk full"]

if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
