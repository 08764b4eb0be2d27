"""Compile the code of the browser edition: `build_site.py` runs this in Pyodide, in its folder.

A kernel in a browser is new each time and keeps no bytecode, so it would compile thousands of files
at each start. All packages become two files, each compressed as a whole. In one is a zip file, from
which Python imports, because the SDK alone has 3,500 files, which take seconds to unpack.
"""

import ast
import compileall
import importlib
import os
import re
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path
from py_compile import PycInvalidationMode

STDLIB, INSIDE = Path("python_stdlib.zip"), "compiled.zip"
PACKAGES, COMPILED = Path("packages.tar"), Path("compiled.tar")
# What reads its own files: these are unpacked. Errors show the source of the lesson.
UNPACKED = {"anyio", "ipython", "planning_agent_lesson"}
AS_SOURCE = re.compile(r"/(agentlib|anyio|exerciselib|lesson|safetylib)/")
# What no kernel uses, such as an older pydantic.
UNUSED = re.compile(r"pydantic/v1/|lesson/docs/|.*\.dist-info/RECORD")
# What a kernel of the lesson imports, and what unpacks it. With what the lesson loads ahead and the
# first run, this says what of the standard library is compiled. The rest of it stays source, which
# is half as long.
IMPORTED = (
    *("IPython.core.interactiveshell", "anthropic", "ipywidgets", "lesson", "piplite"),
    *("compression.zstd", "ipython_pygments_lexers", "pygments.lexers.python"),
)
USE_JEDI = "use_jedi = True"
WORK, UNPACK, TOGETHER = Path("/tmp/work"), Path("/tmp/unpack"), Path("/tmp/together")
LAST = Path("/tmp/last")


def main() -> None:
    for wheel in sorted(Path().glob("*.whl")):
        is_pure = wheel.name.endswith("-none-any.whl")
        unpacked = not is_pure or wheel.name.split("-")[0] in UNPACKED
        unpack(wheel, UNPACK if unpacked else TOGETHER)
        wheel.unlink()
    shutil.move("site_piplite.py", TOGETHER / "piplite" / "piplite.py")
    complete_without_jedi(TOGETHER / "pyodide_kernel" / "interpreter.py")
    shutil.move("site_ahead.py", TOGETHER / "pyodide_kernel" / "ahead.py")
    with (TOGETHER / "pyodide_kernel" / "__init__.py").open("a", encoding="utf-8") as file:
        file.write("from . import ahead\n")
    sys.path[:0] = [str(UNPACK)]
    defer_imports(TOGETHER / "anthropic")
    for folder in (UNPACK, TOGETHER):
        compile_code(folder, lambda path: not AS_SOURCE.search(path.as_posix()))
    pack(TOGETHER, UNPACK / INSIDE)
    sys.path[1:1] = [str(UNPACK / INSIDE)]
    for name in IMPORTED:
        importlib.import_module(name)
    importlib.import_module("lesson").play("hello", after=2)
    ahead = importlib.import_module("lesson.kernel.load_ahead")
    for name in (*ahead.BEFORE_A_CELL, *ahead.MODULES):
        importlib.import_module(name)
    remove_unused_lexers(TOGETHER / "pygments" / "lexers")
    used = {getattr(module, "__file__", None) for module in [*sys.modules.values()]}
    [library] = {path for path in sys.path if path.endswith(".zip")} - {str(UNPACK / INSIDE)}
    unpack(STDLIB, WORK)
    compile_code(WORK, lambda path: path.as_posix().replace(str(WORK), library) in used)
    for path in WORK.iterdir():
        if path.suffix != ".pyc" and not [*path.rglob("*.pyc")]:  # no kernel starts with it
            shutil.move(path, TOGETHER)
    pack(WORK, STDLIB, zipfile.ZIP_DEFLATED)
    (UNPACK / INSIDE).unlink()
    compress(UNPACK, PACKAGES)
    LAST.mkdir()
    pack(TOGETHER, LAST / INSIDE)
    compress(LAST, COMPILED)


def compress(folder: Path, archive: Path) -> None:
    """Write a folder as one file. `.ci/run` sets a lower level: 19 is two thirds of the time."""
    # Pyodide knows no name of a tar file with zstd. Its Python finds out how a .tar is compressed.
    with tarfile.open(archive, "w:zst", level=int(os.environ["SITE_LEVEL"])) as files:
        files.add(folder, ".")


def remove_unused_lexers(folder: Path) -> None:
    """Delete the colours for other languages than IPython uses, a fifth of all packages."""
    for path in folder.glob("*.pyc"):
        name = f"pygments.lexers.{path.stem}"
        if path.stem not in ("__init__", "_mapping") and name not in sys.modules:
            path.unlink()


def unpack(archive: Path, folder: Path) -> None:
    """Add what is used of an archive to `folder`."""
    with zipfile.ZipFile(archive) as files:
        names = [name for name in files.namelist() if not UNUSED.match(name)]
        files.extractall(folder, names)


def complete_without_jedi(file: Path) -> None:
    """Let the kernel complete names without jedi, which is not in the site.

    It switches jedi on also where there is none, and then a Tab silently finds nothing.
    """
    code = file.read_text(encoding="utf-8")
    if code.count(USE_JEDI) != 1:
        raise SystemExit(f"{file.name} uses jedi in another way: change USE_JEDI.")
    file.write_text(code.replace(USE_JEDI, "use_jedi = False"), encoding="utf-8")


def defer_imports(package: Path) -> None:
    """Write the packages of the SDK without the imports that can wait, as a kernel elsewhere does.

    There, a finder reads the source at each start: `lesson/kernel/deferred_imports.py`.
    """
    from lesson.kernel.deferred_imports import take_out

    for path in sorted(package.rglob("__init__.py")):
        tree = ast.parse(path.read_bytes())
        name = ".".join(path.parent.relative_to(package.parent).parts)
        if waiting := take_out(tree, name, path.parent):
            path.write_text(
                f"{ast.unparse(tree)}\n"
                "import sys as _sys\n"
                "from lesson.kernel.deferred_imports import defer as _defer\n"
                f"__getattr__, __dir__ = _defer(_sys.modules[__name__], {waiting!r})\n",
                encoding="utf-8",
            )


def compile_code(folder: Path, is_compiled) -> None:
    """Put bytecode in the place of each source in `folder` of which `is_compiled` says so."""
    for path in sorted(folder.rglob("*.py")):
        if is_compiled(path):
            mode = PycInvalidationMode.UNCHECKED_HASH
            compileall.compile_file(
                path, quiet=2, legacy=True, stripdir=folder, invalidation_mode=mode
            )
            if path.with_suffix(".pyc").exists():
                path.unlink()


def pack(folder: Path, archive: Path, method: int = zipfile.ZIP_STORED) -> None:
    """Write the files in `folder` into an archive."""
    with zipfile.ZipFile(archive, "w", method, compresslevel=9) as files:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                files.write(path, path.relative_to(folder))


main()
