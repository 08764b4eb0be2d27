"""What the lesson itself costs a computer: its practice model, its runs, its start, its memory."""

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
    """Each figure by what it is of, in words and with its unit."""
    figures = {
        f"the practice wire, a round of {rounds}": f"{wire_ms_a_round(rounds):.2f} ms"
        for rounds in (10, 50, 200)
    }
    figures |= measure_runs()
    figures |= measure_key_to_picture()
    figures |= measure_starts()
    return figures | measure_kernel()


def median_ms(measure: Callable[[], object]) -> float:
    """Milliseconds of CPU in this process, as the median of REPEATS, after once for nothing."""
    measure()
    times = []
    for _ in range(REPEATS):
        start = process_time()
        measure()
        times.append((process_time() - start) * 1000)
    return median(times)


def wire_ms_a_round(rounds: int) -> float:
    """What the practice model takes to check a request and to answer it, without any thinking.

    It is asked by our loop, and says what the script says. What the client takes is not counted.
    """
    from lesson.practice import PracticeModel

    class Policy:
        """Says what the script says next."""

        def __call__(self, request: dict[str, Any], /) -> list[dict[str, Any]]:
            number = sum(message["role"] == "assistant" for message in request["messages"])
            call = script.call_in_round(number) if number < rounds - 1 else None
            content = script.anthropic_reply(number, call)["content"]
            return [{k: v for k, v in block.items() if k != "id"} for block in content]

    client = PracticeModel(Policy()).client()
    transport = client._client._transport  # the client's own, to look at the clock around it
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
    """A run of the ten steps, and the run with every threshold that the lesson compares."""
    from lesson.runs.trial import THRESHOLDS, measure, play

    run = median_ms(play)
    rounds = len(play().rounds)
    all_of_them = median_ms(lambda: list(measure()))
    return {
        f"the ten steps, {rounds} rounds with all their files": f"{run:.0f} ms",
        f"all {len(THRESHOLDS)} thresholds": f"{all_of_them / 1000:.2f} s",
    }


def measure_key_to_picture() -> dict[str, str]:
    """From a key to the picture, in a real browser, as its test has measured it."""
    what = "from a key to the picture, in Chromium (not CPU, but time)"
    if not LATENCY.exists():
        return {what: "not measured here: no browser"}
    return {what: f"{json.loads(LATENCY.read_text())['drawn']:.1f} ms"}


def measure_starts() -> dict[str, str]:
    """What a new process takes: Python itself, then what the package adds."""
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
    return {f"{what}, beyond Python's own start": f"{ms:.0f} ms" for what, ms in added.items()}


def cpu_ms(*arguments: str) -> float:
    """Milliseconds of CPU that a new Python with these arguments takes."""
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, arguments
    return (used.ru_utime + used.ru_stime) * 1000


def measure_kernel() -> dict[str, str]:
    """What a learner's kernel takes: CPU and memory, at the start and as the lesson goes on."""
    with new_kernel() as run:
        _, empty = run("pass")
        # As in a page: the picture is there before the runs, which follow in the background.
        first, with_picture = run(
            "from lesson.widgets import runs; runs.is_watched = lambda: True; runs.Runs()"
        )
        _, with_run = run("from lesson.runs import play; play()")
    return {
        "the first picture in a fresh kernel": f"{first * 1000:.0f} ms",
        "memory of an empty kernel": f"{empty:.0f} MB",
        "memory with the picture": f"{with_picture:.0f} MB",
        "memory once a run was played, with the SDK": f"{with_run:.0f} MB",
    }


@contextmanager
def new_kernel():
    """A fresh kernel, as a function: code in, seconds of CPU and megabytes of memory out."""
    from jupyter_client.manager import start_new_kernel

    look = {
        "cpu": "__import__('time').process_time()",
        "memory": "__import__('psutil').Process().memory_info().rss / 2**20",
    }
    manager, client = start_new_kernel()

    def see(code: str) -> dict[str, float]:
        reply = client.execute(code, user_expressions=look, reply=True, timeout=120)["content"]
        assert reply["status"] == "ok", reply
        found = reply["user_expressions"]
        return {name: float(found[name]["data"]["text/plain"]) for name in look}

    def run(code: str) -> tuple[float, float]:
        before, after = see("pass"), see(code)
        return after["cpu"] - before["cpu"], after["memory"]

    try:
        yield run
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
