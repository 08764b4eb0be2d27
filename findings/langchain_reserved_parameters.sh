#!/usr/bin/env bash
# langchain-core 1.8.3. Seen on 1 December 2026.
# A good guess: a tool's parameters `config` and `callbacks` are as good as any other.
# Two names of parameters are taken, and nothing says so when the tool is made. A parameter
# `config: str` is offered to the model, which fills it in, but its value never arrives: the call
# fails with "missing 1 required positional argument: 'config'". A parameter `callbacks:
# list[str]` is not offered at all, and the function receives LangChain's CallbackManager in its
# place, without an error.
# Seen: config: offered, TypeError / callbacks: not offered, CallbackManager
# Took 83 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "langchain-core==1.8.3"
cd "$folder"
bin/python - <<'PYTHON'
import sys

from langchain_core.tools import tool


@tool
def deploy(config: str, env: str) -> str:
    """Deploy with a configuration file."""
    return config


@tool
def subscribe(callbacks: list[str], env: str) -> str:
    """Register these addresses."""
    return type(callbacks).__name__


def try_tool(one, given):
    try:
        return [sorted(one.args), one.invoke(given)]
    except TypeError as problem:
        return [sorted(one.args), str(problem).partition(" ")[2]]


seen = [
    try_tool(deploy, {"config": "prod.toml", "env": "prod"}),
    try_tool(subscribe, {"callbacks": ["http://127.0.0.1/done"], "env": "prod"}),
]
expected = [
    [["config", "env"], "missing 1 required positional argument: 'config'"],
    [["env"], "CallbackManager"],
]

if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
