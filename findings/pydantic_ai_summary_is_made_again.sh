#!/usr/bin/env bash
# summarization-pydantic-ai 0.1.11, pydantic-ai-slim 2.68.0. Seen on 1 December 2026.
# A good guess: what a history processor returns is the conversation from then on.
# The package's capabilities put the summary into one request and not into the conversation. After
# a model has called `compact_conversation`, one request is short, and the next one has all messages
# again. Over the limit, each request pays for a new summary of everything, so no summary is ever
# reused, and neither is a cached prefix. The same package's processor in pydantic-ai's own
# `ProcessHistory` changes the conversation, and makes one summary.
# Seen, messages by request: the tool: 1, 3, 5, 7, 9, 3, 13, 15, with a count of 1 compression;
# SummarizationCapability: 1, 3, 5, 7, 9, 5, 5, 5 with 3 summaries; ProcessHistory: 1, 3, 5, 7, 9,
# 5, 7, 9 with 1 summary
# Took 93 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "pydantic-ai-slim==2.68.0" \
  "summarization-pydantic-ai==0.1.11"
cd "$folder"
bin/python - <<'PYTHON'
import sys

from pydantic_ai import Agent
from pydantic_ai.capabilities import ProcessHistory
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai_summarization import SummarizationProcessor
from pydantic_ai_summarization.capability import (
    ContextManagerCapability,
    SummarizationCapability,
)

ROUNDS, COMPACT_AT = 8, 5
lengths, summaries = [], []


def summarise(messages, info):
    summaries.append(messages)
    return ModelResponse([TextPart(f"Summary {len(summaries)}.")])


def model(messages, info):
    lengths.append(len(messages))
    if len(lengths) == ROUNDS:
        return ModelResponse([TextPart("ok")])
    names = [tool.name for tool in info.function_tools]
    if len(lengths) == COMPACT_AT and "compact_conversation" in names:
        return ModelResponse([ToolCallPart("compact_conversation", {})])
    return ModelResponse([ToolCallPart("read", {"path": "shop.txt"})])


def read(path: str) -> str:
    return "stock: 3"


def run(capability):
    lengths.clear()
    summaries.clear()
    agent = Agent(FunctionModel(model), tools=[read], capabilities=[capability])
    stored = agent.run_sync("Make the shop ready.").all_messages()
    return list(lengths), len(summaries), len(stored)


limits = {
    "model": FunctionModel(summarise),
    "trigger": ("messages", 10),
    "keep": ("messages", 4),
}
manager = ContextManagerCapability(
    summarization_model=FunctionModel(summarise), include_compact_tool=True
)
seen = {
    "compact_conversation": run(manager),
    "its count": manager.compression_count,
    "SummarizationCapability": run(SummarizationCapability(**limits)),
    "ProcessHistory": run(ProcessHistory(SummarizationProcessor(**limits))),
}
expected = {
    "compact_conversation": ([1, 3, 5, 7, 9, 3, 13, 15], 1, 16),
    "its count": 1,
    "SummarizationCapability": ([1, 3, 5, 7, 9, 5, 5, 5], 3, 16),
    "ProcessHistory": ([1, 3, 5, 7, 9, 5, 7, 9], 1, 10),
}

if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print("messages by request, summaries, messages stored:", seen)
PYTHON
