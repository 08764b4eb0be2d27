"""Measure what eight coding agents do with a plan, and say what has changed since the last time.

    python evidence/research/agents/measure.py                    all, into a temporary folder
    python evidence/research/agents/measure.py codex qwen_code    these agents
    python evidence/research/agents/measure.py codex=0.151.0      another version
    python evidence/research/agents/measure.py --folder F --save  keep them, and store the result

A scripted model on 127.0.0.1 answers, so no key is used and nothing is paid. If `unshare` allows
it, the agents run without any other network. So this shows what the *programs* do: a maker's server
can switch a feature on or off for an account. It needs Python 3.11, npm, and 2 GB of disk.
"""

import argparse
import csv
import datetime
import fcntl
import itertools
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from agents import AGENTS, OLDER, TASKS, Agent, Start
from scripted_server import Reply, Request, ScriptedServer

STORED = Path(__file__).parents[1] / "data" / "agents.csv"
SILENT = 25  # rounds in which the model does not touch its list
TIMEOUT = 600  # seconds for one run
ABOUT_A_PLAN = re.compile(rf"\b(todo|task)|{TASKS[2]}", re.IGNORECASE)
TWO, ONE = ["in_progress", "in_progress", "pending"], ["in_progress", "pending", "pending"]

# The three kinds of silent rounds: what a reply consists of, besides the call.
SHAPES: dict[str, Callable[[Agent, int], Reply]] = {
    "one call": lambda agent, n: Reply(calls=(agent.quiet(n),)),
    "text and a call": lambda agent, n: Reply(f"I go on ({n}).", (agent.quiet(n),)),
    "four calls": lambda agent, n: Reply(calls=tuple(agent.quiet(4 * n + k) for k in range(4))),
}


def install(agent: Agent, folder: Path) -> Path:
    """Install an agent in a folder, unless it is there. Return the folder of its programs."""
    done = folder / "installed.json"
    npm = [name.removeprefix("npm:") for name in agent.packages if name.startswith("npm:")]
    bin = folder / ("node_modules/.bin" if npm else "bin")
    if done.exists() and json.loads(done.read_text()) == agent.packages:
        return bin
    folder.mkdir(parents=True, exist_ok=True)
    if npm:
        (folder / "package.json").write_text("{}")
        command = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", *npm]
        subprocess.run(command, cwd=folder, check=True)
    else:
        pip = [name.removeprefix("pip:") for name in agent.packages]
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([bin / "python", "-m", "pip", "install", "-q", *pip], check=True)
    done.write_text(json.dumps(agent.packages))
    return bin


def run(
    agent: Agent,
    bin: Path,
    model: str,
    on: bool,
    replies: list[Reply],
    project: Path | None = None,
) -> list[Request]:
    """Start an agent with a model that gives these replies and then stops. Return its requests.

    It works in a copy of the folder `project`, or in an empty folder.
    """

    def script(_: Request, number: int) -> Reply:
        return replies[number - 1] if number <= len(replies) else Reply("Done.")

    with ScriptedServer(script) as server, tempfile.TemporaryDirectory() as home:
        start = agent.start(bin, server.url, model, on)
        for name, text in start.files.items():
            (Path(home) / name).parent.mkdir(parents=True, exist_ok=True)
            (Path(home) / name).write_text(text)
        work = Path(home) / "work"
        shutil.copytree(project, work) if project else work.mkdir()
        env = {"PATH": os.environ["PATH"], "HOME": home, "LANG": "C.UTF-8", "TERM": "dumb"}
        printed = run_command(start.command, work, env | start.env)
        if len(server.requests) <= len(replies):
            sys.exit(f"{agent.name} ended after {len(server.requests)} requests:\n{printed}")
        return server.requests


def run_command(command: list[str], folder: Path, env: dict[str, str]) -> str:
    """Run a command for at most TIMEOUT seconds, and return its output.

    Whatever it has started ends with it, also after Ctrl-C. Its output goes to a file, because a
    pipe stays open until the last background process has ended.
    """
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        pipes = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": subprocess.STDOUT}
        process = subprocess.Popen(command, cwd=folder, env=env, start_new_session=True, **pipes)
        try:
            with suppress(subprocess.TimeoutExpired):
                process.wait(TIMEOUT)
        finally:
            with suppress(ProcessLookupError):  # none of them is left
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        output.seek(0)
        return output.read()


def find_reminder(request: Request) -> tuple[str, str] | None:
    """Return the place and the text of a reminder about the plan in what follows a silent reply."""
    for part in request.tail():
        if ABOUT_A_PLAN.search(part.text):
            if part.kind == "result":
                return "inside the last result", part.text
            role = "in a system message" if part.role == "system" else "in a user message"
            return f"{role} after the results", part.text
    prompt = itertools.takewhile(lambda part: part.role == "system", request.parts)
    shown = [part.text for part in prompt if TASKS[2] in part.text]
    return ("in the system prompt", shown[0]) if shown else None


def find_list(agent: Agent, request: Request) -> str:
    """Return whether a first request offers the list: `yes`, `no`, or `names` without a schema."""
    if any(name in agent.tools for name in request.tools):
        return "yes"
    text = "\n".join(part.text for part in request.parts)
    return "names" if re.search(rf"^({'|'.join(agent.tools)})$", text, re.MULTILINE) else "no"


def read_answer(agent: Agent, request: Request) -> str:
    """Return whether a list with two tasks in progress was `refused`, `noted` or `stored`."""
    answer = " ".join(part.text for part in request.tail() if part.kind == "result")
    if re.match(r'(\{"error"|Error)', answer):
        return "refused"
    return "noted" if re.search(r"\b(only|exactly|just) one\b", answer, re.IGNORECASE) else "stored"


def find_rounds(requests: list[Request], first: int) -> tuple[list[int], list[tuple[str, str]]]:
    """Return after how many silent rounds there were reminders, and these. `first` is a request."""
    found = [(at, find_reminder(request)) for at, request in enumerate(requests[first:], start=1)]
    return [at for at, seen in found if seen], [seen for _, seen in found if seen]


def measure(agent: Agent, bin: Path) -> dict:
    """Measure one agent, and return its row."""
    packages = [re.sub(r"^\w+:", "", name) for name in agent.packages]
    row: dict = {"agent": agent.name, "packages": packages, "list": {}, "reminded after": {}}
    for model in filter(None, (agent.model, agent.newest)):
        first = run(agent, bin, model, False, [])[0]
        row["list"][model] = find_list(agent, first)
        row["goal tools"] = [name for name in first.tools if "goal" in name]
    two, one = agent.plan(TWO), agent.plan(ONE)[-1:]
    for name, shape in SHAPES.items():
        silent = [shape(agent, number) for number in range(SILENT)]
        requests = run(agent, bin, agent.model, True, [*two, *one, *silent])
        written = len(two) + len(one)
        rounds, seen = find_rounds(requests[: written + SILENT + 1], written + 1)
        row["reminded after"][name] = rounds
        if name == "one call":
            row["two in progress"] = read_answer(agent, requests[len(two)])
            row["asked at the stop"] = len(requests) - (written + SILENT + 1)
            texts = [part.text for part in requests[-1].parts if part.role != "system"]
            row["says not to mention it"] = any("mention this" in text for text in texts)
        if not rounds:
            break  # then the other two kinds have none either
        row["place"] = seen[-1][0]
        row["shows the open tasks"] = all(task in seen[-1][1] for task in TASKS)
    else:
        silent = [SHAPES["one call"](agent, number) for number in range(SILENT)]
        requests = run(agent, bin, agent.model, True, silent)
        row["reminded after"]["no list"] = find_rounds(requests[: SILENT + 1], 1)[0]
    if agent.newest:
        row[agent.newest] = measure_newest(agent, bin)
    if agent.compacts:
        row["requests without the list after a compaction"] = measure_compaction(agent, bin)
    return row


def measure_newest(agent: Agent, bin: Path) -> dict:
    """Measure the reminders that a newer model gets: with the list turned on, and as it comes."""
    silent = [SHAPES["one call"](agent, number) for number in range(SILENT)]
    written = agent.plan(ONE)
    requests = run(agent, bin, agent.newest, True, [*written, *silent])[: len(written) + SILENT + 1]
    if find_list(agent, requests[0]) == "no":
        return {}
    rounds, seen = find_rounds(requests, len(written) + 1)
    bare = run(agent, bin, agent.newest, False, silent)[1 : SILENT + 1]
    spoken = [any(part.role == "system" for part in request.tail()) for request in bare]
    return {
        "reminded after": rounds,
        "place": seen[-1][0] if seen else "",
        "other system messages, without the list": [
            at for at, is_it in enumerate(spoken, 1) if is_it
        ],
    }


def measure_compaction(agent: Agent, bin: Path) -> int:
    """Return how many requests have no task of the list any more, after a compaction."""
    silent = [SHAPES["one call"](agent, number) for number in range(SILENT)]
    silent[1] = replace(silent[1], claims=198_000)  # so the next request is one for a summary

    def start(*given: Any) -> Start:
        found = agent.start(*given)
        return replace(found, env=found.env | agent.compacts)

    requests = run(replace(agent, start=start), bin, agent.model, True, [*agent.plan(ONE), *silent])
    seen = [any(TASKS[2] in part.text for part in request.parts) for request in requests]
    return seen[seen.index(True) :].count(False)


def tell_list(row: dict) -> str:
    """Return whether an agent has a list by default, for each model that was tried."""
    words = {"yes": "yes", "no": "no", "names": "only the names of its tools"}
    found = {model: words[said] for model, said in row["list"].items()}
    if len(set(found.values())) == 1:
        return next(iter(found.values()))
    return "; ".join(f"{said} ({model})" for model, said in found.items())


def tell_reminder(row: dict) -> str:
    """Return when and where an agent reminds, and whether the reminder shows the open tasks."""
    kinds = row["reminded after"]
    rounds = kinds["one call"]
    if not rounds:
        return f"never ({SILENT} rounds)"
    told = f"after {rounds[0]} rounds, then every {rounds[1] - rounds[0]}"
    if rounds[:2] == [1, 2]:
        told = "in every request"
    text, four = (kinds[name][0] for name in ("text and a call", "four calls"))
    if (text, four) != (rounds[0], rounds[0]):
        told += f" ({text} if replies also have text, {four} if they have four calls)"
    shows = "with" if row["shows the open tasks"] else "without"
    return f"{told}; {row['place']}, {shows} the open tasks"


def table(rows: dict[str, dict]) -> str:
    """Return the rows as a Markdown table."""
    head = ["agent", "a list by default?", "two in progress", "reminds", "asks at the stop?"]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for row in rows.values():
        version = row["packages"][0].rpartition("=" if "==" in row["packages"][0] else "@")[2]
        two = {"noted": "stored, with a note"}.get(row["two in progress"], row["two in progress"])
        asked = "yes" if row["asked at the stop"] else "no"
        cells = [f"{row['agent']} {version}", tell_list(row), two, tell_reminder(row), asked]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def read_stored() -> tuple[dict[str, str], dict[str, dict]]:
    """Return the day of each stored row, and the rows: a line has one value of one agent."""
    rows: dict[str, dict] = {}
    days: dict[str, str] = {}
    if STORED.exists():
        with STORED.open(encoding="utf-8", newline="") as file:
            for line in csv.DictReader(file):
                rows.setdefault(line["agent"], {})[line["what"]] = json.loads(line["value"])
                days[line["agent"]] = line["date"]
    return days, rows


def store(rows: dict[str, dict], days: dict[str, str]) -> None:
    with STORED.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["date", "agent", "what", "value"])
        for key in AGENTS | OLDER:
            for what, value in rows.get(key, {}).items():
                writer.writerow([days[key], key, what, json.dumps(value)])


def changes(old: dict[str, dict], new: dict[str, dict]) -> list[str]:
    """Return one line for each value that differs from the stored one."""
    lines = []
    for key, row in new.items():
        before = old.get(key, {})
        for name, value in row.items():
            if before.get(name) != value:
                lines.append(f"{key}, {name}: {before.get(name, 'not measured')} → {value}")
    return lines


def enter_loopback() -> bool:
    """Return whether this process has no network but 127.0.0.1. Otherwise, try to start it so."""
    if os.environ.get("ONLY_LOOPBACK"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            up = struct.pack("16sh", b"lo", 0x41)  # IFF_UP, IFF_RUNNING
            fcntl.ioctl(any_socket, 0x8914, up)  # SIOCSIFFLAGS
        return True
    for flags in ("-n", "-rn"):
        command = ["unshare", flags]
        if shutil.which("unshare") and not subprocess.run([*command, "true"]).returncode:
            os.environ["ONLY_LOOPBACK"] = "yes"
            os.execvp("unshare", [*command, sys.executable, *sys.argv])
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "agents", nargs="*", help=f"NAME or NAME=VERSION, of {', '.join(AGENTS | OLDER)}"
    )
    parser.add_argument("--folder", type=Path, help="where the agents are installed and kept")
    parser.add_argument("--save", action="store_true", help=f"store the rows in {STORED.name}")
    given = parser.parse_args()
    if not given.folder:
        given.folder = Path(tempfile.mkdtemp(prefix="agents-"))
        sys.argv += ["--folder", str(given.folder)]
        print(f"The agents are installed in {given.folder}. Delete it afterwards.")
    wanted = {}
    for one in given.agents or AGENTS:
        key, _, version = one.partition("=")
        agent = (AGENTS | OLDER)[key]
        if version:
            first = re.sub(r"(==|(?<=.)@)[\d.]+$", rf"\g<1>{version}", agent.packages[0])
            agent = replace(agent, packages=[first, *agent.packages[1:]])
        wanted[key] = (agent, given.folder.resolve() / one)
    if not os.environ.get("ONLY_LOOPBACK"):
        for agent, folder in wanted.values():
            print(f"Installing {agent.name} …", flush=True)
            install(agent, folder)
    if not enter_loopback():
        print("Without `unshare`, the agents could reach the network; their settings forbid it.")
    days, stored = read_stored()
    rows = {}
    for key, (agent, folder) in wanted.items():
        print(f"Measuring {agent.name} …", flush=True)
        rows[key] = measure(agent, install(agent, folder))
    print(f"\nToday:\n\n{table(rows)}")
    found = changes(stored, rows)
    print(f"\nChanged since they were stored: {len(found) or 'nothing'}", *found, sep="\n")
    if given.save:
        store(stored | rows, days | dict.fromkeys(rows, str(datetime.date.today())))


if __name__ == "__main__":
    main()
