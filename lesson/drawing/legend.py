"""List the legend of a picture: what each mark means that occurs in it."""

from collections.abc import Sequence
from typing import NamedTuple

from .marks import EDGES, KINDS, LATER, STATES, WITHOUT_PLAN, Edge, Mark
from .timeline import FINISHED, TimelineRow


class Sample(NamedTuple):
    """An entry of a legend: a mark as it is drawn, its sign in text, and what it means.

    `mark` is a Mark, which is drawn as a square, or a name: "blind" (the ground of rounds without
    the plan), "read" (▼), "frame", or a key of EDGES or of STATES.
    """

    mark: Mark | str
    sign: str
    words: str


def list_legend(
    marks: Sequence[Mark],
    frame: tuple[float, float] = (0, 0),
    rows: Sequence[TimelineRow] = (),
    edges: Sequence[Edge] = (),
) -> list[Sample]:
    """Return the legend of a tape, and of the `rows` of a timeline below it, each mark once.

    `frame` and `edges` are those of the tape.
    """
    samples = [make_sample(mark) for mark in marks if mark.state != "later"]
    if any(mark.is_blind for mark in marks):
        samples.append(Sample("blind", "/", WITHOUT_PLAN))
    if any(mark.read for mark in marks):
        samples.append(Sample("read", "▼", "reads a reminder"))
    if frame[1] > frame[0]:
        samples.append(Sample("frame", "└┘", "what the model sees"))
    kinds = {kind for _, kind in edges}
    for name, edge in EDGES.items():
        if name in kinds:
            samples.append(Sample(name, edge.sign, edge.meaning))
    if any(mark.state == "later" for mark in marks):
        samples.append(Sample(Mark("w", state="later"), LATER, "not reached yet"))
    states = {state for row in rows for state in (*row.states, row.line.place)}
    if FINISHED in states:
        samples.append(make_sample(Mark("d")))
    for name, state in STATES.items():
        if name in states:
            samples.append(Sample(name, state.bar, state.short or state.meaning))
    by_words: dict[str, Sample] = {}
    for sample in samples:
        by_words.setdefault(sample.words, sample)
    return list(by_words.values())


def make_sample(mark: Mark) -> Sample:
    """Return the entry of a round. If several steps are finished, its number stands for any."""
    kind = KINDS[mark.kind]
    if mark.sign.isdigit():
        return Sample(Mark(mark.kind, mark.steps), mark.sign, "finishes so many steps")
    return Sample(Mark(mark.kind), mark.sign, kind.short or kind.meaning)
