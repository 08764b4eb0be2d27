"""Draw the message with the plan as a card above the tape: it leaves the frame with the plan."""

from typing import NamedTuple

from ..runs.record import Record

NAMES = {
    "sent": "its plan is sent",
    "gone": "its plan is not sent",
    "shown": "▼ shows its plan",
}
NEWEST = "its newest list is sent"


class PlanCard(NamedTuple):
    """Where the plan is in a round.

    `state` is "sent" (the request has the message with the plan), "gone" (it does not), or "shown"
    (it does not, and a reminder shows the plan). `round` is that of the message with the plan.
    `name` is what the card says. A list that lacks tasks of the first list is not named the plan.
    """

    state: str
    round: int
    name: str


def find_card(run: Record, at: int) -> PlanCard | None:
    """Return where the plan is in round `at`, or None before there is one."""
    view = run.records[at - 1].view
    if run.todo is None:  # the plan is only in the model's words
        state, is_sent = ("sent", "still") if view.is_whole else ("gone", "no longer")
        name = f"round {view.start + 1} is {is_sent} sent"
        return PlanCard(state, view.start + 1, name) if at > view.start + 1 else None
    if view.plan is None:
        return None
    state, number = "sent", view.plan.round
    if number in view.left_out:
        state = "shown" if view.seen == view.plan else "gone"
    first = next(record.view.plan for record in run.records if record.view.plan)
    is_less = state == "sent" and not {*first.items} <= {*view.plan.items}
    return PlanCard(state, number, NEWEST if is_less else NAMES[state])


def draw_card(run: Record, at: int, before: int = 0) -> str:
    """Return the card of round `at` as HTML.

    `before` is the round that was drawn before this one. If the plan was elsewhere then, the card
    moves to its place. A reader who wants no motion sees it there at once.
    """
    card, old = find_card(run, at), find_card(run, before) if before else None
    drawn = ""
    if card:
        moves = f" lp-from-{old.state}" if old and old.state != card.state else ""
        number = run.records[at - 1].view.frame[1] if card.state == "shown" else card.round
        # In the right half, the card has room at the left of its round.
        side = " lp-on-left" if number > len(run.records) / 2 else ""
        drawn = (
            f"<span class='lp-card lp-is-{card.state}{moves}{side}' style='--at:{number}'>"
            f"{card.name}</span>"
        )
    return f"<p class='lp-names' aria-hidden='true'>{drawn}</p>"
