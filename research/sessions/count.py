"""Count what recorded agents did with their lists, print the tables, and write `counted.json`.

    python research/sessions/count.py FOLDER           all collections
    python research/sessions/count.py FOLDER --five    the five with most lists; writes no file
    python research/sessions/count.py FOLDER --lost    also what the rule calls lost, to be read

FOLDER has the repositories of `collections.json`: the README says how to get them. The interval of
a share has 95%: a bootstrap over sessions, 4,000 draws, with a fixed seed. A share of sessions has
the exact one, and so has a share of 0% or 100%, of so many sessions.
"""

import json
import math
import random
import statistics
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from measure import Measured
from read import Collection, drop_copies

DRAWS, FIVE = 4000, 5
FEW = 10  # sessions: a share of fewer says so
RUNS, WORK, TASKS = "TodoWrite, test runs", "TodoWrite, work", "task tools"
GROUPS = {
    **{name: [name] for name in (RUNS, WORK, TASKS, "Codex")},
    "TodoWrite": [RUNS, WORK],
    "Claude Code, work": [WORK, TASKS],
}
SHARES = {  # the key in counted.json, and what is counted of what: see `Measured.of`
    "writes with two in progress": ("writes, two", "writes"),
    "sessions with two in progress": ("two", "sessions"),
    "sessions that wrote once": ("once", "sessions"),
    "sessions in which a task went silently": ("silent", "sessions"),
    "last lists ticked": ("ended, ticked", "ended"),
    "stops with open tasks in the turn of a write": ("turn, open", "turn"),
    "open stops in the turn of a write that ask": ("turn, open, asks", "turn, open"),
    "closed stops in the turn of a write that ask": ("turn, closed, asks", "turn, closed"),
    "open stops in the turn of a write, of all open stops": ("turn, open", "stops, open"),
    "open tasks on the next list": ("tasks on the next list", "tasks after a compaction"),
    "open tasks in the summary word for word": ("tasks in the summary", "tasks with a summary"),
    "replies after a reminder of open tasks that write": ("reminded, writes", "reminded"),
}
SPLIT = ("task tools, without other agents", "task tools, with others")
Rows = list[list[int]]


def to_percent(number: float) -> float:
    return round(100 * number, 1)


def share(rows: Rows) -> float:
    return sum(row[0] for row in rows) / sum(row[1] for row in rows)


def find_exact(counted: int, total: int) -> list[float]:
    """Return the exact interval of a share of sessions (Clopper and Pearson)."""

    def tail(share: float, few: int) -> float:
        """Return the chance of at most so `few`."""
        return sum(
            math.comb(total, k) * share**k * (1 - share) ** (total - k) for k in range(few + 1)
        )

    def find(is_past: Callable[[float], bool]) -> float:
        low, high = 0.0, 1.0
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (low, middle) if is_past(middle) else (middle, high)
        return to_percent(low)

    first = find(lambda share: 1 - tail(share, counted - 1) > 0.025) if counted else 0
    return [first, find(lambda share: tail(share, counted) < 0.025) if counted < total else 100]


def compare_exactly(one: dict[str, Any], other: dict[str, Any]) -> float:
    """Return the two-sided p of two shares (Fisher)."""
    first, second, hits = one["of"], other["of"], one["counted"] + other["counted"]
    chances = [
        math.comb(first, k) * math.comb(second, hits - k) / math.comb(first + second, hits)
        for k in range(hits + 1)
    ]
    return round(sum(p for p in chances if p <= chances[one["counted"]] * 1.000001), 3)


def draw(rows: Rows, compute: Callable[[Rows], float]) -> list[float]:
    """Return the interval of a number, from sessions that are drawn again and again."""
    chance = random.Random(7)
    values = sorted(compute(chance.choices(rows, k=len(rows))) for _ in range(DRAWS))
    return [to_percent(values[int(DRAWS * part)]) for part in (0.025, 0.975)]


def count_share(sessions: list[Measured], part: str, whole: str) -> dict[str, Any]:
    """Return a share of what is counted in all these sessions."""
    used = [one for one in sessions if one.of[whole]]
    rows = [[one.of[part], one.of[whole]] for one in used]
    counted, total = (sum(column) for column in zip(*rows, strict=True)) if rows else (0, 0)
    found = {"counted": counted, "of": total, "sessions": len(used)}
    found["repositories"] = len({one.repository for one in used})
    if rows:
        of_sessions = max(row[1] for row in rows) == 1
        is_edge = counted in (0, total)  # of nothing but equal sessions, none can be drawn
        exact = find_exact(len(rows) * counted // total, len(rows))
        interval = exact if of_sessions or is_edge else draw(rows, share)
        found |= {"percent": to_percent(counted / total), "interval": interval}
    return found | {"is few": len(rows) < FEW}


def compare_reminders(sessions: list[Measured]) -> dict[str, Any]:
    """Return how often a reply wrote after a reminder, and without one, in the same sessions.

    All have open tasks, and come four or more replies after the last write. What is expected
    without a reminder is each session's own share, weighted by its replies after a reminder.
    """
    keys = ["far, reminded, writes", "far, reminded", "far, other, writes", "far, other"]
    used = [one for one in sessions if one.of[keys[1]] and one.of[keys[3]]]
    rows = [[one.of[key] for key in keys] for one in used]

    def without(drawn: Rows) -> float:
        return sum(r[1] * r[2] / r[3] for r in drawn) / sum(row[1] for row in drawn)

    found: dict[str, Any] = {key: sum(one.of[key] for one in used) for key in keys}
    found |= {"sessions": len(rows), "percent after": to_percent(share(rows))}
    found |= {"percent without": to_percent(without(rows)), "interval": draw(rows, without)}
    return found | {"difference": draw(rows, lambda drawn: share(drawn) - without(drawn))}


def count(collections: list[Collection]) -> tuple[dict[str, Any], list[Measured]]:
    """Return all that is counted, and the numbers of the sessions."""
    copies = drop_copies(collections)
    sessions, table = [], []
    for one in collections:
        own = [Measured(session, one.repository, one.kind) for session in one.sessions]
        months = sorted(r.time[:7] for s in one.sessions for r in s.writes if "-" in r.time)
        row = {key: getattr(one, key) for key in ("repository", "commits", "licence", "kind")}
        row |= {"sessions": len(own), "with a list": sum(s.group != "no list" for s in own)}
        row |= {"writes": sum(s.of["writes"] for s in own), "from": min(months, default="")}
        table.append(row | {"to": max(months, default=""), "left out": dict(one.left_out)})
        sessions += own
    totals = sum((one.of for one in sessions), Counter[str]())
    groups = {key: [s for s in sessions if s.group in names] for key, names in GROUPS.items()}
    shares: dict[str, Any] = {
        key: {name: count_share(own, *what) for name, own in groups.items()}
        for key, what in SHARES.items()
    }
    for has, name in enumerate(SPLIT):
        own = [one for one in groups[TASKS] if one.of["helpers"] == has]
        shares["sessions with two in progress"][name] = count_share(own, "two", "sessions")

    split = [shares["sessions with two in progress"][one] for one in SPLIT]

    def per_group(get: Callable[[Measured], list[int]], add_up: Callable[[list[int]], Any]) -> Any:
        found = {name: [n for one in own for n in get(one)] for name, own in groups.items()}
        return {name: add_up(numbers) for name, numbers in found.items() if numbers}

    most = sorted(table, key=lambda row: -row["writes"])[:FIVE]
    counted = {
        "sessions": len(sessions),
        "copies": copies,
        "with a list": sum(row["with a list"] for row in table),
        "five with most lists": [row["repository"] for row in most],
        "their percent": to_percent(sum(row["writes"] for row in most) / totals["writes"]),
        "totals": dict(sorted(totals.items())),
        "sessions with reminders": sum(one.of["reminders"] > 0 for one in sessions),
        "models reminded of open tasks": sorted(set().union(*(one.models for one in sessions))),
        "reminders compared": compare_reminders(sessions),
        "compactions with open tasks": per_group(lambda one: [one.of["compactions"]], sum),
        "replies from a compaction to the next list": per_group(lambda one: one.waits, sorted),
        "median replies from write to write": per_group(lambda one: one.gaps, statistics.median),
        "p, with other agents and without": compare_exactly(*split),
        "shares": shares,
        "collections": table,
    }
    return counted, sessions


def main() -> None:
    parser = ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--five", action="store_true")
    parser.add_argument("--lost", action="store_true")
    given = parser.parse_args()
    table = json.loads(Path(__file__).with_name("collections.json").read_text(encoding="utf-8"))
    collections = [Collection(**row) for row in (table[:FIVE] if given.five else table)]
    for collection in collections:
        collection.read(given.folder)
    counted, sessions = count(collections)
    for title, rows in counted["shares"].items():
        print("", title, *(f"  {name:34}{row}" for name, row in rows.items()), sep="\n")
    print(json.dumps(counted | {"shares": {}}, indent=1))
    for one in sessions if given.lost else []:
        for before, after in one.lost:
            print(f"\n{one.repository}", *before, "became", *after, sep="\n  ")
    if not given.five:
        file = Path(__file__).with_name("counted.json")
        file.write_text(json.dumps(counted, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
