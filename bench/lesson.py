"""Measure the lesson: the practice API, whole runs, the start of a process, memory."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from . import agents, script

REPEATS = 3
LATENCY = Path("build", "runs-latency-ms.json")  # from tests/browser/test_runs.py


def measure_lesson() -> dict[str, str]:
    """Return each figure with its unit, by its description."""
    figures = {
        f"the practice API, per round in a run of {rounds}": f"{api_ms_per_round(rounds):.2f} ms"
        for rounds in (10, 50, 200)
    }
    figures |= measure_runs()
    figures |= measure_key_to_chart()
    figures |= measure_starts()
    return figures | measure_kernel()


def median_ms(measure: Callable[[], object]) -> float:
    """Return milliseconds of CPU in this process: the median of REPEATS, after one warm-up."""
    measure()
    times = []
    for _ in range(REPEATS):
        start = process_time()
        measure()
        times.append((process_time() - start) * 1000)
    return median(times)


def api_ms_per_round(rounds: int) -> float:
    """Return the time that the practice API takes per round to check a request and to answer it.

    Our loop sends the requests, and the replies are scripted. The time of the client is not
    included.
    """
    from lesson.practice import PracticeModel

    class Policy:
        """Return the next scripted reply."""

        def __call__(self, request: dict[str, Any], /) -> list[dict[str, Any]]:
            number = sum(message["role"] == "assistant" for message in request["messages"])
            call = script.call_in_round(number) if number < rounds - 1 else None
            content = script.anthropic_reply(number, call)["content"]
            return [{k: v for k, v in block.items() if k != "id"} for block in content]

    client = PracticeModel(Policy()).client()
    transport = client._client._transport  # the client's transport, to measure its handler
    answer, spent = transport.handler, []

    def answer_timed(request: Any) -> Any:
        start = process_time()
        response = answer(request)
        spent.append(process_time() - start)
        return response

    transport.handler = answer_timed
    play = agents.play_our_loop(client)
    times = []
    for _ in range(REPEATS):
        spent.clear()
        with script.new_project():
            play()
        assert len(spent) == rounds
        times.append(sum(spent) / rounds * 1000)
    return median(times)


def measure_runs() -> dict[str, str]:
    """Measure a run of the ten steps, and the runs with all thresholds of the lesson."""
    from lesson.runs.trial import THRESHOLDS, play

    run = median_ms(play)
    rounds = len(play().rounds)
    all_thresholds = median_ms(lambda: [play(after=after) for after in THRESHOLDS])
    return {
        f"a run of the ten steps, {rounds} rounds on real files": f"{run:.0f} ms",
        f"the runs with all {len(THRESHOLDS)} thresholds": f"{all_thresholds / 1000:.2f} s",
    }


def measure_key_to_chart() -> dict[str, str]:
    """Return the time from a key press to the chart, which a browser test has measured."""
    what = "from a key press to the chart, in Chromium (wall-clock time)"
    if not LATENCY.exists():
        return {what: "not measured here: no browser"}
    return {what: f"{json.loads(LATENCY.read_text())['drawn']:.1f} ms"}


def measure_starts() -> dict[str, str]:
    """Measure the start of a new process, without the time for Python's start."""
    python = median(cpu_ms("-c", "pass") for _ in range(REPEATS))
    commands = {
        "import agentlib": ["-c", "import agentlib"],
        "import agentlib and the SDK": ["-c", "import agentlib, anthropic"],
        "planning-agent --version": ["-m", "lesson", "--version"],
    }
    added = {
        what: median(cpu_ms(*command) for _ in range(REPEATS)) - python
        for what, command in commands.items()
    }
    return {f"{what}, without Python's start": f"{ms:.0f} ms" for what, ms in added.items()}


def cpu_ms(*arguments: str) -> float:
    """Return the milliseconds of CPU of a new Python process with these arguments."""
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, arguments
    return (used.ru_utime + used.ru_stime) * 1000


def measure_kernel() -> dict[str, str]:
    """Measure CPU and memory of a learner's kernel, at the start and later in the lesson."""
    with new_kernel() as run:
        _, empty = run("pass")
        # As in a page, the chart is drawn first, and the runs are played in the background.
        first, with_picture = run(
            "from lesson.widgets import runs; runs.is_watched = lambda: True; runs.Runs()"
        )
        _, with_run = run("from lesson.runs import play; play()")
    return {
        "the first chart in a new kernel": f"{first * 1000:.0f} ms",
        "memory of an empty kernel": f"{empty:.0f} MB",
        "memory with the chart": f"{with_picture:.0f} MB",
        "memory after a run, with the SDK": f"{with_run:.0f} MB",
    }


@contextmanager
def new_kernel():
    """Yield a function that runs code in a new kernel and returns CPU seconds and memory in MB."""
    from jupyter_client.manager import start_new_kernel

    expressions = {
        "cpu": "__import__('time').process_time()",
        "memory": "__import__('psutil').Process().memory_info().rss / 2**20",
    }
    manager, client = start_new_kernel()

    def execute(code: str) -> dict[str, float]:
        reply = client.execute(code, user_expressions=expressions, reply=True, timeout=120)
        content = reply["content"]
        assert content["status"] == "ok", content
        values = content["user_expressions"]
        return {name: float(values[name]["data"]["text/plain"]) for name in expressions}

    def run(code: str) -> tuple[float, float]:
        before, after = execute("pass"), execute(code)
        return after["cpu"] - before["cpu"], after["memory"]

    try:
        yield run
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
