"""The exercise "A nag": it counts rounds and reminds after `after` of them."""

from agentlib.nag import REMINDER
from agentlib.tools import Call

from .checking import case, exercise, hint, rule, why
from .checking.expected import saying
from .checking.fixtures import PLANNING, WORK


@rule("Rule 1: it counts rounds without a todo call, and returns None until there are `after`")
@why("A reminder in every round costs tokens each time.")
@hint("What must a nag remember from one round to the next? Create it in `__init__`.")
@hint("Add 1 to the count, and return the reminder only if the count has reached `after`.")
@case(saying("R ? ?"), after=1, rounds=[WORK, WORK, WORK])
@case(saying("- R"), after=2, rounds=[WORK, WORK])
@case(saying("- - - - - - R"), after=7, rounds=[WORK] * 7)
@case(
    saying("- R"),
    after=2,
    rounds=[WORK * 4, WORK],
    hint="Four calls in one round are one round: add 1 to the count, not `len(calls)`.",
    note="Count once per round, not once per call.",
)
def counts(MyNag, after, rounds):
    nag = MyNag(after=after)
    return [nag(calls) for calls in rounds]


@counts.also
@case(saying("- - R"), note="The default of `after` is 3: `def __init__(self, after=3)`.")
def counts_to_three(MyNag):
    nag = MyNag()
    return [nag(WORK), nag(WORK), nag(WORK)]


@counts.also
@case(saying("- -"), hint="All nags share a count in the class body: use `self.rounds`.")
def counts_for_itself(MyNag):
    one, other = MyNag(after=2), MyNag(after=2)
    return [one(WORK), other(WORK)]


def explain_todo(marks):
    """Say what the todo call in the third of seven rounds did to the count, if `after` is 4."""
    if marks[3] == "R":
        return "The todo call is not noticed: `calls` has objects, so compare each `.name`."
    if marks[4] == "R":
        return "The round with the todo call does not set the count back to 0."
    if marks[5] == "R":
        return "The round with the todo call is counted: `return None` after the count is set to 0."
    return ""


@rule("Rule 2: a call whose name is todo sets the count back, and that round has no reminder")
@why("The model has just read its plan. The nag has nothing to add.")
@hint('Each call has a `name`. What is different in a round with a call of "todo"?')
@hint('Look at all calls: `any(call.name == "todo" for call in calls)`.')
@case(
    saying("- - - - - - R", explain_todo),
    after=4,
    rounds=[WORK, WORK, PLANNING, WORK, WORK, WORK, WORK],
)
@case(
    saying("- - - - - R"),
    after=3,
    rounds=[WORK, WORK, PLANNING, WORK, WORK, WORK],
    note="A round with a todo call has a reminder: look for this call first, then at the count.",
)
@case(
    saying("- - - - -"),
    after=2,
    rounds=[WORK, WORK + PLANNING + WORK, WORK, PLANNING, WORK],
    hint="The todo call may be at any place among the calls of its round.",
)
@case(
    saying("- R"),
    after=2,
    rounds=[[Call("read_todo_file", {}, "…", ok=True)]] * 2,
    hint='Only the name "todo" counts, not a longer name with todo in it.',
)
@case(
    saying("- - -"),
    after=2,
    rounds=[WORK, [Call("todo", {"items": 3}, "Error: items must be a list", ok=False)], WORK],
    hint="A todo call that was rejected counts as well.",
)
def back(MyNag, after, rounds):
    nag = MyNag(after=after)
    return [nag(calls) for calls in rounds]


@rule("Rule 3: once there are `after` rounds, it reminds in every round")
@why("A model may overlook one reminder. It is repeated until there is a todo call.")
@hint("Do you need `==` or `>=`?")
@hint("A reminder does not set the count back.")
@case(saying("- R R - - R R"), after=2, rounds=[WORK] * 3 + [PLANNING] + [WORK] * 3)
@case(
    saying("- - - - R R R R R R"),
    after=5,
    rounds=[WORK] * 10,
    hint="The threshold may be any number, and a model may overlook any number of reminders.",
)
def stays_due(MyNag, after, rounds):
    nag = MyNag(after=after)
    return [nag(calls) for calls in rounds]


@rule("It tells the model to update its todos, and the board can show its count")
@why("You will run it with other thresholds, and compare its words with others.")
@hint("What does your nag return, and under which names does it keep its numbers?")
@hint("The board shows `nag.rounds` and `nag.after`.")
@hint(f"Return `<reminder>{REMINDER}</reminder>`, and use these two names.")
@case((f"<reminder>{REMINDER}</reminder>", 1, 1))
def shown_on_the_board(MyNag):
    nag = MyNag(after=1)
    return nag(WORK), nag.rounds, nag.after


@exercise(
    order=4,
    title="A nag",
    notebook="s03b_nag_reminder",
    after="It does what the package's Nag does.",
    question="Why does a reminder not set the count back to 0?",
    answer="The nag would then be silent for `after` rounds, even if the model ignored it. The "
    "count is the age of the list, and a reminder does not make the list newer.",
)
def check_nag(MyNag=None):
    """Check a nag, the class, that is made with `(after=3)` and called with a round's calls."""
