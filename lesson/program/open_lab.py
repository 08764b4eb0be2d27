"""`planning-agent lab`: copy the lesson into a folder, and open it in JupyterLab."""

import argparse
import os
import shlex
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from ..common.lesson_folder import NAME
from .copy_lesson import copy_and_describe, name_folder

# JupyterLab without news, exports that show the text of widgets, an address for the browser (one in
# a sandbox cannot open a file in a hidden folder), and what bash reads in a terminal.
SETTINGS = Path(__file__).with_name("jupyter")
FIRST = "00_start_here.ipynb"


def main(argv: list[str]) -> int:
    """Run `lab [FOLDER]`, until JupyterLab is closed. Return the exit status."""
    parser = argparse.ArgumentParser(
        prog="planning-agent lab",
        description="Copy the lesson into FOLDER, where what is there already stays unchanged, and "
        "open it in JupyterLab. Further options are those of `jupyter lab`, such as --no-browser.",
    )
    parser.add_argument("folder", nargs="?", default=NAME, type=name_folder, metavar="FOLDER")
    arguments, options = parser.parse_known_args(argv)
    if not find_spec("jupyterlab"):
        print(
            "JupyterLab is not installed for this Python. Install the lesson with its extra `lab`.",
            file=sys.stderr,
        )
        return 1
    if status := copy_and_describe(Path(arguments.folder)):
        return status
    os.environ |= find_environment(arguments.folder)
    leave_out_slow_parser()
    lab = import_module("jupyterlab.labapp").LabApp  # of the extra `lab`
    server = lab.initialize_server([*list_options(Path(arguments.folder).resolve()), *options])
    print(f"Open: {server.public_url}\nTo end JupyterLab, press Ctrl-C twice here.", flush=True)
    server.identity_provider.token_generated = False  # otherwise it logs the address once more
    server.start()
    return 0


def leave_out_slow_parser() -> None:
    """Start JupyterLab without a package that makes parsers for more than a second.

    It reads internationalized addresses, which notebooks and settings do not have. jsonschema 4.26
    imports it if it is installed: https://github.com/python-jsonschema/jsonschema/issues/1428
    """
    sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]


def find_environment(lesson: str) -> dict[str, str]:
    """Return the variables with which JupyterLab and its terminals have our settings.

    `lesson` is the folder of the lesson, in which a terminal begins. The settings of a
    hub (`lesson/classroom/jupyterhub_config.py`) have them as well.
    """
    folder = os.path.dirname(sys.executable)
    settings = [str(SETTINGS), *filter(None, [os.environ.get("JUPYTER_CONFIG_PATH")])]
    return {
        "JUPYTER_CONFIG_PATH": os.pathsep.join(settings),
        "LESSON_BIN": folder,
        "LESSON_FOLDER": os.path.abspath(lesson),
        "PATH": os.pathsep.join([folder, os.environ.get("PATH", os.defpath)]),
    }


def list_options(folder: Path) -> list[str]:
    """Return the options of JupyterLab that open the first notebook of `folder`."""
    options = [
        f"--ServerApp.root_dir={folder}",
        f"--LabApp.default_url=/lab/tree/{FIRST}",
        "--Application.log_level=ERROR",
        *list_terminal_options(),
        *list_kernel_options(),
    ]
    if os.name == "posix" and os.geteuid() == 0:  # as in many containers
        options.append("--allow-root")  # otherwise JupyterLab would refuse to start
    return options


def list_terminal_options() -> list[str]:
    """Return the options with which bash reads terminal.sh in each terminal."""
    shell = f"bash --rcfile {shlex.quote(str(SETTINGS / 'terminal.sh'))}"
    option = f"--ServerApp.terminado_settings=shell_command={shell!r}"
    return [option] if os.name == "posix" else []


def list_kernel_options() -> list[str]:
    """Return the options with which a kernel of the lesson's notebooks loads ahead at its start."""
    return ["--MultiKernelManager.kernel_manager_class=lesson.program.lab_kernels.LabKernel"]
