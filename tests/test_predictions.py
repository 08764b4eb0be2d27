"""A prediction is printed next to what is right, and a skipped one is not mentioned."""

import pytest

from lesson import said


@pytest.mark.parametrize(
    ("predictions", "known", "printed"),
    [
        ([7], {"right": 3}, "You said 7; it is 3.\n"),
        ([3], {"right": 3}, "You said 3, and it is 3.\n"),
        ([False], {"right": True}, "You said False; it is True.\n"),
        ([0], {}, "You said 0.\n"),
        ([[]], {"right": [3]}, ""),
        ([""], {}, ""),
        ([264, None], {"right": [264, 253]}, "You said 264, and it is 264.\n"),
        ([None, "more"], {}, "You said more.\n"),
    ],
)
def test_prediction_is_printed_with_what_is_right_and_a_skipped_one_is_not(
    capsys, predictions, known, printed
):
    said(*predictions, **known)
    assert capsys.readouterr().out == printed
