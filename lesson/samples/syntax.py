"""Questions about syntax trees that the functions of several samples ask.

No function here calls itself for each level of a tree, so that a deep tree does no harm.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from .project_files import ProjectFiles

Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
# Built-in functions, and methods of the standard library, that do something when they are called.
ACTS = frozenset("print input open exec eval exit quit breakpoint __import__".split())
ACTING_METHODS = frozenset(
    """check_call check_output exit main makedirs mkdir open Popen read read_bytes read_text
    rename rmdir run system touch unlink urlopen write write_bytes write_text writelines""".split()
)


def find_functions(tree: ast.AST) -> list[Function]:
    return [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]


def parameters(function: Function | ast.Lambda) -> list[ast.arg]:
    """Return all parameters of a function, also `*args` and `**kwargs`."""
    given = function.args
    rest = [one for one in (given.vararg, given.kwarg) if one]
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *rest]


def is_annotated(function: Function) -> bool:
    """Return whether all parameters and the result have a type hint. `self` and `cls` need none."""
    named = [one for one in parameters(function) if one.arg not in ("self", "cls")]
    return function.returns is not None and all(one.annotation for one in named)


def is_documented(function: Function) -> bool:
    """Return whether a function has a docstring of at least two words."""
    return len((ast.get_docstring(function) or "").split()) >= 2


def count_statements(function: Function) -> int:
    """Return the number of statements in a function, also in functions inside of it.

    The docstring is none. A statement counts once, however many lines it has.
    """
    statements = sum(isinstance(node, ast.stmt) for node in ast.walk(function)) - 1
    return statements - (ast.get_docstring(function) is not None)


def last_name(node: ast.AST) -> str:
    """Return `c` of `a.b.c` and of `c`, or "" for anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def first_name(node: ast.AST) -> str:
    """Return `a` of `a.b`, `a()`, `a[0]` and of `a().b[0]`, or "" for anything else."""
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def calls_in(node: ast.AST) -> Iterator[ast.Call]:
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            yield part


def list_arguments(call: ast.Call) -> list[ast.expr]:
    """Return what a call gives to its function, also by keyword."""
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def loaded_names(node: ast.AST) -> set[str]:
    """Return the names that a tree uses, also after a dot, and in quoted type hints."""
    found = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            found.add(part.id)
        elif isinstance(part, ast.Attribute):
            found.add(part.attr)
        hint = getattr(part, "annotation", None) or getattr(part, "returns", None)
        if isinstance(hint, ast.Constant) and isinstance(hint.value, str):
            found.update(hint.value.replace("[", " ").replace("]", " ").split())
    return found


def bound_names(tree: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield each name that a tree binds, with the node that does it.

    That are parameters, variables, attributes, functions, classes, and what an import renames.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            yield node.arg, node
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr, node
        elif isinstance(node, DEFINITIONS):
            yield node.name, node
        elif isinstance(node, ast.alias) and node.asname:
            yield node.asname, node


# --- what a module has, and who uses it ---


def module_of(name: str) -> str:
    """Return the name of the module in a file: "tests.test_all", or "textkit" of its __init__."""
    parts = PurePosixPath(name).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1:] == ("__init__",) else parts)


def find_module(files: ProjectFiles, module: str, user: str = "") -> str:
    """Return the file of a module that the file `user` imports, or "" if it is not in the folder.

    It is looked for in the folder of the project, next to `user`, and in `src`.
    """
    path = module.replace(".", "/")
    beside = PurePosixPath(user).parent
    for folder in (PurePosixPath(), beside, PurePosixPath("src")):
        for name in (f"{path}.py", f"{path}/__init__.py"):
            if path and (found := str(folder / name)) in files.names:
                return found
    return ""


def imported_module(node: ast.ImportFrom, user: str) -> str:
    """Return the name of the module from which a file imports, also `from .utils import x`."""
    if not node.level:
        return node.module or ""
    package = PurePosixPath(user).parts[: -node.level]
    return ".".join([*package, *(node.module or "").split(".")]).strip(".")


def imports(files: ProjectFiles, user: str, tree: ast.Module) -> Iterator[tuple[str, str, str]]:
    """Yield what a file imports from other files: the file, the name in it, and its new name.

    The name is "" if the module itself is imported, and "*" for all names.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if found := find_module(files, alias.name, user):
                    yield found, "", alias.asname or alias.name
        elif isinstance(node, ast.ImportFrom):
            module = imported_module(node, user)
            source = find_module(files, module, user)
            for alias in node.names:
                bound = alias.asname or alias.name
                if inner := find_module(files, f"{module}.{alias.name}".strip("."), user):
                    yield inner, "", bound
                elif source:
                    yield source, alias.name, bound


def needed_names(files: ProjectFiles, user: str, tree: ast.Module, source: str) -> set[str]:
    """Return the names that the file `source` must define, or else `user` does not run."""
    known = list(imports(files, user, tree))
    modules = {bound for file, name, bound in known if file == source and not name}
    return {name for file, name, _ in known if file == source and name not in ("", "*")} | {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Load)
        and dotted(node.value) in modules
    }


def used_names(files: ProjectFiles, user: str, tree: ast.Module, source: str) -> set[str]:
    """Return the names of the file `source` that the file `user` uses, and not only imports."""
    loaded, found = loaded_names(tree), set()
    for file, name, bound in imports(files, user, tree):
        if file != source:
            continue
        if name in ("", "*"):
            found |= loaded
        elif bound in loaded:
            found.add(name)
    return found


def dotted(node: ast.AST) -> str:
    """Return `a.b.c` as text, or "" for anything else than names and dots."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else ""


def definitions(tree: ast.Module) -> dict[str, ast.stmt]:
    """Return what a module defines by name: functions, classes and variables, not imports."""
    found: dict[str, ast.stmt] = {}
    for statement in top_statements(tree):
        if isinstance(statement, DEFINITIONS):
            found[statement.name] = statement
        elif isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    found[node.id] = statement
    return found


def top_statements(tree: ast.Module, *, imported: bool = False) -> Iterator[ast.stmt]:
    """Yield the statements of a module, and of its `if` and `try` blocks in place of these.

    If `imported`, what an import does not run is left out, because it is behind a main guard.
    """
    left = list(reversed(tree.body))
    while left:
        statement = left.pop()
        if not isinstance(statement, ast.If | ast.Try):
            yield statement
            continue
        blocks = [statement.orelse]
        if not (imported and is_main_guard(statement)):
            handlers = [handler.body for handler in getattr(statement, "handlers", ())]
            blocks = [statement.body, *handlers, *blocks, getattr(statement, "finalbody", [])]
        left += reversed([one for block in blocks for one in block])


def serves(files: ProjectFiles, name: str) -> bool:
    """Return whether other programs import from a file, and find in it all that they import."""
    needed = {
        wanted
        for user, tree in files.programs.items()
        if user != name
        for wanted in needed_names(files, user, tree, name)
    }
    return bool(needed) and all(defines(files, name, wanted) for wanted in needed)


def has_all_imports(files: ProjectFiles, user: str, tree: ast.Module) -> bool:
    """Return whether all that a file imports from other files of the project is there."""
    sources = {file for file, _, _ in imports(files, user, tree)}
    return all(
        defines(files, source, name)
        for source in sources
        for name in needed_names(files, user, tree, source)
    )


def defines(files: ProjectFiles, name: str, wanted: str) -> bool:
    """Return whether a file has a name: it defines it, or imports it from where it is defined."""
    left, seen = [(name, wanted)], set()
    while left:
        file, key = left.pop()
        tree = files.tree(file)
        if tree is None or (file, key) in seen:
            continue
        seen.add((file, key))
        if key in definitions(tree) or has_foreign_import(files, tree, key):
            return True
        if find_module(files, f"{module_of(file)}.{key}"):  # a module of this package
            return True
        for source, imported, bound in imports(files, file, tree):
            if bound == key and not imported:
                return True
            if bound == key or imported == "*":
                left.append((source, key if imported == "*" else imported))
    return False


def has_foreign_import(files: ProjectFiles, tree: ast.Module, key: str) -> bool:
    """Return whether a file imports a name from outside of the project."""
    folders = {name.partition("/")[0].removesuffix(".py") for name in files.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            if any(key == (one.asname or one.name.partition(".")[0]) for one in node.names):
                return True
        elif isinstance(node, ast.ImportFrom) and not node.level:
            is_ours = (node.module or "").partition(".")[0] in folders
            if not is_ours and any(key == (one.asname or one.name) for one in node.names):
                return True
    return False


def find_imports(tree: ast.AST) -> Iterator[tuple[ast.stmt, str]]:
    """Yield each import and the name that it binds, "*" for all."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                bound = alias.asname or alias.name
                yield node, bound if isinstance(node, ast.ImportFrom) else bound.split(".")[0]


def find_unused(files: ProjectFiles, name: str) -> set[str]:
    """Return the names that a file defines and no program uses; a method as "Class.method".

    What only tests use, only itself uses, or only other unused code uses, is unused. Not looked at
    are imports, names like `__all__`, and the methods of a class that has a base class.
    """
    tree = files.tree(name)
    if tree is None:
        return set()
    defined = {key: node for key, node in definitions(tree).items() if not is_dunder(key)}
    waiting = {
        used
        for user, other in files.programs.items()
        if user != name
        for used in used_names(files, user, other, name)
    }
    for statement in tree.body:
        if statement not in defined.values():
            waiting |= loaded_names(statement)
    reached: set[str] = set()
    while waiting:
        reached |= waiting
        waiting = {
            used for key in waiting & defined.keys() for used in loaded_names(defined[key])
        } - reached
    return (defined.keys() - reached) | set(find_unused_methods(files, defined, reached))


def find_unused_methods(
    files: ProjectFiles, defined: Mapping[str, ast.stmt], reached: set[str]
) -> Iterator[str]:
    """Yield the methods that no program names, of classes without a base class."""
    for key, node in defined.items():
        if not isinstance(node, ast.ClassDef) or node.bases or key not in reached:
            continue
        for method in node.body:
            if not isinstance(method, FUNCTIONS) or is_dunder(method.name):
                continue
            inside = {id(part) for part in ast.walk(method)}
            if not any(
                last_name(part) == method.name and id(part) not in inside
                for tree in files.programs.values()
                for part in ast.walk(tree)
            ):
                yield f"{key}.{method.name}"


def is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


# --- what happens when a module is imported ---


def has_main_guard(tree: ast.Module) -> bool:
    """Return whether a module has a main guard that calls something."""
    guards = [one for one in tree.body if isinstance(one, ast.If) and is_main_guard(one)]
    return any(any(calls_in(statement)) for guard in guards for statement in guard.body)


def is_main_guard(statement: ast.stmt) -> bool:
    """Return whether a statement is `if __name__ == "__main__"`, alone or with an `and`."""
    if not isinstance(statement, ast.If):
        return False
    test = statement.test
    tests = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
    return any(
        ast.unparse(one) in ("__name__ == '__main__'", "'__main__' == __name__")
        for one in tests
        if isinstance(one, ast.Compare)
    )


def does_nothing_when_imported(files: ProjectFiles, name: str) -> bool:
    """Return whether importing a file only defines things.

    It may import, define functions, classes and constants, and make objects. A call of a function
    of the project is allowed if this function also does nothing but make a value.
    """
    tree = files.tree(name)
    if tree is None:
        return False
    statements = top_statements(tree, imported=True)
    return all(is_quiet(statement, files, name) for statement in statements)


def is_quiet(statement: ast.stmt, files: ProjectFiles, name: str) -> bool:
    """Return whether a statement only defines something, or raises an error."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)  # a docstring
    if isinstance(statement, DEFINITIONS):
        return True
    is_block = hasattr(statement, "body") or isinstance(statement, ast.Match)
    return not is_block and not any(
        acts(call, files, name, set()) for call in running_calls(statement)
    )


def running_calls(node: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls in a tree that run at once, and not those inside of a lambda."""
    left = [node]
    while left:
        part = left.pop()
        if isinstance(part, ast.Call):
            yield part
        left += [one for one in ast.iter_child_nodes(part) if not isinstance(one, ast.Lambda)]


def acts(call: ast.Call, files: ProjectFiles, name: str, seen: set[str]) -> bool:
    """Return whether a call does something else than make a value, as far as its name says."""
    function = find_function(call, files, name)
    if function is None:
        is_method = isinstance(call.func, ast.Attribute)
        return last_name(call.func) in (ACTING_METHODS if is_method else ACTS)
    file, body = function
    if f"{file}:{body.name}" in seen:
        return False
    seen.add(f"{file}:{body.name}")
    return any(acts(inner, files, file, seen) for inner in calls_in(body))


def find_function(call: ast.Call, files: ProjectFiles, name: str) -> tuple[str, Function] | None:
    """Return the function that a call in the file `name` runs, and its file, if we know them."""
    tree = files.tree(name)
    if tree is None:
        return None
    wanted, sources = last_name(call.func), [(name, last_name(call.func))]
    for file, imported, bound in imports(files, name, tree):
        if imported and bound == wanted:
            sources.append((file, imported))
        elif not imported and dotted(call.func) == f"{bound}.{wanted}":
            sources.append((file, wanted))
    for file, key in sources:
        source = files.tree(file)
        node = definitions(source).get(key) if source else None
        if isinstance(node, FUNCTIONS):
            return file, node
    return None


# --- numbers ---


def has_numbers(tree: ast.AST, allowed: Iterable[float], *, to_libraries: bool = False) -> bool:
    """Return whether a function of a module contains a number that is not `allowed`.

    The default of a parameter counts, and `int("395")` as well. If `to_libraries`, a number that
    a function of an imported module gets directly does not count: `os.urandom(16)`.
    """
    exempt: set[int] = set()
    if to_libraries:
        modules = {bound for _, bound in find_imports(tree)}
        for call in calls_in(tree):
            if first_name(call.func) in modules:
                exempt |= {id(node) for node in ast.walk(call)}
    bodies = [*find_functions(tree), *(n for n in ast.walk(tree) if isinstance(n, ast.Lambda))]
    return any(
        number not in allowed and id(node) not in exempt
        for body in bodies
        for node in ast.walk(body)
        for number in numbers_of(node)
    )


def numbers_of(node: ast.AST) -> Iterator[float]:
    """Yield the number of a node, or the number in quotes that a call turns into one."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, int | float) and not isinstance(node.value, bool):
            yield node.value
    elif isinstance(node, ast.Call):
        if last_name(node.func) in ("int", "float", "Decimal", "Fraction"):
            for given in node.args:
                if isinstance(given, ast.Constant) and isinstance(given.value, str):
                    yield from parse_number(given.value)


def parse_number(text: str) -> Iterator[float]:
    try:
        yield float(text)
    except ValueError:
        return
