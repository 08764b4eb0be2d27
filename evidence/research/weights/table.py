"""Compute the table of README.md from the rows, and draw the figure of docs: `python table.py`.

With `--save`, it writes both. It needs nothing but Python, because the model has answered.
"""

import csv
import math
import re
import sys
from pathlib import Path
from statistics import fmean, stdev

import texts

HERE = Path(__file__).parent
FIGURE = HERE.parents[2] / "docs" / "figures" / "open-weights.svg"
T_95 = {8: 2.3646, 12: 2.2010, 60: 2.0010}  # Student's t, by the number of values
HEAD = "| | mean over the eight wordings | 95% interval | above 0 in |\n|---|---|---|---|"
LIST = "list in the reminder"
SHARES = {  # a condition, a place among the plan's open steps, and what is there
    "the step that its marks call done": ("marks one ahead", 0),
    "the step after its marks": ("marks one ahead", 1),
    "the next step": ("plan in the window", 0),
    "the list's first open step": ("plan in another order", 0),
    "the step below the last edited one": ("plan in another order", 1),
}
TOOL = [
    ("control sentence", "lost"),
    ("sentence", "lost"),
    ("sentence", "control sentence"),
    ("count line alone", "sentence"),
    (LIST, "sentence"),
    ("control list", "sentence"),
]
OFFERED = {
    "six files, after the start of a call of `edit_file`": [f"file{n}" for n in range(1, 7)],
    "five tools, after the start of a call": list(texts.TOOLS),
    "a call's tag, at the start of a reply": ["call"],
    f"“{texts.DONE}” and “{texts.SUNNY}”, as a reply": ["done", "sunny"],
}
NAMES = ("no reminder", f"“{texts.SENTENCE}”", f"“{texts.CONTROL}”")
SHORT = dict(zip(texts.ONCE[:3], NAMES, strict=True))  # in the figure
# A dot, the text and the ground, light or dark as the page is.
STYLE = """svg { color: #1f2328; background: #ffffff } circle { fill: #0d47a1; opacity: 0.6 }
@media (prefers-color-scheme: dark) {
  svg { color: #e6edf3; background: #0d1117 } circle { fill: #90c8ff }
}"""


def read(name: str) -> list[dict]:
    """Return the rows of a file, with probabilities in place of their logarithms."""
    with open(HERE / name, newline="") as file:
        rows = list(csv.DictReader(file))
    kept = {"wording", "job", "condition", "turn", "tokens"}
    return [{k: v if k in kept else math.exp(float(v)) for k, v in row.items()} for row in rows]


def share(row: dict, place: int = 0) -> float:
    """Return the part that an open file of the plan, by its place, has of the four open ones."""
    files = [row[f"file{n}"] for n in (3, 4, 5, 6)]
    return files[(place + int(row["turn"])) % 4] / sum(files)


def todo(row: dict) -> float:
    """Return the part that the todo tool has of the five tools."""
    return row["todo"] / sum(row[name] for name in texts.TOOLS)


def by(group: str, rows: list[dict], condition: str, value, *more) -> list[float]:
    """Return the mean of a value in each wording, or of each job, under a condition."""
    found: dict[str, list[float]] = {}
    for row in rows:
        if row["condition"] == condition:
            found.setdefault(row[group], []).append(value(row, *more))
    return [fmean(found[key]) for key in sorted(found, key=int)]


def show(values: list[float], less: float = 0, between: str = " | ") -> str:
    """Return the mean minus `less`, its 95% interval, and how many values are above."""
    half = T_95[len(values)] * stdev(values) / math.sqrt(len(values))
    middle = fmean(values) - less
    above = f"{sum(v > less for v in values)} of {len(values)}"
    return between.join([f"{middle:+.3f}", f"{middle - half:+.3f} to {middle + half:+.3f}", above])


def contrast(values: list[float], factor: str) -> float:
    """Return the mean of the wordings that have a factor, minus that of the others."""
    return fmean(v if w[factor] else -v for v, w in zip(values, texts.wordings(), strict=True)) * 2


def write_table(rows: list[dict], trial: list[dict]) -> str:
    """Return the results as Markdown."""
    main = by("wording", rows, LIST, share)
    out = [f"**The primary outcome**\n\n{HEAD}"]
    out += [f"| {LIST}: the share of the next step, minus 1/4 | {show(main, 1 / 4)} |"]
    factors = ", ".join(f"{name} {contrast(main, name):+.3f}" for name in texts.FACTORS)
    out += [f"\nThe wordings: {', '.join(f'{v - 1 / 4:+.3f}' for v in main)}. What a factor adds:"]
    out += [f"{factors}.\n\n**Looked at**\n\n{HEAD}"]
    for words, (condition, place) in SHARES.items():
        values = by("wording", rows, condition, share, place)
        out += [f"| {condition}: the share of {words}, minus 1/4 | {show(values, 1 / 4)} |"]
    marks = ("the share of the step after its marks", "marks one ahead", LIST, share, 1)
    for words, more, less, *value in [marks, *(("the todo tool's part", *p, todo) for p in TOOL)]:
        pairs = zip(*(by("wording", rows, c, *value) for c in (more, less)), strict=True)
        out += [f"| {words}: {more}, minus {less} | {show([a - b for a, b in pairs])} |"]
    jobs = show(by("job", rows, LIST, share), 1 / 4, "; ")
    out += [f"\nThe primary outcome over the jobs, in place of the wordings: {jobs}.\n"]
    out += [
        "| offered together | least mass | most mass (means of the conditions) |\n|---|---|---|"
    ]
    for words, names in OFFERED.items():
        each = {c: [] for c in texts.ONCE + texts.TURNED}
        for row in rows:
            each[row["condition"]].append(sum(row[name] for name in names))
        least, most = (end(map(fmean, each.values())) for end in (min, max))
        note = " (named, and not drawn)" if most < 0.01 else ""
        out += [f"| {words}{note} | {least:.2g} | {most:.2g} |"]
    out += ["\n**Another model in one wording**: Qwen2.5-Coder 0.5B, 60 jobs, without rotations.\n"]
    out += [
        "| | the share of the next step, minus 1/4 | 95% interval | above 0 in |",
        "|---|---|---|---|",
    ]
    for condition in ("plan in the window", LIST, "lost", "control list"):
        out += [f"| {condition} | {show(by('job', trial, condition, share), 1 / 4)} |"]
    return "\n".join(out)


def draw(rows: list[dict]) -> str:
    """Return the figure as SVG: a dot for each wording."""
    out, words, y = [], [], 0

    def text(x, y, words, more=""):
        out.append(f"<text x='{x}' y='{y}' fill='currentColor' {more}>{words}</text>")

    for title, value, most, lines in (
        ("The share of the next step: 1/4 is chance", share, 0.5, (LIST, *texts.TURNED[2:])),
        ("The todo tool’s part of five tools", todo, 0.3, (*texts.ONCE[:3], LIST, "control list")),
    ):
        y += 22
        text(4, y, title, "font-weight='700'")
        for condition in lines:
            y += 26
            values = by("wording", rows, condition, value)
            words.append(f"{title}, {condition}: {min(values):.2f} to {max(values):.2f}")
            text(150, y + 4, SHORT.get(condition, condition), "text-anchor='end'")
            out.append(f"<path d='M160 {y}h200' stroke='currentColor' stroke-width='.3'/>")
            if value is share:
                out.append(f"<path d='M260 {y - 13}v26' stroke='currentColor' stroke-width='1.5'/>")
            for one in values:
                x = 160 + 200 * one / most
                out.append(f"<circle cx='{x:.1f}' cy='{y}' r='4.5'/>")
        y += 28
        for mark in (0, 0.5, 1):
            text(160 + 200 * mark, y, f"{mark * most:g}", "text-anchor='middle'")
    text(4, y + 26, "A dot is a wording: 12 jobs, SmolLM2 (135M).")
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 390 {y + 40}' width='390' "
        f"height='{y + 40}' role='img' font-family='sans-serif' font-size='13'>"
        f"<title>{'; '.join(words)}</title><style>{STYLE}</style>{''.join(out)}</svg>\n"
    )


def main() -> None:
    """Print the table, or with --save write it and the figure."""
    rows = read("rows.csv")
    table = write_table(rows, read("first_trial.csv"))
    if "--save" not in sys.argv:
        return print(table)
    readme = HERE / "README.md"
    marked = r"(?s)(?<=<!-- table -->\n).*(?=\n<!-- end -->)"
    text = readme.read_text(encoding="utf-8")
    readme.write_text(re.sub(marked, lambda _: table, text), encoding="utf-8")
    FIGURE.write_text(draw(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
