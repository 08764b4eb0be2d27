#!/usr/bin/env bash
# llama-index-core 0.14.25, llama-index-workflows 2.26.1, pydantic 2.14.4 and 2.13.5. Seen on 1
# December 2026.
# A good guess: an agent that is run again with the same context knows what was said.
# An agent that is run again with the same `Context` knows what was said before. With pydantic 2.14,
# which pip installs, it does not: each prompt is sent alone. The second run begins with a copy of
# the context, the chat store's serializer gives pydantic its `info` where an index belongs, which
# 2.14 refuses, and a memory that cannot be copied is left out, with a warning that this is expected.
# What a program has put into the context itself is still there. With `memory=` in each run, or with
# pydantic 2.13, the agent knows.
# Seen, in the third request: pydantic 2.14.4: Three / with memory=: One, answer, Two, answer, Three
# / pydantic 2.13.5: One, answer, Two, answer, Three, both ways; the program's own list: kept
# Took 215 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
cd "$folder"
cat > try.py <<'PYTHON'
import asyncio
import sys
import warnings
from importlib.metadata import version

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms import ChatMessage, ChatResponse, LLMMetadata
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.memory import Memory
from llama_index.core.workflow import Context

asked = []


class Model(FunctionCallingLLM):
    """A model that answers each request with a text."""

    @property
    def metadata(self):
        return LLMMetadata(is_function_calling_model=True)

    async def astream_chat_with_tools(self, tools, user_msg=None, chat_history=None, **_):
        asked.append([message.content for message in chat_history])
        answer = ChatMessage(role="assistant", content="answer")

        async def stream():
            yield ChatResponse(message=answer, delta="answer")

        return stream()

    def get_tool_calls_from_response(self, *_, **__):
        return []

    def _unused(self, *_, **__):
        raise NotImplementedError

    _prepare_chat_with_tools = chat = achat = stream_chat = astream_chat = _unused
    complete = acomplete = stream_complete = astream_complete = _unused


def read() -> str:
    """Read the list."""
    return "- [ ] Count"


async def main():
    agent = FunctionAgent(llm=Model(), tools=[read])
    seen = {}
    for name, more in (("ctx", {}), ("memory", {"memory": Memory.from_defaults("shop")})):
        context = Context(agent)
        await context.store.set("todos", ["Count"])
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            for prompt in ("One", "Two", "Three"):
                await agent.run(prompt, ctx=context, **more)
        skipped = sum("known unserializable key: memory" in str(one.message) for one in told)
        seen[name] = asked[-1], skipped > 0, await context.store.get("todos")
    return seen


seen = asyncio.run(main())
whole = ["One", "answer", "Two", "answer", "Three"]
pydantic = version("pydantic")
forgets = pydantic.startswith("2.14")
expected = {
    "ctx": (["Three"] if forgets else whole, forgets, ["Count"]),
    "memory": (whole, True, ["Count"]),
}
if seen != expected:
    sys.exit(f"CHANGED: with pydantic {pydantic}, expected {expected}, got {seen}")
print(pydantic, seen)
PYTHON
for pydantic in 2.14.4 2.13.5; do
  bin/python -m pip install -q --no-compile "pydantic==$pydantic" "llama-index-core==0.14.25" \
    "llama-index-workflows==2.26.1"
  bin/python try.py 2> errors || { cat errors >&2; exit 1; }
done
