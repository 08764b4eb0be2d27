"""The cliff: what its sentences claim, counted in the kept runs of every window."""

import re

import pytest

from lesson import Cliff
from lesson.widgets.cliff import find_all
from lesson.widgets.runs_text import find_cheapest, find_finishing


@pytest.fixture(scope="module")
def cliff():
    return Cliff()


@pytest.fixture(scope="module")
def finds(cliff):
    return find_all(cliff.columns)


def test_before_every_cliff_stands_the_cheapest_run_that_finishes_with_a_list(cliff, finds):
    assert finds.cliff == list(range(14, 32))
    for size in finds.cliff:
        reminded = find_finishing(cliff.columns[size])
        after = [run.setting.after for run in reminded]
        assert after == list(range(1, len(after) + 1))  # one cliff, and nothing finishes behind it
        assert find_cheapest(reminded) is reminded[-1]
        assert after[-1] == size // 2 - 1  # two messages more, one round later


def test_lost_list_ends_a_step_behind_no_list_in_14_of_22_windows(finds):
    assert finds.lost == list(range(14, 36))
    assert len(finds.behind) == 14 and set(finds.behind) <= set(finds.lost)


def test_no_list_is_the_cheapest_from_34_messages_on_and_only_there(finds):
    assert finds.free == [34, 35, 36]


def test_text_has_the_figures_of_the_runs(cliff):
    assert "20 messages: up to 9 rounds. The cheapest: reminded after 9 rounds, 90," in cliff.text()
    told = cliff.text().splitlines()[-1]
    assert re.findall(r"\d+", told) == ["14", "31", "34", "22", "14", "35", "14"]
