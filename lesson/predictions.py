"""Print a learner's prediction next to the result."""


def said(*predictions: object) -> None:
    """Print what the learner predicted, or that there is no prediction yet.

    None, an empty string and an empty list are no prediction; 0 and False are one.
    """
    missing = [one is None or one in ("", []) for one in predictions]
    pairs = zip(missing, predictions, strict=True)
    words = ["nothing yet" if is_missing else str(one) for is_missing, one in pairs]
    print("You said:", "no prediction yet" if all(missing) else ", ".join(words))
