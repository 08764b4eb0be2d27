"""Show a learner's prediction next to the result."""

from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

from IPython.display import display

from ..common.guesses import say_guess

STYLE = "margin:6px 0; font-size:1.5em; font-weight:700; line-height:1.3"


class Revealed(NamedTuple):
    """A sentence that stands alone on a line, in a notebook in large letters."""

    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f'<p style="{STYLE}">{escape(self.text)}</p>'


def reveal(*predictions: object, right: Any, names: Sequence[str] = ()) -> None:
    """Show what the learner predicted, and what is `right`.

    For several predictions, `right` is a list with a value for each, and `names` says what each
    of them is. A prediction that was skipped (None, an empty string, an empty list) shows nothing;
    0 and False are predictions.
    """
    answers = right if len(predictions) > 1 else [right]
    names = names or [""] * len(answers)
    for prediction, answer, name in zip(predictions, answers, names, strict=True):
        if prediction is None or prediction in ("", []):
            continue
        text = say_guess(prediction, answer)
        if name:
            text = f"{name[:1].upper()}{name[1:]}: y{text[1:]}"
        display(Revealed(text))
