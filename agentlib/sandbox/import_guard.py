"""Where this Python looks for modules and programs: never in a folder that an agent can write.

A tool's command runs in a sandbox, but what starts it does not. If this process imported a module
from the workspace, or started a program that it found there, a model could leave the sandbox by
writing a file with the right name and waiting. So each workspace is registered here, and from
then on every import, every look at installed packages and every search for a program passes it by.
"""

import os
import site
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.machinery import BuiltinImporter, FrozenImporter, ModuleSpec, PathFinder
from pathlib import Path
from typing import Any

try:
    import pwd
except ImportError:  # Windows has no such list
    pwd = None  # type: ignore[assignment]  # each use asks first

PACKAGE = Path(__file__).parents[1]
WITHOUT_SHELL = {
    "win32": "Windows has no bash; under WSL there is one",
    "emscripten": "a browser has none; files can be read and changed all the same",
}
LIBRARY_PATHS = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")  # on Linux, on macOS

agent_folders: set[str] = set()  # as real paths
known_outside: set[str] = set()  # absolute entries of search paths; forgotten with a new folder


def register(folder: Path) -> None:
    """Keep imports and programs out of `folder`, which an agent is about to write in.

    Raises ValueError, a sentence, where that is impossible: the folder holds the Python that runs
    this or libraries that it loads, or a home folder, whose settings every program reads.
    """
    root = os.path.realpath(folder)
    if find_passing(home_folders(), root):
        raise ValueError(
            f"The workspace {folder} holds your home folder, where programs look for their "
            "settings: make a folder for the agent, and work there."
        )
    if place := find_passing(running_python(), root):
        raise ValueError(
            f"The workspace {folder} holds the Python that runs the agent ({place}): what an "
            "agent writes there would run outside the sandbox. Work in another folder, or in "
            "a copy of your project that has no virtual environment in it."
        )
    for name in LIBRARY_PATHS:
        if any(is_in(place, [root]) for place in library_folders(name)):
            raise ValueError(
                f"{name} leads into the workspace {folder} (an empty entry is the current folder): "
                "a library that an agent writes there would run outside the sandbox. Start again "
                "without it, or work in another folder."
            )
    agent_folders.add(root)
    known_outside.clear()
    if PathFinder in sys.meta_path:
        sys.meta_path[sys.meta_path.index(PathFinder)] = OutsideFinder
    if ForeignFinders not in sys.meta_path:
        sys.meta_path.insert(0, ForeignFinders)


def forget(folder: Path) -> None:
    """Take back `register`: the folder has been deleted."""
    agent_folders.discard(os.path.realpath(folder))


def running_python() -> list[str]:
    """Where the files lie that run in this process, or in the next one of this Python."""
    places = [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix]
    places += [sys.executable, str(PACKAGE), site.getusersitepackages(), sys.pycache_prefix or ""]
    return [*filter(None, dict.fromkeys(places))]


def library_folders(name: str) -> list[str]:
    """Where the loader looks for shared libraries, by a variable that it read when Python began."""
    value = os.environ.get(name, "")
    return [entry or os.curdir for entry in value.split(os.pathsep)] if value else []


def home_folders() -> list[str]:
    """The home folder, and the one that the system knows of, where HOME names another."""
    found = [os.path.expanduser("~")]
    if pwd:
        with suppress(KeyError):  # in a container, a user may have no entry
            found.append(pwd.getpwuid(os.getuid()).pw_dir)
    return found


def find_passing(places: Iterable[str], root: str) -> str | None:
    """One of `places` to which the way, each link on it followed, leads into `root`, or None."""
    # Most of the ways are the same, so each step is looked at once, with a place that it leads to.
    steps = {step: place for place in places for step in steps_up(os.path.abspath(place))}
    for step, place in list(steps.items()):
        if os.path.islink(step):
            steps |= {further: place for further in steps_up(os.path.realpath(step))}
    known = identity(root)
    leading = (place for step, place in steps.items() if identity(step) == known)
    return next(leading, None) if known else None


def is_agents(path: str) -> bool:
    """Whether `path` lies in a folder that an agent writes."""
    return is_in(path, list(agent_folders))  # a copy: another thread may open a workspace


def is_in(path: str, folders: Iterable[str]) -> bool:
    """Whether `path` lies in one of `folders`, or a link that does leads there.

    Folders are compared by what they are, not by name: one may be known under several, by a
    mount, or where capital letters do not count.
    """
    known = {identity(folder) for folder in folders} - {None}
    way, end = os.path.abspath(path), os.path.realpath(path)
    return any(identity(step) in known for step in {*steps_up(way), *steps_up(end)})


def identity(path: str) -> tuple[int, int] | None:
    """What a file or folder is, by device and number, whatever its name; None if there is none."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # the latter for a NUL in it
        return None
    return status.st_dev, status.st_ino


def steps_up(path: str) -> Iterator[str]:
    """`path`, and each folder above it."""
    yield path
    while path != os.path.dirname(path):
        path = os.path.dirname(path)
        yield path


def outside(path: Iterable[Any]) -> list[Any]:
    """The entries of a search path that no agent can write. An empty one is the current folder."""
    return [entry for entry in path if not isinstance(entry, str) or is_outside(entry)]


def is_outside(entry: str) -> bool:
    """Whether no agent can write this entry of a search path.

    What was outside stays so until there is a new folder: an agent could only change a part of the
    way that lies in its own. So it is looked at once, and not at every import.
    """
    if not os.path.isabs(entry):
        return not is_agents(entry or ".")
    if entry not in known_outside and not is_agents(entry):
        known_outside.add(entry)
    return entry in known_outside


class OutsideFinder(PathFinder):
    """Finds modules and installed packages as Python does, but not in an agent's folder."""

    @classmethod
    def find_spec(cls, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """The module outside. Raises ModuleNotFoundError where there is one only inside."""
        entries = list(sys.path if path is None else path)
        kept = outside(entries)
        spec = super().find_spec(fullname, kept, target)
        if spec and spec.origin and is_agents(spec.origin):  # a link outside that leads inside
            raise refusal(spec)
        if spec is None and len(kept) < len(entries):
            found = PathFinder.find_spec(fullname, entries, target)
            if found and found.origin:
                raise refusal(found)
        return spec

    @staticmethod
    def find_distributions(context: Any = None) -> Iterable[Any]:
        """The installed packages (plugins are found through them) outside."""
        from importlib.metadata import DistributionFinder, MetadataPathFinder

        context = context or DistributionFinder.Context()
        kept = DistributionFinder.Context(name=context.name, path=outside(context.path))
        return MetadataPathFinder.find_distributions(kept)


class ForeignFinders:
    """Looks at what the other finders find: those of packages installed with `pip install -e`."""

    @classmethod
    def find_spec(cls, fullname: str, path: Any = None, target: Any = None) -> None:
        """Find nothing. Raises ModuleNotFoundError where a finder would take an agent's file."""
        for finder in sys.meta_path:
            if finder in STANDARD_FINDERS or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(fullname, path, target)
            if spec and spec.origin and is_agents(spec.origin):
                raise refusal(spec)


STANDARD_FINDERS = (ForeignFinders, OutsideFinder, PathFinder, BuiltinImporter, FrozenImporter)


def refusal(spec: ModuleSpec) -> ModuleNotFoundError:
    """The error that says why a module is not imported."""
    return ModuleNotFoundError(
        f"{spec.name} is only in the folder that an agent writes, "
        f"{os.path.dirname(spec.origin or '')}, and nothing is imported from there: what the "
        "agent wrote would run outside the sandbox.",
        name=spec.name,
    )


def find_program(name: str) -> str | None:
    """The absolute path of the program `name` on PATH, or None; never one that an agent can write.

    A relative entry of PATH would depend on the current folder, so it does not count.
    """
    for folder in search_path().split(os.pathsep):
        program = os.path.join(folder, name)
        if os.path.isfile(program) and os.access(program, os.X_OK) and not is_agents(program):
            return program
    return None


def search_path() -> str:
    """PATH, without what is relative and what an agent can write."""
    return outside_only(os.environ.get("PATH", os.defpath))


def outside_only(value: str) -> str:
    """A variable that lists folders, without those that are relative or that an agent can write."""
    kept = [
        folder
        for folder in value.split(os.pathsep)
        if os.path.isabs(folder) and not is_agents(folder)
    ]
    return os.pathsep.join(kept)


def find_bash() -> str:
    """Where bash is. Raises FileNotFoundError, a sentence, if there is none to use."""
    found = find_program("bash")
    if os.name == "nt" or not found:
        remedy = WITHOUT_SHELL.get(sys.platform, "install bash")
        raise FileNotFoundError(f"There is no shell here, so nothing was run: {remedy}.")
    return found
