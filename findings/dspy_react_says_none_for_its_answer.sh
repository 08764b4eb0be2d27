#!/usr/bin/env bash
# dspy 3.4.1. Seen on 1 December 2026.
# A good guess: an agent that is given the history knows what it has answered.
# With a `dspy.History`, a module is shown what was asked and answered before. In the loop of
# `dspy.ReAct`, which has other fields than its answer, the assistant's turn has None for the next
# thought, the next tool and its arguments, and the answer is in no message: a model that is to decide
# about the second question does not know what it said to the first one, and has an example of how to
# choose no tool. Only the last request of a run, which writes the answer, has the one before.
# Seen, the assistant's turn: Predict: answer; ReAct: three times None, and then the answer
# Took 210 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "dspy==3.4.1"
cd "$folder"
export DSPY_CACHEDIR="$folder/cache" LITELLM_LOCAL_MODEL_COST_MAP=True
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import re
import sys

import dspy
from dspy.utils import DummyLM

ANSWER = "There are 12 books."
FINISH = {"next_thought": "I know it.", "next_tool_name": "finish", "next_tool_args": "{}"}


class Shop(dspy.Signature):
    """Answer a question about the shop."""

    history: dspy.History = dspy.InputField()
    question: str = dspy.InputField()
    answer: str = dspy.OutputField()


def count(shelf: str) -> str:
    """Count the books of a shelf."""
    return "12"


def second_run(module, replies):
    """Ask with one question and answer before; return the assistant's turns of each request."""
    history = dspy.History(messages=[{"question": "How many books?", "answer": ANSWER}])
    model = DummyLM(replies)
    with dspy.context(lm=model):
        module(question="And without the red ones?", history=history)
    turns = []
    for request in model.history:
        (said,) = [one["content"] for one in request["messages"] if one["role"] == "assistant"]
        fields = re.findall(r"\[\[ ## (\w+) ## \]\]\n([^\n]+)", said)
        turns.append({name: value for name, value in fields if name != "completed"})
    return turns


reply = {"reasoning": "I counted.", "answer": "11"}
seen = {
    "Predict": second_run(dspy.Predict(Shop), [reply]),
    "ReAct": second_run(dspy.ReAct(Shop, tools=[count]), [FINISH, reply]),
}
nothing = {"next_thought": "None", "next_tool_name": "None", "next_tool_args": "None"}
expected = {
    "Predict": [{"answer": ANSWER}],
    "ReAct": [nothing, {"reasoning": "None", "answer": ANSWER}],
}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
