"""Write docs/play.html, the page on which one only clicks and tries: `python tools/play_page.py`.

It is one file without a server or a kernel. Its pictures are those of the widgets: all 420 runs of
the slider are drawn here, which takes a minute of processor time, and kept as compressed HTML.
`make notebooks` writes it as well.
"""

import ast
import base64
import contextlib
import gzip
import hashlib
import json
import re
import tempfile
from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path
from string import Template

from lesson.common.message_blocks import MESSAGES_PER_ROUND, WINDOW
from lesson.common.solutions import read_given, read_solutions
from lesson.drawing.marks import list_marks
from lesson.drawing.picture import ROOT, draw_legend, read_style
from lesson.drawing.request_view import draw_request
from lesson.program.copy_lesson import copy_lesson
from lesson.program.my_agent import load_plain_nag, load_solutions
from lesson.runs.claude_runs import ClaudeRun, claude_runs
from lesson.runs.request_parts import RequestPart
from lesson.samples.jobs import load_job
from lesson.widgets import seat
from lesson.widgets.drawn import SHEETS
from lesson.widgets.nag_slider import THRESHOLDS, WINDOWS, NagSlider, Setting

REPOSITORY = Path(__file__).parents[1]
PAGE = REPOSITORY / "docs" / "play.html"
TEMPLATE = Path(__file__).with_name("page")  # its text, style and script
SIZES = range(WINDOWS[0], WINDOWS[1] + 1, MESSAGES_PER_ROUND)
# The last words of the page: those of the file, and those of the copy in front of the browser
# edition, which fetches its largest files after the first click: the lesson needs them.
WAY = (
    "In the folder of the project, <b>make lab</b> opens the lesson. The file "
    "<b>docs/install.md</b> has the other ways, also one without an installation."
)
WAY_TO_LESSON = (
    "<a href='lab/index.html?path=00_start_here.ipynb'><b>Open the lesson</b></a> in this browser. "
    "It needs no installation, and what you write stays in this browser. If your browser keeps no "
    "data of sites (cookies), the lesson cannot load: allow them for this page first."
)
FETCH_AHEAD = """
addEventListener("click", async () => {
  if (navigator.connection?.saveData) return;
  for (const name of $files) await fetch(name).then((file) => file.arrayBuffer()).catch(() => {});
}, { once: true });
"""
States = dict[str, list[str]]


# The package's nag, and our solution of E6, whose reminder shows the list.
NAGS = {"plain": load_plain_nag(), "list": load_solutions().MyNag}


def draw_states(kind: str, window: int, thresholds=THRESHOLDS) -> States:
    """Return the pictures of these thresholds by their keys: "plain,12,5".

    A picture has the scale, the tape, and what is below it, as HTML.
    """
    settings = [Setting(after, window) for after in thresholds]
    widget = NagSlider(NAGS[kind], after=settings[0].after, window=window)
    widget.after.unobserve_all()
    widget.window.unobserve_all()
    for setting in settings:
        for _ in widget._play(setting):
            pass
    widget.tried = {*settings}
    states = {}
    for setting in settings:
        widget.after.value = setting.after
        widget._draw()
        below = widget._below.value.partition("<p class='lp-legend")[0]  # it is once on the page
        tape = re.sub(r"<title>.*?</title>", "", widget._tape.value)
        states[f"{kind},{window},{setting.after}"] = [widget._scale.value, tape, below]
    return states


def pack(states: States) -> str:
    """Return the states as compressed JSON in Base64, the same on each machine."""
    text = json.dumps(states, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()


def unpack(page: str) -> States:
    """Return the states of a page."""
    packed = re.search(r'<template id="states"[^>]*>([^<]*)<', page)
    return json.loads(gzip.decompress(base64.b64decode(packed[1] if packed else "")))


def play_all() -> States:
    """Return all states."""
    states: States = {}
    for kind in NAGS:
        for window in SIZES:
            states |= draw_states(kind, window)
    return states


def find_latest(states: States, kind: str, window: int = WINDOW) -> int:
    """Return the highest threshold with which the files show all steps."""
    done = [after for after in THRESHOLDS if "10 of 10" in states[f"{kind},{window},{after}"][2]]
    return max(done)


def write_words(widget: seat.Seat) -> str:
    """Return the words of the seat, with which the page's script counts the ticks, as JSON."""
    seen = sum(step.seen != seat.LOST for step in widget.list_left())
    words = {
        "first": seat.WRITE_FIRST,
        "tick": seat.TICK,
        "named": seat.NAMED.format(seen=seen, named="{named}"),
        "guessed": seat.GUESSED,
    }
    return escape(json.dumps(words, ensure_ascii=False))


def draw_boxes(widget: seat.Seat) -> str:
    """Return the boxes of the steps that were left, as ipywidgets draws the seat's."""
    boxes = []
    for step in widget.list_left():
        lost = " lp-lost" if step.seen == seat.LOST else ""
        label = f"<label><input type='checkbox'><span>{seat.draw_step(step)}</span></label>"
        boxes.append(f"<div class='widget-checkbox{lost}'>{label}</div>")
    return "".join(boxes)


def draw_messages(widget: seat.Seat) -> str:
    """Return the messages of all rounds before the seat's as HTML, one line for each message.

    Those of round 1, with the plan, are the ones that the seat does not see any more.
    """
    [reply, result] = json.loads(seat.RECORD.read_text(encoding="utf-8"))["left_out"]
    words, call = reply["content"]
    tasks = "".join(f"<li>{escape(task['text'])}</li>" for task in call["input"]["items"])
    first_result = RequestPart("user 1", "result", result["content"][0]["content"], "", "")
    messages: dict[str, list[str]] = {}
    for part in (first_result, *widget.request.parts):
        if part.label.endswith(tuple("1234567")):
            mark = "▼ " if part.kind == "reminder" else ""
            messages.setdefault(part.label, []).append(escape(mark + part.line))
    plan_lines = f"<span>{escape(words['text'])}</span><ul>{tasks}</ul>"
    prompt = escape(widget.request.parts[widget.prompt].line)
    return (
        f"<li class='prompt'><b>user</b><span>{prompt}</span></li>"
        f"<li data-round='1'><b>assistant 1</b>{plan_lines}</li>"
    ) + "".join(
        f"<li data-round='{label[-1]}' hidden><b>{label}</b><span>{' '.join(lines)}</span></li>"
        for label, lines in messages.items()
    )


def list_statements(text: str) -> list[str]:
    """Return the first line of each statement of a program, without its docstrings."""
    return [
        ast.unparse(node).partition("\n")[0]
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.stmt)
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    ]


def count_own() -> int:
    """Return how many statements of our solutions are not given in the exercises' cells."""
    return sum(
        (Counter(list_statements(text)) - Counter(list_statements(read_given(name)))).total()
        for name, text in read_solutions().items()
    )


def count_complete(runs: Sequence[ClaudeRun]) -> int:
    return sum(all(run.done) for run in runs)


def draw_signs() -> str:
    """Return what the marks of all states mean as HTML."""
    done = [False] * 7 + [True, False]
    return draw_legend(list_marks("Ppwdlfsee", "010101000", done=done), frame=(0, 1))


def write_options(numbers) -> str:
    return "".join(f"<option>{number}</option>" for number in numbers)


def write_page(states: States, ahead: Sequence[str] = ()) -> str:
    """Return the page: with `ahead`, that of the browser edition, which fetches these files.

    It is written in a learner's folder in which no part is written yet.
    """
    widget = seat.Seat()
    unseen = claude_runs(condition="reminder") + claude_runs(condition="nolist")
    seen = claude_runs(condition="listed") + claude_runs(condition="plantext")
    assert len(seen) == len(unseen) == 8
    latest = find_latest(states, "plain")
    late = re.search(r"(\d+) of 10", states[f"plain,{WINDOW},{latest + 1}"][2])
    js, css = ((TEMPLATE / name).read_text(encoding="utf-8") for name in ("page.js", "page.css"))
    if ahead:
        js += Template(FETCH_AHEAD).substitute(files=json.dumps(ahead))
    names = {
        "connect": "connect-src 'self'; " if ahead else "",
        "way": WAY_TO_LESSON if ahead else WAY,
        "hash": base64.b64encode(hashlib.sha256(js.encode()).digest()).decode(),
        "style": read_style(*SHEETS),
        "css": " ".join(re.sub(r"/\*.*?\*/", "", css, flags=re.S).split()),
        "js": js,
        "root": ROOT,
        "window": WINDOW,
        "frame": draw_messages(widget),
        "request": draw_request(widget.request, "seat", chosen=widget.prompt),
        "given": widget.draw_given(),
        "unknown": seat.UNKNOWN,
        "boxes": draw_boxes(widget),
        "compare": seat.COMPARE,
        "back": seat.BACK,
        "latest": latest,
        "latest_list": find_latest(states, "list"),
        "too_late": latest + 1,
        "too_late_done": late[1] if late else "",
        "thresholds": write_options(THRESHOLDS),
        "legend": draw_signs(),
        "could_all": count_complete(seen) if count_complete(seen) < len(seen) else "all",
        "did_all": count_complete(unseen),
        "did_none": count_complete(unseen) or "none",
        "report": escape(unseen[0].last_words.strip()),
        "missing": "”, “".join(
            step.text
            for step, done in zip(load_job("ten_steps").steps, unseen[0].done, strict=True)
            if not done
        ),
        "eight": write_options(range(len(unseen) + 1)),
        "own": count_own(),
        "words": write_words(widget),
        "states": pack(states),
    }
    return Template((TEMPLATE / "index.html").read_text(encoding="utf-8")).substitute(names)


def write_in_new_folder(states: States, ahead: Sequence[str] = ()) -> str:
    """Return the page, with no part of a learner in it."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        copy_lesson(Path(folder))
        return write_page(states, ahead)


def main() -> None:
    PAGE.write_text(write_in_new_folder(play_all()), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
