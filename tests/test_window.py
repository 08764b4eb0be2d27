"""What a model with a window sees of a request: the same as the practice model really sees."""

import itertools

import pytest
from support.javascript import needs_node, run_script

from lesson.message_window import Viewer, column
from lesson.picture_letters import OTHER, PLAN, SHORT
from lesson.practice.policy.history import VisibleHistory
from lesson.practice.policy.next_reply import list_in_view
from lesson.runs.measured import Setting, measured
from lesson.runs.trial import play
from lesson.samples.jobs import load_job
from lesson.widgets.seat import ListNag


@pytest.mark.parametrize("window", [6, 12])
@pytest.mark.parametrize(
    "settings", [{"after": 3}, {"after": 8}, {"plan": False}, {"after": 8, "nag": ListNag}], ids=str
)
def test_view_of_every_request_is_that_of_the_practice_model(window, settings):
    trial = play(window=window, **settings)
    viewer = Viewer(window)
    for request in trial.model.requests:
        seen, view = VisibleHistory(request, window), viewer.look(request["messages"])
        listed = list_in_view(load_job(trial.job), seen)
        assert view.is_whole == seen.is_whole, view
        assert view.is_lost == (not seen.is_whole and not listed), view


def test_only_the_newest_prompt_is_seen_and_without_a_window_everything_is():
    messages = []
    for prompt in ("First.", "<reminder>Look.</reminder>", "Second.", "Third."):
        messages.append({"role": "user", "content": prompt})
        messages.append({"role": "assistant", "content": "Done."})
    later, earlier = Viewer(2).look(messages[:-1]), Viewer(2).look(messages[:4])
    assert (later.prompt, later.first) == (6, 7)
    assert (earlier.prompt, earlier.first) == (0, 2)
    assert Viewer(None).look(messages).is_whole


def kinds_of(cells: str) -> str:
    """Return the kinds of the messages of rounds drawn as `cells` (ROUNDS in `picture_letters`).

    Each round adds a call and its result; a capital cell is a round whose result has a reminder.
    """
    calls = [cell.lower() if cell.lower() in PLAN + SHORT else OTHER for cell in cells]
    pairs = zip(calls, cells, strict=True)
    return "".join(kind + (kind.upper() if cell.isupper() else kind) for kind, cell in pairs)


def test_column_of_cells_equals_that_of_the_messages():
    trial = play(after=6)
    cells, viewer = measured(Setting(after=6)).cells, Viewer(trial.window)
    for number, request in enumerate(trial.model.requests, 1):
        view = viewer.look(request["messages"])
        assert view.column == column(kinds_of(cells[: number - 1]), trial.window), number


@needs_node
def test_browser_has_the_same_letters_in_every_column(tmp_path):
    cells = [measured(Setting(after=after, window=20)).cells for after in (4, 9, 10, None)]
    places = itertools.product([*cells, "psSwPdlse"], range(1, 30), range(1, 12))
    cases = [(each, size, round) for each, size, round in places if round <= len(each)]
    code = "const said = cases.map((one) => lettersOf(...one));"
    expected = [column(kinds_of(each[: round - 1]), size) for each, size, round in cases]
    assert run_script(tmp_path, "lettersOf", "column.js", code, cases) == expected
