"""Draw a run in one of its rounds, and format a whole run as text."""

from collections.abc import Container
from itertools import groupby
from typing import Any

from safetylib.guard.circles import describe_circle
from safetylib.guard.escape import for_screen, shorten
from safetylib.wire.last_reply import mark_end

from ..common.pluralize import pluralize
from ..common.round import Round
from ..practice.ignored_reminders import judge_reminder
from ..runs.record import Record, RoundRecord
from .cost import shorten_number
from .marks import Edge, Mark, list_counts, list_marks
from .picture import (
    CHECKED,
    draw_counts,
    draw_legend,
    draw_numbers,
    draw_tape,
    draw_timeline,
    escape,
    format_counts,
    format_legend,
    format_numbers,
    format_tape,
    format_timeline,
)
from .plan_card import draw_card
from .timeline import TimelineRow, has_own_words, list_timeline

SHORT = 48  # characters of the path or the command of a call: it stays on its line
SHOWN_CHARACTERS = 180  # of the model's words: two lines. `run.request(8)` has all of them
MOST_DOTS = 60  # of a threshold: for "never", people write a large number
OWN_WORDS = "The list of this run has its own words. It is below the steps of the job."


def list_run_marks(run: Record, at: int | None = None) -> list[Mark]:
    """Return the marks of a run as it was in round `at`; of the whole run without it."""
    frame = run.records[at - 1].view.frame if at else (0, 0)
    return list_marks(run.letters, run.steps, done=run.all_done, at=at, frame=frame)


def list_run_rows(run: Record, at: int | None = None) -> list[TimelineRow]:
    """Return the timeline of a run as it was in round `at`; of the whole run without it."""
    last = len(run.records) if at is None else at
    rows = list_timeline(run.step_texts, run.records, last)
    return rows if run.shows_fields else [row.without_fields() for row in rows]


def list_run_edges(run: Record) -> list[Edge]:
    """Return where a run goes on from another one, and whether an error has ended it."""
    edges = []
    if run.rounds_before:
        edges.append((run.rounds_before, "resumed"))
    if run.problem and run.records:
        edges.append((len(run.records), "failed"))
    return edges


def draw_run_tape(run: Record, at: int, before: int = 0) -> str:
    """Return the tape of a run in round `at` as HTML, with a frame around what the model sees.

    Above it is the card of the plan, and below it the numbers of rounds. `before` is the round that
    was drawn before this one, or 0.
    """
    record = run.records[at - 1]
    words = f"Round {at} of {len(run.records)}: {summarize_round(record.round)}"
    frame, edges = record.view.frame, list_run_edges(run)
    drawn = draw_tape(list_run_marks(run, at), frame=frame, edges=edges, words=words)
    return draw_card(run, at, before) + drawn + draw_numbers(len(run.records))


def draw_run_counts(run: Record, at: int) -> str:
    """Return as HTML whose the parts are, what the files show and what the list says after a round.

    Only the end of a run is coloured as good or bad.
    """
    snapshot = run.records[at - 1].snapshot
    counts = list_counts(snapshot.done, snapshot.items, snapshot.not_judged)
    if not run.is_over or at < len(run.records):
        counts = [count._replace(state="") for count in counts]
    return draw_counts(counts, whose=run.whose)


def draw_run_timeline(run: Record, at: int) -> str:
    """Return the list after round `at` as HTML, with the states of its lines up to then."""
    rows = list_run_rows(run, at)
    title = draw_title(run.todo is not None)
    css_class = "" if run.todo is not None else "lp-none"
    drawn = f"{draw_problem(run)}{title}{draw_timeline(rows, len(run.records))}"
    return f"<div class='{css_class}'>{drawn}</div>"


def draw_title(has_list: bool) -> str:
    """Return as HTML a heading of a list, which says what the two marks of each line mean."""
    files = f"<i class='lp-by-files'>{CHECKED}</i>the files show it "
    if not has_list:
        mark = "<i class='lp-by-list'></i>"
        return f"<p class='lp-title lp-none'>{files}{mark}<b>no todo list</b>: the job's steps</p>"
    mark = f"<i class='lp-by-list'>{CHECKED}</i>"
    return f"<p class='lp-title'>{files}{mark}<b>its todo list</b> says it</p>"


def draw_run_legend(run: Record, explained: Container[str] = ()) -> str:
    """Return what the marks of a run mean as HTML, without the words that are `explained`."""
    frame = run.records[-1].view.frame if run.records else (0, 0)
    marks, rows, edges = list_run_marks(run), list_run_rows(run), list_run_edges(run)
    return draw_legend(marks, frame=frame, rows=rows, edges=edges, explained=explained)


def draw_round(run: Record, at: int) -> str:
    """Return what happens in round `at` as HTML: its calls, and what the model says."""
    record = run.records[at - 1]
    if record.round.calls:
        did = summarize_round(record.round)
    else:
        did = "ends its conversation, and says" if record.letter == "n" else "stops, and says"
    head = f"<span><b>{escape(did)}</b>{draw_facts(run, at)}</span>{draw_waited(run, record)}"
    css_class = "lp-words"
    if run.is_over and at == len(run.records) and run.done:
        css_class += " lp-end lp-good" if all(run.done) else " lp-end lp-bad"
    text = clip(record.round.text, SHOWN_CHARACTERS)
    words = f"“{escape(text)}”" if text else ""
    return f"<div class='lp-head'>{head}</div><div class='{css_class}'><p>{words}</p></div>"


def summarize_round(round_: Round) -> str:
    """Return what a round did: "edit_file shop.py", "todo", or what the model said at the end.

    A tool with a path or a number that is called several times in a row is named once: "edit_file
    a.py, b.py". Calls that look the same are counted: "task_create (10 times)".
    """
    calls: list[str] = []
    before = ""
    for call in round_.calls:
        fields = call.input if isinstance(call.input, dict) else {}
        subject = clip(fields.get("path") or fields.get("command") or fields.get("number") or "")
        words = f"{clip(call.name)} {subject}".rstrip() + ("" if call.ok else " (failed)")
        if "path" in fields or "number" in fields:
            words = words.removeprefix(f"{before} ")
        calls.append(words)
        before = call.name
    parts = []
    for words, same in groupby(calls):
        many = len([*same])
        parts.append(f"{words} ({many} times)" if many > 1 else words)
    did = ", ".join(parts)
    if not did:
        did = f"says “{clip(round_.text)}”" if round_.text.strip() else "says nothing"
    return did + mark_end(round_.stop_reason, bool(calls))


def clip(words: Any, width: int = SHORT) -> str:
    """Return `words` on one line. If they are longer than `width` characters, … ends them."""
    return shorten(str(words), width, placeholder="…")


def draw_facts(run: Record, at: int) -> str:
    """Return as HTML that the model reads a reminder in round `at`, or no longer sees its plan."""
    facts = ""
    if at > 1 and run.records[at - 2].round.reminder:
        facts += ", <i>▼ reads a reminder</i>"
    if run.records[at - 1].is_lost:
        lost = "its plan" if run.todo is not None else "how it began"
        facts += f", <b class='lp-bad'>no longer sees {lost}</b>"
    return facts


def draw_waited(run: Record, record: RoundRecord) -> str:
    """Return the nag's count as HTML: rounds without a todo call, of those that it waits for.

    A nag for tasks with numbers chooses what it counts. Of such a one, only a reminder is shown.
    """
    has_numbers = record.unseen is not None
    if run.nag is None or run.after is None or (has_numbers and not record.round.reminder):
        return ""
    dots = words = ""
    if not has_numbers:
        words = f"{record.waited} of {pluralize(run.after, 'round')} without a todo call"
        if run.after <= MOST_DOTS:
            filled = min(record.waited, run.after)
            dots = "●" * filled + "○" * (run.after - filled)
    fires, css_class = (" → sends ▼", " lp-fires") if record.round.reminder else ("", "")
    return (
        f"<span class='lp-nag{css_class}'><b>nag</b> <i aria-hidden='true'>{dots}</i> {words}"
        f"<i>{fires}</i></span>"
    )


def list_notes(run: Record) -> list[str]:
    """Return sentences on what the picture of a run does not show.

    They say what was left out, that the model goes in circles, that the script has ignored a
    reminder's words, and that the list has its own words.
    """
    circle = describe_circle([call for round_ in run.rounds for call in round_.calls])
    notes = [run.note, circle, *map(judge_reminder, run.rounds)]
    if has_own_words(run.step_texts, run.records):
        notes.append(OWN_WORDS)
    return list(dict.fromkeys(filter(None, notes)))


def draw_notes(run: Record) -> str:
    """Return the notes on a run as HTML, and the error that has ended a run without a round.

    The error of any other run is below its tape: see `draw_run_timeline`.
    """
    drawn = "".join(f"<p class='lp-note'>{escape(note)}</p>" for note in list_notes(run))
    return drawn if run.records else drawn + draw_problem(run)


def draw_problem(run: Record) -> str:
    """Return as HTML the error that has ended a run."""
    return f"<p class='lp-problem'>{escape(run.problem)}</p>" if run.problem else ""


def describe_size(run: Record) -> str:
    """Return how long a run is: "30 rounds, 58k tokens sent"."""
    sent = sum(round_.usage.total - round_.usage.output_tokens for round_ in run.rounds)
    return f"{pluralize(len(run.records), 'round')}, {describe_tokens(sent)}"


def describe_tokens(sent: int) -> str:
    """Return a number of tokens in words: "58k tokens sent"."""
    return f"{shorten_number(sent)} tokens sent"


def describe_run(run: Record) -> str:
    """Return the settings of a run, and whose its parts are."""
    return ". ".join(filter(None, [", ".join(list_settings(run)), for_screen(run.whose)]))


def list_settings(run: Record) -> list[str]:
    """Return the job of a run, its threshold, its window, and where it goes on."""
    settings = [run.job]
    if run.nag and run.after:
        settings.append(f"reminded after {pluralize(run.after, 'round')}")
    if run.window:
        settings.append(f"window of {run.window} messages")
    if run.rounds_before:
        settings.append(f"goes on after round {run.rounds_before}")
    return settings


def format_run(run: Record) -> str:
    """Return a whole run as text: its tape, its counts, its list, and a line for each round."""
    marks, rows, edges = list_run_marks(run), list_run_rows(run), list_run_edges(run)
    changed = ", ".join(map(str, run.changes)) or "nothing"
    parts = [
        describe_run(run),
        format_tape(marks, edges=edges),
        format_numbers(len(marks)),
        format_timeline(rows),
        format_legend(marks, rows=rows, edges=edges),
        format_counts(list_counts(run.done, run.items, run.not_judged), describe_size(run)),
        "\n".join(str(round_) for round_ in run.rounds),
        for_screen(f"Changed: {changed}.") if run.knows_files else "",
        *list_notes(run),
        for_screen(run.problem),
    ]
    return "\n".join(filter(None, parts))
