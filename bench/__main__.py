"""Measure, and write docs/benchmark.md.

make bench
"""

import os
import platform
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from datetime import date
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from statistics import median

from .agents import AGENTS, cpu_ms_a_round
from .lesson import measure_lesson

PAGE = Path("docs", "benchmark.md")
RUNS = {10: 10, 50: 2, 200: 1}  # how many runs of so many rounds make one measurement
REPEATS = 3
BASE = "bare_loop"
NAMES = {
    "bare_loop": "a bare loop on the SDK",
    "bare_loop_with_dicts": "the same, with plain dicts",
    "our_loop": "**our loop**, with todo list, reminder and safe file tools",
    "sdk_runner": "the SDK's own tool runner, with the whole history",
    "smolagents": "smolagents' ToolCallingAgent",
    "pydantic_ai": "pydantic-ai's Agent",
    "langchain": "LangChain's agent, with its own todo list",
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
    """Measure everything, and write the page."""
    computer = describe_computer()
    PAGE.write_text(page(computer, compare_agents(), measure_lesson()), encoding="utf-8")
    print(PAGE.read_text(encoding="utf-8"))


def compare_agents() -> Samples:
    """Milliseconds of CPU a round, by agent and number of rounds.

    The agents take turns, each in a process of its own, so that what else the computer does falls
    on all of them.
    """
    samples: Samples = {(name, rounds): [] for name in AGENTS for rounds in RUNS}
    with ExitStack() as stack:
        spawn = get_context("spawn")
        processes = {
            name: stack.enter_context(ProcessPoolExecutor(1, mp_context=spawn)) for name in AGENTS
        }
        for name, process in processes.items():
            process.submit(cpu_ms_a_round, name, 10, 3).result()  # to warm up
        for _ in range(REPEATS):
            for rounds, runs in RUNS.items():
                for name, process in processes.items():
                    ms = process.submit(cpu_ms_a_round, name, rounds, runs).result()
                    samples[name, rounds].append(ms)
    return samples


def page(computer: str, samples: Samples, figures: dict[str, str]) -> str:
    """docs/benchmark.md, from what was measured."""
    versions = ", ".join(f"{name} {version(name)}" for name in VERSIONS)
    return f"""# Benchmark

Written by `make bench` on {date.today():%-d %B %Y}, on {computer}.

## The agent beside others

How much CPU an agent takes for itself, in milliseconds a round, and as a multiple of the bare loop
in the same repeat (with the smallest and the largest of {REPEATS} repeats).

| agent | {" | ".join(f"{rounds} rounds" for rounds in RUNS)} |
|---|{"---:|" * len(RUNS)}
{agent_rows(samples)}

All play the same run: the model reads, edits and writes small files and writes its list at every
fifth round. Its replies were written beforehand and come from a server in the same process, so
there is no network and no waiting, and every agent sends the whole history with each request. Each
agent has a process of its own, and they take turns. CPU time is that of the whole process, of its
threads and of the system on its behalf; the garbage collector is on, and is run before each
measurement. Files are real. Everybody but us has file tools of one or two lines, which go wherever
a path leads and leave half a file where they are interrupted. Our loop opens its workspace and
makes its tools in every run, and that is counted: it weighs most where a run is short.

All stand on the same `anthropic` SDK: pydantic-ai and LangChain through their own adapters,
smolagents, which has none for it, through a model class of a few lines. Versions: {versions};
Python {platform.python_version()}.

A real model takes seconds a round, so none of this is felt in a run. It is felt where many runs
are played: in a test, in a picture with fifteen thresholds, on a class's server.

## The lesson

CPU, where nothing else is said, as the median of several measurements.

| what | |
|---|---:|
{figure_rows(figures)}
"""


def agent_rows(samples: Samples) -> str:
    """The rows of the first table, one for each agent."""
    rows = []
    for name, words in NAMES.items():
        cells = [cell(samples[name, rounds], samples[BASE, rounds]) for rounds in RUNS]
        rows.append(f"| {words} | {' | '.join(cells)} |")
    return "\n".join(rows)


def figure_rows(figures: dict[str, str]) -> str:
    """The rows of the second table, one for each figure."""
    return "\n".join(f"| {what} | {figure} |" for what, figure in figures.items())


def cell(times: list[float], base: list[float]) -> str:
    """The time, and its ratio to that of the bare loop in the same repeat: median and range."""
    ratios = sorted(time / bare for time, bare in zip(times, base, strict=True))
    if times == base:
        return f"{median(times):.2f}"
    spread = f"{ratios[0]:.2f}–{ratios[-1]:.2f}"
    return f"{median(times):.2f} · **{median(ratios):.2f}** ({spread})"


def describe_computer() -> str:
    """The computer in a few words, without its name, and how busy it is."""
    words = f"{platform.system()} ({platform.machine()}) with {os.cpu_count()} cores"
    if hasattr(os, "getloadavg"):
        words += f" (load average before it began: {os.getloadavg()[0]:.1f})"
    return words


if __name__ == "__main__":
    main()
