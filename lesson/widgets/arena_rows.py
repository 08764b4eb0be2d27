"""What the arena asks before each row, and what it says after it.

A question is about one model ("rescued": which of them finishes now, "failing": which does not), or
about their number ("finish"). Whether an answer is right is read from the cells, and so is what
completes a sentence: {finish} is "7 of 7 models finish", {found} are the models that are asked for,
{own} and {alone} the thousand tokens of the model that needs no help, in this row and in the first
one. {now[NAME]} is the cell of a model in this row, and {was[NAME]} that in the row before.
Asterisks enclose what is emphasised.
"""

from typing import NamedTuple

from agentlib.nag import AFTER, REMINDER

from ..runs.harnesses import LATE

LEDE = (
    "*We wrote these models.* Most imitate a failure that was reported of a real model. Each does "
    "the same ten steps, and you add the parts of its harness."
)
RESCUE = "Which model will it rescue?"
FINISH = "How many of the models finish?"
FAIL = "Which model will still not finish?"


class Words(NamedTuple):
    """A row: what its new part does, the question about it, and what is said once it is shown.

    `than` is the row that it is compared with; None for a row that stands alone.
    """

    part: str = ""
    question: str = ""
    kind: str = ""
    told: str = ""
    than: int | None = None


ROWS = (
    Words(told="*{finish} without any part.*"),
    Words(
        "A todo tool, with which the model writes its plan and ticks what it has done.",
        RESCUE,
        "rescued",
        "*A list alone rescues no model, and it harms Dropper*, which now trusts a list that gets "
        "shorter, and does {now[Dropper].steps_done} steps. Ticker claims {now[Ticker].claims}. "
        "Keeper pays {own} thousand tokens instead of {alone}.",
        0,
    ),
    Words(
        f"After {AFTER} rounds without a todo call, the loop adds “{REMINDER}” to a result.",
        RESCUE,
        "rescued",
        "The nag rescues *{found}*. The reminder comes in time: Forgetter writes its plan again "
        "while it still sees it. Keeper needs no reminder, and now pays {own} thousand tokens.",
        1,
    ),
    Words(
        "A list with two tasks in progress is rejected, and the error message says why.",
        RESCUE,
        "rescued",
        "The rule rescues *{found}*: the corrected list says where the work is. For all others "
        "nothing changes.",
        2,
    ),
    Words(
        "A list that lacks an unfinished task of the old list is rejected.",
        RESCUE,
        "rescued",
        "The rule rescues *{found}*. It repairs what the list had broken, three rows above: a part "
        "can also create a failure.",
        3,
    ),
    Words(
        "If the list has open tasks when the model stops, the loop shows it to the model and goes "
        "on.",
        RESCUE,
        "rescued",
        "The question rescues *{found}*. Quitter’s list was honest: it said {was[Quitter].claims}, "
        "and the files show {was[Quitter].steps_done}. Ticker is not asked, because its list says "
        "{now[Ticker].claims}.",
        4,
    ),
    Words(
        "When the model stops, a check looks at the files, and the loop names what is missing "
        "there.",
        RESCUE,
        "rescued",
        "The files rescue *{found}*. A list says what the model says; the files can say no.",
        5,
    ),
    Words(
        "The third time in a row that a call is the same, the tool returns an error and no result.",
        RESCUE,
        "rescued",
        "The error rescues *{found}*. Repeater never stopped, so no question at the stop could "
        "reach it. Now {finish}, and the columns show *a diagonal: each failure has its part.* "
        "Keeper needed none of the parts, and pays {own} thousand tokens instead of {alone}.",
        6,
    ),
    Words(
        "Now everything is taken away, the list and the nag as well. Only the last two parts stay: "
        "ask the files at the stop, by name, and no third equal call.",
        FINISH,
        "finish",
        "*{finish}*, without a list and without a nag, and Keeper is back at {own} thousand "
        "tokens. A check that sees and names everything replaces the list.",
    ),
    Words(
        "The check gets weaker: it only says how many steps are not done.",
        FINISH,
        "finish",
        "*{finish}*: Keeper and Dropper need no check here, and the other part rescues Repeater. "
        "The others learn that something is missing, and not what.",
        8,
    ),
    Words(
        "The check names what is missing again, but it sees only every second step. Real tests do "
        "not see everything either.",
        FINISH,
        "finish",
        "*{finish}.* The check never asks for the other steps, and the models that fail have no "
        "list that remembers them.",
        8,
    ),
    Words(
        "The same half check, and again the list that keeps its tasks and the nag, after "
        f"{LATE} rounds.",
        FAIL,
        "failing",
        "{finish}, because the list remembers what the check does not see. Its price is what "
        "Keeper pays: {own} thousand tokens instead of {alone}. Still not finished: *{found}*. "
        "Ticker’s list is false, exactly where the check is blind.",
        10,
    ),
)
END = (
    "An agent without a plan may drift; a plan without a check may be false; ask something that "
    "can say no, and know what it cannot see."
)
