"""Choose the parts of a run: yours if it passes what the run needs, or else agentlib's."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from ..common.parts import PARTS, Level
from ..common.version import __version__
from ..exercises.rules import try_part
from . import folder
from .folder import imports
from .my_agent import load_plain_nag, load_solutions, my_agent, store
from .newest import find_newest, read_source

YOURS, AGENTLIB, PLAIN = "yours", "agentlib", "plain"
# By the argument of `play`, the parts that it can be: first the one that extends the others.
KINDS = {
    "loop": ("agent_loop",),
    "todo": ("TimedTodo", "PriorityTodo", "MyTodo"),
    "nag": ("PriorityNag", "MyNag"),
    "at_stop": ("ask_at_the_stop",),
    "trim_messages": ("trim_messages",),
    "read_file": ("read_file",),
}
OWNERS = ("Yours", "agentlib's", "Model", "Given")  # in this order in the first line of a run
OF_AGENTLIB = OWNERS[1]
# What the first line of a run calls a part. The others have their own name there.
WORDS = {"loop": "loop", "todo": "list", "nag": "nag"}
LAST = " (as it passed last)"  # said if there is a newer cell, which has not passed


def choose(kind: str, wanted: Any, level: str = "") -> tuple[Any, str]:
    """Return a part for an argument of `play`, and whose it is: "agentlib's: nag (yours needs E6)".

    `wanted` is "yours", "agentlib" or the name of a part; any other value is taken as it is, and
    named by its own name: "Given: loop (one_by_one)". Yours must pass all exercises up to `level`.
    A nag can be "plain": agentlib's, but its reminder does not show the list. Raise LookupError for
    an unknown name.
    """
    names = KINDS[kind]
    word = WORDS.get(kind, names[0])
    if not isinstance(wanted, str):
        return wanted, describe_given(wanted, names, word)
    known = (YOURS, AGENTLIB, *[PLAIN] * (kind == "nag"), *names)
    if wanted not in known:
        choices = ", ".join(map(repr, known))
        raise LookupError(f"{kind} is {choices}, or an object, not {wanted!r}.")
    if wanted == PLAIN:
        return load_plain_nag(), f"{OF_AGENTLIB}: {word} (plain words)"
    if wanted == AGENTLIB:
        return getattr(load_solutions(), names[-1]), f"{OF_AGENTLIB}: {word}"
    for name in names if wanted == YOURS else (wanted,):
        if yours := find_yours(name, level):
            part, cell = yours
            newest = find_newest(name)[0].strip("\n").rstrip()
            return part, f"Yours: {word}{'' if newest in ('', cell) else LAST}"
    name = names[-1] if wanted == YOURS else wanted
    missing = find_failing(name, level)
    note = f" (yours needs {missing})" if missing else ""
    return getattr(load_solutions(), name), f"{OF_AGENTLIB}: {word}{note}"


def describe_given(part: Any, names: Sequence[str], word: str) -> str:
    """Return what a run's first line says of a part that was given as an object; "" for None."""
    if part is None:
        return ""
    name = getattr(part, "__name__", type(part).__name__)
    if name not in names or part.__module__ != "__main__":
        return f"Given: {word} ({name})"
    older = find_older(part)
    note = f", on an older {older}: run the cell of {name} again" if older else ""
    return f"Yours: {word} (from this notebook{note})"


def find_yours(name: str, level: str) -> tuple[Any, str] | None:
    """Return the learner's part and its cell, or None if it fails an exercise up to `level`."""
    needed, unsaved = list_needed(name, level), store.unsaved.get(name)
    if unsaved and needed[-1].exercise in unsaved.exercises:
        return unsaved.part, unsaved.cell
    if name in store.list_own() and not find_open(name, needed):
        return getattr(my_agent, name), store.read_own(name)
    return None


def find_failing(name: str, level: str) -> str:
    """Return the first exercise up to `level` that the learner's part fails, or ""."""
    needed = list_needed(name, level)
    if name in store.list_own():
        return find_open(name, needed)
    has_cell = find_newest(name)[0] != ""  # which has never passed
    return needed[0].exercise if has_cell else ""


def find_older(part: Any) -> str:
    """Return the name of a class that a part extends, if a newer cell defines it again, or ""."""
    for base in getattr(part, "__mro__", ())[1:]:
        newest = find_newest(base.__name__)[0] if base.__module__ == "__main__" else ""
        if newest and newest.split() != read_source(base).split():
            return str(base.__name__)
    return ""


def list_needed(name: str, level: str) -> list[Level]:
    """Return the exercises of a part up to `level`, if it has that, or else its first one."""
    levels = PARTS[name].levels
    last = next((number for number, each in enumerate(levels) if each.name == level), 0)
    return [*levels[: last + 1]]


def find_open(name: str, needed: Iterable[Level]) -> str:
    """Return the first of these exercises that the part in `my_agent` does not pass, or ""."""
    notes, note = folder.read_hashes(folder.path), write_note(name)
    for level in needed:
        if notes.get(level.exercise) != note and not passes_level(name, level.name, note):
            return level.exercise
    return ""


def note_passed(name: str, level: str) -> None:
    """Note that the part in `my_agent` passes, up to `level`, so that `play` need not try it.

    Only `play` reads the note: whoever judges tries the part.
    """
    with suppress(OSError):
        before = folder.read_hashes(folder.path)
        passed = {each.exercise: write_note(name) for each in list_needed(name, level)}
        folder.note_hashes(folder.path, before, before | passed)


def describe_next(exercise: str) -> str:
    """Return how many exercises pass, and which one comes after `exercise`, with its notebook."""
    notes = folder.read_hashes(folder.path)
    parts = [(part.name, level) for part in PARTS.values() for level in part.levels]
    parts.sort(key=lambda pair: int(pair[1].exercise.removeprefix("E")))
    own = store.list_own()
    passed = {level.exercise for name, level in parts if name in own and level.exercise in notes}
    count = f"{len(passed)} of {len(parts)} exercises pass."
    here = next(place for place, (_, level) in enumerate(parts) if level.exercise == exercise)
    after = [level for _, level in parts[here:] + parts[:here] if level.exercise not in passed]
    if not after:
        return count
    is_here = after[0].notebook == parts[here][1].notebook
    return f"{count} Next: {after[0].exercise}{'' if is_here else f', in {after[0].notebook}'}."


def write_note(name: str) -> str:
    """Return what the result of a trial depends on: our version, the part, and what it imports."""
    store.refresh()
    texts = store.parts.texts
    names = [name]
    for importing in names:
        imported = [other for other in PARTS if imports(texts[importing], other)]
        names += [other for other in imported if other not in names]
    return f"{__version__} {folder.hash_text(chr(0).join(texts[name] for name in names))}"


@cache
def passes_level(name: str, level: str, note: str) -> bool:
    """Return whether the part in `my_agent` passes a level. It is tried once for each `note`."""
    store.put_back()
    return try_part(name, getattr(my_agent, name), level).ok


def join(owners: Iterable[str]) -> str:
    """Return whose the parts of a run are, in a line: "Yours: loop, list. agentlib's: nag."."""
    words: dict[str, list[str]] = {}
    for whose, _, word in (owner.partition(": ") for owner in owners if owner):
        words.setdefault(whose, []).append(word)
    return " ".join(
        f"{whose}: {', '.join(words[whose])}." for whose in sorted(words, key=OWNERS.index)
    )
