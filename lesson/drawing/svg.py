"""Plain SVG for files, which have no page: colours in place of the style sheet's variables."""

import re
from functools import cache

from .picture import SHEET, escape

EMPTY_INK = 0.08  # the share of ink in --empty: a file cannot mix it of its page's colours


@cache
def read_colours(theme: str = "light") -> dict[str, str]:
    """Return the colours of the style sheet by their names: those of "light" or "dark"."""
    pairs = r"--([\w-]+): [^;]*light-dark\((#\w+), (#\w+)\)"
    found = re.findall(pairs, SHEET.read_text(encoding="utf-8"))
    colours = {name: light if theme == "light" else dark for name, light, dark in found}
    return {"empty": mix(colours["ink"], colours["paper"], EMPTY_INK)} | colours


def mix(one: str, other: str, share: float) -> str:
    """Return a colour with a `share` of `one` in it, and otherwise of `other`."""
    pairs = zip(bytes.fromhex(one[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + bytes(round(a * share + b * (1 - share)) for a, b in pairs).hex()


@cache
def read_rules() -> str:
    """Return the rules of the style sheet for tapes, with colours in place of variables."""
    rules = re.findall(r"^\.lp-tape [^{ ][^{]*\{[^}]*\}", SHEET.read_text(encoding="utf-8"), re.M)
    colours = read_colours()
    return re.sub(r"var\(--([\w-]+)\)", lambda found: colours[found[1]], "\n".join(rules))


def draw_text(
    text: str,
    left: float,
    top: float,
    colour: str = "ink",
    weight: int = 400,
    *,
    size: int = 13,
    anchor: str = "start",
) -> str:
    """Return text as SVG; `colour` is a name of the style sheet."""
    return (
        f"<text x='{left:g}' y='{top:g}' fill='{read_colours()[colour]}' font-size='{size}' "
        f"font-weight='{weight}' text-anchor='{anchor}'>{escape(text)}</text>"
    )
