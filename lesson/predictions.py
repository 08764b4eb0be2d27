"""Print a learner's prediction next to the result."""


def said(*predictions: object) -> None:
    """Print what the learner predicted, or that there is no prediction yet.

    None, an empty string and an empty list are no prediction; 0 and False are one.
    """
    made = [_words(one) for one in predictions]
    if set(made) <= {"nothing yet"}:
        print("You said: no prediction yet")
    else:
        print("You said:", ", ".join(made))


def _words(prediction: object) -> str:
    missing = prediction is None or prediction in ("", [])
    return "nothing yet" if missing else str(prediction)
