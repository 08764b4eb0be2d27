"""The four runs of one job."""

from lesson import FourRuns
from lesson.runs.claude_runs import claude_runs


def test_rows_show_two_runs_of_the_script_and_two_of_a_claude_model():
    runs = FourRuns()
    script, agent, lost, listed = runs.rows
    assert (script["count"], agent["count"]) == ("3 of 10", "10 of 10")
    assert sum(map(int, agent["steps"])) == 10
    assert lost["count"] == "7 of the plan's 10" and "7, 8, 7, 7 of the plan's 10" in lost["note"]
    assert listed["is_finished"] and "in 4 of 4 runs" in listed["note"]
    # Seven rounds are the script's, and the model reads the reminder in the first one of its own.
    assert {len(row["cells"]) - row["begins"] for row in (lost, listed)} == {
        len(claude_runs(condition=one)[0].rounds) for one in ("reminder", "listed")
    }
    assert [row["cells"][row["begins"] - 1].isupper() for row in (lost, listed)] == [True, True]
    assert "The same model is done without a list, in 6 rounds instead of 14" in repr(runs)
    # What the rows of the Claude model do not show is beside them, as large as their numbers.
    html = runs._repr_html_()
    assert [row.count("<li>") for row in html.split("<section")[1:]] == [0, 0, 2, 2]
