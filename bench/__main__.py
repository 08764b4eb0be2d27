"""Run the benchmark, and write docs/benchmark.md: `make bench`."""

import os
import platform
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from datetime import date
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from statistics import median

from .agents import AGENTS, cpu_ms_per_round
from .lesson import measure_lesson

PAGE = Path("docs", "benchmark.md")
RUNS = {10: 10, 50: 2, 200: 1}  # rounds in a run: runs in a measurement
REPEATS = 3
BASE = "bare_loop"
NAMES = {
    "bare_loop": "a bare loop on the SDK",
    "bare_loop_with_dicts": "the same, with plain dicts",
    "our_loop": "**our loop**, with todo list, reminder and safe file tools",
    "sdk_runner": "the SDK's tool runner, with the whole history",
    "smolagents": "smolagents' ToolCallingAgent",
    "pydantic_ai": "pydantic-ai's Agent",
    "langchain": "LangChain's agent, with its todo list",
}
VERSIONS = (
    "anthropic",
    "httpx2",
    "pydantic",
    "smolagents",
    "pydantic-ai-slim",
    "langchain",
    "langchain-anthropic",
)

Samples = dict[tuple[str, int], list[float]]


def main() -> None:
    """Run all measurements, and write the page."""
    computer = describe_computer()
    PAGE.write_text(page(computer, compare_agents(), measure_lesson()), encoding="utf-8")
    print(PAGE.read_text(encoding="utf-8"))


def compare_agents() -> Samples:
    """Return milliseconds of CPU per round, by agent and number of rounds.

    Each agent has a separate process. They take turns, so that other load on the computer affects
    all of them.
    """
    samples: Samples = {(name, rounds): [] for name in AGENTS for rounds in RUNS}
    with ExitStack() as stack:
        spawn = get_context("spawn")
        processes = {
            name: stack.enter_context(ProcessPoolExecutor(1, mp_context=spawn)) for name in AGENTS
        }
        for name, process in processes.items():
            process.submit(cpu_ms_per_round, name, 10, 3).result()  # warm-up
        for _ in range(REPEATS):
            for rounds, runs in RUNS.items():
                for name, process in processes.items():
                    ms = process.submit(cpu_ms_per_round, name, rounds, runs).result()
                    samples[name, rounds].append(ms)
    return samples


def page(computer: str, samples: Samples, figures: dict[str, str]) -> str:
    """Return the text of docs/benchmark.md."""
    versions = ", ".join(f"{name} {version(name)}" for name in VERSIONS)
    return f"""# Benchmark

Written by `make bench` on {date.today():%-d %B %Y}, on {computer}.

## Our agent and others

CPU time of the agent per round, in milliseconds, and its ratio to the bare loop in the same repeat
(median of {REPEATS} repeats, with the range).

| agent | {" | ".join(f"{rounds} rounds" for rounds in RUNS)} |
|---|{"---:|" * len(RUNS)}
{agent_rows(samples)}

All agents play the same run: the model reads, edits and writes small real files, and writes its
list in every fifth round. The replies are scripted and come from a server in the same process, so
there is no network latency. Every agent sends the whole history with each request. Each agent has a
separate process, and they take turns. CPU time includes threads and system time. The garbage
collector is on, and runs once before each measurement.

The other agents have file tools of one or two lines, without a check of paths and without atomic
writes. Our loop opens its workspace and creates its tools in every run; this is included, and has
the largest share in short runs.

All agents use the same `anthropic` SDK: pydantic-ai and LangChain through their adapters,
smolagents, which has none, through a short model class. Versions: {versions};
Python {platform.python_version()}.

A real model takes seconds per round, so these differences do not matter in one run. They matter
when many runs are played: in tests, in a chart with fifteen thresholds, on the server of a class.

## The lesson

CPU time unless stated otherwise; the median of several measurements.

| what | |
|---|---:|
{figure_rows(figures)}
"""


def agent_rows(samples: Samples) -> str:
    """Return the rows of the first table, one for each agent."""
    rows = []
    for name, label in NAMES.items():
        cells = [cell(samples[name, rounds], samples[BASE, rounds]) for rounds in RUNS]
        rows.append(f"| {label} | {' | '.join(cells)} |")
    return "\n".join(rows)


def figure_rows(figures: dict[str, str]) -> str:
    """Return the rows of the second table, one for each figure."""
    return "\n".join(f"| {what} | {figure} |" for what, figure in figures.items())


def cell(times: list[float], base: list[float]) -> str:
    """Return the time, and its ratio to the bare loop in the same repeat: median and range."""
    ratios = sorted(time / bare for time, bare in zip(times, base, strict=True))
    if times == base:
        return f"{median(times):.2f}"
    spread = f"{ratios[0]:.2f}–{ratios[-1]:.2f}"
    return f"{median(times):.2f} · **{median(ratios):.2f}** ({spread})"


def describe_computer() -> str:
    """Return the system, the number of cores and the load average."""
    words = f"{platform.system()} ({platform.machine()}) with {os.cpu_count()} cores"
    if hasattr(os, "getloadavg"):
        words += f" (load average before the start: {os.getloadavg()[0]:.1f})"
    return words


if __name__ == "__main__":
    main()
