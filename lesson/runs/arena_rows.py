"""The rows of the arena: harnesses that grow by one part at a time, and then lose all but two.

We wrote the models, so the table proves nothing about real ones. It shows which part of a
harness answers which failure, what the part costs the other models, and how parts act together.

What completes a sentence is read from the cells: {finish} is "7 of 7 models finish", {found} are
the models that are asked for, {own} and {alone} the thousand tokens of the model that needs no
help, in this row and in the first one. {now[NAME]} is the cell of a model in this row, and
{was[NAME]} that in the row that this one is compared with. Asterisks enclose what is emphasised.
"""

from collections.abc import Callable
from dataclasses import dataclass

from agentlib.loop import Round
from agentlib.nag import AFTER, REMINDER
from agentlib.todo import TodoManager

from ..practice.models import MODELS
from .harness_parts import (
    AllAtOnce,
    AtStop,
    KeepsTasks,
    ask_files,
    ask_list,
    every_second_missing,
    is_asked,
    is_listed,
    is_rejected,
    is_reminded,
    is_repeated,
    missing_steps,
)

# What a reader is asked before a row is shown: which of the models finishes now, how many of them
# do, or which does not. Whether the answer is right is read from the cells.
RESCUED = "Which model will it rescue?"
FINISH = "How many of the models finish?"
FAILING = "Which model will still not finish?"
LATE = 5  # rounds: the nag's threshold in the last row


@dataclass(frozen=True)
class Row:
    """A row of the arena: its parts, when its new part acts, and what is said of it.

    `todo`, `after` (the nag's threshold, in rounds), `at_stop` and `rejects_repeats` are the parts
    around the loop. `acts` returns whether the new part acts in a round, and the row's players open
    at the first such round; without it, they open at the last one.

    `part` says what the new part does, `question` is one of the three above, and `told` is said
    once the row is shown. Each row of GROWING is compared with the row before it. Any other row is
    compared with the one that `than` names, or with none.
    """

    name: str
    todo: type[TodoManager] | None = None
    after: int | None = None
    at_stop: AtStop | None = None
    rejects_repeats: bool = False
    acts: Callable[[Round], bool] | None = None
    part: str = ""
    question: str = ""
    told: str = ""
    than: str = ""


ASK_FILES = ask_files(missing_steps)
# Each row adds one part to the row before, and the reader guesses which model it rescues.
GROWING = (
    Row("the loop alone", told="*{finish} without any part.*"),
    Row(
        "+ a list",
        todo=AllAtOnce,
        acts=is_listed,
        part="A todo tool, with which the model writes its plan and ticks what it has done.",
        question=RESCUED,
        told="*A list alone rescues no model, and it harms Dropper*, which now trusts a list that "
        "gets shorter, and does {now[Dropper].steps_done} steps. Ticker claims "
        "{now[Ticker].claims}. Keeper pays {own} thousand tokens instead of {alone}.",
    ),
    Row(
        "+ the nag",
        todo=AllAtOnce,
        after=AFTER,
        acts=is_reminded,
        part=f"After {AFTER} rounds without a todo call, the loop adds “{REMINDER}” to a result.",
        question=RESCUED,
        told="The nag rescues *{found}*. The reminder comes in time: Forgetter writes its plan "
        "again while it still sees it. Keeper needs no reminder, and now pays {own} thousand "
        "tokens.",
    ),
    Row(
        "+ one in progress",
        todo=TodoManager,
        after=AFTER,
        acts=is_rejected,
        part="A list with two tasks in progress is rejected, and the error message says why.",
        question=RESCUED,
        told="The rule rescues *{found}*: the corrected list says where the work is. For all "
        "others nothing changes.",
    ),
    Row(
        "+ the list keeps its tasks",
        todo=KeepsTasks,
        after=AFTER,
        acts=is_rejected,
        part="A list that lacks an unfinished task of the old list is rejected.",
        question=RESCUED,
        told="The rule rescues *{found}*. It repairs what the list alone had broken: a part can "
        "also create a failure.",
    ),
    Row(
        "+ at the stop: ask the list",
        todo=KeepsTasks,
        after=AFTER,
        at_stop=ask_list,
        acts=is_asked,
        part="If the list has open tasks when the model stops, the loop shows it to the model and "
        "goes on.",
        question=RESCUED,
        told="The question rescues *{found}*. Quitter’s list was honest: it said "
        "{was[Quitter].claims}, and the files show {was[Quitter].steps_done}. Ticker is not asked, "
        "because its list says {now[Ticker].claims}.",
    ),
    Row(
        "+ at the stop: ask the files",
        todo=KeepsTasks,
        after=AFTER,
        at_stop=ASK_FILES,
        acts=is_asked,
        part="When the model stops, a check looks at the files, and the loop names what is missing "
        "there.",
        question=RESCUED,
        told="The files rescue *{found}*. A list says what the model believes, and the files "
        "show what is done.",
    ),
    Row(
        "+ no third equal call",
        todo=KeepsTasks,
        after=AFTER,
        at_stop=ASK_FILES,
        rejects_repeats=True,
        acts=is_repeated,
        part="The third time in a row that a call is the same, the tool returns an error and no "
        "result.",
        question=RESCUED,
        told="The error rescues *{found}*. Repeater never stopped, so no question at the stop "
        "could reach it. Now {finish}, and the columns show *a diagonal: each failure has its "
        "part.* Keeper needed none of the parts, and pays {own} thousand tokens instead of "
        "{alone}.",
    ),
)
# Then everything is taken away but the last two parts, and the check gets weaker.
TURN = (
    Row(
        "only the last two",
        at_stop=ASK_FILES,
        rejects_repeats=True,
        acts=lambda turn: is_asked(turn) or is_repeated(turn),
        part="Now everything is taken away, the list and the nag as well. Only the last two parts "
        "stay: ask the files at the stop, by name, and no third equal call.",
        question=FINISH,
        told="*{finish}*, without a list and without a nag, and Keeper is back at {own} thousand "
        "tokens. A check that sees and names everything replaces the list.",
    ),
    Row(
        "… the check only counts",
        at_stop=ask_files(missing_steps, by_name=False),
        rejects_repeats=True,
        acts=is_asked,
        part="The check gets weaker: it only says how many steps are not done.",
        question=FINISH,
        told="*{finish}*: Keeper and Dropper need no check here, and the other part rescues "
        "Repeater. The others learn that something is missing, and not what.",
        than="only the last two",
    ),
    Row(
        "… it sees every second step",
        at_stop=ask_files(every_second_missing),
        rejects_repeats=True,
        acts=is_asked,
        part="The check names what is missing again, but it sees only every second step. Real "
        "tests do not see everything either.",
        question=FINISH,
        told="*{finish}.* The check never asks for the other steps, and the models that fail have "
        "no list that remembers them.",
        than="only the last two",
    ),
    Row(
        "… and list and nag again",
        todo=KeepsTasks,
        after=LATE,
        at_stop=ask_files(every_second_missing),
        rejects_repeats=True,
        acts=is_reminded,
        part="The same half check, and again the list that keeps its tasks and the nag, after "
        f"{LATE} rounds.",
        question=FAILING,
        told="{finish}, because the list remembers what the check does not see. Its price is what "
        "Keeper pays: {own} thousand tokens instead of {alone}. Still not finished: *{found}*. "
        "Ticker’s list is false, exactly where the check is blind.",
        than="… it sees every second step",
    ),
)
ROWS = {row.name: row for row in GROWING + TURN}
# The models in the order of the rows that rescue them, so that the table shows a diagonal. The one
# that needs no help comes last.
_places = {row.name: place for place, row in enumerate(GROWING)}
SORTED = sorted(MODELS, key=lambda name: _places.get(MODELS[name].rescued_by, len(GROWING)))


def find_compared(row: Row) -> Row | None:
    """Return the row that a row is compared with, or None for one that is shown by itself."""
    if row in GROWING[1:]:
        return GROWING[GROWING.index(row) - 1]
    return ROWS[row.than] if row.than else None
