"""Your agent: each part of a run is yours if it passes what the run needs, and otherwise ours."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from ..common.parts import PARTS, Level
from ..common.version import __version__
from ..exercises.rules import try_part
from . import folder
from .folder import imports
from .my_agent import Parts, load_package, load_solutions, my_agent, store
from .newest import find_newest, read_source

YOURS, OURS = "yours", "ours"
# By the argument of `play`, the parts that it can be: first the one that extends the others.
KINDS = {
    "loop": ("agent_loop",),
    "todo": ("TimedTodo", "PriorityTodo", "MyTodo"),
    "nag": ("PriorityNag", "MyNag"),
    "at_stop": ("ask_at_the_stop",),
    "make_room": ("make_room",),
    "read_file": ("read_file",),
}
WORDS = {"loop": "loop", "todo": "list", "nag": "nag"}  # of the others, the part's own name
LAST = " (as it passed last)"  # there is a newer cell, which has not passed
# By the name of a part that passes but is not saved: it, its cell, and the exercises it passes.
UNSAVED: dict[str, tuple[Any, str, list[str]]] = {}
TRIED: dict[tuple[str, ...], bool] = {}  # by the name, the exercise and the texts of a part


def choose(kind: str, wanted: Any, level: str = "", ours: Parts | None = None) -> tuple[Any, str]:
    """Return a part for an argument of `play`, and whose it is: "Ours: nag (yours needs E6)".

    `wanted` is "yours", "ours" or the name of a part; any other value is taken as it is, and named
    by its own name: "Given: loop (one_by_one)". Yours must pass all exercises up to `level`. `ours`
    is the program that has ours: by default the package's parts, and our solutions if a part is
    named. Raise LookupError for an unknown name.
    """
    names = KINDS[kind]
    word = WORDS.get(kind, names[0])
    if not isinstance(wanted, str):
        name = getattr(wanted, "__name__", type(wanted).__name__)
        if name in names and wanted.__module__ == "__main__":
            older = find_older(wanted)
            note = f", on an older {older}: run the cell of {name} again" if older else ""
            return wanted, f"Yours: {word} (from this notebook{note})"
        return wanted, "" if wanted is None else f"Given: {word} ({name})"
    if wanted not in (YOURS, OURS, *names):
        known = ", ".join(map(repr, (YOURS, OURS, *names)))
        raise LookupError(f"{kind} is {known}, or an object, not {wanted!r}.")
    if wanted != OURS:
        for name in names if wanted == YOURS else (wanted,):
            needed = list_needed(name, level)
            if name in UNSAVED and needed[-1].exercise in UNSAVED[name][2]:
                part, text, _ = UNSAVED[name]
            elif name in store.list_own() and not find_open(name, needed):
                part, text = getattr(my_agent, name), store.read_own(name)
            else:
                continue
            newest = find_newest(name)[0].strip("\n").rstrip()
            return part, f"Yours: {word}{LAST if newest not in ('', text) else ''}"
    name = wanted if wanted in names else names[-1]
    ours = ours or (load_solutions() if wanted in names else load_package())
    if wanted == OURS:
        return getattr(ours, name), f"Ours: {word}"
    needed, lacks = list_needed(name, level), ""
    if name in store.list_own():
        lacks = find_open(name, needed)
    elif find_newest(name)[0]:  # a cell that has never passed
        lacks = needed[0].exercise
    return getattr(ours, name), f"Ours: {word}{lacks and f' (yours needs {lacks})'}"


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
    last = next((number for number, one in enumerate(levels) if one.name == level), 0)
    return [*levels[: last + 1]]


def find_open(name: str, needed: Iterable[Level]) -> str:
    """Return the first of these exercises that the part in `my_agent` does not pass, or ""."""
    noted = folder.read_hashes(folder.path)
    now = write_note(name)
    for one in needed:
        if noted.get(one.exercise) != now and not passes_level(name, one.name):
            return one.exercise
    return ""


def note_passed(name: str, level: str) -> None:
    """Note that the part in `my_agent` passes, up to `level`, so that `play` need not try it.

    Only `play` reads the note: whoever judges tries the part.
    """
    with suppress(OSError):
        before = folder.read_hashes(folder.path)
        passed = {one.exercise: write_note(name) for one in list_needed(name, level)}
        folder.note_hashes(folder.path, before, before | passed)


def describe_next(exercise: str) -> str:
    """Return how many exercises pass, and which one comes after `exercise`, with its notebook."""
    noted = folder.read_hashes(folder.path)
    parts = [(part.name, level) for part in PARTS.values() for level in part.levels]
    parts.sort(key=lambda pair: int(pair[1].exercise.removeprefix("E")))
    own = store.list_own()
    passed = {level.exercise for name, level in parts if name in own and level.exercise in noted}
    count = f"{len(passed)} of {len(parts)} exercises pass."
    here = next(place for place, (_, level) in enumerate(parts) if level.exercise == exercise)
    after = [level for _, level in parts[here:] + parts[:here] if level.exercise not in passed]
    if not after:
        return count
    is_here = after[0].notebook == parts[here][1].notebook
    return f"{count} Next: {after[0].exercise}{'' if is_here else f', in {after[0].notebook}'}."


def write_note(name: str) -> str:
    """Return what the result of a trial depends on: the rules, the part, and what it imports."""
    store.refresh()
    texts = store.parts.texts
    names = [name]
    for one in names:
        names += [other for other in PARTS if other not in names and imports(texts[one], other)]
    return f"{__version__} {folder.hash_text(chr(0).join(texts[one] for one in names))}"


def passes_level(name: str, level: str) -> bool:
    """Return whether the part in `my_agent` passes a level. The same texts are tried once."""
    key = name, level, write_note(name)
    if key not in TRIED:
        store.put_back()
        TRIED[key] = try_part(name, getattr(my_agent, name), level).ok
    return TRIED[key]


def join(said: Iterable[str]) -> str:
    """Return whose the parts of a run are, in a line: "Yours: loop, list. Ours: nag."."""
    found: dict[str, list[str]] = {}
    for whose, _, what in (one.partition(": ") for one in said if one):
        found.setdefault(whose, []).append(what)
    return " ".join(f"{whose}: {', '.join(what)}." for whose, what in sorted(found.items())[::-1])
