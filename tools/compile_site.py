"""Compile the code of the browser edition: `build_site.py` runs this in Pyodide, in its folder.

A kernel in a browser is new each time and keeps no bytecode, so it would compile thousands of files
at each start. The standard library stays a zip file. Most packages become one zip file, from which
Python imports, because the SDK alone has 3,500 files, which take seconds to unpack. What is in this
file is not compressed by itself but as a whole, so the SDK is smaller than it was.
"""

import compileall
import os
import re
import shutil
import zipfile
from pathlib import Path
from py_compile import PycInvalidationMode

STDLIB, PACKAGES, INSIDE = "python_stdlib.zip", "packages.zip", "compiled.zip"
# What JupyterLite asks for by name, or what reads its own files.
BY_PATH = {
    *("comm", "ipykernel", "ipython", "jedi", "micropip", "parso", "piplite"),
    *("pyodide_kernel", "widgetsnbextension"),
}
# anyio reads its own source, and errors show the lesson's.
AS_SOURCE = {"anyio", "planning_agent_lesson"}
# What no kernel uses: stubs of packages that are not here, and names in the code of other programs.
UNUSED = re.compile(
    r"jedi/third_party/(django-stubs|typeshed/stubs)/"
    r"|pygments/lexers/_(?!mapping)\w+_builtins\.py|.*\.dist-info/RECORD"
)
WORK, TOGETHER = Path("/tmp/work"), Path("/tmp/together")


def main() -> None:
    compile_and_pack(unpack(STDLIB, WORK), STDLIB)
    for wheel in sorted(Path().glob("*-none-any.whl")):
        name = wheel.name.split("-")[0]
        if name in BY_PATH:
            compile_and_pack(unpack(wheel, WORK), wheel)
        elif name not in AS_SOURCE:
            unpack(wheel, TOGETHER)
            wheel.unlink()
    compile_and_pack(TOGETHER, INSIDE, zipfile.ZIP_STORED)
    with zipfile.ZipFile(PACKAGES, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.write(INSIDE)
    os.unlink(INSIDE)


def unpack(archive, folder: Path) -> Path:
    """Add what is used of an archive to `folder`, and return it."""
    with zipfile.ZipFile(archive) as files:
        files.extractall(folder, [one for one in files.namelist() if not UNUSED.match(one)])
    return folder


def compile_and_pack(folder: Path, archive, method: int = zipfile.ZIP_DEFLATED) -> None:
    """Move `folder` into an archive, with bytecode in the place of each source."""
    mode = PycInvalidationMode.UNCHECKED_HASH
    compileall.compile_dir(folder, quiet=2, legacy=True, stripdir=folder, invalidation_mode=mode)
    with zipfile.ZipFile(archive, "w", method, compresslevel=9) as files:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.with_suffix(".pyc").exists() or path.suffix == ".pyc":
                files.write(path, path.relative_to(folder))
    shutil.rmtree(folder)


main()
