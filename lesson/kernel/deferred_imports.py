"""Import the SDK with a third of its modules: what it only exports again waits until it is used.

`import anthropic` loads 3,000 modules. Three quarters of them are only exported again: a package
such as `anthropic.types.beta` is a thousand lines like `from .beta_tool import BetaTool`. Here a
package leaves out the relative imports whose names its own code does not use, and imports such a
name when somebody first asks for it (PEP 562). No name is listed by hand, so nothing is out of date
with the next release. Python 3.15 can do this itself (PEP 810), and is left to do it.

The lesson calls `install` in a kernel, to save a third of its memory after the import, and in
`planning-agent practice`. `agentlib` and the learner's program, which has no lesson, never do, and
the environment variable LESSON_DEFER_IMPORTS=0 switches it off. The browser edition has the same
rule built in (tools/compile_site.py).
"""

import ast
import os
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

PACKAGE = "anthropic"
SWITCH = "LESSON_DEFER_IMPORTS"
# Of a name that waits: the module that defines it, and its name there.
Waiting = dict[str, tuple[str, str]]


def install() -> None:
    """Defer the SDK's imports from now on, if this Python has not imported it yet."""
    is_off = os.environ.get(SWITCH) == "0" or hasattr(sys, "set_lazy_imports")
    if not is_off and PACKAGE not in sys.modules and Finder not in sys.meta_path:
        sys.meta_path.insert(0, Finder)


class Finder:
    """Finds the packages of the SDK, and gives each of them the loader that defers."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name.partition(".")[0] != PACKAGE:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec and spec.submodule_search_locations and type(spec.loader) is SourceFileLoader:
            spec.loader = DeferringLoader(spec.loader.name, spec.loader.path)
        return spec


class DeferringLoader(SourceFileLoader):
    """Runs a package's `__init__.py` without the imports that can wait."""

    def exec_module(self, module: ModuleType) -> None:
        # Python's compiled file of this package has all imports, and is neither used nor changed.
        tree = ast.parse(Path(self.path).read_bytes())
        waiting = take_out(tree, module.__name__, Path(self.path).parent)
        names = vars(module)
        names["__getattr__"], names["__dir__"] = defer(module, waiting)
        exec(compile(tree, self.path, "exec", dont_inherit=True), names)
        exported = [name for name in {**names, **waiting} if not name.startswith("_")]
        names.setdefault("__all__", exported)


def defer(
    module: ModuleType, waiting: Waiting
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__getattr__` and the `__dir__` of a module some of whose names wait.

    A submodule that the left out imports would have loaded is imported in the same way.
    """

    def get(name: str) -> Any:
        if name in waiting:
            origin, original = waiting[name]
            home = import_module(origin)
            is_module = not hasattr(home, original)
            value = import_module(f"{origin}.{original}") if is_module else getattr(home, original)
            setattr(module, name, value)
            return value
        if not name.startswith("__") and find_spec(f"{module.__name__}.{name}"):
            return import_module(f"{module.__name__}.{name}")
        raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")

    def list_names() -> list[str]:
        submodules = {submodule.name for submodule in iter_modules(module.__path__)}
        return sorted({*module.__dict__, *waiting, *submodules})

    return get, list_names


def take_out(tree: ast.Module, package: str, folder: Path) -> Waiting:
    """Remove the imports that can wait from a package's `__init__.py`, and return their names.

    An import stays if it is not a relative one, or if other code of the file has one of its names,
    also as a string, as `__all__` has. A file without other code needs none of its names.
    """
    waiting: Waiting = {}
    used = find_used(tree)
    for line in list(tree.body):
        if not isinstance(line, ast.ImportFrom) or not line.level:
            continue
        names = {alias.asname or alias.name: alias.name for alias in line.names}
        above = line.level - 1
        inner = (line.module or "").split(".")
        origin = ".".join([*package.split(".")[: -above or None], *filter(None, inner)])
        if "*" in names:
            exported = read_exports([folder, *folder.parents][above].joinpath(*inner))
            names = {name: name for name in exported or ()}
            if exported is None:
                continue
        if not used & {*names}:
            waiting |= {name: (origin, original) for name, original in names.items()}
            tree.body.remove(line)
    return waiting


def find_used(tree: ast.Module) -> set[str]:
    """Return the names and strings in the code of a module that is more than imports and lists."""
    others = [line for line in tree.body if not isinstance(line, ast.ImportFrom)]
    if all(is_list(line) for line in others):
        return set()
    nodes = [node for line in others for node in ast.walk(line)]
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    return used | {str(node.value) for node in nodes if isinstance(node, ast.Constant)}


def is_list(line: ast.stmt) -> bool:
    """Return whether a statement is `__all__ = […]` or a docstring."""
    return isinstance(line, (ast.Assign, ast.Expr)) and isinstance(
        line.value, (ast.List, ast.Constant)
    )


def read_exports(folder: Path) -> list[str] | None:
    """Return what `import *` brings from a package, or None if its code has to run to say it."""
    file = folder / "__init__.py"
    body = ast.parse(file.read_bytes()).body if file.exists() else ()
    for line in body:
        if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "__all__":
            return list(ast.literal_eval(line.value))
    imports = [line for line in body if isinstance(line, ast.ImportFrom)]
    names = [alias.asname or alias.name for line in imports for alias in line.names]
    is_plain = body and all(line in imports or is_list(line) for line in body) and "*" not in names
    return [name for name in names if not name.startswith("_")] if is_plain else None
