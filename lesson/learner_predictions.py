"""Print a learner's prediction next to the result."""

from typing import Any


def said(*predictions: object, right: Any) -> None:
    """Print what the learner predicted, and what is `right`.

    For several predictions, `right` is a list with a value for each. A prediction that was skipped
    (None, an empty string, an empty list) prints nothing; 0 and False are predictions.
    """
    answers = right if len(predictions) > 1 else [right]
    for prediction, answer in zip(predictions, answers, strict=True):
        if prediction is None or prediction in ("", []):
            continue
        is_equal = prediction == answer or without_case(prediction) == without_case(answer)
        print(f"You said {str(prediction).strip()}{', and' if is_equal else ';'} it is {answer}.")


def without_case(value: object) -> str:
    """Return a value as text, so that "11" equals 11, and " Rejected" equals "rejected"."""
    return str(value).strip().casefold()
