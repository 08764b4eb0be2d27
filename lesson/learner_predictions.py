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
        joint = ", and" if prediction == answer else ";"
        print(f"You said {prediction}{joint} it is {answer}.")
