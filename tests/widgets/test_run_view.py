"""A new run is shown from its first round on, and Play moves it; nothing waits for that."""

import asyncio
import re
from types import SimpleNamespace

import pytest
from ipywidgets import HTML
from support.nags import PlainNag

from lesson.in_cells import open_run, play_job
from lesson.in_cells.play_job import PlayedRun
from lesson.kernel import watching
from lesson.runs.run import Run
from lesson.widgets import drawn, run_view
from lesson.widgets.run_view import RunView, draw_still

VIEW = "application/vnd.jupyter.widget-view+json"


@pytest.fixture(scope="module")
def late():
    return Run(after=6, nag=PlainNag).play()


@pytest.fixture
def soon(monkeypatch):
    """Let Play start at once."""
    monkeypatch.setattr(run_view, "START_SECONDS", 0)
    monkeypatch.setattr(run_view, "REPLAY_MILLISECONDS", 1)


def in_a_kernel(run, *steps):
    """Return a view whose run was just computed in a running loop, after these steps."""

    async def body():
        view = RunView(run)
        view.move_soon()
        for step in steps:
            step(view)
            await asyncio.sleep(0.005)
        return view

    return asyncio.run(body())


def test_run_begins_at_its_first_round_and_then_play_starts(late, soon):
    def is_first(view):
        assert (view.round.value, view.round.description) == (1, "round 1")
        assert not view.replay.playing
        assert "Round 2: not reached yet" in view._tape.value

    view = in_a_kernel(late, is_first)
    assert view.replay.playing and view.round.value == 1  # the browser moves it


def test_reader_who_wants_no_motion_has_the_end_while_play_moves(late, soon):
    def finish(view):
        assert "lp-moving" in view._dom_classes and "Finish the rest" in view._still.value
        view.round.value = 10
        view.replay.playing = False  # as the browser says when it has come to the end

    view = in_a_kernel(late, lambda view: None, finish)
    assert "lp-moving" not in view._dom_classes and not view._still.value


def test_reader_who_has_moved_the_thumb_is_left_alone(late, soon):
    view = in_a_kernel(late, lambda view: setattr(view.round, "value", 4))
    assert (view.round.value, view.replay.value) == (4, 4) and not view.replay.playing


def test_run_that_no_browser_moves_ends_at_its_last_round(late, soon, monkeypatch):
    """Such as in a cell that is far from the window: JupyterLab has not drawn it."""
    monkeypatch.setattr(run_view, "PATIENCE_SECONDS", 0)
    view = in_a_kernel(late, *[lambda view: None] * 8)
    assert view.round.value == 10 and not view.replay.playing
    assert "lp-moving" not in view._dom_classes


def test_head_of_a_run_says_whose_its_parts_are_before_its_counts():
    run = Run(after=6, nag=PlainNag)
    run.whose = "Yours: loop. agentlib's: <nag> (yours needs E4)."
    view = RunView(run.play())
    assert (
        "Yours: loop. agentlib&#x27;s: &lt;nag&gt; (yours needs E4).</span> <span>the files show"
        in view._counts.value
    )
    head = "ten_steps, reminded after 6 rounds, window of 12 messages. " + run.whose
    assert view.text().startswith(head + "\n")


def test_run_is_shown_at_its_end_in_a_script_and_if_it_has_a_problem(late):
    view = RunView(late)
    view.move_soon()
    assert view.round.value == 10 and not view.replay.playing
    failed = Run(loop=lambda *args, **settings: 1 / 0).play()
    assert in_a_kernel(failed, lambda view: None).round.value == 1
    failed.records[:] = late.records
    assert in_a_kernel(failed, lambda view: None).round.value == 10


def test_no_run_moves_for_longer_than_ten_seconds(late):
    for run in (late, Run(after=1).play()):
        view = RunView(run)
        seconds = len(run.records) * view.replay.interval / 1000
        assert 4 < seconds + run_view.START_SECONDS < 10


def data_of(shown):
    return shown if isinstance(shown, dict) else shown._repr_mimebundle_()


@pytest.fixture
def page(monkeypatch):
    """Run the test as a cell of a page, and return what the page gets, also of a sign's HTML."""
    shown = []
    request = {"header": {"msg_type": "execute_request"}, "metadata": {"cellId": "1"}}

    def show(displayed, **more):
        shown.append((data_of(displayed), more))
        if isinstance(displayed.shown, drawn.SignOfWork):
            html = displayed.shown.shown
            shown.append(({"text/html": html.value}, {}))
            html.observe(lambda change: shown.append(({"text/html": change.new}, {})), "value")

    monkeypatch.setattr(watching, "find_kernel_request", lambda: request)
    monkeypatch.setattr(drawn, "display", show)
    monkeypatch.setattr(drawn, "SHARED", {})
    return shown


def test_page_gets_a_sign_of_work_and_then_the_view_once_in_its_place(page, monkeypatch):
    monkeypatch.setattr(play_job, "SIGN_SECONDS", 0)
    run = PlayedRun(after=6, nag=PlainNag)
    run.play_and_show()
    (sign, first), *signs, (data, more) = page
    assert [drawn.WORKING in sign["text/html"] for sign, _ in signs] == [True] * 11
    assert "lp-working" in signs[0][0]["text/html"] and "round 10" in signs[-1][0]["text/html"]
    assert "style>" not in str(signs), "what changes has no style sheet"
    assert drawn.WORKING in sign["text/plain"]
    assert sign[VIEW] != data[VIEW]  # two views of one Play stop each other
    assert VIEW in data and "4 of 4" in data["text/plain"]
    assert first["display_id"] == more["display_id"] and more["update"]
    assert "update" not in first


def test_rounds_of_a_real_model_are_drawn_as_they_come(page):
    run = PlayedRun(after=6, nag=PlainNag)
    run.is_real = True
    run.play_and_show()
    pictures = [data["text/html"] for data, _ in page[2:-1]]
    assert len(pictures) == 10
    assert (
        len({*re.findall(r"<title>Round (\d+)", pictures[3])}) == 4
        and "Finish the rest" in pictures[8]
    )
    assert run.view.round.value == 10


def test_cell_without_a_page_gets_the_whole_run_once(capsys, monkeypatch):
    shown = []
    note = lambda displayed, **more: shown.append((data_of(displayed), more))  # noqa: E731
    monkeypatch.setattr(drawn, "display", note)
    run = PlayedRun(after=6, nag=PlainNag)
    run.play_and_show()
    ((data, more),) = shown
    assert "4 of 4" in data["text/plain"] and "display_id" not in more
    assert run.view.round.value == 10


def test_still_has_each_part_that_the_view_draws(late):
    *_, box, _, changes = RunView(late).children
    parts = [part for part in box.children if "lp-run-legend" not in part._dom_classes]
    drawn = "".join(part.value for part in [*parts, changes] if isinstance(part, HTML))
    names, in_still = (
        set(re.findall(r"class='(lp-[\w -]+)'", text))
        for text in (drawn, draw_still(late, len(late.records)))
    )
    assert {"lp-counts", "lp-tape"} < names == in_still


def test_run_of_a_file_says_that_it_shows_all_texts_and_is_saved_only_if_asked(
    monkeypatch, tmp_path, late
):
    late.save(tmp_path / "run.jsonl")
    shown = []
    monkeypatch.setattr(open_run, "display", lambda what, **more: shown.append(what))
    monkeypatch.setattr(open_run, "find_shell", lambda: SimpleNamespace(kernel=True))
    run = open_run.open_run(tmp_path / "run.jsonl")
    run._ipython_display_()  # without a page
    assert shown.pop() == {"text/plain": open_run.OPENED} and "ten_steps" in str(run)
    monkeypatch.setattr(open_run, "is_watched", lambda: True)
    run._ipython_display_()
    view = shown.pop()
    assert view._repr_mimebundle_()["text/plain"] == open_run.OPENED
    assert open_run.UNSAVED in view._dom_classes and "with all of its texts" in view._notes.value
    open_run.open_run(tmp_path / "run.jsonl", keep=True)._ipython_display_()
    kept = shown.pop()
    assert open_run.UNSAVED not in kept._dom_classes and open_run.OPENED not in kept._notes.value
    assert "the files show 3 of 10" in kept._repr_mimebundle_()["text/plain"]
