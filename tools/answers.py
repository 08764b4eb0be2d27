"""Write docs/answers.html, the answer sheet of docs/teach.md: `python tools/answers.py`.

The numbers are those of the lesson's guesses, of the runs in docs/play.html and of the Claude runs,
the lines are those of our loop, and the minutes those of the schedule. Which mistakes are likely
was chosen by us, as long as no class was counted: each is a mistake on the page of its exercise.
"""

import contextlib
import io
import re
import tempfile
from html import escape
from pathlib import Path
from string import Template

import play_page

from exerciselib.feedback import Result
from exerciselib.page import PAGES
from lesson import play
from lesson.common.guesses import GUESSES
from lesson.common.parts import PARTS
from lesson.exercises.rules import list_rules
from lesson.notebook.check_part import INSTEAD
from lesson.notebook.last_cell import STALE, UNCHANGED
from lesson.program.progress import FILE
from lesson.program.progress import FIRST as FIRST_KEPT
from lesson.runs.window import WINDOW
from lesson.widgets import seat

# What frame.py says, which is not imported: it works in the folder in which it is.
NO_LIST = "This loop does not use `remind`, so it runs without the list and the nag."
DOCS = Path(__file__).parents[1] / "docs"
SHEET = DOCS / "answers.html"
TEMPLATE = Path(__file__).with_name("page") / "answers.html"
# The lines of E1 that one shows to those who have not begun.
FIRST_LINES = ("while True:", "reply = client", 'messages.append({"role": "assistant"')
# What to say after the hands are counted: the guess, the words, and where the class meets it.
FIRST = "20 minutes, and the second hour"
WIDE = 20  # messages: another window for the slider
HANDS = {
    FIRST: {
        "reminder": "With $late, the files show $late_done of 10, and the list says $late_list. "
        "A late reminder looks like success. If it shows the list, all ten get done up to "
        "$latest_list, and $last_done of 10 with $last, of which its list says $last_list.",
        "did_not": "One Claude model of unknown version, and one job (24 November 2026).",
    },
    "The second hour": {
        "without_rules": "It begins everything, and says that all steps are under way.",
        "with_rules": "The error says what to correct, and the model corrects it.",
        "read_it": "As a list or as plain text: it is the text of the plan that helps the model.",
    },
    "At home, and a second evening": {
        "ask_the_list": "Everything on it is ticked, so nothing is asked.",
        "ask_the_files": "What you ask must be able to say no, and must name what is missing.",
    },
}
# For each exercise: words of the sentence that the check says, the mistake, and what to ask.
MISTAKES = {
    "E1": (
        ("specs of a request", "It uses `specs` or `dispatch` of the cells above.",
         "Which tools would it run in another notebook?"),
        ("looks at the stop reason", "It stops at text, or at a `stop_reason`.",
         "A reply has a call and text: has the tool run?"),
    ),
    "E2": (
        ("tasks in progress: count", "A rule is in the given loop.",
         "Which tasks are in `checked` at this moment?"),
        ("changed before the error", "A rule is below `self.items = checked`.",
         "If it raises an error, which list is stored?"),
    ),
    "E3": (
        ("must ask for the whole list", "The description does not ask for the whole list.",
         "What becomes of a task that a call leaves out?"),
        ("must be the method itself", "`run=self.update()`, with parentheses.",
         "When is it called, and what does it get?"),
    ),
    "E4": (
        ("Four calls in one round", "It counts calls.",
         "Four calls in one reply: how many rounds?"),
        ("is not repeated in each round", "`==` in place of `>=`.",
         "What if the model overlooks the first reminder?"),
    ),
    "E5": (
        ("Call `remind` once", "`remind` is called inside of the `for`.",
         "Three calls in one reply: what has your nag counted?"),
        ("in a place of its own", "The reminder is a message of its own.",
         "Which place is this, and how may a run end there?"),
    ),
    "E6": (
        ("shows an old list", "The list is rendered once, in `__init__`.",
         "What did the list contain when the nag was made?"),
        ("has the words", "The `f` before the quotes is missing.",
         "Which letters does the model read?"),
    ),
    "E7": (
        ("The slice begins with a result", "The slice begins with a result.",
         "Where is the call of this result now?"),
        ("A newer message of the user is missing", "Only the first prompt is kept.",
         "After three prompts, which one does the model work on?"),
    ),
    "E8": (
        ("The list that was rejected is stored", "The check is below `super().update(items)`.",
         "If it raises an error, which list is stored?"),
        ("This priority was sent", "`or` makes `medium` of `\"\"`.",
         "Was this priority left out, or was it sent?"),
    ),
    "E9": (
        ("a number for each level", "The words are sorted by the alphabet.",
         "Which comes first, *low* or *medium*?"),
        ("choose only among the items that are pending", "It names the task in progress.",
         "The model is at this task: which one is next?"),
    ),
    "E10": (
        ("must name all that the newest", "The message gives a number.",
         "What can a model do with a number?"),
        ("Ask at most ten times", "There is no limit.",
         "What if the work can never be done?"),
    ),
    "E11": (
        ("An absolute path leads out", "It looks for `..` in the path.",
         "Where does `/etc/passwd` lead, and where does a link?"),
        ("Raise the error, and do not", "The error is returned.",
         "How does the loop know that the call has failed?"),
    ),
    "E12": (
        ("first start of this task", "Each list stores the beginning anew.",
         "The whole list is sent each time: when did this task begin?"),
        ("A clock may show 0", "`if start:`, for whether there is one.",
         "What does this line do if the clock shows 0?"),
    ),
}  # fmt: skip
# What can be left out: words of a row in teach.md, and what to do in its place.
CUTS = {
    "*The reminder shows the list*": "Say it: the program has kept the list, so up to "
    "$latest_list all ten steps get done.",
    "The program, in a terminal": "You, on the screen.",
    "*Why only one task in progress?*": "Say it: $without_rules of 10 steps without rules, and "
    "$with_rules with them.",
    "first cell | Who could have noticed?": "Give it to them for the way home.",
}
KEEP = "Do not leave out the hands before the slider and the sixteen runs: they are the lesson."

# What students read on the screen and ask about, and what to say.
SCREEN = (
    ("$counted", "The given code has rules too. The check names only the first "
     "rule that fails, and a later mistake when this one passes. With two rules, this is right."),
    (INSTEAD.format("agent_loop", "E1", "the cells below use", "ours"),
     "Nothing is lost: go on, and come back to it later."),
    (UNCHANGED.format("agent_loop").partition(". ")[0] + ".",
     "Run the cell of the code first, and then the check."),
    (STALE.format("agent_loop", "Your last cell"),
     "Mend the cell of the code, run it, and then the check."),
    ("NameError: $no_name", "Select this cell, and choose *Run › Run All Above Selected Cell*. "
     "So also after a kernel has ended: what has passed is in `my_agent`."),
    (FIRST_KEPT.format(FILE, "").split(",")[1].strip() + " …",
     "It stays with the student, and `forget_progress()` deletes it. On a hub with a board, "
     "the teachers can read it."),
)  # fmt: skip


def mark(text: str) -> str:
    """Return a text with its `code` and *places* as HTML."""
    text = re.sub("`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))
    return re.sub(r"\*([^*]+)\*", r"<i>\1</i>", text)


def row(*cells: object) -> str:
    return f"<tr>{''.join(f'<td>{mark(str(cell))}</td>' for cell in cells)}</tr>"


def find_done(states: play_page.States, key: str) -> list[str]:
    """Return how many steps the files show in a run of the slider, and how many its list says."""
    return re.findall(r"\d+ of \d+", states[key][2])[:2]


def read_numbers() -> dict[str, object]:
    """Return the numbers that the sheet names, from the guesses and from the runs."""
    states = play_page.unpack(play_page.PAGE.read_text(encoding="utf-8"))
    latest = play_page.find_latest(states, "plain")
    latest_list = play_page.find_latest(states, "list")
    done, said = find_done(states, f"plain,{WINDOW},{latest + 1}")
    last_done, last_list = find_done(states, f"list,{WINDOW},{latest_list + 1}")
    wide_latest = play_page.find_latest(states, "plain", WIDE)
    [seen] = re.findall(r"up to round (\d+)", states[f"plain,{WIDE},{wide_latest + 1}"][2])
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        with contextlib.redirect_stdout(io.StringIO()):
            alone = play("ten_steps", todo=None).steps_done
    assert latest == GUESSES["reminder"].right
    return {name: guess.right for name, guess in GUESSES.items()} | {
        "late": latest + 1,
        "late_done": done.split()[0],
        "late_list": said,
        "latest_list": latest_list,
        "last": latest_list + 1,
        "last_done": last_done.split()[0],
        "last_list": last_list.split()[0],
        "wide": WIDE,
        "wide_latest": wide_latest,
        "seen": seen,
        "alone": alone,
        **read_screen(),
    }


def read_screen() -> dict[str, object]:
    """Return what the check says of a list with two of E2's rules, and Python of a lost name."""
    rules = list_rules("MyTodo")
    place = next(n for n, rule in enumerate(rules) if rule.text.startswith("Rule 3"))
    try:
        eval("play", {})
    except NameError as error:
        no_name = str(error)
    third = Result("MyTodo", "", passed=place, total=len(rules), title=rules[place].text)
    return {"counted": f"{third.headline} {third.heading}", "no_name": no_name}


def read_step(words: str) -> tuple[str, str, int]:
    """Return the schedule with the row of teach.md that has these words, the step, and its minutes.

    A step lasts until the next row.
    """
    lines = (DOCS / "teach.md").read_text(encoding="utf-8").splitlines()
    (place,) = [n for n, line in enumerate(lines) if line.startswith("| ") and words in line]
    schedule = [one for one in lines[:place] if re.match(r"## |\*\*The \w+ hour", one)][-1]
    (begin, step), (end, _) = (line.split("|")[1:3] for line in lines[place : place + 2])
    step = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", step).strip()
    return re.sub(r":.*|[#*]", "", schedule).strip(), step, int(end) - int(begin)


def read_first_lines() -> str:
    """Return the lines with which our loop begins, as one would write them on a board."""
    list_rules("agent_loop")
    lines = [line.strip() for line in PAGES["agent_loop"].solution.splitlines()]
    first, *others = (
        next(line for line in lines if line.startswith(begin)) for begin in FIRST_LINES
    )
    return "\n".join([first, *(f"    {line}" for line in others)])


def write_hands(numbers: dict[str, object]) -> str:
    lost = [line.text for line in seat.Seat().list_steps() if line.note == seat.LOST]
    rows = {place: list[str]() for place in HANDS}
    first, second, _ = rows.values()
    question = "How many steps were only in the lost plan?"
    first.append(row("play.html", question, len(lost), "; ".join(lost)))
    question = "For who has seen the demo: and with a window of $wide messages?"
    then = "The plan is in the window up to round $seen. A reminder after $wide_latest rounds is "
    second.append(row("s03b", question, "$wide_latest", then + "read in that round."))
    question = "How many of ten steps get done without a list?"
    second.append(row("s03a", question, "$alone", "It reports that it is done."))
    for place, guesses in HANDS.items():
        for name, then in guesses.items():
            where = "play.html, " * (place == FIRST) + GUESSES[name].notebook
            rows[place].append(row(where, GUESSES[name].question, GUESSES[name].right, then))
    titled = [[f"<tr><th colspan=4>{place}</th></tr>", *rows[place]] for place in rows]
    return Template("\n".join(sum(titled, []))).substitute(numbers)


def find_rule(part: str, level: str, words: str) -> int:
    """Return the place of the rule that a mistake breaks whose sentence has these words."""
    names = [one.name for one in list_rules(part, level) if one.level == level]
    made = PAGES[part].list_mistakes()
    broken = {one.title for one in made if words in one.sentence} & {*names}
    if not broken:
        raise LookupError(f"{part}: no mistake of this exercise has a sentence with {words!r}.")
    return min(map(names.index, broken))


def write_mistakes() -> str:
    """Return the rows of each exercise, in the order of its rules."""
    rows = {}
    for part in PARTS.values():
        for level in part.levels:
            for words, mistake, question in MISTAKES[level.exercise]:
                place = int(level.exercise[1:]), find_rule(part.name, level.name, words)
                rows[*place, mistake] = row(level.exercise, mistake, question)
    return "\n".join(rows[place] for place in sorted(rows))


def write_cuts(numbers: dict[str, object]) -> str:
    rows = []
    for words, instead in CUTS.items():
        schedule, step, minutes = read_step(words)
        rows.append(row(schedule, step, f"{minutes} min", instead))
    return Template("\n".join(rows)).substitute(numbers)


def write_sheet() -> str:
    """Return the sheet as HTML."""
    numbers = read_numbers()
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        hands=write_hands(numbers),
        lines=escape(read_first_lines(), quote=False),
        mistakes=write_mistakes(),
        cuts=write_cuts(numbers),
        screen=Template("\n".join(row(*one) for one in SCREEN)).substitute(numbers),
        keep=KEEP,
    )


def main() -> None:
    SHEET.write_text(write_sheet(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
