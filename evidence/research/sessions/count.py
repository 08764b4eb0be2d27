"""Count what recorded agents did with their lists, and say what differs from `research/data`.

    python evidence/research/sessions/count.py FOLDER           writes tables into FOLDER/counted
    python evidence/research/sessions/count.py FOLDER --save    into the stored data

FOLDER has the repositories of `collections.csv`, as `fetch.py` brings them. The interval of a share
has 95%: a bootstrap over sessions, 4,000 draws, with a fixed seed. A share of sessions has the
exact interval, and so has a share of 0% or 100%, of so many sessions. A row of fewer than ten
sessions is left out, and a repository with fewer than ten with a list is one of the "others".
"""

import csv
import math
import random
import statistics
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[3]))  # of the lesson, if it is not installed

from fetch import read_table
from measure import Measured
from read import Collection, drop_copies

DATA = Path(__file__).parents[1] / "data"
DRAWS, FEW = 4000, 10
RUNS, WORK, TASKS = "TodoWrite, test runs", "TodoWrite, work", "task tools"
CLAUDE = "Claude Code, work"
SPLIT = ("task tools, without other agents", "task tools, with others")
GROUPS = {**{name: [name] for name in (RUNS, WORK, TASKS, "Codex")}, CLAUDE: [WORK, TASKS]}
SHARES = {  # the name in shares.csv, and what is counted of what: see `Measured.of`
    "writes with two in progress": ("writes, two", "writes"),
    "sessions with two in progress": ("two", "sessions"),
    "sessions that wrote once": ("once", "sessions"),
    "sessions in which a task went silently": ("silent", "sessions"),
    "last lists ticked": ("ended, ticked", "ended"),
    "stops with open tasks in the turn of a write": ("turn, open", "turn"),
    "open stops in the turn of a write that ask": ("turn, open, asks", "turn, open"),
    "closed stops in the turn of a write that ask": ("turn, closed, asks", "turn, closed"),
    "open stops in the turn of a write, of all open stops": ("turn, open", "stops, open"),
    "open tasks in the summary word for word": ("tasks in the summary", "tasks with a summary"),
    "replies after a reminder of open tasks that write": ("reminded, writes", "reminded"),
}
Rows = list[list[int]]
Table = list[dict[str, Any]]


def to_percent(number: float) -> float:
    return round(100 * number, 1)


def share(rows: Rows) -> float:
    return sum(row[0] for row in rows) / sum(row[1] for row in rows)


def find_exact(counted: int, total: int) -> list[float]:
    """Return the exact interval of a share of sessions (Clopper and Pearson)."""

    def tail(share: float, most: int) -> float:
        """Return the chance of at most so many."""
        numbers = range(most + 1)
        return sum(math.comb(total, k) * share**k * (1 - share) ** (total - k) for k in numbers)

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


def count_share(what: str, group: str, own: list[Measured], part: str, whole: str) -> Table:
    """Return the row of a share in all these sessions, if they are not too few."""
    used = [one for one in own if one.of[whole]]
    if len(used) < FEW:
        return []
    rows = [[one.of[part], one.of[whole]] for one in used]
    counted, total = (sum(column) for column in zip(*rows, strict=True))
    is_edge = counted in (0, total)  # of sessions that are all equal, none can be drawn
    exact = find_exact(len(rows) * counted // total, len(rows))
    low, high = exact if is_edge or max(row[1] for row in rows) == 1 else draw(rows, share)
    row = {"what": what, "group": group, "counted": counted, "of": total, "sessions": len(used)}
    row |= {"repositories": len({one.repository for one in used})}
    row |= {"people": len({one.person for one in used}), "percent": to_percent(counted / total)}
    return [row | {"low": low, "high": high}]


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
    found |= {"percent without": to_percent(without(rows))}
    found["low without"], found["high without"] = draw(rows, without)
    low, high = draw(rows, lambda drawn: share(drawn) - without(drawn))
    return found | {"low difference": low, "high difference": high}


def count(collections: list[Collection]) -> dict[str, Table]:
    """Return the three tables."""
    copies = drop_copies(collections)
    sessions: list[Measured] = []
    repositories: dict[str, dict[str, Any]] = {}
    for one in collections:
        own = [Measured(s, one.repository, one.people[id(s)], one.kind) for s in one.sessions]
        listed = sum(s.group != "no list" for s in own)
        months = sorted(r.time[:7] for s in one.sessions for r in s.writes if "-" in r.time)
        name = one.repository if listed >= FEW else "others"
        row = repositories.setdefault(name, {"repository": name, "repositories": 0, "people": 0})
        row["repositories"] += 1
        row["people"] += len({s.person for s in own})
        row["kind"] = one.kind
        for key, number in (("sessions", len(own)), ("with a list", listed)):
            row[key] = row.get(key, 0) + number
        row["writes"] = row.get("writes", 0) + sum(s.of["writes"] for s in own)
        row["not read"] = row.get("not read", 0) + one.left_out
        row["from"] = min([*months[:1], row.get("from", "9")])
        row["to"] = max([*months[-1:], row.get("to", "")])
        sessions += own
    groups = {key: [s for s in sessions if s.group in names] for key, names in GROUPS.items()}
    shares = [
        row
        for what, keys in SHARES.items()
        for name, own in groups.items()
        for row in count_share(what, name, own, *keys)
    ]
    programs = {RUNS: [s for s in sessions if s.kind != "work"]}
    for agent in ("Claude Code", "Codex"):
        programs[agent] = [s for s in sessions if s.agent == agent and s.kind == "work"]
    for name, own in programs.items():
        shares += count_share("sessions with a list", name, own, "listed", "sessions")
    split = []
    for has, name in enumerate(SPLIT):
        own = [one for one in groups[TASKS] if one.of["helpers"] == has]
        split += count_share("sessions with two in progress", name, own, "two", "sessions")

    def tell(group: str, numbers: dict[str, Any]) -> Table:
        return [{"group": group, "what": what, "value": numbers[what]} for what in numbers]

    work = [s for s in sessions if s.kind == "work"]
    numbers = tell("all work", dict(sorted(sum((one.of for one in work), Counter()).items())))
    reminded = sorted(one.of["reminded"] for one in work)
    numbers += tell("all work", {"reminded, of the four sessions with most": sum(reminded[-4:])})
    own = [one for one in work if one.repository.startswith("entireio/")]
    numbers += tell("all work", {"listed, of Entire": sum(one.of["listed"] for one in own)})
    numbers += tell("all", {"copies left out": copies, "sessions": len(sessions)})
    numbers += tell("all", {"replies left out": sum(one.of["left out"] for one in sessions)})
    numbers += tell(
        "all", {"sessions with reminders": sum(s.of["reminders"] > 0 for s in sessions)}
    )
    numbers += tell("task tools", {"p, with other agents and without": compare_exactly(*split)})
    numbers += tell("reminders compared", compare_reminders(sessions))
    for name, own in groups.items():
        used = [one for one in own if one.of["compactions"]]
        gaps = [gap for one in own for gap in one.gaps]
        numbers += tell(name, {"median replies from write to write": statistics.median(gaps)})
        if len(used) >= FEW:
            found = {"compactions with open tasks": sum(one.of["compactions"] for one in used)}
            numbers += tell(name, found | {"sessions with such compactions": len(used)})
    return {"shares": shares + split, "numbers": numbers, "repositories": [*repositories.values()]}


def write(tables: dict[str, Table], folder: Path) -> None:
    """Write the tables as CSV, and print which lines differ from those of `research/data`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in tables.items():
        old = DATA / f"{name}.csv"
        before = old.read_text(encoding="utf-8").splitlines() if old.exists() else []
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        after = (folder / f"{name}.csv").read_text(encoding="utf-8").splitlines()
        for sign, some, others in (("-", before, after), ("+", after, before)):
            for one in some:
                if one not in others:
                    print(f"{sign} {name}: {one}")
        print(f"{folder / name}.csv has {'the same' if before == after else 'other'} lines.")


def main() -> None:
    parser = ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--save", action="store_true")
    given = parser.parse_args()
    rows = [row for row in read_table() if row["files"]]
    collections = [Collection(**row | {"commits": row["commits"].split()}) for row in rows]
    for collection in collections:
        collection.read(given.folder)
    write(count(collections), DATA if given.save else given.folder / "counted")


if __name__ == "__main__":
    main()
