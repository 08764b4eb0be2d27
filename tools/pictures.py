"""Draw the pictures for readers on GitHub, where no widget is drawn: `python tools/pictures.py`.

notebooks/pictures has one of each widget, and docs has those of README. They are written from the
same marks, lines and counts as the widgets. `make notebooks` writes them as well. So is the run
that the seat shows, because a new kernel would need two seconds to play it.
"""

import contextlib
import json
import re
import tempfile
from pathlib import Path

from stills import (
    CELL,
    GUTTER,
    SCORE,
    Row,
    code_row,
    counts_row,
    draw_text,
    plan_row,
    score_row,
    seat_row,
    stack,
    tape_row,
    text_row,
)
from stills import write_still as write

from agentlib.nag import REMINDER
from lesson.copy_lesson import copy_lesson
from lesson.drawing.marks import find_frame, list_counts, list_lines
from lesson.drawing.run_picture import run_marks, run_score
from lesson.pluralize import pluralize
from lesson.runs.from_messages import plain
from lesson.runs.run import Run
from lesson.runs.summaries import clip
from lesson.runs.window import last_round_in_sight
from lesson.walk.scenes import find_kind
from lesson.widgets.four_rows import SOURCE, four_rows
from lesson.widgets.how_soon import FIRST, THRESHOLDS
from lesson.widgets.seat import AFTER, OUT_OF_SIGHT, RECORD, ROUND, WINDOW, Seat
from lesson.widgets.walk import Walk, write_step

REPOSITORY = Path(__file__).parents[1]
GAP = ("", 12)  # an empty row
CODE_CHARACTERS = 110
YOU_CELL = 58  # pixels: the width of a round in the lesson's first picture
# The first square there is not pale, but dashed, as in the seat.
LOST_PLAN = """
.lp-tape .lp-left { opacity: 1 }
.lp-tape .lp-left rect { fill: none; stroke: #b3400e; stroke-dasharray: .13 .08 }
.lp-tape .lp-left path { stroke: #b3400e; opacity: .7 }
"""
# README's slider: two pictures, 2.5 seconds each. A reader who wants no motion sees the second one.
MOTION = """
.first { animation: first 5s step-end infinite }
.second { animation: second 5s step-end infinite }
@keyframes first { 0% { visibility: visible } 50% { visibility: hidden } }
@keyframes second { 0% { visibility: hidden } 50% { visibility: visible } }
@media (prefers-reduced-motion: reduce) {
  .first { animation: none; visibility: hidden }
  .second { animation: none }
}
"""
Picture = tuple[list[Row], str]  # its rows, and the same in words


def write_pictures(notebooks: Path, docs: Path) -> None:
    """Write those of the notebooks into one folder, and those of README into another one."""
    notebooks.mkdir(exist_ok=True)
    rows, slider = draw_four_rows(), draw_slider(5, 6)
    write(notebooks / "you.svg", *draw_you(), rules=LOST_PLAN)
    write(notebooks / "seat.svg", *draw_seat())
    write(notebooks / "play.svg", *draw_play())
    write(notebooks / "how_soon.svg", *draw_how_soon(5, 6))
    write(notebooks / "four_rows.svg", *rows)
    write(notebooks / "walk.svg", *draw_walk())
    for theme in ("light", "dark"):
        write(docs / f"four-rows-{theme}.svg", *rows)
        write(docs / f"slider-{theme}.svg", *slider, rules=MOTION)


def record_seat() -> str:
    """Play the run of the seat up to the request of its round, and return it as JSON."""
    run = Run(after=AFTER, window=WINDOW)
    for _ in zip(range(ROUND), run.play_rounds(), strict=False):
        pass
    messages = json.dumps(plain(run.messages[: 2 * ROUND - 1]), indent=1, ensure_ascii=False)
    ids: dict[str, str] = {}  # they are random, so each gets a number
    messages = re.sub(
        r"toolu_\w+", lambda one: ids.setdefault(one[0], f"toolu_{len(ids)}"), messages
    )
    recorded = {"cells": run.cells[: ROUND - 1], "messages": json.loads(messages)}
    return json.dumps(recorded, indent=1, ensure_ascii=False) + "\n"


def draw_you() -> Picture:
    """Return what opens the lesson: the tape of the seat, before anything is run."""
    sight = f"the model sees the last {WINDOW} messages"
    texts = (sight, OUT_OF_SIGHT, "you", REMINDER, "Which steps are left?")
    words = (
        f"A job in {ROUND} rounds. The model sees the last {WINDOW} messages, its plan is out of "
        f"sight, and a reminder says: {REMINDER} You write the next message."
    )
    return [seat_row(Seat()._list_marks(), find_frame(ROUND, WINDOW), texts, YOU_CELL)], words


def draw_seat() -> Picture:
    """Return what a reader of the seat sees after the comparison with the plan."""
    seat = Seat()
    rows = [
        tape_row(seat._list_marks(), f"you, round {ROUND}", frame=find_frame(ROUND, 12)),
        counts_row(seat._list_counts()),
        plan_row(seat._list_lines(), columns=1),
    ]
    return rows, "The ten steps of the lost plan, and where seven of them can still be seen"


def draw_play() -> Picture:
    """Return the first run of the lesson at its end."""
    run = Run("hello", after=2).play()
    size = f"{pluralize(len(run.rounds), 'round')}, {pluralize(run.tokens, 'token')}"
    frame = find_frame(len(run.rounds), run.window)
    rows = [
        counts_row(list_counts(run.done, run.items), size),
        tape_row(run_marks(run), frame=frame, left=SCORE),
        score_row(run_score(run)),
    ]
    return rows, "A run in which the model writes its list and is reminded of it"


def draw_soon(after: int) -> list[Row]:
    """Return the ten steps with a reminder after so many rounds, as the slider draws them."""
    run = Run(after=after).play()
    marks, edge = run_marks(run), last_round_in_sight(run.window)
    frame = find_frame(after + FIRST, run.window)
    return [
        tape_row(marks, f"▼ after {after}", frame=frame, edge=edge),
        counts_row(list_counts(run.done, run.items), pluralize(len(run.rounds), "round")),
        plan_row(list_lines(run.step_texts, run.items, run.done)),
    ]


def draw_how_soon(before: int, after: int) -> Picture:
    """Return the scores of two thresholds, one below the other."""
    words = f"With a threshold of {before} the files show 10 of 10, and with {after} 3 of 10"
    runs = [Run(after=threshold).play() for threshold in (before, after)]
    most = max(len(run.rounds) for run in runs)
    drawn: list[Row] = []
    for run in runs:
        edge = last_round_in_sight(run.window)
        drawn += [
            text_row(f"▼ after {run.after} rounds", "reminder", 600),
            counts_row(list_counts(run.done, run.items), pluralize(len(run.rounds), "round")),
            tape_row(run_marks(run), edge=edge, most=most, left=SCORE),
            score_row(run_score(run), most=most),
            GAP,
        ]
    return drawn[:-1], words


def draw_slider(before: int, after: int) -> Picture:
    """Return the runs of two thresholds, one in the place of the other, below their results."""
    first, second = (stack([draw_scale(one), *draw_soon(one)]) for one in (before, after))
    drawn = f"<g class='first'>{first[0]}</g><g class='second'>{second[0]}</g>"
    words = (
        f"The reminder comes after {before} rounds, and the files show 10 of 10. "
        f"It comes after {after}, and they show 3 of 10, while the list says 4 of 4."
    )
    return [(drawn, max(first[1], second[1]))], words


def draw_scale(here: int) -> Row:
    """Return the results of all thresholds up to this one, each above its round."""
    drawn = draw_text("reminded after", 0, 12, "muted", size=11)
    drawn += draw_text("the files show", 0, 30, "muted", size=11)
    for after in THRESHOLDS:
        place = GUTTER + (after + FIRST - 0.5) * CELL
        colour, sign = "muted", "·"
        if after <= here:
            done = Run(after=after).play().done
            colour, sign = ("done", "✓") if all(done) else ("lost", str(sum(done)))
        weight = 700 if after == here else 400
        drawn += draw_text(str(after), place, 12, "muted", weight, size=11, anchor="middle")
        drawn += draw_text(sign, place, 30, colour, 700, anchor="middle")
    return drawn, 34


def draw_four_rows() -> Picture:
    """Return the four runs of one job."""
    found = four_rows().rows
    most = max(len(row.marks) for row in found)
    drawn: list[Row] = []
    for row in found:
        is_last = row is found[-1]
        drawn += [
            text_row(row.name, weight=600),
            tape_row(row.marks, edge=row.edge, is_named=is_last, most=most),
            counts_row(row.counts, row.more),
            GAP,
        ]
    return [*drawn, text_row(SOURCE, "muted")], "One job in ten steps, four runs"


def draw_walk() -> Picture:
    """Return the lines that ran, and those that changed the list, the count or raised an error."""
    walk, drawn, place = Walk(), [], 0
    most = max(len(scene.steps) for scene in walk.recorded.scenes)
    marks = walk._list_marks(len(walk.steps))
    for scene in walk.recorded.scenes:
        here, place = marks[place : place + len(scene.steps)], place + len(scene.steps)
        drawn += [text_row(scene.name, weight=600), tape_row(here, most=most)]
        changes = [step for step in scene.steps if find_kind(step) != "line"]
        drawn += [code_row(clip(write_step(step), CODE_CHARACTERS)) for step in changes]
        drawn.append(GAP)
    return drawn, "Two rounds of a run, line by line: a list is rejected, and a reminder is sent"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        copy_lesson(Path(folder))  # no part of the program is the reader's own
        RECORD.write_text(record_seat(), encoding="utf-8")
        write_pictures(REPOSITORY / "notebooks" / "pictures", REPOSITORY / "docs")


if __name__ == "__main__":
    main()
