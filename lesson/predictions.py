"""Print a learner's prediction next to the result."""

from typing import Any

UNKNOWN = object()  # None and False can be right answers


def said(*predictions: object, right: Any = UNKNOWN) -> None:
    """Print what the learner predicted and, if the cell knows it, what is `right`.

    For several predictions, `right` is a list with a value for each. A prediction that was skipped
    (None, an empty string, an empty list) prints nothing; 0 and False are predictions.
    """
    has_list = len(predictions) > 1 and right is not UNKNOWN
    answers = right if has_list else [right] * len(predictions)
    for prediction, answer in zip(predictions, answers, strict=True):
        if prediction is None or prediction in ("", []):
            continue
        if answer is UNKNOWN:
            print(f"You said {prediction}.")
        else:
            joint = ", and" if prediction == answer else ";"
            print(f"You said {prediction}{joint} it is {answer}.")
