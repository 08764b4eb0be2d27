"""Keep what a learner wrote: a cell that passes its check becomes a section of `my_agent.py`.

One exercise, one cell, one section: the text of the newest cell that defines the part is written
unchanged. It is run alone, below the parts that it uses, and the check tries what this has made.
What the cell uses it imports or defines itself, or it is a part above it. No two sections may make
one name in different ways. `main`, the last section, says which parts run.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agentlib.safety.files import write_atomically

from ..exercises.catalogue import PARTS
from ..file_errors import describe_problem
from ..ipython_shell import find_shell
from ..samples import deleting
from . import sections
from .cells import check_only_defines, find_cell, find_clash
from .ours import delete_head, describe_ours, read_ours
from .parts import check_again, find_fault, list_needed, run_part
from .sections import FILE, Section, seal
from .write_main import describe_main, takes_remind, write_main

# The names that the program makes around the parts.
AROUND = Section("import agentlib, lesson\nmain = model = program = workspace = None")
UNSAVED = ("TimedTodo",)  # nothing is used in their place


def keep(name: str, written: Any, *, remind: bool = False) -> Any:
    """Check what a learner wrote, save its cell in `my_agent.py` if it passes, and return it.

    `name` is the subject of an exercise, and `written` the learner's function, class or Tool.
    A loop must take the argument `remind` if that is true. Returns `written` if it passes its
    check, and what is used instead if not, and prints which.
    """
    if name not in PARTS:
        print(f"{name!r} is no part of {FILE}. Its parts are {', '.join(PARTS)}.")
        return written
    try:
        said = save(name, written, Path(FILE), remind)
    except (OSError, ValueError) as problem:
        if not PARTS[name][remind].check(written).ok:
            return substitute(name, remind)
        said = f"{FILE} was not written: {describe_problem(problem)}"
    print(f"{name} passes its check. {said}")
    return written


def substitute(name: str, remind: bool) -> Any:
    """Return what is used in place of a part, or None, and print which."""
    instead = "it is not saved" if name in UNSAVED else f"{describe_ours(name)} is used"
    print(f"{name} does not pass its check yet, so {instead}.")
    if name in UNSAVED:
        return None
    with deleting():
        return run_part(name, {name: seal(read_ours(name, remind))}, __name__)


def save(name: str, written: Any, file: Path, remind: bool) -> str:
    """Write the program with the newest cell of this part, and return what was done.

    Raise ValueError if that cell does not pass the check there, or OSError.
    """
    text = read_cell(name, written)
    while True:
        before = sections.read_program(file)
        old = sections.read_sections(before)
        with deleting():
            new, said = add_part(name, text, dict(old), remind)
        if sections.read_program(file) == before:  # otherwise another notebook has just written it
            break
    if new:
        if any(one.is_changed and one.text not in new for _, one in old):
            said.insert(-1, sections.back_up(file))
        write_atomically(file, sections.encode(new))
    return " ".join(said)


def read_cell(name: str, written: Any) -> str:
    """Return the text of the newest cell of a part. Raise ValueError if it cannot be kept."""
    if written is not getattr(find_shell(), "user_ns", {}).get(name):
        raise ValueError(f"keep() was not given the {name} that this notebook has now.")
    text = delete_head(find_cell(name))
    if not text:
        raise ValueError(
            f"no cell of this notebook defines {name}. If it was brought, change it in its cell, "
            "run that cell, and then this one again."
        )
    check_only_defines(text)
    if mark := sections.MARKED.search(text):
        raise ValueError(f"the line `{mark[0].strip()}` belongs to {FILE}: delete it in the cell.")
    return text.strip("\n").rstrip()


def add_part(
    name: str, text: str, old: Mapping[str, Section], remind: bool
) -> tuple[str, list[str]]:
    """Return the program with this part, "" if it stays as it is, and what to say.

    Raise ValueError if the part does not pass its check there.
    """
    given = {**old, name: seal(text)}
    parts = {one: given[one] for one in PARTS if one in given}
    refuse_clash(name, parts)
    ours = [one for one in list_needed(name, parts) if one not in parts]
    said = [f"{one} is ours there, because {FILE} has none of yours." for one in ours]
    made = {name: run_part(name, parts)}
    if fault := find_fault(name, made[name], remind):
        need = f"All that {name} needs belongs into its cell, or is a part above it."
        raise ValueError(" ".join([f"in that file, {name} fails: {fault}.", *said, need]))
    if name == "agent_loop" and not takes_remind(made[name]) and has_remind(old):
        return "", [f"{FILE} is unchanged: its agent_loop also takes remind."]
    is_new = name not in old or old[name].text != text
    for one in [one for one in parts if one != name]:
        try:
            made[one] = check_again(one, parts, name if is_new else "")
        except ValueError as problem:
            said.append(f"{one} is not used: {problem} Correct it, and keep it again.")
            if not parts[one].is_changed:
                parts[one] = Section(parts[one].text)  # without a hash, it is checked next time
    written: dict[str, Section] = {}
    for one in parts:
        for needed, section in list_needed(one, parts).items():
            written.setdefault(needed if needed in parts else f"our {needed}", section)
    main = seal(write_main(made).rstrip())
    stays = "main" in old and old["main"].written == main.written  # perhaps changed by hand
    written["main"] = old["main"] if stays else main
    lines = len(sections.list_own_lines(text))
    program = sections.join_sections(written)
    return program, [f"{lines} lines for {FILE}.", *said, describe_main(made)]


def refuse_clash(name: str, parts: Mapping[str, Section]) -> None:
    """Raise ValueError if the part makes a name that another section makes differently."""
    for other, one in {"the program": AROUND, **parts}.items():
        clash = find_clash(parts[name].text, one.text) if other != name else ""
        if clash:
            raise ValueError(
                f"{other} also has the name {clash}, and there it is something else. Give yours "
                f"another name in the cell of {name}."
            )


def has_remind(parts: Mapping[str, Section]) -> bool:
    """Return whether a program has a loop that takes `remind` and passes its checks."""
    try:
        return "agent_loop" in parts and takes_remind(check_again("agent_loop", parts))
    except ValueError:
        return False
