"""What each round sends: the bars and the sums are of one function."""

import re
from dataclasses import replace

import pytest

from lesson.drawing.cost import (
    HAS_KEPT,
    SQUARE_TOKENS,
    draw_cost,
    list_sent,
    shorten_number,
    sum_sent,
)
from lesson.drawing.run_picture import format_run
from lesson.runs.run import Run
from lesson.widgets.run_view import RunView
from safetylib.wire.replies import Usage


@pytest.fixture(scope="module")
def runs():
    return {window: Run(window=window).play() for window in (None, "all")}


@pytest.mark.parametrize("window", [None, "all"])
def test_text_and_bars_have_the_sums_of_what_is_sent(runs, window):
    run = runs[window]
    assert run.steps_done == 10 and run.window == (12 if window is None else None)
    total, same = sum_sent(list_sent(run))
    assert run.tokens == total + sum(round_.usage.output_tokens for round_ in run.rounds)
    size = f"{len(run.rounds)} rounds, {shorten_number(total)} tokens sent"
    assert size in format_run(run) and " new" not in format_run(run)
    drawn, new = draw_cost(run), total - same
    assert f"<b>{new:,}</b> of {total:,} tokens are new" in drawn
    heights = [float(height) for height in re.findall(r"'lp-new' [^>]*height='([\d.]+)'", drawn)]
    assert sum(heights) * SQUARE_TOKENS == pytest.approx(new, abs=len(heights))


def test_window_sends_less_and_more_of_it_is_new(runs):
    (less, same), (more, most_same) = (sum_sent(list_sent(runs[name])) for name in (None, "all"))
    assert less < 0.7 * more and less - same > 3 * (more - most_same)
    # Without a window, each text is new once: as many tokens as the last request has.
    assert more - most_same == pytest.approx(list_sent(runs["all"])[-1].tokens, rel=0.05)


def test_reminder_makes_nothing_before_it_new(runs):
    sent = list_sent(runs["all"])
    assert all(tokens - same < 700 for tokens, same in sent[1:])
    assert [same for _, same in sent] == sorted(same for _, same in sent)


def test_of_a_real_model_pale_is_what_its_server_says(runs):
    run = Run("hello").play()
    run.is_real = True
    assert not any(same for _, same in list_sent(run))
    usage = Usage(100, 10, 0, 300)
    run.records[:] = [
        record._replace(round=replace(record.round, usage=usage)) for record in run.records
    ]
    assert {*list_sent(run)} == {(400, 300)} and HAS_KEPT in draw_cost(run)


def test_bars_are_below_the_tape_after_a_press(runs):
    view = RunView(runs[None])
    assert "lp-sent" not in view._tape.value.partition("</style>")[2]
    view.cost.value = True
    assert view._tape.value.count("class='lp-same' x=") == len(runs[None].records)
    view.cost.value = False
    assert "lp-same" not in view._tape.value


def test_window_that_is_no_number_is_named():
    with pytest.raises(ValueError, match="a number of messages or \"all\", not 'none'"):
        Run(window="none")
