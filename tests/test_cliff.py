"""The cliff: what its sentences claim, counted in the kept runs of every window."""

from lesson import Cliff
from lesson.widgets.cliff import find_all
from lesson.widgets.runs_text import find_cheapest, find_finishing


def test_before_every_cliff_stands_the_cheapest_run_that_finishes_with_a_list():
    columns = Cliff().columns
    finds = find_all(columns)
    assert finds.cliff == list(range(14, 32))
    for size in finds.cliff:
        reminded = find_finishing(columns[size])
        after = [run.setting.after for run in reminded]
        assert after == list(range(1, len(after) + 1))  # one cliff, and nothing finishes behind it
        assert find_cheapest(reminded) is reminded[-1]
        assert after[-1] == size // 2 - 1  # two messages more, one round later
    assert set(finds.behind) <= set(finds.lost)
