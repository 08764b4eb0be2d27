"""Record the sessions that the lesson has, with real agents and a scripted model on 127.0.0.1.

    python research/agents/record.py [--folder F] [shop museum ferry]

Each is scrubbed (`scrub.py`) and stored in lesson/sessions/recorded. For each, it says whether the
lesson's reader finds the list in the same requests as were sent. It needs npm.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from agents import AGENTS, Agent, Start
from measure import install, run_command
from scripted_server import Reply, Request, ScriptedServer
from scrub import scrub

from lesson.sessions.read_file import read_session

RECORDED = Path(__file__).parents[2] / "lesson" / "sessions" / "recorded"
STATUSES = {"o": "pending", "n": "in_progress", "d": "completed"}
SMALL_WINDOW = 100_000  # tokens: a reply that claims as many is followed by a compaction
KILL = "sleep 2; kill -9 $PPID"  # the agent, which runs the command


class Server(ScriptedServer):
    """Gives a summary that has no task of the list, in each format in which one is asked for."""

    def answer(self, request: Request) -> Reply:
        last = request.parts[-1].text
        is_summary = "CONTEXT CHECKPOINT" in last or "handoff summary" in last
        if not (is_summary or request.is_aside):
            return super().answer(request)
        text = "We are in the middle of the work."
        return Reply(f"<summary>{text}</summary>" if "<summary>" in last else text)


class Script:
    """The replies of one session. `tasks` are the words of its list."""

    def __init__(self, agent: Agent, tasks: list[str]) -> None:
        self.agent, self.tasks, self.replies = agent, tasks, []
        self.starts: list[int] = []  # of each process: how many replies came before it

    def start(self) -> "Script":
        self.starts.append(len(self.replies))
        return self

    def work(self, rounds: int = 1, claims: int = 100) -> "Script":
        """Add rounds with a harmless call. The last one claims so many tokens."""
        for left in reversed(range(rounds)):
            call = self.agent.quiet(len(self.replies))
            self.replies.append(Reply(calls=(call,), claims=100 if left else claims))
        return self

    def write(self, statuses: str) -> "Script":
        """Add a list: a letter for each task, and "-" for one that is not on it."""
        items = [
            {"task": task, "status": STATUSES[sign]}
            for task, sign in zip(self.tasks, statuses, strict=True)
            if sign != "-"
        ]
        if self.agent is AGENTS["codex"]:
            plan = [{"step": item["task"], "status": item["status"]} for item in items]
            call: tuple[str, dict] = ("update_plan", {"plan": plan})
        else:
            todos = [
                {"content": item["task"], "activeForm": item["task"], "status": item["status"]}
                for item in items
            ]
            call = ("TodoWrite", {"todos": todos})
        self.replies.append(Reply(calls=(call,)))
        return self

    def call(self, *calls: tuple[str, dict]) -> "Script":
        self.replies.append(Reply(calls=calls))
        return self

    def say(self, text: str) -> "Script":
        self.replies.append(Reply(text))
        return self


def make_shop() -> tuple[Script, dict[str, str]]:
    """Nine tasks, then eight, then six, all ticked; with a compaction in between."""
    tasks = [
        "Read the code of the shop",
        "Add a function for discounts",
        "Use it in the receipt",
        "Write a helper that reads the price list",
        "Show the discount on the receipt",
        "Write tests for the discounts",
        "Write tests for the receipt",
        "Run the old tests",
        "Describe the discounts in the README",
    ]
    script = Script(AGENTS["claude_code"], tasks).start()
    script.write("noooooooo").work(2).write("dnooooooo").work(3).write("ddnoooooo").work(3)
    script.write("ddd-noooo").work(3, claims=SMALL_WINDOW).work(12)
    script.write("ddd-dooon").work(2).write("ddd-d--dd")
    script.say("The discounts are in the shop, and the old tests pass.")
    window = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": str(SMALL_WINDOW)}
    return script, {"CLAUDE_CODE_ENABLE_TASKS": "0", **window}


def make_museum() -> tuple[Script, dict[str, str]]:
    """Reminders before there is a list and after it, two in progress, killed, and resumed."""
    tasks = [
        "Measure the hall",
        "Hang the large paintings",
        "Hang the small paintings",
        "Print the labels",
        "Check the lamps",
    ]

    def update(*changes: tuple[int, str]) -> list[tuple[str, dict]]:
        return [
            ("TaskUpdate", {"taskId": str(number), "status": STATUSES[sign]})
            for number, sign in changes
        ]

    agent = AGENTS["claude_code"]
    script = Script(agent, tasks).start().work(11)
    script.call(*(("TaskCreate", {"subject": task, "description": task}) for task in tasks))
    script.call(*update((1, "n"))).work(2).call(*update((1, "d"), (2, "n"), (3, "n"))).work(11)
    script.call(*update((2, "d"))).work()
    script.call(agent.quiet(0), ("Bash", {"command": KILL, "description": "End"}))
    script.start().work().call(*update((3, "d"), (4, "n")))
    script.say("Two tasks are left. Shall I print the labels in two languages?")
    return script, {}


def make_ferry() -> tuple[Script, dict[str, str]]:
    """Codex: a compaction, after which the plan does not come back, and is open at the end."""
    tasks = ["Look at the engine", "Change the oil", "Paint the deck", "Test the radio"]
    script = Script(AGENTS["codex"], tasks).start()
    script.work().write("nooo").work(3).write("dnoo").work(3, claims=SMALL_WINDOW * 2).work(12)
    return script.say("The ferry is ready."), {}


SESSIONS = {"shop": make_shop, "museum": make_museum, "ferry": make_ferry}


def start_agent(agent: Agent, bin: Path, url: str, is_resumed: bool) -> Start:
    """Return how an agent is started with its list, also to go on with its newest session."""
    start = agent.start(bin, url, agent.model, True)
    if agent is AGENTS["codex"]:
        limit = f"model_auto_compact_token_limit = {SMALL_WINDOW}\n"
        files = {name: limit + text for name, text in start.files.items()}
        return replace(start, files=files)
    tools = "Bash,TodoWrite,TaskCreate,TaskUpdate"
    first, *rest = start.command
    more = ["--continue"] if is_resumed else []
    return replace(start, command=[first, *more, *rest, "--allowedTools", tools])


def record(script: Script, more: dict[str, str], folder: Path, home: Path) -> list[Request]:
    """Let an agent play a script in a home folder, and return its requests."""
    bin = install(script.agent, folder / script.agent.packages[0].split("/")[-1])
    requests: list[Request] = []
    (home / "work").mkdir()
    for place, first in enumerate(script.starts):
        end = [*script.starts, len(script.replies)][place + 1]
        replies = script.replies[first:end]

        def answer(_: Request, number: int, replies: list[Reply] = replies) -> Reply:
            return replies[number - 1] if number <= len(replies) else Reply("Done.")

        with Server(answer) as server:
            start = start_agent(script.agent, bin, server.url, place > 0)
            for name, text in start.files.items():
                (home / name).parent.mkdir(parents=True, exist_ok=True)
                (home / name).write_text(text)
            env = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8"}
            env |= {"TERM": "dumb"} | start.env | more
            run_command(start.command, home / "work", env)
            requests += server.requests
    return requests


def find_sight(request: Request, tasks: list[str]) -> bool:
    """Return whether a request has two tasks of the list."""
    body = json.dumps(request.body.get("messages") or request.body.get("input"), ensure_ascii=False)
    return sum(task in body for task in tasks) > 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=[*SESSIONS])
    parser.add_argument("--folder", type=Path, help="keep the agents that are installed here")
    given = parser.parse_args()
    folder = given.folder or Path(tempfile.mkdtemp())
    for name in given.names:
        script, more = SESSIONS[name]()
        with tempfile.TemporaryDirectory() as home:
            requests = record(script, more, folder, Path(home))
            [path] = [*Path(home).glob(".claude/projects/*/*.jsonl")] or [
                *Path(home).glob(".codex/sessions/**/*.jsonl")
            ]
            replies = read_session(path).replies
            sent = [find_sight(request, script.tasks) for request in requests]
            listed = next(at for at, reply in enumerate(replies) if reply.writes) + 1
            read = [bool(reply.in_sight) for reply in replies]
            is_same = sent[listed:] == read[listed:]
            print(f"{name}: {len(replies)} replies, {len(requests)} requests.")
            print("".join(".x"[not one] for one in read), "the reader")
            print("".join(".x"[not one] for one in sent), "what was sent")
            with path.open("rb") as file:
                (RECORDED / f"{name}.jsonl").write_text("".join(scrub(file)), encoding="utf-8")
            if not is_same:
                sys.exit("The reader says something else than what was sent.")
    if not given.folder:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
