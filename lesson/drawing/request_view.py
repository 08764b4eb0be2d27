"""Draw the request of a round: a line for each part, and the chosen part whole beside it.

A part is a radio button. So a browser shows the part without a kernel, even in a saved notebook,
and Tab stops once at the list of parts, in which the arrow keys move.
"""

from ..runs.request_parts import REPLY, Request, RequestPart, shorten
from .picture import OWN_KEYS, escape


def draw_request(request: Request, group: str, chosen: int | None = None) -> str:
    """Return a request as HTML. Of its parts, the one at `chosen` is shown, or else the newest.

    `group` is the name of its radio buttons, and of no others in the notebook.
    """
    chosen = request.chosen if chosen is None else chosen
    drawn = (
        draw_part(part, group, is_shown=place == chosen) for place, part in enumerate(request.parts)
    )
    words = f"What the model sees in round {request.number}, part by part"
    return (
        f"<div class='lp-request' role='radiogroup' aria-label='{words}'>"
        f"<div><div>{''.join(drawn)}</div></div></div>"
    )


def draw_part(part: RequestPart, group: str, is_shown: bool) -> str:
    """Return one part as HTML."""
    name = "reply" if part.label == REPLY else part.kind
    mark = "▼ " if part.kind == "reminder" else ""
    author = part.author
    if part.id:
        label = "id" if part.kind == "call" else "for"
        author = f"{label} {shorten(part.id)}  {author}"
    checked = " checked" if is_shown else ""
    return (
        f"<div class='lp-part lp-as-{name}'><label>"
        f"<input type='radio' name='{escape(group)}'{checked} {OWN_KEYS}>"
        f"<b>{escape(part.label)}</b><span>{mark}{escape(part.line)}</span>"
        f"<small>{escape(author)}</small></label>"
        f"<div tabindex='0' {OWN_KEYS}><p>{escape(part.origin)}</p>"
        f"<pre>{escape(part.text)}</pre></div></div>"
    )
