"""The request of a round as HTML: a line for each part, and the chosen part whole beside it.

A part is a `<details>`, so a browser opens it without a kernel, also in a saved notebook.
"""

from markupsafe import Markup

from ..runs.request import REPLY, Part, Request

# JupyterLab's own keys are off on what has this attribute, and only there.
OWN_KEYS = Markup('data-lm-suppress-shortcuts="true"')
DETAILS = Markup(
    "<details name='{group}' class='lp-part lp-as-{kind}'{is_open}><summary {keys}>"
    "<b>{label}</b><span>{line}</span><small>{author}</small></summary>"
    "<div><p>{origin}</p><pre>{text}</pre></div></details>"
)
NOTHING = Markup("<p class='lp-note'>{}</p>")


def draw_request(request: Request, group: str) -> str:
    """Return a request as HTML. `group` is unique on its page: one of its parts is open."""
    drawn = (
        draw_part(part, group, is_open=place == request.chosen)
        for place, part in enumerate(request.parts)
    )
    words = f"What the model sees in round {request.number}, part by part"
    inside = Markup("").join(drawn)
    return Markup(
        "<div class='lp-request' role='group' aria-label='{}'><div><div>{}</div></div></div>"
    ).format(words, inside)


def draw_part(part: Part, group: str, is_open: bool) -> Markup:
    """Return one part as HTML."""
    ids = f"id {part.short_id}  " if part.id and part.kind == "call" else ""
    ids = f"for {part.short_id}  " if part.id and part.kind == "result" else ids
    return DETAILS.format(
        group=group,
        kind="reply" if part.label == REPLY else part.kind,
        is_open=Markup(" open") if is_open else "",
        keys=OWN_KEYS,
        label=part.label,
        line=f"{'▼ ' if part.kind == 'reminder' else ''}{part.line}",
        author=ids + part.author,
        origin=part.origin,
        text=part.text,
    )
