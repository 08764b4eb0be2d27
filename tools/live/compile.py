"""Compile the wheels in /wheels in place. A browser would need half of its start time for that.

Leave out files that no cell of the lesson needs: sources, tests, and jedi's type stubs.
"""

import compileall
import shutil
import tempfile
from pathlib import Path
from py_compile import PycInvalidationMode

KEPT = ("anyio-",)  # anyio reads its own source files
LEFT_OUT = ("**/tests", "jedi/third_party/*-stubs", "jedi/third_party/typeshed/stubs")


def compile_wheel(wheel: Path) -> None:
    """Replace each module in a wheel by bytecode that Python loads without a check."""
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
        archive = shutil.make_archive(place + "/compiled", "zip", folder)
        shutil.copyfile(archive, wheel)


for wheel in sorted(Path("/wheels").glob("*.whl")):
    if not wheel.name.startswith(KEPT):
        compile_wheel(wheel)
