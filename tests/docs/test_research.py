"""What the texts say of agents is what `research/data` has, and so are the figures."""

import csv
import json
import re
import sys
from datetime import date
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DATA = ROOT / "research" / "data"
sys.path.insert(0, str(ROOT / "research"))
sys.path.insert(0, str(ROOT / "research" / "agents"))

import figures  # noqa: E402
import measure  # noqa: E402

SHARES = figures.SHARES
NUMBERS = {
    pair: int(number) if number == int(number) else number
    for pair, number in figures.NUMBERS.items()
}
RUNS, WORK, TASKS, ALL = (
    "TodoWrite, test runs",
    "TodoWrite, work",
    "task tools",
    "Claude Code, work",
)
HELPED, ALONE = "task tools, with others", "task tools, without other agents"
TWO, WRITES, ENDED = (
    "sessions with two in progress",
    "writes with two in progress",
    "last lists ticked",
)
TURN = "stops with open tasks in the turn of a write"
ASK, CLOSED_ASK = (f"{one} stops in the turn of a write that ask" for one in ("open", "closed"))
LISTED, SILENT = "sessions with a list", "sessions in which a task went silently"
REMINDED = SHARES["replies after a reminder of open tasks that write", TASKS]
KEPT = SHARES["open tasks in the summary word for word", ALL]
LATER = SHARES["open stops in the turn of a write, of all open stops", ALL]


def pair(what, group):
    row = SHARES[what, group]
    return f"{int(row['counted']):,} of {int(row['of']):,}"


def span(row, spec="g"):
    """Return an interval as the texts have it: `0.8 to 4.2`."""
    return f"{float(row['low']):{spec}} to {float(row['high']):{spec}}"


def told(what, group):
    return f"{pair(what, group)} ({span(SHARES[what, group])}%"


def most(what, group):
    return f"{pair(what, group)} (at most {float(SHARES[what, group]['high']):g}%"


def total(what, group="all work"):
    return NUMBERS[group, what]


def compared(what, spec="g"):
    return f"{total(what, 'reminders compared'):{spec}}"


def gap(spec="g"):
    return f"{compared('low difference', spec)} to {compared('high difference', spec)} points"


def verdict(runs):
    """Return the difference of a row of verdicts with its interval."""
    row = figures.VERDICTS[runs]
    return f"{float(row['difference']):g}", span(row)


VERDICTS = [runs for runs, row in figures.VERDICTS.items() if row["low"]]
NOVEMBER, JANUARY, BOTH, TRAE, ANY = map(verdict, VERDICTS)
LISTS = sum(int(SHARES[WRITES, one]["of"]) for one in (RUNS, WORK))
REST = int(LATER["of"]) - int(LATER["counted"])

# What each text must say. A number that was counted is in no text in another way.
SENTENCES = {
    "docs/sources.md": [
        f"{total('sessions')} sessions of work, {total('listed')} of them with a list, and "
        f"{total('writes'):,} replies that wrote it",
        f"with the task tools (s03a) | {pair(TWO, TASKS)} sessions | {span(SHARES[TWO, TASKS])}%",
        f"{REMINDED['counted']} of {REMINDED['of']} cases, in {REMINDED['sessions']} sessions | "
        f"{span(REMINDED)}%",
        f"{KEPT['counted']} of {KEPT['of']}, in {KEPT['sessions']} sessions | {span(KEPT)}%",
        f"{pair(SILENT, WORK)} sessions with `TodoWrite`, and {pair(SILENT, RUNS)} test runs | "
        f"{span(SHARES[SILENT, WORK])}%",
        *(f"{verdict(one)[0]} ({verdict(one)[1]})" for one in VERDICTS),
    ],
    "docs/what-agents-do.md": [
        f"{SHARES[LISTED, 'Claude Code']['of']} sessions of Claude Code in "
        f"{SHARES[LISTED, 'Claude Code']['repositories']} repositories, of "
        f"{SHARES[LISTED, 'Claude Code']['people']} people (31%; "
        f"{span(SHARES[LISTED, 'Claude Code'])}%)",
        f"{SHARES[LISTED, 'Codex']['of']} of Codex in {SHARES[LISTED, 'Codex']['repositories']}, "
        f"of {SHARES[LISTED, 'Codex']['people']} people "
        f"(23.6%; {span(SHARES[LISTED, 'Codex'])}%)",
        f"300 test runs (88%; {span(SHARES[LISTED, RUNS])}%)",
        f"none of the {SHARES['sessions that wrote once', ALL]['of']} lists of Claude Code was "
        "written once and never again (at most "
        f"{SHARES['sessions that wrote once', ALL]['high']}%)",
        f"{pair(WRITES, TASKS)} writes ({span(SHARES[WRITES, TASKS])}%), in {pair(TWO, TASKS)} "
        f"sessions ({span(SHARES[TWO, TASKS])}%; the {SHARES[TWO, TASKS]['of']} are of "
        f"{SHARES[TWO, TASKS]['repositories']} repositories and {SHARES[TWO, TASKS]['people']} "
        "people)",
        f"{pair(WRITES, WORK)} writes in {SHARES[TWO, WORK]['of']} sessions of one repository (at "
        f"most {SHARES[TWO, WORK]['high']}% of sessions), and apart from these "
        f"{pair(WRITES, RUNS)} in {SHARES[TWO, RUNS]['of']} test runs",
        f"with other agents {pair(TWO, HELPED)} sessions had it and without them "
        f"{pair(TWO, ALONE)}, which shows no difference (p = "
        f"{total('p, with other agents and without', TASKS):.2f})",
        f"{total('reminders')} reminders in {total('sessions with reminders', 'all')} sessions. "
        f"{total('reminders, empty list')} carried an empty list, {total('reminders, no list')} of "
        f"these before any write; {total('reminders, open')} showed open tasks, in "
        f"{REMINDED['sessions']} sessions of {REMINDED['repositories']} repositories and "
        f"{REMINDED['people']} people",
        f"wrote the list in {REMINDED['counted']} of {REMINDED['of']} cases ({span(REMINDED)}%)",
        f"it was {compared('far, reminded, writes')} of {compared('far, reminded')} after a "
        f"reminder ({compared('percent after')}%), where {compared('percent without')}% is "
        f"expected without one ({compared('low without')} to {compared('high without')}%), so the "
        f"difference may be {gap()}",
        f"The comparison is of {compared('sessions')} sessions",
        f"open tasks at {pair(TURN, TASKS)} stops with the task tools "
        f"({span(SHARES[TURN, TASKS])}%; {SHARES[TURN, TASKS]['sessions']} sessions) and at "
        f"{pair(TURN, WORK)} with `TodoWrite` ({span(SHARES[TURN, WORK])}%; "
        f"{SHARES[TURN, WORK]['sessions']} sessions of one repository); at none of "
        f"{SHARES[TURN, RUNS]['of']} in the test runs",
        f"in {SHARES[ASK, ALL]['counted']} of these {SHARES[ASK, ALL]['of']}, the last 200 "
        f"characters have a question mark ({span(SHARES[ASK, ALL])}%; "
        f"{SHARES[ASK, ALL]['sessions']} sessions), and in {pair(CLOSED_ASK, ALL)} with nothing "
        f"open ({span(SHARES[CLOSED_ASK, ALL])}%)",
        f"{REST} of all {LATER['of']} open stops are in later turns",
        f"and {total('waits, open')} more waited for a background task",
        f"{pair(ENDED, WORK)} ticked with `TodoWrite` ({span(SHARES[ENDED, WORK])}%), "
        f"{pair(ENDED, TASKS)} with the task tools ({span(SHARES[ENDED, TASKS])}%), "
        f"{pair(ENDED, 'Codex')} of Codex ({span(SHARES[ENDED, 'Codex'])}%), and "
        f"{pair(ENDED, RUNS)} test runs",
        f"by {BOTH[0]} points ({BOTH[1]}), but in each of the two series alone, of November 2025 "
        f"and January 2026, the difference is not shown ({NOVEMBER[0]}; {NOVEMBER[1]}, and "
        f"{JANUARY[0]}; {JANUARY[1]})",
        f"{TRAE[0]} points ({TRAE[1]}), on those that any other agent passed {ANY[0]} ({ANY[1]})",
    ],
    "notebooks/s03a_todo_write.ipynb": [f"{pair(TWO, TASKS)} had two in progress at some moment"],
    "notebooks/s03b_nag_reminder.ipynb": [
        f"{REMINDED['counted']} of {REMINDED['of']} cases, in {REMINDED['sessions']} sessions",
    ],
    "lesson/practice/starter.py": [f"Of {LISTS:,} recorded lists", f"{pair(TWO, TASKS)} sessions"],
    "docs/practice-model.md": [f"{pair(TWO, TASKS)} [recorded sessions]"],
}
NOTEBOOKS = sorted(f"notebooks/{one.name}" for one in (ROOT / "notebooks").glob("s0*.ipynb"))
# Such as `29 of 30` and `52 to 85%`. A job has ten steps, and its shares are not of sessions.
SHARE = re.compile(r"\b\d[\d,]* of (?!10\b)\d[\d,]*\b|\b[\d.]+ to [\d.]+%")
AGENTS = {key: row for key, row in measure.read_stored()[1].items() if key in measure.AGENTS}


def read_cells(name):
    """Return the Markdown cells of a notebook, each on one line."""
    cells = json.loads((ROOT / name).read_text(encoding="utf-8"))["cells"]
    return [" ".join("".join(c["source"]).split()) for c in cells if c["cell_type"] == "markdown"]


def read_text(name):
    """Return the text of a file on one line; of a notebook, its Markdown."""
    if name.endswith(".ipynb"):
        return " ".join(read_cells(name))
    return " ".join((ROOT / name).read_text(encoding="utf-8").split())


@pytest.mark.parametrize("name", SENTENCES)
def test_a_text_has_the_numbers_that_were_counted(name):
    text = read_text(name)
    missing = [one for one in SENTENCES[name] if " ".join(one.split()) not in text]
    assert not missing, f"{name} does not say this, with the numbers of research/data"


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_share_beside_a_link_to_the_sessions_has_its_row_in_the_table(name):
    rows = " ".join(SENTENCES.get(name, []))
    cells = [cell for cell in read_cells(name) if "#recorded-sessions" in cell]
    found = [share for cell in cells for share in SHARE.findall(cell)]
    without = [share for share in found if share not in rows]
    assert not without, f"SENTENCES has no row for this, made of research/data, of {name}"


@pytest.mark.parametrize("name", [one for one in SENTENCES if one in NOTEBOOKS])
def test_a_text_says_whose_sessions_these_are_and_until_when(name):
    with (DATA / "repositories.csv").open(encoding="utf-8", newline="") as file:
        last = date.fromisoformat(f"{max(row['to'] for row in csv.DictReader(file))}-01")
    whose, text = f"of Claude Code up to {last:%B %Y}", read_text(name)
    linked = re.findall(r"sessions\]\(\S*#recorded-sessions\)(.*?)[,.]", text)
    assert whose in text and all(whose in after for after in linked)


def test_each_share_in_the_page_has_its_row_in_the_table():
    rows = " ".join(SENTENCES["docs/what-agents-do.md"])
    text = re.sub(r"!\[.*?\]", "", read_text("docs/what-agents-do.md"))
    known = {"13 of 15", "105 of the 164", "50 of the 61", "151 of 487"}
    assert [one for one in SHARE.findall(text) if one not in rows and one not in known] == []
    assert len(text.split()) <= 1800


@pytest.mark.parametrize("name", figures.FIGURES)
def test_a_figure_is_what_the_data_draw_and_its_words_have_its_numbers(name):
    svg = (ROOT / "docs" / "figures" / f"{name}.svg").read_bytes()
    assert svg == figures.draw(name), "python research/figures.py draws it again"
    [words] = re.findall(
        rf"!\[([^]]*)\]\(figures/{name}\.svg\)", read_text("docs/what-agents-do.md")
    )
    shown = re.sub(r"<style>.*?</style>", "", svg.decode(), flags=re.DOTALL)
    drawn = " ".join(re.findall(r">([^<]+)</", shown))
    counts = [one for one in re.findall(r"\d+ of \d+|\+[\d.]*\d", words) if "264" not in one]
    assert [one for one in counts if one not in drawn] == []


def test_the_experiment_is_told_as_its_table_has_it():
    table, page = read_text("research/weights/README.md"), read_text("docs/what-agents-do.md")
    [row] = re.findall(
        r"minus 1/4 \| \+0\.0(\d\d) \| \+0\.0(\d\d) to \+0\.0(\d\d) \| 8 of 8 \|", table
    )[:1]
    mean, low, high = (int(one) / 10 for one in row)
    assert f"is {mean:g} points above chance ({low:g} to {high:g} over the wordings" in page


def test_the_list_that_was_followed_is_the_one_that_the_program_says():
    """Each result that changes a status says the status before, and that is the list's."""
    assert ("all work", "status, differs") not in NUMBERS and total("status, agrees") > 1000
    # Three ticks stand nowhere in the files, and are known from updates that change nothing.
    assert total("status, not so yet") == 3 and total("replies left out", "all") == 3
    assert "Three replies of all were not in the conversation" in read_text("docs/sources.md")


def test_nothing_of_a_session_is_stored_and_no_row_has_fewer_than_ten():
    for path in DATA.glob("*.csv"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}-|/home/|/Users/|\.jsonl", text), path.name
    assert all(int(row["sessions"]) >= 10 for row in SHARES.values())
    with (ROOT / "research/sessions/collections.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    commits = [commit for row in rows for commit in row["commits"].split()]
    assert len(rows) == 15 and len(commits) == 16 and all(row["licence"] for row in rows)
    assert all(re.fullmatch("[0-9a-f]{40}", commit) for commit in commits)


def test_what_eight_agents_do_is_told_as_it_was_measured():
    assert measure.table(AGENTS) in (ROOT / "docs/sources.md").read_text(encoding="utf-8")
    refuse = [row for row in AGENTS.values() if row["two in progress"] == "refused"]
    remind = [row for row in AGENTS.values() if row["reminded after"]["one call"]]
    offer = [row for row in AGENTS.values() if "yes" in row["list"].values()]
    assert (len(AGENTS), len(refuse), len(remind), len(offer)) == (8, 1, 3, 3)
    assert not any(row["asked at the stop"] for row in AGENTS.values())
    page = read_text("docs/what-agents-do.md")
    assert "Three of eight offer a list by default and one only its names, one refuses" in page


def test_each_version_that_a_notebook_names_is_in_sources():
    """Of a product, a notebook says with which version something was seen: its row has it too."""
    sources = read_text("docs/sources.md")
    for name in NOTEBOOKS:
        for version in re.findall(r"\b\d+\.\d+\.\d+\b", read_text(name)):
            assert re.search(rf"(?<![\d.]){re.escape(version)}(?![\d.]*\d)", sources), name
