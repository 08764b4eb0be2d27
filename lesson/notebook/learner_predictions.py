"""Show a learner's prediction next to the result."""

from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

from IPython.display import display

STYLE = "margin:6px 0; font-size:1.5em; font-weight:700; line-height:1.3"


class Said(NamedTuple):
    """A sentence that stands alone on a line, in a notebook in large letters."""

    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f'<p style="{STYLE}">{escape(self.text)}</p>'


def said(*predictions: object, right: Any, names: Sequence[str] = ()) -> None:
    """Show what the learner predicted, and what is `right`.

    For several predictions, `right` is a list with a value for each, and `names` says what each
    of them is. A prediction that was skipped
    (None, an empty string, an empty list) shows nothing; 0 and False are predictions.
    """
    answers = right if len(predictions) > 1 else [right]
    for prediction, answer, name in zip(
        predictions, answers, names or [""] * len(answers), strict=True
    ):
        if prediction is None or prediction in ("", []):
            continue
        is_equal = prediction == answer or without_case(prediction) == without_case(answer)
        text = f"You said {str(prediction).strip()}{', and' if is_equal else ';'} it is {answer}."
        if name:
            text = f"{name[:1].upper()}{name[1:]}: y{text[1:]}"
        display(Said(text))


def without_case(value: object) -> str:
    """Return a value as text, so that "11" equals 11, and " Rejected" equals "rejected"."""
    return str(value).strip().casefold()
