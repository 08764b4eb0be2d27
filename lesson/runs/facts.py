"""The facts of a run: they are written into its file and read from it as a whole."""

from dataclasses import dataclass, field, fields
from typing import Any

from safetylib.wire.run_file import Line

from ..practice.model_choice import PRACTICE, SERVED
from .request_parts import Authors


@dataclass(eq=False, repr=False, kw_only=True)
class Facts:
    """What is known of a run besides its rounds. A new field is also written and read.

    `job` is its name, and `step_texts` are the steps of the job. `window` is how many messages are
    sent, or None for all, and `after` is the nag's threshold in rounds, or None. `authors` and
    `whose`, a line of the picture, say whose the parts are. `note` is a sentence about what was
    left out, and `is_real` says whether a real model has played. The first `rounds_before` rounds
    are those of another run. `problem` is "" or what ended the run early: an exception of the
    learner's code, with its line, an error of the model's server, the time limit, or a last reply
    that is not a complete answer.
    """

    job: str
    step_texts: list[str] = field(default_factory=list)
    window: int | None
    after: int | None = None
    has_todo: bool = False
    has_nag: bool = False
    authors: Authors = Authors("", "", "")
    note: str = ""
    whose: str = ""
    is_real: bool = False
    rounds_before: int = 0
    problem: str = ""


IN_FILE = {"step_texts": "steps", "is_real": "real"}  # the names in a file, if they are others
NAMES = {one.name: IN_FILE.get(one.name, one.name) for one in fields(Facts)}
# How facts are read whose type cannot read them, as `int` can.
READ: dict[Any, Any] = {
    list[str]: lambda texts: [*map(str, texts)],
    Authors: lambda names: Authors(*map(str, names)),
    int | None: lambda number: number,  # it is checked where it is used
}
# What my_agent does not write, because it is so in all of its runs.
OF_PROGRAM: Line = {
    "has_todo": True,
    "has_nag": True,
    "authors": ("the program's list", "the program's nag", ""),
}


def write_facts(run: Facts) -> Line:
    """Return the facts for the first line of a file. Its last line says how the run has ended."""
    return {name: getattr(run, fact) for fact, name in NAMES.items() if fact != "problem"}


def read_facts(line: Line) -> dict[str, Any]:
    """Return those facts that a line of a file has. Raise one of ODD for an impossible value."""
    if "program" in line and "job" not in line:
        is_real = line.get("model") not in (PRACTICE, SERVED)
        line = OF_PROGRAM | {"job": line["program"], "real": is_real} | line
    return {
        one.name: READ.get(one.type, one.type)(line[NAMES[one.name]])
        for one in fields(Facts)
        if NAMES[one.name] in line
    }
