"""Draw the pictures for readers on GitHub, where no widget is drawn: `python tools/pictures.py`.

notebooks/lesson_pictures has those of two widgets, and docs has those of README. They are written
from the same marks, lines and counts as the widgets. `make notebooks` writes them as well. So is
the run that the seat shows, because a new kernel would need two seconds to play it.
"""

import contextlib
import json
import re
import tempfile
from pathlib import Path
from textwrap import wrap

from stills import (
    COLUMN,
    TIMELINE,
    Row,
    counts_row,
    draw_text,
    seat_row,
    tape_row,
    text_row,
    timeline_row,
)
from stills import write_still as write

from agentlib.nag import REMINDER
from lesson.common.message_blocks import MESSAGES_PER_ROUND
from lesson.common.pluralize import pluralize
from lesson.drawing.marks import Mark, list_counts, list_marks
from lesson.drawing.picture import draw_states, draw_tape
from lesson.drawing.run_picture import run_marks, run_timeline
from lesson.program.copy_lesson import copy_lesson
from lesson.runs.claude_runs import CONDITIONS, claude_runs
from lesson.runs.run import Run
from lesson.runs.window import last_round_in_sight
from lesson.widgets.compare_runs import RunRow, make_row
from lesson.widgets.how_soon import FIRST, THRESHOLD
from lesson.widgets.seat import AFTER, RECORD, ROUND, WINDOW

REPOSITORY = Path(__file__).parents[1]
GAP = ("", 12)  # an empty row
PLAYED = (
    "The first two rows were played for this picture. The runs of the Claude model are recorded."
)
YOU_CELL = 58  # pixels: the width of a round in the lesson's first picture
# The first square there is not pale, but dashed, as in the seat.
LOST_PLAN = """
.lp-tape .lp-left { opacity: 1 }
.lp-tape .lp-left rect { fill: none; stroke: #b3400e; stroke-dasharray: .13 .08 }
.lp-tape .lp-left path { stroke: #b3400e; opacity: .7 }
"""
# README's first picture has text that can be read on a phone, whose page is 360 pixels wide. Its
# window is not that of the lesson, which asks for the latest threshold with its own.
PHONE_SIZE = 27  # pixels: the font
README_WINDOW = 16  # messages
QUOTE_CHARACTERS = 12  # in a line
STEP = 20  # pixels: the height of a step
Picture = tuple[list[Row], str]  # its rows, and the same in words


def write_pictures(notebooks: Path, docs: Path) -> None:
    """Write those of the notebooks into one folder, and those of README into another one."""
    notebooks.mkdir(exist_ok=True)
    rows, too_late = draw_compared_runs(), draw_too_late()
    write(notebooks / "you.svg", *draw_you(), rules=LOST_PLAN)
    write(notebooks / "how_soon.svg", *draw_how_soon(5, 6))
    for theme in ("light", "dark"):
        write(docs / f"runs-{theme}.svg", *rows)
        write(docs / f"too-late-{theme}.svg", *too_late)


def play_seat() -> Run:
    """Play the run of the seat up to its round."""
    run = Run(after=AFTER, window=WINDOW)
    for _ in zip(range(ROUND + 1), run.play_rounds(), strict=False):
        pass
    return run


def record_seat() -> str:
    """Return the request of the seat as JSON."""
    run = play_seat()
    sent = run.request(ROUND).sent
    sent = {key: sent[key] for key in ("system", "tools", "messages")}
    sent["left_out"] = run.rounds[0].messages
    ids: dict[str, str] = {}  # they are random, so each gets a number
    return re.sub(
        r"toolu_\w+",
        lambda found: ids.setdefault(found[0], f"toolu_{len(ids):04}"),
        json.dumps(sent, indent=1, ensure_ascii=False) + "\n",
    )


def list_seat_marks() -> tuple[list[Mark], tuple[float, float]]:
    """Return the marks of the seat's run, the last one the reader's, and what the model sees."""
    run = play_seat()
    letters, frame = run.letters[: ROUND - 1], run.records[ROUND - 1].view.frame
    marks = list_marks(letters, "0" * len(letters), frame=frame)
    return [*marks, Mark("e", read=True, words=f"Round {ROUND}: the next message is yours")], frame


def draw_you() -> Picture:
    """Return what opens the lesson: the tape of the seat, before anything is run."""
    rounds = WINDOW // MESSAGES_PER_ROUND
    sight = f"the model sees the last {rounds} rounds"
    texts = (sight, "its plan: out of sight", "you", REMINDER, "Which steps are left?")
    words = (
        f"A job in {ROUND} rounds. The model sees the last {rounds} rounds, which are {WINDOW} "
        f"messages. Its plan is out of sight, and a reminder says: {REMINDER} You write the next "
        "message."
    )
    return [seat_row(*list_seat_marks(), texts, YOU_CELL)], words


def draw_how_soon(before: int, after: int) -> Picture:
    """Return the timelines of two thresholds, one below the other."""
    words = f"With a threshold of {before} the files show 10 of 10, and with {after} 3 of 10"
    runs = [Run(after=threshold).play() for threshold in (before, after)]
    most = max(len(run.rounds) for run in runs)
    drawn: list[Row] = []
    for run in runs:
        edge = last_round_in_sight(run.window)
        drawn += [
            text_row(f"{THRESHOLD}: {run.after} rounds", "reminder", 600),
            counts_row(list_counts(run.done, run.items), pluralize(len(run.rounds), "round")),
            tape_row(run_marks(run), edge=edge, most=most, left=TIMELINE),
            timeline_row(run_timeline(run), most=most),
            GAP,
        ]
    return drawn[:-1], words


def play_too_late() -> list[Run]:
    """Return the two runs of README's first picture.

    The reminder of the first one is read in the last round that sees the plan, and that of the
    second one in the round after it.
    """
    latest = last_round_in_sight(README_WINDOW) - FIRST
    return [Run(after=after, window=README_WINDOW).play() for after in (latest, latest + 1)]


def draw_too_late() -> Picture:
    """Return README's first picture: the timelines of two runs, side by side."""
    runs = play_too_late()
    cell = COLUMN / max(len(run.rounds) for run in runs) - 0.5
    drawn = draw_text("One round too late.", 0, 42, weight=700, size=46)
    drawn += draw_text(
        "Same job. The reminder ▼ comes one round later.", 0, 88, "muted", size=PHONE_SIZE
    )
    for place, (run, title) in enumerate(zip(runs, ("in time", "one round later"), strict=True)):
        inside = draw_text(f"▼ {title}", 0, 26, "reminder", 700, size=PHONE_SIZE)
        inside += f"<g transform='translate(0 64)'>{draw_stairs(run, cell)}</g>"
        drawn += f"<g transform='translate({place * (COLUMN + 14)} 112)'>{inside}</g>"
    below = 112 + 64 + cell + 12 + STEP * len(runs[0].step_texts)
    left = COLUMN + 14 + (len(runs[1].rounds) + 1) * cell
    said = f"“{runs[1].rounds[-1].text}”"
    for line, words in enumerate(wrap(said, QUOTE_CHARACTERS)):
        top = below - 4.5 * STEP + 1.3 * PHONE_SIZE * line
        drawn += draw_text(words, left, top, weight=600, size=PHONE_SIZE)
    drawn += f"<g transform='translate(0 {below + 14:g})'>{draw_key()}</g>"
    words = (
        "Two runs of the same model and job. Reminded in time, it still sees its plan, and all "
        "steps get done, one after the other. Reminded one round later, its plan is out of sight: "
        f"the work breaks off, and it says: {runs[1].rounds[-1].text}"
    )
    return [(drawn, round(below + 50))], words


def draw_stairs(run: Run, cell: float) -> str:
    """Return the tape of a run and its timeline, without the texts of the steps, as SVG.

    The frame is what the model sees when it reads its first reminder.
    """
    marks = run_marks(run)
    frame = next(m.view.frame for m, mark in zip(run.records, marks, strict=True) if mark.read)
    drawn = f"<g transform='scale({cell:g})'>{draw_tape(marks, frame)}</g>"
    for number, row in enumerate(run_timeline(run)[: len(run.step_texts)]):
        top = cell + 12 + number * STEP + (STEP - cell) / 2
        states = draw_states(row.states)
        drawn += f"<g transform='translate(0 {top:g}) scale({cell:g})'>{states}</g>"
    return f"<g class='lp-tape'>{drawn}</g>"


def draw_key() -> str:
    """Return what the marks of README's first picture mean as SVG."""
    size, drawn, left = PHONE_SIZE, "", 0
    plan, done = list_marks("p", "0")[0], list_marks("d", "1")[0]
    frame = f"<g class='lp-tape'><g transform='scale({size})'>{draw_tape([], (0, 1.3))}</g></g>"
    squares = [
        f"<g class='lp-tape' transform='scale({size})'>{draw_tape([mark])}</g>"
        for mark in (plan, done)
    ]
    entries = [
        (squares[0], "its plan"),
        (squares[1], "a step is done"),
        (frame, "what the model sees"),
    ]
    for picture, words in entries:
        drawn += f"<g transform='translate({left})'>{picture}"
        drawn += draw_text(words, 1.6 * size, 22, size=size) + "</g>"
        left += round(1.6 * size + 0.56 * size * len(words) + 14)
    return drawn


def compare_runs() -> list[RunRow]:
    """Return README's five runs of the ten steps.

    They are the practice model without a list and with one, and three recorded runs of a Claude
    model that had lost its plan: one was only reminded, one was shown its list, and one got the
    plan as plain text and no todo tool.
    """
    taken_over = f"A Claude model takes over in round {last_round_in_sight(WINDOW) + 1}"
    return [
        make_row("The practice model, a script, without a list", Run(todo=None).play(), ""),
        make_row("The same script with the package's loop, list and nag", Run().play(), ""),
        make_claude_row(f"{taken_over}, and is reminded: {CONDITIONS['reminder']}", "reminder"),
        make_claude_row(f"{taken_over}, and the reminder shows its list", "listed"),
        make_claude_row(f"{taken_over}, and gets {CONDITIONS['plantext']}", "plantext"),
    ]


def make_claude_row(name: str, condition: str) -> RunRow:
    """Return the row of the first recorded run of a condition, with the results of all."""
    runs = claude_runs(condition=condition)
    results = ", ".join(str(run.steps_done) for run in runs)
    return make_row(name, runs[0], f"in {len(runs)} runs: {results}")


def draw_compared_runs() -> Picture:
    """Return the five runs of one job."""
    found = compare_runs()
    most = max(len(row.marks) for row in found)
    drawn: list[Row] = []
    for row in found:
        edge = last_round_in_sight(WINDOW) if row is not found[0] else None  # the first has no list
        drawn += [
            text_row(row.name, weight=600),
            tape_row(row.marks, edge=edge, is_named=row is found[-1], most=most),
            counts_row(row.counts, row.more),
            GAP,
        ]
    return [*drawn, text_row(PLAYED, "muted")], "One job in ten steps, five runs"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        copy_lesson(Path(folder))  # no part of the program is the reader's own
        RECORD.write_text(record_seat(), encoding="utf-8")
        write_pictures(REPOSITORY / "notebooks" / "lesson_pictures", REPOSITORY / "docs")


if __name__ == "__main__":
    main()
