"""What the texts say of agents is what `evidence/research/data` has."""

import csv
import json
import re
from collections import Counter
from math import exp, sqrt
from pathlib import Path
from statistics import fmean, stdev

import pytest
from support.documents import NOTEBOOKS, ROOT, read

HERE = Path(__file__).parents[1]
DATA, WEIGHTS = HERE / "data", HERE / "weights"


def read_rows(name):
    with (DATA / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


SHARES = {(row["what"], row["group"]): row for row in read_rows("shares")}
NUMBERS = {(row["group"], row["what"]): float(row["value"]) for row in read_rows("numbers")}
AGENTS = {}
for line in read_rows("agents"):
    if line["agent"] != "claude_code_2025":  # an older version of the first one
        AGENTS.setdefault(line["agent"], {})[line["what"]] = json.loads(line["value"])
PAGE, SOURCES, S03A, S05 = "docs/what-agents-do.md", "docs/sources.md", "s03a", "s05"
# A text, its words with a share (counted of how many) or its interval, and the row that has them.
TWO, WRITES = "sessions with two in progress", "writes with two in progress"
REMINDED = "replies after a reminder of open tasks that write"
TURN = "stops with open tasks in the turn of a write"
RUNS, WORK, TASKS = "TodoWrite, test runs", "TodoWrite, work", "task tools"
CLAIMS = [
    (PAGE, "with the task tools {pair} writes ({span}%)", WRITES, TASKS),
    (PAGE, "in {pair} sessions ({span}%; the 106 are", TWO, TASKS),
    (PAGE, "with `TodoWrite` {pair} writes", WRITES, WORK),
    (PAGE, "and apart from these {pair} in 264 test runs", WRITES, RUNS),
    (PAGE, "with other agents {pair} sessions had it", TWO, "task tools, with others"),
    (PAGE, "and without them {pair}", TWO, "task tools, without other agents"),
    (PAGE, "wrote the list in {pair} cases ({span}%)", REMINDED, TASKS),
    (PAGE, "at {pair} stops with the task tools ({span}%", TURN, TASKS),
    (PAGE, "at {pair} with `TodoWrite` ({span}%", TURN, WORK),
    (PAGE, "{pair} ticked with `TodoWrite` ({span}%)", "last lists ticked", WORK),
    (PAGE, "{pair} with the task tools ({span}%)", "last lists ticked", TASKS),
    (SOURCES, "with the task tools (s03a) | {pair} sessions | {span}%", TWO, TASKS),
    (SOURCES, "(s05) | {pair} cases, in 10 sessions | {span}%", REMINDED, TASKS),
    (S03A, "{pair} had two in progress", TWO, TASKS),
    (S05, "wrote the list in {pair} cases, in 10 sessions", REMINDED, TASKS),
    ("lesson/practice/starter.py", "{pair} sessions", TWO, TASKS),
    ("docs/practice-model.md", "{pair} [recorded sessions]", TWO, TASKS),
]
COMPARED = "reminders compared"
VERDICT_PAIRS = (("passed with a list", "of"), ("passed without", "of these"))
# Such as `29 of 30` and `52 to 85%`. A job has ten steps, and its shares are not of sessions.
SHARE = re.compile(
    r"\b\d[\d,]*(?<!,) of (?:the )?(?!10\b)\d[\d,]*\b|-?\b[\d.]+ to [\d.]+(?=%|\)| points)"
)
NUMBER = re.compile(r"(?<![\w.#-])-?\d[\d,]*(?:\.\d+)?\b(?!\.\d)")
# What the page has of other tables: sources.md, rows that are too few to be stored, the experiment.
OTHERS = {"3.7 to 7.3", "28 of 39", "28 of 90", "16 of the 20"}
OTHER_NUMBERS = {2025, 2026, 5.5, 3.7, 7.3, 2.9, 8.1, 75}
JUDGED = json.loads((DATA / "judged_runs.json").read_text(encoding="utf-8"))["runs"]
CLOSE = re.compile(r"claude-(sonnet|opus)-4-5-")  # the models of most of them


def read_text(name):
    """Return the text of a file, or of a notebook by its first word, on one line."""
    return " ".join(read(NOTEBOOKS.get(name, ROOT / name)).split())


def span(row):
    return f"{float(row['low']):g} to {float(row['high']):g}"


def pair(row):
    return f"{int(row['counted']):,} of {int(row['of']):,}"


def count_judged():
    """Return how many lists of these models were ticked, did not build, and so on hopeless jobs."""
    passed = {one["run"].split("/")[2] for one in JUDGED if one["status"] == "passed"}
    lists = [one for one in JUDGED if CLOSE.match(one["model"]) and one.get("items")]
    ticked = [one for one in lists if one["ticked"] == one["items"]]
    broken = [one["run"].split("/")[2] for one in ticked if one["build"] == "failed"]
    return len(ticked), len(broken), sum(job not in passed for job in broken)


def list_shares():
    """Return the shares and the intervals that the tables have, as the texts write them."""
    rows = SHARES.values()
    known = {pair(row) for row in rows} | {span(row) for row in rows} | OTHERS
    compared = {what: n for (group, what), n in NUMBERS.items() if group == COMPARED}
    work = {what: n for (group, what), n in NUMBERS.items() if group == "all work"}
    known.add(f"{work['listed, of Entire']:g} of the {work['listed']:g}")
    known.add(f"{work['reminded, of the four sessions with most']:g} of the {work['reminded']:g}")
    _, broken, hopeless = count_judged()
    known |= {f"{hopeless} of {broken}", f"{hopeless} of the {broken}"}
    known.add(f"{compared['far, reminded, writes']:g} of {compared['far, reminded']:g}")
    for what in ("difference", "without"):
        known.add(f"{compared[f'low {what}']:g} to {compared[f'high {what}']:g}")
    for row in read_rows("verdicts"):
        known |= {f"{row[one]} of {row[two]}" for one, two in VERDICT_PAIRS}
        if row["low"]:
            known.add(span(row))
    return known


@pytest.mark.parametrize("name, words, what, group", CLAIMS)
def test_a_text_has_the_share_of_its_row(name, words, what, group):
    row = SHARES[what, group]
    assert words.format(pair=pair(row), span=span(row)) in read_text(name)


def list_texts():
    """Return the texts that have counted shares: the page, parts of sources.md, and cells."""
    sections = re.split(r"(?m)^## ", read(ROOT / SOURCES))
    texts = [read_text(PAGE)]
    texts += [one for one in sections if one.startswith(("Recorded sessions", "Lists beside"))]
    for path in NOTEBOOKS.values():
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        cells = ["".join(one["source"]) for one in cells]
        texts += [one for one in cells if "#recorded-sessions" in one]
    return [re.sub(r"!\[.*?\]\([^)]*\)|\]\([^)]*\)", "", one) for one in texts]


def test_each_share_and_interval_beside_the_sessions_is_of_a_row():
    known, texts = list_shares(), list_texts()
    assert len(texts) > 4
    assert [one for text in texts for one in SHARE.findall(text) if one not in known] == []


def test_each_number_of_the_page_is_a_value_of_a_table():
    tables = [path.read_text(encoding="utf-8") for path in DATA.glob("*.csv")]
    known = {float(one) for text in tables for one in re.findall(r"(?<=,)-?\d[\d.]*", text)}
    known |= {round(one) for one in known} | {round(one, 2) for one in known} | OTHER_NUMBERS
    known |= {len(JUDGED), count_judged()[0]}
    found = {float(one.replace(",", "")) for one in NUMBER.findall(list_texts()[0])}
    later = SHARES["open stops in the turn of a write, of all open stops", "Claude Code, work"]
    known.add(int(later["of"]) - int(later["counted"]))
    assert sorted(found - known) == []


FIGURES = [path.stem for path in (ROOT / "docs" / "figures").glob("*.svg")]


@pytest.mark.parametrize("name", FIGURES)
def test_a_figures_words_have_its_numbers(name):
    svg = (ROOT / "docs" / "figures" / f"{name}.svg").read_text(encoding="utf-8")
    [words] = re.findall(rf"!\[([^]]*)\]\(figures/{name}\.svg\)", read_text(PAGE))
    shown = re.sub(r"<style>.*?</style>", "", svg, flags=re.DOTALL)
    drawn = " ".join(re.findall(r">([^<]+)</", shown))
    counts = [one for one in re.findall(r"\d+ of \d+|\+[\d.]*\d", words) if "264" not in one]
    assert [one for one in counts if one not in drawn] == []


def test_nothing_of_a_session_is_stored_and_no_row_has_fewer_than_ten():
    for path in DATA.glob("*.csv"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}-|/home/|/Users/|\.jsonl", text), path.name
    assert all(int(row["sessions"]) >= 10 for row in SHARES.values())
    with (HERE / "collections.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows and all(row["licence"] for row in rows)
    commits = [commit for row in rows for commit in row["commits"].split()]
    assert all(re.fullmatch("[0-9a-f]{40}", commit) for commit in commits)


def test_what_eight_agents_do_is_told_as_it_was_measured():
    refuse = [row for row in AGENTS.values() if row["two in progress"] == "refused"]
    remind = [row for row in AGENTS.values() if row["reminded after"]["one call"]]
    offer = [row for row in AGENTS.values() if "yes" in row["list"].values()]
    assert (len(AGENTS), len(refuse), len(remind), len(offer)) == (8, 1, 3, 3)
    assert not any(row["asked at the stop"] for row in AGENTS.values())
    words = "Three of eight offer a list by default and one only its names, one refuses"
    assert words in read_text(PAGE)


def test_models_of_the_192_runs_and_their_ticked_lists_are_named_with_their_numbers():
    models = Counter(run["model"] for run in JUDGED)
    close = sum(n for one, n in models.items() if CLOSE.match(one))
    newer = sum(n for one, n in models.items() if "claude" in one and "-4-5-" not in one)
    others = sum(models.values()) - close - newer
    row = f"{close} of Claude Sonnet 4.5 and Opus 4.5, {newer} of four newer Claude models"
    assert f"twelve models: {row}, and {others} of" in read(ROOT / SOURCES) and len(models) == 12
    ticked, broken, hopeless = count_judged()
    words = f"of {ticked} ticked lists of Claude models, {hopeless} of the {broken} whose program"
    assert f"{words} does not build are on jobs that none of {len(JUDGED)} runs" in read_text(PAGE)
    words = f"{hopeless} of the {broken} are on jobs that none of the {len(JUDGED)} runs passed"
    told = (f"{ticked} of the ticked lists are of Claude Sonnet 4.5", words)
    assert all(one in read(ROOT / SOURCES) for one in told)


@pytest.mark.parametrize("group, t, of", [("wording", 2.3646, 8), ("job", 2.2010, 12)])
def test_the_experiment_is_told_as_its_rows_have_it(group, t, of):
    """The primary outcome: the share of the next step of the four open ones, minus 1/4."""
    shares: dict[str, list[float]] = {}
    with (WEIGHTS / "rows.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["condition"] == "list in the reminder":
                files = [exp(float(row[f"file{n}"])) for n in (3, 4, 5, 6)]
                share = files[int(row["turn"])] / sum(files) - 1 / 4
                shares.setdefault(row[group], []).append(share)
    means = [fmean(one) for one in shares.values()]
    mean, half = fmean(means), t * stdev(means) / sqrt(of)
    above = sum(one > 0 for one in means)
    sign = " | " if group == "wording" else "; "
    low, high = mean - half, mean + half
    shown = sign.join([f"{mean:+.3f}", f"{low:+.3f} to {high:+.3f}", f"{above} of {of}"])
    assert len(means) == of and shown in read(WEIGHTS / "README.md")
    said = f"{100 * mean:.1f} points above chance"
    assert said in read_text(PAGE)
    assert f"{100 * low:.1f} to {100 * high:.1f} over the {group}s" in read_text(PAGE)
    [words] = re.findall(r"!\[([^]]*)\]\(figures/open-weights\.svg\)", read_text(PAGE))
    drawn = read(ROOT / "docs" / "figures" / "open-weights.svg")
    assert [one for one in re.findall(r"0\.\d+ to 0\.\d+", words) if one not in drawn] == []


def test_each_version_that_a_notebook_names_is_in_sources():
    """Of a product, a notebook says with which version something was seen: its row has it too."""
    for path in NOTEBOOKS.values():
        for version in re.findall(r"\b\d+\.\d+\.\d+\b", read(path)):
            pattern = rf"(?<![\d.]){re.escape(version)}(?![\d.]*\d)"
            assert re.search(pattern, read(ROOT / SOURCES)), path.name
