"""Make the timeline of a run: the lines of its list, each with its state in each round.

A picture has these rows below the tape, and each state below its round. They show when a step was
on the list, in progress, done, and no longer in the model's window.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from ..common.pluralize import pluralize
from ..runs.record import RoundRecord
from .marks import STATES, Line, find_status_state, make_line, normalize

FINISHED = "finished"  # only in the round in which the files first show a step: ✓, as in a tape
DONE = ("shown", FINISHED)  # the files show the step


class TimelineRow(NamedTuple):
    """A line of the list, and its state in each round so far.

    A state is a key of STATES, FINISHED, or "" before the line was on a list.
    """

    line: Line
    states: tuple[str, ...]

    def without_fields(self) -> "TimelineRow":
        """Return the row without a priority, a time, or other fields of its task."""
        return self._replace(line=self.line._replace(more="", priority="", time=""))

    @property
    def is_known(self) -> bool:
        """Return whether the line is a step of the job, or was on a list up to now."""
        return any(self.states)

    @property
    def words(self) -> str:
        """Return what the states mean: "open in rounds 1 and 2, finished in round 3"."""
        parts = []
        for state, start, end in list_segments(self.states):
            meaning = STATES[state].meaning if state in STATES else state
            rounds = f"rounds {start + 1} to {end}" if end > start + 1 else f"round {end}"
            parts.append(f"{meaning} in {rounds}")
        return ", ".join(parts)


def list_segments(states: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Yield each state of a row with its first round, from 0, and the round after its last one.

    The rounds before the line was on a list are left out.
    """
    start = 0
    for state, rounds in groupby(states):
        end = start + len(list(rounds))
        if state:
            yield state, start, end
        start = end


def list_timeline(
    steps: Sequence[str], records: Sequence[RoundRecord], at: int
) -> list[TimelineRow]:
    """Return the timeline of a run in round `at`, with the list as it is after this round.

    The rows of the job's steps come first. Then come the other texts of all lists of the run, in
    the order of their appearance, so that a row has the same place in each round. No step is done
    at the beginning.
    """
    snapshots = [record.snapshot for record in records]
    lists = [{normalize(item.get("text")): item for item in each.items} for each in snapshots]
    places = {normalize(text): place for place, text in enumerate(steps)}
    texts = {normalize(text): text for text in steps}
    for items in lists:
        texts |= {key: str(items[key].get("text")) for key in items if key not in texts}
    own_words = has_own_words(steps, records)
    last_times = snapshots[at - 1].times if at else {}
    times = {normalize(name): value for name, value in last_times.items()}
    rows = []
    for key, text in texts.items():
        place, item, is_missing, states = places.get(key), None, False, [""]
        last_item = None  # as it was when it vanished from the list
        for items, record in zip(lists[:at], records, strict=False):
            last_item, item = item or last_item, items.get(key)
            is_missing = item is None and bool(items) and not (place is not None and own_words)
            before = states[-1] or ("open" if place is not None else "")
            is_done = before in DONE  # if the files were not judged after this round
            if place is not None and record.snapshot.done:
                is_done = record.snapshot.done[place]
            is_lost = record.lacks(str((item or {}).get("text")))
            states.append(find_state(item, is_lost, is_done, is_missing, before))
        is_kept = is_missing and states[-1] == "claimed"
        line = make_line(text, last_item if is_kept else item, is_done=states[-1] in DONE)
        is_new = item is not None and place is None and bool(steps) and not own_words
        gone = "gone" if is_missing and any(states) and not is_kept else ""
        lost = "lost" if states[-1] == "lost" else ""
        count = times.get(key)  # a learner's `summary` may have anything
        time = pluralize(count, "round") if type(count) is int and count else ""
        line = line._replace(place="new" if is_new else gone or lost, time=time)
        rows.append(TimelineRow(line, tuple(states[1:])))
    return rows


def has_own_words(steps: Sequence[str], records: Sequence[RoundRecord]) -> bool:
    """Return whether no list of a run has the text of a step.

    A real model may call all steps by its own words. Then no step is missing from its list.
    """
    texts = {normalize(item.get("text")) for record in records for item in record.snapshot.items}
    return bool(texts) and texts.isdisjoint(map(normalize, steps))


def find_state(
    item: Mapping[str, Any] | None, is_lost: bool, is_done: bool, is_missing: bool, before: str
) -> str:
    """Return the state of a line in one round. `before` is its state in the round before.

    `item` is that of the list, or None if the list does not have the line. `is_missing` says
    whether it should have the line.
    """
    if is_done:
        return "shown" if before in DONE else FINISHED
    if not before and item is None:
        return ""
    if is_missing:  # models drop what they have ticked when they write a new list
        return "claimed" if before == "claimed" else "gone"
    state = find_status_state((item or {}).get("status"))
    return "lost" if is_lost and state != "claimed" else state
