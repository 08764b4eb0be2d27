"""The request of a round as HTML: a line for each part, and the chosen part whole beside it.

A part is a radio button, so a browser shows it without a kernel, also in a saved notebook, and the
list of parts is one stop for the keys: the arrows move in it.
"""

from ..runs.request_parts import REPLY, Request, RequestPart, shorten
from .picture import OWN_KEYS, escape


def draw_request(request: Request, group: str, chosen: int | None = None) -> str:
    """Return a request as HTML.

    `group` is unique on its page: one of its parts is shown, `chosen` or the newest.
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
    ids = {"call": "id {}  ", "result": "for {}  "}.get(part.kind, "") if part.id else ""
    author = ids.format(shorten(part.id)) + part.author
    return (
        f"<div class='lp-part lp-as-{name}'><label>"
        f"<input type='radio' name='{escape(group)}'{' checked' * is_shown} {OWN_KEYS}>"
        f"<b>{escape(part.label)}</b><span>{mark}{escape(part.line)}</span>"
        f"<small>{escape(author)}</small></label>"
        f"<div tabindex='0' {OWN_KEYS}><p>{escape(part.origin)}</p>"
        f"<pre>{escape(part.text)}</pre></div></div>"
    )
