#!/usr/bin/env bash
# langchain 1.4.10, langchain-core 1.8.3, langgraph 1.2.22. Seen on 1 December 2026.
# A good guess: an answer from the cache is the last message of the conversation.
# With LangChain's cache of replies, an agent that shows its model only the newest message is asked
# the same question twice. The second answer comes from the cache, with the id of the first one. The
# state of an agent replaces a message by one with the same id, so the answer is put where the first
# one was, and the conversation ends with the question: `messages[-1]`, which a program shows as the
# answer, is what the user has typed. Without the cache, the answer is the last message.
# Seen, types of the messages after the third prompt: human, ai, human, ai, human / without the
# cache: human, ai, human, ai, human, ai
# Took 139 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "langchain==1.4.10" \
  "langchain-core==1.8.3" "langgraph==1.2.22"
cd "$folder"
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import sys

from langchain.agents import create_agent
from langchain.agents.middleware import wrap_model_call
from langchain_core.caches import InMemoryCache
from langchain_core.globals import set_llm_cache
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.checkpoint.memory import InMemorySaver

asked = []


class Model(BaseChatModel):
    """A model that answers each prompt."""

    @property
    def _llm_type(self):
        return "model"

    def _generate(self, messages, stop=None, run_manager=None, **_):
        asked.append([message.content for message in messages])
        answer = AIMessage(f"To {messages[-1].content} Count.")
        return ChatResult(generations=[ChatGeneration(message=answer)])


@wrap_model_call
def newest_message(request, handler):
    return handler(request.override(messages=request.messages[-1:]))


def run(cache):
    set_llm_cache(cache)
    asked.clear()
    agent = create_agent(Model(), middleware=[newest_message], checkpointer=InMemorySaver())
    thread = {"configurable": {"thread_id": "shop"}}
    for prompt in ("What is next?", "Thanks.", "What is next?"):
        messages = agent.invoke({"messages": [("user", prompt)]}, thread)["messages"]
    return [message.type for message in messages], messages[-1].content, len(asked)


seen = {"cache": run(InMemoryCache()), "no cache": run(None)}
expected = {
    "cache": (["human", "ai", "human", "ai", "human"], "What is next?", 2),
    "no cache": (["human", "ai"] * 3, "To What is next? Count.", 3),
}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
