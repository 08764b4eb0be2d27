"""What the arena asks before each row, and what it says after it.

A question is about one model ("rescued": which of them finishes now, "failing": which does not), or
about their number ("finish"). Whether an answer is right is read from the cells, not from here.
In a sentence, {own} and {alone} are the thousand tokens of the model that keeps track in this row
and in the first one. Asterisks enclose what is emphasised.
"""

from typing import NamedTuple

LEDE = (
    "*We wrote these seven models.* Most of them imitate a failure that somebody has reported of a "
    "real model. How often it happens, nobody here knows. All of them get the same job, ten small "
    "steps in the files of a bookshop, and every run is really played. You add the parts of the "
    "harness, one at a time."
)
RESCUE = "Which model will it rescue?"
FINISH = "How many of the seven finish?"
FAIL = "Which model will still not finish?"


class Model(NamedTuple):
    """A model as the arena shows it: its name in a sentence, and what it does."""

    one: str
    does: str


MODELS = {
    "keeps track": Model("the one that keeps track", "sees everything, and does step after step"),
    "forgets": Model(
        "the one that forgets",
        "sees only its last 12 messages; without its plan it drifts and stops",
    ),
    "starts everything": Model(
        "the one that starts everything",
        "marks all ten as in progress, begins each of them, and stops",
    ),
    "drops tasks": Model(
        "the one that drops tasks", "writes a shorter list each time, and trusts its list"
    ),
    "ticks only": Model(
        "the one that ticks only", "does three steps, then ticks all the others without doing them"
    ),
    "stops early": Model(
        "the one that stops early", "says after four changes that the work is done"
    ),
    "repeats": Model(
        "the one that repeats", "does three steps, then makes the same call again and again"
    ),
}
# A fixed order that does not follow the rows; after the last of the parts, the order of the rows.
SHUFFLED = (
    *("drops tasks", "repeats", "forgets", "ticks only", "starts everything", "stops early"),
    "keeps track",
)
SORTED = (
    *("forgets", "starts everything", "drops tasks", "stops early", "ticks only", "repeats"),
    "keeps track",
)


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
    Words(
        told="Two of the seven finish without any part: the one that keeps track, and the one that "
        "drops tasks, because it has no list to drop them from. One goes round in circles until it "
        "is cut off."
    ),
    Words(
        "A list: a todo tool, with which the model writes its plan and ticks what it has done.",
        RESCUE,
        "rescued",
        "*A list alone rescues nobody, and it harms one.* The model that drops tasks now trusts a "
        "list that gets shorter, and does six steps. The one that ticks only claims ten of ten. "
        "The one that keeps track pays {own} thousand tokens instead of {alone}.",
        0,
    ),
    Words(
        "The nag: after three rounds without a todo call, the loop adds “Update your todos.”",
        RESCUE,
        "rescued",
        "The nag rescues *the one that forgets*: it writes its plan again while it still sees it. "
        "The one that keeps track needs no reminder, and now pays {own} thousand tokens.",
        1,
    ),
    Words(
        "One in progress: a list with two tasks in progress is rejected, and the error says why.",
        RESCUE,
        "rescued",
        "The rule rescues *the one that starts everything*: its corrected list says where it is. "
        "For all others nothing changes.",
        2,
    ),
    Words(
        "The list keeps its tasks: a list without an unfinished task of the old one is rejected.",
        RESCUE,
        "rescued",
        "The rule rescues *the one that drops tasks*. It repairs what the list had broken, three "
        "rows above: a part can create a failure, too.",
        3,
    ),
    Words(
        "At the stop, ask the list: if it has open tasks, the loop shows it to the model and goes "
        "on.",
        RESCUE,
        "rescued",
        "The question rescues *the one that stops early*: its list was true, and seven "
        "tasks were open. The one that ticks only is not asked, because its list says ten of ten.",
        4,
    ),
    Words(
        "At the stop, ask the files: a check looks at the files, and names what is missing there.",
        RESCUE,
        "rescued",
        "The files rescue *the one that ticks only*. A list says what the model says; the "
        "files can say no.",
        5,
    ),
    Words(
        "No third equal call: the third time, the tool returns an error instead of its result.",
        RESCUE,
        "rescued",
        "The error rescues *the one that repeats*. It never stopped, so no question at the stop "
        "could reach it. Now all seven finish, and the columns show *a diagonal: each part rescues "
        "one model.* The one that keeps track needed none of the parts, and pays {own} thousand "
        "tokens instead of {alone}.",
        6,
    ),
    Words(
        "Now everything is taken away, the list and the nag as well. Only the last two parts stay: "
        "ask the files at the stop, by name, and no third equal call.",
        FINISH,
        "finish",
        "*All seven finish*, without a list and without a nag, and the one that keeps track is "
        "back at {own} thousand tokens. A check that sees and names everything replaces the list.",
    ),
    Words(
        "The check gets weaker: it only counts. “7 steps are not done.”",
        FINISH,
        "finish",
        "*Three finish*: two need no check, and one is rescued by the other part. Four learn that "
        "something is missing, and not what.",
        8,
    ),
    Words(
        "The check names what is missing again, but it sees only every second step. Real tests do "
        "not see everything either.",
        FINISH,
        "finish",
        "*Three finish.* The check is content when steps 1, 3, 5, 7 and 9 are done, and the four "
        "have no list that remembers the others.",
        8,
    ),
    Words(
        "The same half check, and again the list that keeps its tasks and the nag, after five "
        "rounds.",
        FAIL,
        "failing",
        "Six finish, because the list remembers what the check does not see, and here it earns its "
        "tokens: {own} thousand instead of {alone}. *The one that ticks only* does not finish: its "
        "list is false, exactly where the check is blind.",
        10,
    ),
)
END = (
    "An agent without a plan may drift; a plan without a check may be false; ask something that "
    "can say no, and know what it cannot see."
)
