"""The learner's program, `my_agent.py`: a section for each part, and one that runs them.

A section begins with a mark, such as `# --- MyNag --- 3fa29c10`. The digits are a hash of its text,
so that a section that was changed by hand is known: it is copied before it is replaced. A section
that nobody has written yet is an import of the package's part.
"""

import errno
import hashlib
import linecache
import os
import re
import sys
import textwrap
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from operator import is_
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from exerciselib.feedback import Result
from exerciselib.learners_code import Raised, attempt, find_last_line, split_code
from exerciselib.show_value import show
from safetylib.files import open_regular, write_atomically

from ..common.file_errors import describe_file_error
from ..common.parts import NEWEST, PARTS
from ..common.solutions import MARK
from ..exercises.rules import count_levels, try_part
from ..samples.copies import deleting
from .cells import BUILTINS, list_made, list_used, parse_section
from .find_key import find_key

FILE = "my_agent.py"
HEAD = '''\
"""My coding agent. Run it with a prompt: in a notebook, `terminal("…")` prints the command.
{own}
The other parts, and `main` at the end, come from the package planning-agent-lesson."""'''
MAIN = """\
if __name__ == "__main__":
    from lesson.program.main import main

    main({loop}, {todo}, {nag}, {ask}, {room}, {file})""".format(**NEWEST)
# The start of a section in an older lesson, whose file is a learner's: it is no text of theirs.
MOVED = {"from lesson import ask_at_the_stop": PARTS["ask_at_the_stop"].start}
STARTS = {name: part.start for name, part in PARTS.items()} | {"main": MAIN}
CODE = f"<{FILE} "  # so begins the file name of the code of a loaded program
HEAD_CHARACTERS = 100  # of a line: more than all parts of version 1.1, whose heads stay as they are
LOCK_SECONDS = 10.0  # far longer than to compare and rename a file on a slow network drive
READS_NAMES = {"eval", "exec", "globals", "vars"}  # a text that uses one of them can read any name
START_SECONDS = 10.0  # of processor time, to define a program: ours takes 0.01, an import 2

try:
    path = Path.cwd() / FILE  # of this notebook, also if a cell changes the current folder later
except FileNotFoundError:  # the folder was deleted
    path = Path(FILE)


# The learner's parts that were in a file when it was read, or written: see `find_gone`.
seen_parts: dict[Path, set[str]] = {}


class Section(NamedTuple):
    """The text of a section, the digits in its mark, and the number of its first line."""

    text: str
    mark: str = ""
    line: int = 0

    @property
    def is_changed(self) -> bool:
        """Return whether the section was changed by hand."""
        return self.mark != hash_section(self.text)


class Program(NamedTuple):
    """The sections of a program by name, and the names of what is none of them any more."""

    sections: dict[str, Section]
    unknown: list[str]
    has_own_head: bool


class Saved(NamedTuple):
    """The program with a new part, and the sentences about it that the learner reads."""

    module: ModuleType | None
    said: str
    is_saved: bool = True


class ProgramError(ValueError):
    """Raised if a program cannot be loaded: with the number of the line, and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        self.line, self.reason = line, reason
        super().__init__(f"line {line} of {FILE}: {reason}")


def hash_section(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:8]


def stamp(text: str) -> Section:
    """Return a section whose mark says that it was not changed by hand."""
    return Section(text, hash_section(text))


def read_file() -> str:
    """Return the text of the file, "" if there is none. Raise OSError.

    A byte that is not UTF-8 becomes half a character, which no program may contain.
    """
    data = b""
    if path.exists():
        with open_regular(path) as file:  # to open a pipe would wait for another program
            data = file.read()
    decoded = data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    text = decoded.replace("\r\n", "\n").replace("\r", "\n")
    seen_parts.setdefault(path, set()).update(list_own(read_program(text).sections))
    return text


def create_file() -> None:
    """Write a program in which every part is the package's, if there is no file. Raise OSError."""
    if not path.exists():
        with suppress(FileExistsError):  # another notebook has just written it
            write_atomically(path.resolve(), write_program({}).encode(), replace=False)


def read_program(text: str) -> Program:
    marks = [match for match in MARK.finditer(text) if match[2] or match[1] in STARTS]
    ends = [*(mark.start() for mark in marks), len(text)]
    sections: dict[str, Section] = {}
    unknown = []
    for mark, end in zip(marks, ends[1:], strict=True):
        name, digits = mark[1], mark[2] or ""
        if name in sections or name not in STARTS:
            unknown.append(name)
        if name in STARTS:  # of two, Python uses the second one
            line = text.count("\n", 0, mark.end()) + 1
            body = text[mark.end() : end].rstrip()
            if body in MOVED:
                body = MOVED[body]
                digits = hash_section(body)
            sections[name] = Section(body, digits, line)
    head = text[: ends[0]].strip()
    return Program(sections, unknown, bool(head) and head != write_head(sections))


def list_own(sections: Mapping[str, Section]) -> list[str]:
    """Return the names of the parts that are the learner's, in the order of the file."""
    return [name for name in PARTS if name in sections and sections[name].text != STARTS[name]]


def write_head(sections: Mapping[str, Section]) -> str:
    own = ", ".join(list_own(sections)) or "none yet"
    return HEAD.format(own=textwrap.fill(f"Mine: {own}.", HEAD_CHARACTERS))


def write_program(sections: Mapping[str, Section]) -> str:
    """Return the program with these sections, and the package's parts for all others."""
    texts = []
    for name, start in STARTS.items():
        section = sections.get(name) or stamp(start)
        texts.append(f"# --- {name} --- {section.mark}".rstrip() + f"\n{section.text}")
    return f"{write_head(sections)}\n\n" + "\n\n\n".join(texts) + "\n"


def load(text: str) -> ModuleType:
    """Execute a program, without its main, and return it as a module. Raise ProgramError.

    It is executed as in a terminal: without the names that only notebooks have.
    """
    # The checks and the walk read the source of the parts, which Python finds by this name.
    name = f"{CODE}{hash_section(text)}>"
    linecache.cache[name] = (len(text), None, split_code(text), name)
    module = ModuleType("my_agent")
    own = list_own(read_program(text).sections)
    vars(module).update(__file__=name, __builtins__=BUILTINS, __own__=own)
    before = sys.modules.get("my_agent")
    sys.modules["my_agent"] = module  # a dataclass looks for its module there
    with deleting():
        result, _ = attempt(partial(execute, text, name, module), START_SECONDS)
    # Not every program that is loaded is the learner's: it may be our solution.
    del sys.modules["my_agent"]
    if before:
        sys.modules["my_agent"] = before
    if isinstance(result, Raised):
        problem, reason = result.problem, show(result)
        if isinstance(problem, SyntaxError):  # whose text names the line again
            reason = f"{type(problem).__name__}: {problem.msg}"
        raise ProgramError(find_number(problem, name), reason)
    return module


def execute(text: str, name: str, module: ModuleType) -> None:
    parse_section(text)  # raises SyntaxError also for what is no text
    exec(compile(text, name, "exec"), vars(module))


def find_number(problem: BaseException, name: str) -> int:
    """Return the number of the line in the file `name` that an error is about."""
    if isinstance(problem, SyntaxError):
        return problem.lineno or 1
    last = find_last_line(problem, lambda file: file == name)
    return last.lineno or 1 if last else 1


def save_section(name: str, text: str, level: str, tried: Any = None) -> Saved:
    """Make the text of a cell the section of the part `name`, if it passes `level` in the file.

    `tried` is what the cell has defined, if it passes this level itself.
    The file is read again before it is written, because another notebook may have saved a part in
    the meantime. Raise ValueError, with the reason, if the part cannot be a section of it. If the
    system does not write the file, the program that is returned has the part all the same.
    """
    if read_program(text).sections:
        raise ValueError(f"a line of its cell begins a section of {FILE}: delete that line")
    if number := find_key(text):  # saved, it would stay where nobody looks for it
        raise ValueError(
            f"line {number} of its cell contains what looks like a key, which would stay in "
            f"{FILE}. Move that line to another cell"
        )
    try:
        while True:
            before = read_file()
            new, saved = merge_section(name, text, level, before, tried)
            saved = saved._replace(said=saved.said + describe_gone(before, new))
            if new == before:
                break
            with exclusive():
                if read_file() == before:
                    saved = replace_file(new, before, name, saved)
                    break
        seen_parts[path] = {*list_own(read_program(new if saved.is_saved else before).sections)}
        return saved
    except OSError as problem:  # the file cannot be read
        module = load_new(write_program({name: stamp(text)}), name, read_program(""))
        return Saved(module, describe_file_error(problem), is_saved=False)


@contextmanager
def exclusive() -> Iterator[None]:
    """Let only one notebook at a time compare the file and replace it. Raise OSError.

    The lock is a file, because network drives have no other one that works everywhere. One that
    stays is that of a notebook that was killed: it is taken away, but no other one in its place.
    """
    lock = path.with_name(f".{path.name}.lock")
    seen, since = None, time.monotonic()
    while True:
        try:
            with open(lock, "xb") as file:
                own = identify(os.fstat(file.fileno()))
            break
        except FileExistsError:
            with suppress(FileNotFoundError):
                found = identify(lock.stat())
                if found != seen:
                    seen, since = found, time.monotonic()
                elif time.monotonic() - since > LOCK_SECONDS:
                    unlock(lock, found)
            time.sleep(0.02)
    try:
        yield
    finally:
        unlock(lock, own)


def identify(status: os.stat_result) -> tuple[int, int]:
    """Return what tells a lock from another one that was made in its place."""
    return status.st_ino, status.st_mtime_ns


def unlock(lock: Path, own: tuple[int, int]) -> None:
    """Delete a lock, unless another notebook has made a new one in its place."""
    with suppress(FileNotFoundError):
        if identify(lock.stat()) == own:
            lock.unlink()


def merge_section(
    name: str, text: str, level: str, before: str, tried: Any = None
) -> tuple[str, Saved]:
    """Return the text of the program with this part, and the program. Raise ValueError."""
    old = read_program(before)
    sections = old.sections | {name: stamp(text)}
    if "main" in sections and not sections["main"].is_changed:
        del sections["main"]
    new = write_program(sections)
    try:
        running = load(before) if before else None
    except ProgramError:  # what is replaced may be the reason
        running = None
    module = load_new(new, name, old)
    if new == before:
        return new, Saved(module, f"{FILE} has it already.")
    if missing := list_used(text) - vars(module).keys() - BUILTINS.keys():
        raise ValueError(
            f"it uses {min(missing)}, which neither its cell nor a part above it defines. Import "
            "or define it in the cell"
        )
    candidate = getattr(module, name)
    names = list_used(text) | list_made(text).keys() - {name}
    is_tried = is_same_function(tried, candidate, names)
    if not is_tried and not (result := try_part(name, candidate, level)).ok:
        raise ValueError(f"below the parts in {FILE} it fails: {describe_failure(result)}")
    was = getattr(running, name, None) if name in list_own(old.sections) else None
    later = [after.name for after in PARTS[name].levels]
    for after in later[later.index(level) + 1 :] if was else ():
        if try_part(name, was, after).ok and not try_part(name, candidate, after).ok:
            return before, Saved(running, f"{FILE} keeps your later one, which passes more.")
    said = f"It is in {FILE}, and yours.{try_others(name, sections, module, running)}"
    return new, Saved(module, said)


def is_same_function(one: Any, other: Any, names: Collection[str]) -> bool:
    """Return whether two functions of one text do the same, because `names` are the same objects.

    Those are all the global names that the text uses or makes. To try a loop takes up to half a
    second, and what is the same in the file need not be tried there again.
    """
    if not isinstance(one, FunctionType) or type(other) is not FunctionType:
        return False
    if one.__code__.co_code != other.__code__.co_code or not READS_NAMES.isdisjoint(names):
        return False
    if other.__globals__.get(other.__name__) is not other:
        return False  # what a decorator returned, whose names are those of another module
    values, others = (
        [part.__globals__.get(name, part.__builtins__.get(name)) for name in names]
        for part in (one, other)
    )
    return all(map(is_, values, others))


def load_new(new: str, name: str, old: Program) -> ModuleType:
    """Load a program that is not written yet. Raise ValueError with a line that can be found."""
    try:
        return load(new)
    except ProgramError as problem:
        sections = read_program(new).sections
        place = [section for section in sections if sections[section].line <= problem.line][-1]
        offset = problem.line - sections[place].line
        if place == name:
            said = ". Import or define it in the cell" * problem.reason.startswith("NameError")
            raise ValueError(f"line {offset + 1} of its cell: {problem.reason}{said}") from None
        line = old.sections[place].line + offset
        raise ValueError(
            f"{ProgramError(line, problem.reason)}. Correct that line, or rename the file"
        ) from None


def try_others(
    name: str, sections: Mapping[str, Section], new: ModuleType, old: ModuleType | None
) -> str:
    """Return a sentence about each part below that now passes less, because it uses this one.

    Raise ValueError for a part above: then the two give one name to different things.
    """
    said = ""
    for other in list_affected(name, sections):
        levels = [level.name for level in PARTS[other].levels]
        passed = count_levels(other, getattr(old, other)) if old else 1
        if not passed:
            continue
        result = try_part(other, getattr(new, other), levels[passed - 1])
        if result.ok:
            continue
        order = [*PARTS]
        shared = list_made(sections[name].text).keys() & list_used(sections[other].text) - {name}
        if order.index(other) < order.index(name) or shared:
            raise ValueError(
                f"with it, {other} in {FILE} would fail: both use the name {min(shared or [name])} "
                "for different things. Choose another name in this cell"
            )
        said += f" {other}, which uses it, now fails in {FILE}: {describe_failure(result)}."
    return said


def describe_failure(result: Result) -> str:
    """Return the first rule that fails, and why, in one line."""
    said = [result.title, result.cause or result.got, result.line]
    return " ".join(" ".join(filter(None, said)).split()).rstrip(".")


def list_affected(name: str, sections: Mapping[str, Section]) -> list[str]:
    """Return the learner's parts that use what the section `name` defines, in any number of steps.

    This is also a part above that has its own helper of the same name, because in one file the
    last definition counts.
    """
    texts = {part: sections[part].text if part in sections else PARTS[part].start for part in PARTS}
    changed = list_made(texts[name])
    affected: dict[str, None] = {}
    for _ in PARTS:
        for part, text in texts.items():
            made = list_made(text)
            used = list_used(text) | made.keys()
            if part != name and any(n in used and made.get(n) != changed[n] for n in changed):
                affected[part] = None
        changed |= {part: "" for part in affected}
    return [part for part in affected if part in list_own(sections)]


def find_lost(before: str, new: str) -> list[str]:
    """Return the learner's parts that have no section any more: their mark was deleted by hand."""
    made = re.findall(r"(?m)^[ \t]*(?:class|def) (\w+)", before)
    own = list_own(read_program(new).sections)
    return [part for part in PARTS if part in made and part not in own]


def describe_gone(before: str, new: str) -> str:
    """Return a sentence about the parts that were the learner's and are not in a program now.

    An editor that was open may have saved an older copy over the file, without a word. What is
    still in it, but has lost its mark, is told by `replace_file`.
    """
    there = {*list_own(read_program(new).sections), *find_lost(before, new)}
    gone = [part for part in PARTS if part in seen_parts[path] - there]
    if not gone:
        return ""
    verbs = ("are", "were") if len(gone) > 1 else ("is", "was")
    return (
        f" {' and '.join(gone)} {verbs[0]} the package's in {FILE} now, and {verbs[1]} yours "
        "before: perhaps an editor has saved an older copy of the file. Close it there, and run "
        "the check again."
    )


def replace_file(new: str, before: str, name: str, saved: Saved) -> Saved:
    """Write the program, and copy the old file first if anything in it would be lost.

    Return `saved` with a sentence about the copy. If the system refuses, it is not saved.
    """
    old, said = read_program(before), ""
    was = old.sections.get(name)
    try:
        target = path.resolve()  # a symlink stays one
        status = target.stat() if target.exists() else None
        if status and not status.st_mode & 0o222:
            raise PermissionError(errno.EACCES, "The file is read-only")
        if old.unknown or old.has_own_head or (was and was.is_changed and was.text not in new):
            copies = (path.with_stem(f"{path.stem}_{number}") for number in count(1))
            copy = next(free for free in copies if not free.exists())
            write_atomically(copy, path.read_bytes(), replace=False)
            said = f" What was changed by hand is in {copy.name} now."
            if old.unknown:
                said = (
                    f" The sections {', '.join(dict.fromkeys(old.unknown))} are of an older lesson "
                    f"and are not used any more. They are in {copy.name} now."
                )
            if lost := find_lost(before, new):
                said += (
                    f" {' and '.join(lost)}, defined there, is the package's now, because the "
                    "line above it that begins its section is missing: run its check again."
                )
        write_atomically(target, new.encode(), old=status)
    except OSError as problem:
        return Saved(saved.module, describe_file_error(problem), is_saved=False)
    return saved._replace(said=saved.said + said)
