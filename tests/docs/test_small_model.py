"""The experiment with open weights: what its page says is computed from its rows."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "research" / "weights"


@pytest.fixture
def table(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import table

    return table


def test_table_and_figure_are_those_of_the_rows(table):
    rows = table.read("rows.csv")
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    [shown] = re.findall(r"(?s)<!-- table -->\n(.*)\n<!-- end -->", text)
    assert shown == table.write_table(rows, table.read("first_trial.csv"))
    assert table.FIGURE.read_text(encoding="utf-8") == table.draw(rows)


def test_rows_are_all_requests_of_twelve_jobs_in_eight_wordings_and_each_factor_is_balanced(table):
    texts, rows = table.texts, table.read("rows.csv")
    asked = [(c, "0") for c in texts.ONCE] + [(c, str(t)) for c in texts.TURNED for t in range(4)]
    wanted = {(str(w), str(j), *one) for w in range(8) for j in range(12) for one in asked}
    found = [(r["wording"], r["job"], r["condition"], r["turn"]) for r in rows]
    assert len(found) == len(wanted) and {*found} == wanted
    for factor in texts.FACTORS:
        assert sum(wording[factor] for wording in texts.wordings()) == 4


def test_a_model_that_does_not_read_the_order_has_a_quarter(table):
    """The four rotations give each open file each place once."""
    row = dict(
        zip((f"file{n}" for n in range(1, 7)), (0.1, 0.1, 0.5, 0.2, 0.07, 0.03), strict=True)
    )
    for place in (0, 1):
        shares = [table.share(row | {"turn": str(turn)}, place) for turn in range(4)]
        assert sum(shares) / 4 == pytest.approx(0.25) and len({*shares}) == 4
    requests = [
        table.texts.Wording(True, True, True, True).request(table.texts.job(0), "lost", turn)
        for turn in range(4)
    ]
    assert len({*requests}) == 1  # without the plan, nothing in the request is turned
