#!/usr/bin/env bash
# crewai 1.15.30, 30 November 2026.
# With `planning=True`, a crew first asks a planner, and adds the plan to the description of its
# task. The second `kickoff` of the same crew adds a second plan behind the first one: the worker is
# sent both, and the planner is shown the old plan as a part of the task. Each further run adds one
# more. If the runs have `inputs`, the description is made anew, and has one plan.
# Seen, plans in the requests of three runs: planner 0, worker 1 / planner 1, worker 2 / planner 2,
# worker 3; with inputs: planner 0, worker 1 in each
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "crewai==1.15.30"
cd "$folder"
export HOME="$folder" CREWAI_DISABLE_TELEMETRY=true OTEL_SDK_DISABLED=true
export HTTPS_PROXY=http://127.0.0.1:9 HTTP_PROXY=http://127.0.0.1:9
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import json
import re
import sys

from crewai import Agent, BaseLLM, Crew, Task

asked = []


class Model(BaseLLM):
    """A planner that numbers its plans, or a worker that is done at once."""

    def call(self, messages, response_model=None, **_):
        text = messages if isinstance(messages, str) else json.dumps(messages)
        asked.append((self.model, len(set(re.findall(r"<plan \d>", text)))))
        if self.model == "worker":
            return "Thought: I now can give a great answer\nFinal Answer: 3"
        number = sum(name == "planner" for name, _ in asked)
        plan = {"task_number": 1, "task": "Count", "plan": f" <plan {number}> Look at each shelf."}
        answer = {"list_of_plans_per_task": [plan]}
        return response_model(**answer) if response_model else json.dumps(answer)

    def supports_function_calling(self):
        return False


def run(description, **options):
    """Start one crew three times; return who was asked, and with how many different plans."""
    asked.clear()
    clerk = Agent(role="clerk", goal="Count", backstory="You count.", llm=Model(model="worker"))
    task = Task(description=description, expected_output="a number", agent=clerk)
    planner = Model(model="planner")
    crew = Crew(agents=[clerk], tasks=[task], planning=True, planning_llm=planner)
    for _ in range(3):
        crew.kickoff(**options)
    return list(asked)


seen = {
    "without inputs": run("Count the books."),
    "with inputs": run("Count the books of {shop}.", inputs={"shop": "A"}),
}
expected = {
    "without inputs": [
        *(("planner", 0), ("worker", 1)),
        *(("planner", 1), ("worker", 2)),
        *(("planner", 2), ("worker", 3)),
    ],
    "with inputs": [("planner", 0), ("worker", 1)] * 3,
}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
