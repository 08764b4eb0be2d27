"""Show any value of a learner's code as a short string."""

import re
from typing import Any

from .learners_code import Raised

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
SHOWN_CHARACTERS = 600  # of a value: a list of ten short tasks is shown whole


def show(value: Any) -> str:
    """Return any value as a short string that is the same on every machine."""
    try:
        if isinstance(value, Raised):
            text = f"{type(value.problem).__name__}: {value.problem}".removesuffix(": ")
        elif isinstance(value, str) and "\n" in value.strip():
            text = value
        else:
            text = repr(value)
    except Exception:  # a learner's __repr__ may raise anything
        text = f"a {type(value).__name__} that cannot be shown"
    text = ADDRESS.sub("", text.encode("utf-8", "replace").decode())
    if len(text) > SHOWN_CHARACTERS:
        text = text[:SHOWN_CHARACTERS] + " … (and more)"
    return text
