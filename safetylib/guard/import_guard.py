"""Keep code of the agent outside of this Python: it is never imported or started from a workspace.

A command of the agent runs in a sandbox, but the Python that starts it does not. If this process
imported a module from the workspace, or started a program that it found there, a model could leave
the sandbox by writing a file of the right name. register() is called for each workspace. It rejects
a folder from which this Python imports modules. From then on, find_program() ignores the folder.
"""

import os
import site
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

try:
    import pwd
except ImportError:  # Windows has no such list
    pwd = None  # type: ignore[assignment]  # each use checks this first

# The folders of this package, and of the package that uses it.
PACKAGES = (Path(__file__).parent, Path(__file__).parent.with_name("agentlib"))
WITHOUT_SHELL = {
    "win32": "Windows has no bash; under WSL there is one",
    "emscripten": "a browser has none; files can still be read and changed",
}
# Every program on the machine reads files from these. (/dev/shm is an ordinary temporary folder.)
SYSTEM_FOLDERS = ("/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/sbin", "/sys")
# A folder inside /usr, /var or /run is accepted.
PARTS_OF_SYSTEM_FOLDERS = ("/run/lock", "/usr/bin", "/var/log")
# Folders in a home folder: the user's programs run files in them, or trust these files.
HOME_FOLDERS = (".config", ".gnupg", ".ipython", ".jupyter", ".local/bin", ".ssh")

agent_folders: set[str] = set()  # real paths of the open workspaces


def register(folder: Path) -> None:
    """Register a folder to which an agent will write: no program is started from it any more.

    Raise ValueError if the folder cannot be a workspace: it belongs to the operating system, or
    contains a place that is protected, such as your home folder or a folder of `sys.path`.
    """
    root = os.path.realpath(folder)
    of_programs = [os.path.join(home, name) for home in home_folders() for name in HOME_FOLDERS]
    is_taken = is_in(root, real_folders([*SYSTEM_FOLDERS, *of_programs]))
    if is_taken and not is_in(root, real_folders(["/dev/shm"])):
        raise ValueError(
            f"The workspace {folder} belongs to the operating system or to your programs: make a "
            "folder for the agent, and work there."
        )
    own = real_folders([root])
    for place, owner in protected_places().items():
        if is_in(place, own):
            raise ValueError(
                f"The workspace {folder} contains {place} ({owner}): what an agent writes there "
                "could run outside the sandbox. Make a folder for the agent, or work in a copy "
                "of your project without the virtual environment."
            )
    agent_folders.add(root)


def forget(folder: Path) -> None:
    """Undo `register`: the folder has been deleted."""
    agent_folders.discard(os.path.realpath(folder))


def protected_places() -> dict[str, str]:
    """Return the files and folders that no workspace may contain, and what uses each of them."""
    python = [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix, sys.executable]
    python += [*map(str, PACKAGES), site.getusersitepackages()]
    places = dict.fromkeys(PARTS_OF_SYSTEM_FOLDERS, "the operating system")
    places |= dict.fromkeys(home_folders(), "your home folder")
    # In a browser, Python has no executable file.
    places |= dict.fromkeys(filter(None, python), "the Python that runs the agent")
    # The first entry is the folder of the program or, as "", the current folder: a notebook's.
    for entry in sys.path:
        places.setdefault(os.path.abspath(entry), "this Python imports modules from it")
    return places


def home_folders() -> list[str]:
    """Return the home folder, and the one in the system's list of users if HOME is different."""
    folders = [os.path.expanduser("~")]
    if pwd:
        with suppress(KeyError):  # in a container, a user may have no entry
            folders.append(pwd.getpwuid(os.getuid()).pw_dir)
    return folders


def real_folders(folders: Iterable[str]) -> tuple[str, ...]:
    """Return the real paths of folders, as `is_in` compares them.

    Each ends with a separator: /a is not in /ab. Paths of pathlib would take much longer.
    """
    # A copy, because another thread may open a workspace meanwhile.
    paths = [os.path.join(os.path.realpath(folder), "") for folder in [*folders]]
    return tuple(map(os.path.normcase, paths))


def is_in(path: str, folders: tuple[str, ...]) -> bool:
    """Return whether `path` is one of these real folders, or in one, even through a symlink."""
    names = (os.path.abspath(path), os.path.realpath(path))
    return any(os.path.normcase(os.path.join(name, "")).startswith(folders) for name in names)


def find_program(name: str) -> str | None:
    """Return the absolute path of a program on PATH, or None; never one in a workspace."""
    agents = real_folders(agent_folders)
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        program = os.path.join(folder, name)
        is_program = os.path.isfile(program) and os.access(program, os.X_OK)
        if is_program and is_outside(folder, agents) and not is_in(program, agents):
            return program
    return None


def outside_only(value: str) -> str:
    """Return a list of folders such as PATH without relative ones and those in a workspace."""
    agents = real_folders(agent_folders)
    folders = value.split(os.pathsep)
    return os.pathsep.join(folder for folder in folders if is_outside(folder, agents))


def is_outside(folder: str, agents: tuple[str, ...]) -> bool:
    """Return whether `folder` is absolute and in none of the real folders of the agents."""
    return os.path.isabs(folder) and not is_in(folder, agents)


def find_bash() -> str:
    """Return the path of bash. Raise FileNotFoundError if there is none."""
    bash = find_program("bash")
    if os.name == "nt" or not bash:
        remedy = WITHOUT_SHELL.get(sys.platform, "install bash")
        raise FileNotFoundError(f"There is no shell here, so nothing was run: {remedy}.")
    return bash
