#!/usr/bin/env bash
# mcp 2.3.0 and fastmcp 4.2.3. Seen on 1 December 2026.
# A good guess: a list is one text, and an empty one is `[]`.
# The same function with the same type, `-> list[int]`, is a tool in both packages. mcp sends each
# element as a text block of its own, so a model reads "1" and "2" and not a list; fastmcp sends
# one block. An empty list has no content at all in both: a search that finds nothing returns
# nothing, and a client that shows only the content shows an empty result.
# Seen: mcp [1, 2]: '1', '2'; fastmcp [1, 2]: '[1,2]'; both, []: no block
# Took 135 seconds on a busy machine. Needs Python.
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
import sys

import fastmcp
import mcp
from mcp.server.mcpserver import MCPServer


def find(what: str) -> list[int]:
    """Return the numbers of the lines."""
    return [1, 2] if what == "some" else []


async def read_blocks(server, client):
    server.tool()(find)
    async with client(server) as session:
        results = [await session.call_tool("find", {"what": what}) for what in ("some", "none")]
        return [[block.text for block in result.content] for result in results]


seen = [
    asyncio.run(read_blocks(MCPServer("s"), mcp.Client)),
    asyncio.run(read_blocks(fastmcp.FastMCP("s"), fastmcp.Client)),
]
expected = [[["1", "2"], []], [["[1,2]"], []]]

if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
