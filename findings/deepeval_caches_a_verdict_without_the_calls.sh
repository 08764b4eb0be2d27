#!/usr/bin/env bash
# deepeval 4.3.1. Seen on 1 December 2026.
# A good guess: with the cache on, a case is measured again if the agent has called other tools.
# With its cache (`use_cache`, or `deepeval test run -c`), deepeval measures a test case again if it has
# changed. The calls of tools are no part of the cache's key. So a run with the same prompt and the
# same last words, in which the agent called no tool at all, has the verdict of the run that called all
# of them; and after it was measured without the cache, a run that calls all of them fails.
# Seen, score of ToolCorrectnessMetric: all calls 1; none, from the cache, 1; none, measured, 0; all
# calls, from the cache, 0
# Took 189 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "deepeval==4.3.1"
cd "$folder"
export DEEPEVAL_TELEMETRY_OPT_OUT=YES
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import contextlib
import sys

from deepeval import evaluate
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.metrics import ToolCorrectnessMetric
from deepeval.models import DeepEvalBaseLLM
from deepeval.test_case import LLMTestCase, ToolCall

EXPECTED = ["todo_write", "read", "write"]


class Judge(DeepEvalBaseLLM):
    """A model that this metric does not ask."""

    def load_model(self):
        return self

    def generate(self, *_, **__):
        raise NotImplementedError

    async def a_generate(self, *_, **__):
        raise NotImplementedError

    def get_model_name(self):
        return "judge"


def score(tools, cache=True):
    """Evaluate a run that called these tools; return the metric's score."""
    case = LLMTestCase(
        input="Fix it.",
        actual_output="Done.",
        tools_called=[ToolCall(name=tool) for tool in tools],
        expected_tools=[ToolCall(name=tool) for tool in EXPECTED],
    )
    metric = ToolCorrectnessMetric(model=Judge())
    with contextlib.redirect_stdout(sys.stderr):
        result = evaluate(
            [case],
            [metric],
            cache_config=CacheConfig(use_cache=cache),
            async_config=AsyncConfig(run_async=False),
            display_config=DisplayConfig(show_indicator=False, print_results=False),
        )
    return result.test_results[0].metrics_data[0].score


seen = {
    "all": score(EXPECTED),
    "none": score([]),
    "none, measured": score([], cache=False),
    "all again": score(EXPECTED),
}
expected = {"all": 1, "none": 1, "none, measured": 0, "all again": 0}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
