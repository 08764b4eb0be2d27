"""Draw the figures of docs/what-agents-do.md from `data`, with the lesson's own marks.

    python evidence/research/figures.py

A figure is 390 pixels wide, so it can be read on a telephone, and light or dark as its page is. Its
title says in words what it shows.
"""

import csv
import json
import sys
from collections.abc import Sequence
from math import ceil
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from stills import draw_in_dark, draw_text, read_colours, read_rules

from lesson.drawing.marks import Mark
from lesson.drawing.picture import draw_tape, escape

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
WIDTH, MARGIN = 390, 14
INSIDE = WIDTH - 2 * MARGIN
CELL, SPACE = 18, 10  # pixels: a square, and between two rows
Row = tuple[str, int]  # SVG at the origin, and its height
Line = dict[str, str]
RUNS, WORK, TASKS = "TodoWrite, test runs", "TodoWrite, work", "task tools"


def read(name: str) -> list[Line]:
    with (HERE / "data" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


SHARES = {(row["what"], row["group"]): row for row in read("shares")}
NUMBERS = {(row["group"], row["what"]): float(row["value"]) for row in read("numbers")}
VERDICTS = {row["runs"]: row for row in read("verdicts")}
AGENTS: dict[str, dict] = {}
for line in read("agents"):
    if line["agent"] != "claude_code_2025":  # an older version of the first one
        AGENTS.setdefault(line["agent"], {})[line["what"]] = json.loads(line["value"])


def number(what: str, group: str = "all work") -> int:
    return round(NUMBERS[group, what])


def text(words: str, colour: str = "ink", weight: int = 400) -> Row:
    """Return one line of text."""
    return draw_text(words, 0, 15, colour, weight), 21


def squares(kinds: Sequence[str]) -> Row:
    """Return a square for each thing that was counted, in rows. A kind is one of `marks.KINDS`.

    One character that is no kind is written into an empty square.
    """
    drawn, most = "", INSIDE // CELL
    for at in range(0, len(kinds), most):
        row = kinds[at : at + most]
        marks = [Mark(kind if len(kind) > 1 or kind in "pue" else "line") for kind in row]
        top = at // most * (CELL + 2)
        drawn += f"<g class='lp-tape' transform='translate(0 {top}) scale({CELL})'>"
        drawn += draw_tape(marks) + "</g>"
        for place, kind in enumerate(row):
            if len(kind) == 1 and kind not in "pue":
                left = place * CELL + CELL / 2
                drawn += draw_text(kind, left, top + 14, weight=700, anchor="middle")
    return drawn, ceil(len(kinds) / most) * (CELL + 2) + SPACE


def bar(words: str, percent: float, low: float, high: float, colour: str = "plan") -> Row:
    """Return a share of 100% as a bar with its interval, below its words."""
    scale, colours = INSIDE / 100, read_colours()
    drawn = draw_text(words, 0, 15)
    drawn += f"<rect y='22' width='{INSIDE}' height='10' fill='{colours['empty']}'/>"
    drawn += f"<rect y='22' width='{percent * scale:.1f}' height='10' fill='{colours[colour]}'/>"
    if low < high:
        ends = f"M{low * scale:.1f} 34v6m0 -3H{high * scale:.1f}m0 -3v6"
        drawn += f"<path d='{ends}' fill='none' stroke='{colours['ink']}' stroke-width='1.5'/>"
    return drawn, 36 + SPACE


def share_bar(words: str, what: str, group: str) -> Row:
    row = SHARES[what, group]
    said = f"{words}: {row['counted']} of {row['of']}"
    return bar(said, float(row["percent"]), float(row["low"]), float(row["high"]))


def parts(found: Sequence[tuple[str, int, str]]) -> Row:
    """Return parts of one whole as a bar, with a line of words for each."""
    whole, colours = sum(count for _, count, _ in found), read_colours()
    drawn, left = "", 0.0
    for at, (words, count, colour) in enumerate(found):
        wide, top = count / whole * INSIDE, 24 + at * 21
        drawn += f"<rect x='{left:.1f}' width='{wide:.1f}' height='16' fill='{colours[colour]}'/>"
        drawn += f"<rect y='{top + 3}' width='12' height='12' fill='{colours[colour]}'/>"
        drawn += draw_text(f"{count} {words}", 20, top + 14)
        left += wide
    return drawn, 28 + len(found) * 21 + SPACE


def differences(rows: Sequence[tuple[str, Line]]) -> Row:
    """Return differences in points with their intervals, on one scale from -30 to 50."""
    scale, zero, colours = INSIDE / 80, INSIDE * 30 / 80, read_colours()
    drawn = f"<path d='M{zero:.1f} 0v{len(rows) * 46}' stroke='{colours['muted']}'/>"
    for at, (words, row) in enumerate(rows):
        middle, low, high = (
            zero + float(row[one]) * scale for one in ("difference", "low", "high")
        )
        top = at * 46
        said = f"{words}: {float(row['difference']):+g}"
        drawn += f"<rect y='{top}' width='{INSIDE}' height='21' fill='{colours['paper']}'/>"
        drawn += draw_text(said, 0, top + 15)
        line = f"M{low:.1f} {top + 26}v8m0 -4H{high:.1f}m0 -4v8"
        drawn += f"<path d='{line}' fill='none' stroke='{colours['ink']}' stroke-width='1.5'/>"
        drawn += f"<circle cx='{middle:.1f}' cy='{top + 30}' r='5' fill='{colours['plan']}'/>"
    return drawn, len(rows) * 46 + SPACE


def draw_how_often() -> list[Row]:
    what = "sessions with a list"
    return [
        share_bar("Claude Code, work", what, "Claude Code"),
        share_bar("Codex, work", what, "Codex"),
        share_bar("Claude Code, one person’s test runs", what, RUNS),
        text("Replies from one write to the next (median):", weight=600),
        *(
            text(f"{words}: {number('median replies from write to write', group)}")
            for words, group in (
                ("Claude Code, TodoWrite", WORK),
                ("Claude Code, task tools", TASKS),
                ("the test runs", RUNS),
                ("Codex", "Codex"),
            )
        ),
    ]


def draw_two() -> list[Row]:
    rows = []
    for words, group in (
        ("task tools, with other agents", "task tools, with others"),
        ("task tools, without other agents", "task tools, without other agents"),
        ("TodoWrite, work", WORK),
    ):
        row = SHARES["sessions with two in progress", group]
        some, of = int(row["counted"]), int(row["of"])
        rows += [text(f"{words}: {some} of {of} sessions", weight=600)]
        rows += [squares(["sent"] * some + ["line"] * (of - some))]
    row = SHARES["sessions with two in progress", RUNS]
    return [
        *rows,
        text(f"TodoWrite, test runs: {row['counted']} of {row['of']} (not drawn)", weight=600),
        text("▸ two tasks in progress at some moment", "muted"),
    ]


def draw_reminders() -> list[Row]:
    reminders, empty = number("reminders"), number("reminders, empty list")
    early, still = number("reminders, no list"), number("reminders, open")
    row = SHARES["replies after a reminder of open tasks that write", TASKS]
    wrote, of = int(row["counted"]), int(row["of"])

    def get(what: str) -> float:
        return NUMBERS["reminders compared", what]

    after, without = get("percent after"), get("percent without")
    low, high = get("low without"), get("high without")
    return [
        text(f"{reminders} recorded reminders carried", weight=600),
        parts(
            [
                ("an empty list, before any write", early, "empty"),
                ("an empty list, after a write", empty - early, "muted"),
                ("ticked tasks only", reminders - empty - still, "done"),
                ("open tasks", still, "reminder"),
            ]
        ),
        text(f"The reply after these {of}: {wrote} wrote the list (≡)", weight=600),
        squares(["p"] * wrote + ["u"] * (of - wrote)),
        text("Writes, four and more replies after the last:", weight=600),
        bar(f"after a reminder: {after:g}%", after, after, after),
        bar(f"expected without one: {without:g}%", without, low, high, "muted"),
    ]


def draw_stops() -> list[Row]:
    later = SHARES["open stops in the turn of a write, of all open stops", "Claude Code, work"]
    asks = SHARES["open stops in the turn of a write that ask", "Claude Code, work"]
    closed = SHARES["closed stops in the turn of a write that ask", "Claude Code, work"]
    some, of = int(asks["counted"]), int(asks["of"])
    rest, waits = int(later["of"]) - int(later["counted"]), number("waits, open")
    return [
        text(f"{int(later['of']) + waits} stops with open tasks", weight=600),
        squares(["?"] * some + ["e"] * (of - some) + ["–"] * rest + ["…"] * waits),
        text(f"? {some} asked the user, in the turn of a write"),
        text(f"□ {of - some} did not, in the turn of a write"),
        text(f"– {rest} in later turns: nobody had touched the list"),
        text(f"… {waits} waited for a background task"),
        text("In the turn of a write, stops that ask:", weight=600),
        share_bar("with open tasks", asks["what"], asks["group"]),
        share_bar("with nothing open", closed["what"], closed["group"]),
    ]


def draw_ends() -> list[Row]:
    what = "last lists ticked"
    return [
        text("Last lists that are ticked to the end", weight=600),
        share_bar("Claude Code, TodoWrite", what, WORK),
        share_bar("Claude Code, task tools", what, TASKS),
        share_bar("Codex", what, "Codex"),
        text("Codex in ISO-Bench: runs that passed, with a list", weight=600),
        text("minus without one, in points", weight=600),
        differences(
            [
                ("both series together", VERDICTS["both series"]),
                ("November 2025 alone", VERDICTS["November 2025"]),
                ("January 2026 alone", VERDICTS["January 2026"]),
                ("tasks that Trae passed as well", VERDICTS["tasks that Trae passed"]),
                ("tasks that any other passed", VERDICTS["tasks that another agent passed"]),
            ]
        ),
    ]


def draw_agents() -> list[Row]:
    """Return a line for each agent: offered, two refused, reminded, asked at the stop."""
    columns = (190, 238, 294, 343)
    head = "".join(
        draw_text(words, left, 15, "muted", anchor="middle", size=12)
        for words, left in zip(("list", "refuses", "reminds", "asks"), columns, strict=True)
    )
    rows: list[Row] = [(head, 24)]
    for row in AGENTS.values():
        offered = {"yes": "yes", "no": "no", "names": "names"}[next(iter(row["list"].values()))]
        first = row["reminded after"]["one call"][:1]
        version = row["packages"][0].replace("==", "@").rpartition("@")[2]
        name = f"{row['agent'].replace(', TodoListMiddleware', '').replace(', Planning', '')}"
        signs = [offered, "yes" if row["two in progress"] == "refused" else "no"]
        signs += [f"after {first[0]}" if first else "no"]
        signs += ["yes" if row["asked at the stop"] else "no"]
        drawn = draw_text(f"{name} {version}", 0, 15, size=12)
        for sign, left in zip(signs, columns, strict=True):
            is_no = sign == "no"
            colour, weight = ("muted", 400) if is_no else ("plan", 700)
            drawn += draw_text(sign, left, 15, colour, weight, anchor="middle", size=12)
        rows.append((drawn, 24))
    return rows


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
        return "never (25 rounds)"
    told = f"after {rounds[0]} rounds, then every {rounds[1] - rounds[0]}"
    if rounds[:2] == [1, 2]:
        told = "in every request"
    text, four = (kinds[name][0] for name in ("text and a call", "four calls"))
    if (text, four) != (rounds[0], rounds[0]):
        told += f" ({text} if replies also have text, {four} if they have four calls)"
    shows = "with" if row["shows the open tasks"] else "without"
    return f"{told}; {row['place']}, {shows} the open tasks"


def write_agents() -> str:
    """Return the rows of the eight agents as the Markdown table of sources.md."""
    head = ["agent", "a list by default?", "two in progress", "reminds", "asks at the stop?"]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for row in AGENTS.values():
        version = row["packages"][0].replace("==", "@").rpartition("@")[2]
        two = {"noted": "stored, with a note"}.get(row["two in progress"], row["two in progress"])
        asked = "yes" if row["asked at the stop"] else "no"
        cells = [f"{row['agent']} {version}", tell_list(row), two, tell_reminder(row), asked]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


FIGURES = {
    "how-often": ("Sessions with a list, of all recorded sessions", draw_how_often),
    "two-in-progress": ("Sessions with two tasks in progress at some moment", draw_two),
    "reminders": ("What recorded reminders carried, and what the next reply did", draw_reminders),
    "stops": ("Stops with open tasks, by kind", draw_stops),
    "ends": ("Last lists that are ticked, and verdicts with a list and without", draw_ends),
    "agents": ("Eight agents: what they offer, refuse, remind of and ask", draw_agents),
}


def draw(name: str) -> bytes:
    """Return a figure as an SVG file, in ASCII."""
    words, make = FIGURES[name]
    drawn, top = "", MARGIN
    for inside, height in make():
        drawn += f"<g transform='translate({MARGIN} {top})'>{inside}</g>\n"
        top += height
    colours, height = read_colours(), top + MARGIN
    svg = (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {height}' width='{WIDTH}' "
        f"height='{height}' role='img' font-family='sans-serif' font-size='13'>\n"
        f"<title>{escape(words)}</title>\n<style>{read_rules()}</style>\n"
        f"<rect x='.5' y='.5' width='{WIDTH - 1}' height='{height - 1}' rx='8' "
        f"fill='{colours['paper']}' stroke='{colours['message']}'/>\n{drawn}</svg>\n"
    )
    return draw_in_dark(svg, read_rules()).encode("ascii", "xmlcharrefreplace")


def main() -> None:
    folder = ROOT / "docs" / "figures"
    folder.mkdir(exist_ok=True)
    for name in FIGURES:
        (folder / f"{name}.svg").write_bytes(draw(name))


if __name__ == "__main__":
    main()
