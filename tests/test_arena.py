"""The arena: what the table shows, in numbers of steps that the files show."""

import pytest

from lesson.practice.models import MODELS
from lesson.runs.arena import GROWING, HARNESSES, MAX_REQUESTS, TURN, describe_cell, play_cell

FORGETS, STARTS, DROPS, TICKS, STOPS, REPEATS = list(MODELS)[1:]
# The part that each row adds, and the model that it rescues.
DIAGONAL = [set(), set(), {FORGETS}, {STARTS}, {DROPS}, {STOPS}, {TICKS}, {REPEATS}]


@pytest.fixture(scope="module")
def cells():
    return {
        (harness.name, model): play_cell(model, harness)
        for harness in HARNESSES
        for model in MODELS
    }


def finished(cells, harness):
    return {model for model in MODELS if cells[harness.name, model].steps_done == 10}


def test_each_part_rescues_one_model_and_a_list_alone_harms_one(cells):
    rows = [finished(cells, harness) for harness in GROWING]
    assert rows[0] - rows[1] == {DROPS}
    rescued = [after - before for before, after in zip(rows, rows[1:], strict=False)]
    assert rescued == DIAGONAL[1:]
    assert rows[-1] == set(MODELS)


def test_two_parts_alone_are_enough_if_the_check_sees_and_names_everything(cells):
    everything, count, half, half_with_list = [finished(cells, harness) for harness in TURN]
    assert everything == set(MODELS)
    assert count == half == {"keeps track", DROPS, REPEATS}
    # The list supplies what the check does not see, unless the list itself is false.
    assert set(MODELS) - half_with_list == {TICKS}


def test_model_that_keeps_track_only_pays(cells):
    alone, *_, everything = [cells[harness.name, "keeps track"].tokens for harness in GROWING]
    two_parts = cells[TURN[0].name, "keeps track"].tokens
    assert two_parts == alone < everything / 2


def test_run_without_end_is_stopped_and_marked(cells):
    endless = cells[GROWING[0].name, REPEATS]
    assert endless.is_stopped and len(endless.rounds) == MAX_REQUESTS
    assert describe_cell(endless) == "3!"


def test_list_can_claim_what_the_files_do_not_show(cells):
    lied = cells["+ a list", TICKS]
    assert describe_cell(lied) == "3 (10/10)"
    assert lied.claimed == (True,) * 10 and lied.done != lied.claimed
