"""Compile the wheels in /wheels in place, so that a browser need not: that takes half of its time.

What no cell of a lesson asks for is left out: the sources, tests, and types for jedi's completions.
"""

import compileall
import shutil
import tempfile
from pathlib import Path
from py_compile import PycInvalidationMode

KEPT = ("anyio-",)  # it reads its own source
LEFT_OUT = ("**/tests", "jedi/third_party/*-stubs", "jedi/third_party/typeshed/stubs")


def compile_wheel(wheel: Path) -> None:
    """Replace each module in a wheel by its bytecode, which is taken as it is."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "wheel")
        shutil.unpack_archive(wheel, folder, "zip")
        for pattern in LEFT_OUT:
            for left_out in sorted(folder.glob(pattern)):
                shutil.rmtree(left_out, ignore_errors=True)
        mode = PycInvalidationMode.UNCHECKED_HASH
        compileall.compile_dir(
            folder, stripdir=folder, quiet=1, legacy=True, invalidation_mode=mode
        )
        for source in folder.rglob("*.py"):
            source.unlink()
        made = shutil.make_archive(place + "/made", "zip", folder)
        shutil.copyfile(made, wheel)


for wheel in sorted(Path("/wheels").glob("*.whl")):
    if not wheel.name.startswith(KEPT):
        compile_wheel(wheel)
