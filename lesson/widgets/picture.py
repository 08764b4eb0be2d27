"""The picture of a run for a slider of ipywidgets: its tape, what the files show, and its list."""

from html import escape

from ..message_window import last_round_in_sight
from ..picture_letters import CLAIMED, SHOWN
from ..runs.measured import Measured, Setting, measured, summarize
from ..runs.trial import Trial
from ..samples.jobs import load_job
from .base import make_drawable
from .bundle import wrap_html
from .tape import draw_edge, draw_tape

WIDEST_WORDS = 7  # rounds: there is so much room left of the line for "first plan in sight"


def draw(run: Trial | Measured) -> str:
    """Return a run as HTML, for the `value` of an HTML of ipywidgets.

    It shows the rounds, the reminders (▼) and where the first plan leaves the window; how many
    steps the files show and what the list says; and all steps of the plan in their places. Those
    that are not on the final list are hatched, and what the model has listed instead is below them.
    """
    if isinstance(run, Trial):
        run = summarize(Setting(run.job, run.after, run.window, plan=run.todo is not None), run)
    parts = [draw_rounds(run), draw_counts(run), draw_steps(run)]
    inside = "".join(parts)
    return wrap_html("picture", f'<div class="agentlib al-bare al-picture">{inside}</div>')


def draw_rounds(run: Measured) -> str:
    """Return the tape, with a line where the plan of round 1 leaves the window."""
    last = last_round_in_sight(run.setting.window)
    line = ""
    if run.setting.plan and last < run.rounds:
        place = f'style="--from: {last}"'
        words = "first plan in sight" if last >= WIDEST_WORDS else "in sight"
        line = (
            f"{draw_edge(last)}"
            f'<span class="al-picture-sight al-picture-in" {place}>{words}</span>'
            f'<span class="al-picture-sight al-picture-out" {place}>out of sight</span>'
        )
    tape = draw_tape(run.cells, run.steps, is_finished=run.is_finished, more=line)
    return f'<div class="al-picture-run">{tape}</div>'


def draw_counts(run: Measured) -> str:
    look = "al-good" if run.is_finished else "al-bad"
    files = f'the files show <b class="{look}">{run.steps_done} of {len(run.done)}</b>'
    claims = f"its list says <b>{run.list_says}</b>"
    return f'<p class="al-picture-counts"><span>{files}</span> <span>{claims}</span></p>'


def draw_steps(run: Measured) -> str:
    """Return the steps of the job in their order, and then the other items of the final list."""
    steps = load_job(run.setting.job).steps
    letters = {text.casefold(): letter for text, letter in zip(run.items, run.claims, strict=True)}
    lines = []
    for step, is_done in zip(steps, run.done, strict=True):
        letter = letters.pop(step.text.casefold(), None)
        mark, words = describe_step(is_done, letter)
        lines.append(draw_line("" if letter else "al-gone", mark, words, step.text))
    for text, letter in zip(run.items, run.claims, strict=True):
        if text.casefold() in letters:
            mark = "al-claimed" if letter in (SHOWN, CLAIMED) else ""
            lines.append(draw_line("al-new", mark, "not a step of the plan: ", text))
    return f'<ol class="al-items">{"".join(lines)}</ol>'


def describe_step(is_done: bool, letter: str | None) -> tuple[str, str]:
    """Return the mark of a step and the same in words. `letter` is None if no list has it."""
    if is_done:
        mark, words = "al-shown", "done"
    elif letter == CLAIMED:
        mark, words = "al-claimed", "only its list says that it is done"
    else:
        mark, words = "", "not done"
    return mark, f"{words}: " if letter else f"{words}, not on its list: "


def draw_line(look: str, mark: str, words: str, text: str) -> str:
    return (
        f'<li class="al-item {look}"><span class="al-mark {mark}" aria-hidden="true">'
        f'{"✓" if mark else ""}</span><span class="al-hidden">{words}</span>'
        f'<span class="al-text">{escape(make_drawable(text))}</span></li>'
    )


def play_once(job: str = "ten_steps", **settings) -> Measured:
    """Play a run unless it was played before, and return what was measured.

    `settings` are `after`, `window` and `nag` as for `play`, and `todo`, the class of the list. A
    run takes about a third of a second.
    """
    return measured(Setting(job, **settings))
