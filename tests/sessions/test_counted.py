"""The numbers of recorded sessions in the texts are those that `research/sessions` has counted."""

import json
import re
from datetime import date
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = [*(ROOT / "notebooks").glob("s0*.ipynb")]
COUNTED = json.loads((ROOT / "research/sessions/counted.json").read_text(encoding="utf-8"))
RUNS, WORK, TASKS, BOTH = "TodoWrite, test runs", "TodoWrite, work", "task tools", "TodoWrite"
ALL_WORK = "Claude Code, work"
TOTALS = COUNTED["totals"]


def get(what, group):
    return COUNTED["shares"][what][group]


def pair(what, group):
    found = get(what, group)
    return f"{found['counted']:,} of {found['of']:,}"


def interval(numbers):
    """Return an interval as the texts have it: `0.8 to 4.2`."""
    return " to ".join(f"{number:g}" for number in numbers)


def pair_with_interval(what, group):
    return f"{pair(what, group)} ({interval(get(what, group)['interval'])}%"


TWO, ONCE, ENDED = "sessions with two in progress", "sessions that wrote once", "last lists ticked"
TURN = "stops with open tasks in the turn of a write"
ASK, CLOSED_ASK = (f"{one} stops in the turn of a write that ask" for one in ("open", "closed"))
LATER = get("open stops in the turn of a write, of all open stops", ALL_WORK)
REMINDED = get("replies after a reminder of open tasks that write", ALL_WORK)
KEPT = get("open tasks in the summary word for word", ALL_WORK)
FAR = COUNTED["reminders compared"]
WRITES = {one: get("writes with two in progress", one)["of"] for one in (RUNS, WORK, TASKS, BOTH)}
SESSIONS = {one: get(TWO, one)["of"] for one in (RUNS, WORK, TASKS, BOTH)}
MEDIANS = COUNTED["median replies from write to write"]

# What each text must say. A number that was counted is in no text in another way.
SENTENCES = {
    "docs/sources.md": [
        f"{COUNTED['sessions']} sessions, {COUNTED['with a list']} of them with a list, and "
        f"{TOTALS['writes']:,} replies that wrote it",
        f"in {len(COUNTED['collections'])} public repositories",
        "| sessions with a list; writes; repositories | "
        + " | ".join(
            f"{SESSIONS[one]}; {WRITES[one]:,}; {get(TWO, one)['repositories']}"
            for one in (RUNS, WORK, TASKS)
        ),
        "two tasks are in progress | "
        + " | ".join(pair("writes with two in progress", one) for one in (RUNS, WORK))
        + " | "
        + pair_with_interval("writes with two in progress", TASKS),
        f"| sessions with two in progress | {pair(TWO, RUNS)} (at most "
        f"{get(TWO, RUNS)['interval'][1]}%) | {pair(TWO, WORK)} (at most "
        f"{get(TWO, WORK)['interval'][1]}%) | {pair_with_interval(TWO, TASKS)})",
        f"never again | {pair(ONCE, RUNS)} | {pair(ONCE, WORK)} | {pair(ONCE, TASKS)} (at most "
        f"{get(ONCE, TASKS)['interval'][1]}%)",
        f"to the next | {MEDIANS[RUNS]:g} | {MEDIANS[WORK]:g} | {MEDIANS[TASKS]:g} |",
        f"end with a text | {pair(ENDED, RUNS)} | {pair_with_interval(ENDED, WORK)}) | "
        f"{pair_with_interval(ENDED, TASKS)})",
        f"list was written | {pair(TURN, RUNS)} | {pair_with_interval(TURN, WORK)}) | "
        f"{pair_with_interval(TURN, TASKS)})",
        f"went silently | {pair('sessions in which a task went silently', RUNS)} | "
        f"{pair_with_interval('sessions in which a task went silently', WORK)}) | "
        f"{pair('sessions in which a task went silently', TASKS)}",
        f"{get(TWO, 'task tools, with others')['counted']} of the "
        f"{get(TWO, 'task tools, with others')['of']} sessions of the task tools that also used "
        f"sub-agents, and {get(TWO, 'task tools, without other agents')['counted']} of the "
        f"{get(TWO, 'task tools, without other agents')['of']} others, which shows no difference "
        f"(p = {COUNTED['p, with other agents and without']:.2f})",
        f"Codex: {pair(TWO, 'Codex')} sessions",
        f"{pair(ASK, ALL_WORK)} end with a question mark "
        f"({interval(get(ASK, ALL_WORK)['interval'])}%; {get(ASK, ALL_WORK)['sessions']} sessions)",
        f"nothing open {pair_with_interval(CLOSED_ASK, ALL_WORK)})",
        f"{TOTALS['waits, open']} more waited",
        f"{LATER['of'] - LATER['counted']} of all {LATER['of']} open stops are in later turns",
        f"{TOTALS['reminders']} are recorded, in {COUNTED['sessions with reminders']} sessions; "
        f"{TOTALS['reminders, no list']} came where there was no list, and "
        f"{TOTALS['reminders, open']} with open tasks",
        f"in {REMINDED['counted']} of {REMINDED['of']} cases ({interval(REMINDED['interval'])}%)",
        f"{FAR['percent after']}% after a reminder and {FAR['percent without']}% of comparable "
        f"replies without one ({interval(FAR['interval'])}%; {FAR['sessions']} sessions); the "
        f"difference is between {FAR['difference'][0]:g} and {FAR['difference'][1]:g} points",
        f"{COUNTED['compactions with open tasks'][ALL_WORK]}, in {KEPT['sessions']} sessions. Of "
        f"their {KEPT['of']} open tasks, {KEPT['counted']} stood word for word in the summary "
        f"({interval(KEPT['interval'])}%)",
        f"{TOTALS['tasks, silent']} tasks in {TOTALS['silent']} sessions",
    ],
    "notebooks/s03a_todo_write.ipynb": [f"{pair(TWO, TASKS)} had two in progress at some moment"],
    "notebooks/s03b_nag_reminder.ipynb": [
        f"{REMINDED['counted']} of {REMINDED['of']} cases, in {REMINDED['sessions']} sessions",
    ],
    "lesson/practice/starter.py": [f"Of {WRITES[BOTH]:,} recorded lists"],
}


# Such as `29 of 30` and `52 to 85%`. A job has ten steps, and its shares are not of sessions.
SHARE = re.compile(r"\b\d[\d,]* of (?!10\b)\d[\d,]*\b|\b[\d.]+ to [\d.]+%")


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
    assert not missing, f"{name} does not say this, with the numbers of counted.json"


@pytest.mark.parametrize("name", sorted(f"notebooks/{one.name}" for one in NOTEBOOKS))
def test_a_share_beside_a_link_to_the_sessions_has_its_row_in_the_table(name):
    told = " ".join(SENTENCES.get(name, []))
    cells = [cell for cell in read_cells(name) if "#recorded-sessions" in cell]
    found = [share for cell in cells for share in SHARE.findall(cell)]
    without = [share for share in found if share not in told]
    assert not without, f"SENTENCES has no row for this, made of counted.json, of {name}"


@pytest.mark.parametrize(
    "name", [one for one in SENTENCES if one.endswith((".ipynb", "html", "E.md"))]
)
def test_a_text_says_whose_sessions_these_are_and_until_when(name):
    last = date.fromisoformat(f"{max(one['to'] for one in COUNTED['collections'])}-01")
    whose, text = f"of Claude Code up to {last:%B %Y}", read_text(name)
    linked = re.findall(r"sessions\]\(\S*#recorded-sessions\)(.*?)[,.]", text)
    assert whose in text and all(whose in after for after in linked)


def test_what_is_told_does_not_rest_on_fewer_than_ten_sessions():
    assert not KEPT["is few"] and not REMINDED["is few"]


def test_the_list_that_was_followed_is_the_one_that_the_program_says():
    """Each result that changes a status says the status before, and that is the list's."""
    assert "status, differs" not in TOTALS and TOTALS["status, agrees"] > 1000
    # Three ticks stand nowhere in the files, and are known from updates that change nothing.
    assert TOTALS["status, not so yet"] == 3
    assert TOTALS["left out"] == 3 and "Three replies of all were in a branch" in read_text(
        "docs/sources.md"
    )


def test_the_five_collections_with_most_lists_come_first():
    """With `--five`, the command reads the first five only."""
    listed = json.loads((ROOT / "research/sessions/collections.json").read_text(encoding="utf-8"))
    first = [one["repository"] for one in listed[:5]]
    assert first == COUNTED["five with most lists"] and COUNTED["their percent"] > 80


def test_nothing_of_a_session_is_stored():
    """Tables only: no text of a task, no id of a session, and no path."""
    told = json.dumps(COUNTED)
    assert not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}-|/home/|/Users/|\.jsonl", told)
    commits = [commit for one in COUNTED["collections"] for commit in one["commits"]]
    assert all(re.fullmatch("[0-9a-f]{40}", commit) for commit in commits)
    assert all(one["licence"] for one in COUNTED["collections"])
