#!/usr/bin/env bash
# mcp 2.3.0 (Python SDK of the Model Context Protocol). Seen on 1 December 2026.
# A good guess: `str | None` receives each string, as `str` does.
# A tool has a parameter `text: str`, and another one `text: str | None = None`. Both get the same
# JSON text, as when an agent writes package.json. The first one receives it. For the second one,
# the server reads the string as JSON before it looks at the type: an object is rejected, because
# it is no string any more, and the text "null" arrives as None.
# Seen: str: {"a": 1} / str | None: an error, "Input should be a valid string" / "null": None
# Took 85 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "mcp==2.3.0"
cd "$folder"
bin/python - <<'PYTHON'
import asyncio
import logging
import sys

from mcp import Client
from mcp.server.mcpserver import MCPServer

logging.disable(logging.CRITICAL)
server = MCPServer("s")


@server.tool()
def write(text: str) -> str:
    return repr(text)


@server.tool()
def write_optional(text: str | None = None) -> str:
    return repr(text)


async def call(name, text):
    async with Client(server) as client:
        result = await client.call_tool(name, {"text": text})
        said = result.content[0].text
        return "rejected" if result.is_error and "valid string" in said else said


JSON = '{"a": 1}'
asked = [("write", JSON), ("write_optional", JSON), ("write", "null"), ("write_optional", "null")]
seen = [asyncio.run(call(*one)) for one in asked]
expected = [repr(JSON), "rejected", "'null'", "None"]

if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
