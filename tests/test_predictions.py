"""A prediction is printed next to the result."""

import pytest

from lesson import said


@pytest.mark.parametrize(
    ("predictions", "printed"),
    [
        ([0], "You said: 0"),
        ([[]], "You said: no prediction yet"),
        ([""], "You said: no prediction yet"),
        ([264, None], "You said: 264, nothing yet"),
    ],
)
def test_prediction_is_printed_and_a_missing_one_is_named(capsys, predictions, printed):
    said(*predictions)
    assert capsys.readouterr().out == f"{printed}\n"
