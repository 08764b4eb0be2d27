"""Judge the ten steps of the bookshop from its files: one function for each step.

A judge reads texts and syntax trees, and runs nothing. No judge looks for names that a refactoring
may choose: those of the project's files stay, and `discount`, for example, may change as long as
the programs that use it change as well. A file that other programs import is only done while they
find in it what they import. What a judge does not recognize is not done.
"""

import ast
import builtins
import re
import sys
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

from ..project_files import MAX_FILES, MAX_PARTS, ProjectFiles, check_work

MAX_STATEMENTS = 12  # of a function in receipt.py; the long one has 19
Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# Calls that do more than make a value.
PRINTING = frozenset("print write writelines".split())
ACTING = PRINTING | frozenset("exec exit input main open read_text run system write_text".split())
MAIN_GUARDS = (["__name__", "__main__"], ["__main__", "__name__"])


# What is found out about a file is kept as long as its tree, because each step asks for it, and
# after the next round most files are the same.
once_for_each_file = lru_cache(maxsize=MAX_FILES)


# --- what a file defines, imports and uses ---


def find_nodes(tree: ast.AST | None, *types: type[ast.AST]) -> list[Any]:
    """Return all nodes of these types in a tree, and none if there is no tree."""
    check_work()
    nodes: Iterable[ast.AST] = ()
    if tree:
        nodes = list_nodes(tree) if isinstance(tree, ast.Module) else ast.walk(tree)
    return [node for node in nodes if isinstance(node, types)]


@once_for_each_file
def list_nodes(tree: ast.Module) -> list[ast.AST]:
    return [*ast.walk(tree)]


def find_functions(tree: ast.AST | None) -> list[Function]:
    return find_nodes(tree, *FUNCTIONS)


def last_name(node: ast.AST) -> str:
    """Return `c` of `a.b.c`, of `c` and of `c()`, or "" for anything else."""
    node = node.func if isinstance(node, ast.Call) else node
    return getattr(node, "attr", getattr(node, "id", ""))


def first_name(node: ast.AST) -> str:
    """Return `a` of `a.b`, `a()` and `a().b`, or "" for anything else."""
    while isinstance(node, ast.Attribute | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return getattr(node, "id", "")


def called_names(tree: ast.AST) -> set[str]:
    return {last_name(call) for call in find_nodes(tree, ast.Call)}


@lru_cache(maxsize=4 * MAX_FILES)
def used_names(tree: ast.AST) -> frozenset[str]:
    """Return the names that a tree reads, also after a dot."""
    found = find_nodes(tree, ast.Name, ast.Attribute)
    return frozenset(last_name(node) for node in found if isinstance(node.ctx, ast.Load))


def top_statements(tree: ast.Module | None) -> Iterator[ast.stmt]:
    """Yield the statements of a module, and in place of an `if` or `try` what is in it."""
    left = deque(tree.body if tree else ())
    while left:
        statement = left.popleft()
        if isinstance(statement, ast.If | ast.Try) and not is_main_guard(statement):
            handlers = getattr(statement, "handlers", [])
            for block in (statement, *handlers):
                left += block.body
            left += statement.orelse + getattr(statement, "finalbody", [])
        else:
            yield statement


@once_for_each_file
def find_definitions(tree: ast.Module | None) -> Mapping[str, ast.stmt]:
    """Return the functions, classes and variables of a module by name."""
    found: dict[str, ast.stmt] = {}
    for statement in top_statements(tree):
        if isinstance(statement, DEFINITIONS):
            found[statement.name] = statement
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            stored = find_nodes(statement, ast.Name)
            found |= {one.id: statement for one in stored if isinstance(one.ctx, ast.Store)}
    return found


@once_for_each_file
def find_attributes(tree: ast.Module) -> Mapping[str, set[str]]:
    """Return what a module reads after a dot, by the names before it: `c` by `a.b` of `a.b.c`."""
    found = defaultdict(set)
    for node in find_nodes(tree, ast.Attribute):
        found[dotted_name(node.value)].add(node.attr)
    return found


def dotted_name(node: ast.AST) -> str:
    """Return names with dots as text, or "" for anything else, or for too many of them."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute) and len(parts) < MAX_PARTS:
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def find_module(files: ProjectFiles, module: str) -> str:
    """Return the file of a module, which may be in any folder, or "" if it is not there."""
    return files.modules.get(module.replace(".", "/"), "")


def find_imports(
    files: ProjectFiles, tree: ast.Module
) -> Mapping[str, dict[tuple[str, str], None]]:
    """Return what a program imports, by the project's file that it is from, or "".

    Each is the name in the file and the new name. The name is "" if the module itself is imported.
    A star is all that the file defines.
    """
    if tree not in files.known:
        found: dict[str, dict[tuple[str, str], None]] = defaultdict(dict)
        nodes = find_nodes(tree, ast.Import, ast.ImportFrom)
        stars = set()
        for node, alias in [(one, alias) for one in nodes for alias in one.names]:
            bound = alias.asname or alias.name
            if isinstance(node, ast.Import):
                found[find_module(files, alias.name)]["", bound] = None
                continue
            source = find_module(files, node.module) if node.module else ""
            inner = find_module(files, f"{node.module or ''}.{alias.name}".strip("."))
            if alias.name == "*" and source not in stars:
                stars.add(source)
                found[source] |= {(one, one): None for one in find_definitions(files.tree(source))}
            elif alias.name == "*":
                continue
            elif inner and not (source and alias.name in find_definitions(files.tree(source))):
                found[inner]["", bound] = None
            else:
                found[source][alias.name, bound] = None
        files.known[tree] = found
    known: Mapping[str, dict[tuple[str, str], None]] = files.known[tree]
    return known


def taken_names(files: ProjectFiles, tree: ast.Module, source: str) -> dict[str, bool]:
    """Return the names that a program takes from the file `source`, and whether it uses them."""
    taken: dict[str, bool] = {}
    for name, bound in find_imports(files, tree).get(source, ()):
        if name:
            taken[name] = bound in used_names(tree)
        else:
            taken |= dict.fromkeys(find_attributes(tree).get(bound, ()), True)
    return taken


def has_all_imports(files: ProjectFiles, tree: ast.Module, source: str = "") -> bool:
    """Return whether a program finds all that it takes from project files, or from one of them."""
    for file in {source} if source else find_imports(files, tree).keys() - {""}:
        module = files.tree(file)
        if module is None:
            return False
        taken = taken_names(files, tree, file).keys()
        bound = {name for found in find_imports(files, module).values() for _, name in found}
        if not taken <= bound | find_definitions(module).keys():
            return False
    return True


def serves(files: ProjectFiles, name: str) -> bool:
    """Return whether other programs import from a file, and find in it all that they import."""
    users = [tree for user, tree in files.programs.items() if user != name]
    users = [tree for tree in users if taken_names(files, tree, name)]
    return bool(users) and all(has_all_imports(files, tree, name) for tree in users)


def find_unused(files: ProjectFiles, name: str) -> set[str]:
    """Return the names that a file defines, and that no other program reaches.

    What only tests use, or only itself, or other unused code, is unused. Methods are not looked at.
    """
    defined = find_definitions(files.tree(name))
    others = [tree for user, tree in files.programs.items() if user != name]
    taken = [taken_names(files, tree, name).items() for tree in others]
    waiting = {one for names in taken for one, is_used in names if is_used}
    defining = {*map(id, defined.values())}
    for statement in top_statements(files.tree(name)):
        waiting |= set() if id(statement) in defining else used_names(statement)
    reached: set[str] = set()
    while waiting:
        reached |= waiting
        inner = [used_names(defined[one]) for one in waiting & defined.keys()]
        waiting = set().union(*inner) - reached
    return {one for one in defined.keys() - reached if not one.startswith("__")}


# --- the ten steps ---


def has_readable_names(files: ProjectFiles) -> bool:
    """Return whether no name in books.py is cryptic: one letter, also repeated or with digits.

    Exceptions: `_`, the file of a `with`, and code that nobody uses, which another step removes.
    """
    unused = find_unused(files, "books.py")
    statements = top_statements(files.tree("books.py"))
    bodies = [one for one in statements if getattr(one, "name", "") not in unused]
    nodes = [node for body in bodies for node in ast.walk(body)]
    opened = {id(item.optional_vars) for one in nodes for item in getattr(one, "items", [])}
    names = {one.arg for one in nodes if isinstance(one, ast.arg)}
    names |= {one.name for one in nodes if isinstance(one, DEFINITIONS)}
    for one in nodes:
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store) and id(one) not in opened:
            names.add(one.id)
    cryptic = [one for one in names if len(set(one.strip("_0123456789").lower())) == 1]
    return serves(files, "books.py") and not cryptic


def has_named_numbers(files: ProjectFiles) -> bool:
    """Return whether no function of pricing.py contains a number, also in quotes or as a default.

    The constants may be anywhere else. Exceptions: 0, 1, and the 100 of "percent".
    """
    functions = find_functions(files.tree("pricing.py"))
    constants = [one.value for function in functions for one in find_nodes(function, ast.Constant)]
    numbers = [one for one in constants if type(one) in (int, float) and one not in (0, 1, 100)]
    quoted = [one for one in constants if isinstance(one, str) and one.isdigit()]
    return serves(files, "pricing.py") and bool(functions) and not numbers and not quoted


def has_one_loop(files: ProjectFiles) -> bool:
    """Return whether orders.py adds up the lines of an order in one place.

    At most one loop multiplies, no function of orders.py is called in two loops, and no two loops
    of one function call the same function. Gifts must still be an issue.
    """
    functions = find_functions(files.tree("orders.py"))
    own = {function.name for function in functions}
    seen: list[tuple[str, str]] = []
    for function in functions:
        for loop in outer_loops(function):
            seen += [("" if name in own else function.name, name) for name in find_work(loop)]
            seen += [("", "*")] if find_nodes(loop, ast.Mult) else []
    is_one = 0 < len(seen) == len(set(seen))
    return serves(files, "orders.py") and is_one and "gift" in files.texts["orders.py"]


def outer_loops(function: Function) -> Iterator[ast.AST]:
    """Yield the loops of a function that are in no other loop, and in no function inside of it."""
    left = deque(ast.iter_child_nodes(function))
    while left:
        node = left.popleft()
        if isinstance(node, LOOPS) or isinstance(node, ast.Call) and last_name(node) == "map":
            yield node
        elif not isinstance(node, FUNCTIONS):
            left += ast.iter_child_nodes(node)


def find_work(loop: ast.AST) -> set[str]:
    """Return what a loop calls for each line; of a `map`, also the function that it is given."""
    rows = [node.iter for node in ast.walk(loop) if hasattr(node, "iter")]
    once = {call for row in rows for call in find_nodes(row, ast.Call)}
    work = {last_name(call) for call in find_nodes(loop, ast.Call) if call not in once}
    if isinstance(loop, ast.Call):
        work |= {last_name(given) for given in loop.args[:1]}
    return work - {"", "map", "sum", "len", "zip", "items", "values"}


def has_short_functions(files: ProjectFiles) -> bool:
    """Return whether receipt.py has several functions, all of them used and none of them long.

    Its docstring is no statement of a function, and what is inside of it belongs to it.
    """
    functions = find_functions(files.tree("receipt.py"))
    sizes = [len(find_nodes(one, ast.stmt)) - 1 - bool(ast.get_docstring(one)) for one in functions]
    is_split = len(sizes) > 1 and max(sizes) <= MAX_STATEMENTS
    return serves(files, "receipt.py") and is_split and not find_unused(files, "receipt.py")


def returns_warnings(files: ProjectFiles) -> bool:
    """Return whether a used function of stock.py returns or yields its warnings, and prints none.

    Another one may print what is returned, but no text of its own.
    """
    functions = find_functions(files.tree("stock.py"))
    printing = [one for one in functions if called_names(one) & PRINTING]
    unused = find_unused(files, "stock.py")
    quiet = [one for one in functions if one not in printing and one.name not in unused]
    is_printed = any(map(has_own_text, printing))
    return serves(files, "stock.py") and any(map(returns_a_choice, quiet)) and not is_printed


def has_own_text(function: Function) -> bool:
    """Return whether a function contains text with letters: no docstring, and no key of a dict."""
    exempt = [node.slice for node in find_nodes(function, ast.Subscript)]
    exempt += [node.value for node in find_nodes(function, ast.Expr)]
    texts = [one for one in find_nodes(function, ast.Constant) if one not in exempt]
    return any(isinstance(one.value, str) and re.search("[A-Za-z]", one.value) for one in texts)


def returns_a_choice(function: Function) -> bool:
    """Return whether a function chooses, and returns or yields more than a constant or a bool."""
    results = [node.value for node in find_nodes(function, ast.Return, ast.Yield, ast.YieldFrom)]
    values = [node for node in results if not isinstance(node, ast.Constant | ast.Compare | None)]
    has_value = any(last_name(node) not in ("any", "all") for node in values)
    return has_value and bool(find_nodes(function, ast.Compare, ast.If, ast.IfExp, ast.Match))


def has_no_unused_code(files: ProjectFiles) -> bool:
    """Return whether books.py defines nothing that no other program uses."""
    return serves(files, "books.py") and not find_unused(files, "books.py")


def is_documented_with_types(files: ProjectFiles) -> bool:
    """Return whether each function of pricing.py has type hints, and a docstring, but no TODO."""
    functions = find_functions(files.tree("pricing.py"))
    return serves(files, "pricing.py") and bool(functions) and all(map(is_documented, functions))


def is_documented(function: Function) -> bool:
    is_told = has_docstring(function) and ast.get_docstring(function) != "TODO"
    return has_hints(function) and (is_told or function.name.startswith("__"))


def has_hints(function: Function) -> bool:
    named = [one for one in find_nodes(function.args, ast.arg) if one.arg not in ("self", "cls")]
    return function.returns is not None and all(one.annotation for one in named)


def has_docstring(node: Function | ast.Module) -> bool:
    return bool(ast.get_docstring(node))  # without the white space around it, in any language


def is_guarded(files: ProjectFiles, name: str = "shop.py") -> bool:
    """Return whether a file has a main guard that calls something, and acts nowhere else.

    Importing it may define things, and make values by calls of functions that only do that.
    """
    callers: dict[str, set[str]] = defaultdict(set)
    for tree in files.programs.values():
        for caller, called in find_calls(tree):
            callers[called].add(caller)
    acting, waiting = set(ACTING), [*ACTING]
    while waiting:  # what calls an acting function acts
        found = callers[waiting.pop()] - acting
        acting |= found
        waiting += found
    statements = [*top_statements(files.tree(name))]
    guards = [node for node in statements if is_main_guard(node)]
    others = [
        node for node in statements if not isinstance(node, DEFINITIONS) and node not in guards
    ]
    return any(called_names(node) for guard in guards for node in guard.body) and not any(
        hasattr(node, "body")
        or isinstance(node, ast.Expr)
        and not isinstance(node.value, ast.Constant)
        or called_names(node) & acting
        for node in others
    )


@once_for_each_file
def find_calls(tree: ast.Module) -> set[tuple[str, str]]:
    """Return the names of the functions of a module, each with one that it calls."""
    functions = find_functions(tree)
    return {(node.name, called) for node in functions for called in called_names(node)}


def is_main_guard(statement: ast.stmt) -> bool:
    match statement:
        case ast.If(test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right])):
            sides = [getattr(one, "id", getattr(one, "value", None)) for one in (left, right)]
            return sides in MAIN_GUARDS
    return False


def has_tests(files: ProjectFiles) -> bool:
    """Return whether tests call something of pricing.py and of orders.py, and assert.

    With unittest or pytest, in any number of files, also in a folder. Whether they pass is another
    question, which is answered by running them. All that their file imports must be there.
    """
    tested: set[str] = set()
    for tree in files.tests.values():
        if has_all_imports(files, tree):
            called = {name for test in find_tests(tree) for name in find_tested(test)}
            tested |= {
                file
                for file, imports in find_imports(files, tree).items()
                if any(bound in called for _, bound in imports)
            }
    return {"pricing.py", "orders.py"} <= tested


def find_tests(tree: ast.Module) -> Iterator[list[Function]]:
    """Yield each test that a runner finds and does not skip, with the functions that it uses."""
    helpers = {node.name: node for node in find_functions(tree)}
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    # pytest looks into those that are called Test…, unittest into those with a base class.
    owners = [tree, *(node for node in classes if node.bases or node.name.startswith("Test"))]
    methods = [node for owner in owners if not is_skipped(owner) for node in owner.body]
    for test in [node for node in methods if isinstance(node, FUNCTIONS) and not is_skipped(node)]:
        if test.name.startswith("test"):
            names = used_names(test) | {node.arg for node in find_nodes(test.args, ast.arg)}
            yield [test, *(helpers[name] for name in (names & helpers.keys()) - {test.name})]


def is_skipped(node: ast.AST) -> bool:
    return any(last_name(one) == "skip" for one in getattr(node, "decorator_list", []))


def find_tested(test: list[Function]) -> set[str]:
    """Return the first names of what a test calls, or of what it says raises an error.

    There are none if it asserts nothing about a name.
    """
    check_work()
    checks = [*map(find_checks, test)]
    return (
        set().union(*(names for names, _ in checks)) if any(said for _, said in checks) else set()
    )


@lru_cache(maxsize=4 * MAX_FILES)
def find_checks(function: Function) -> tuple[set[str], bool]:
    """Return the first names for `find_tested`, and whether a function asserts about a name."""
    asserts = [node.test for node in find_nodes(function, ast.Assert)]
    calls = find_nodes(function, ast.Call)
    found = {first_name(call) for call in calls}
    for call in calls:
        if last_name(call).startswith("assert") or last_name(call) in ("raises", "fail"):
            asserts += call.args
            found |= {first_name(given) for given in call.args}
    return found, any(find_nodes(one, ast.Name) for one in asserts)


# --- README.md ---

URL = re.compile(r"(?<!\w)\w+://\S+")
WRITTEN = re.compile(r">\s*\S+")  # the file into which a command writes need not be there yet
NAMED_FILE = re.compile(
    r"(?<![\w/.*-])[\w./-]*\w\.(?:py|md|csv|txt|toml|cfg|ini|json|log|sh)\b(?![/\w])"
)
PYTHON = r"(?:\bpython[\d.]*|\bpy|\buv run)\s+(?:-(?!m\b)\w+\s+)*"
MODULE = re.compile(rf"{PYTHON}-m\s+(\w+)")
TOOLS = frozenset("pytest pip coverage mypy ruff black flake8 build".split())
CALL = re.compile(r"`(\w+)\(")


def has_current_readme(files: ProjectFiles) -> bool:
    """Return whether README.md says what is where and how to run it, and all of it is there.

    It names each program in the project's own folder, the command that runs shop.py and, if there
    are tests, one that runs them. Every file, module and function that it names exists. It has no
    TODO.
    """
    text = files.texts.get("README.md", "")
    found = {one[0].lstrip("./") for one in NAMED_FILE.finditer(WRITTEN.sub("", URL.sub("", text)))}
    named = {str(PurePosixPath(one)) for one in found}
    programs = [one for one in files.programs if "/" not in one]
    stems = "|".join(re.escape(PurePosixPath(one).stem) for one in files.tests)
    trees = [*files.programs.values(), *files.tests.values()]
    known = {one.name for tree in trees for one in find_nodes(tree, *DEFINITIONS)}
    modules = [one for one in MODULE.findall(text) if one not in sys.stdlib_module_names | TOOLS]
    return (
        bool(text.strip())
        and not re.search(r"\bTODO\b", text, re.IGNORECASE)
        and bool(re.search(rf"{PYTHON}(?:-m\s+shop\b|(?:\./)?shop\.py\b)", text))
        and (not stems or bool(re.search(rf"\b(?:pytest|unittest)\b|{PYTHON}({stems})\.py", text)))
        and named <= files.suffixes
        and all(find_module(files, one) for one in modules)
        and known.union(dir(builtins)).issuperset(CALL.findall(text))
        and all(is_named(one, text) for one in programs)
    )


def is_named(file: str, text: str) -> bool:
    """Return whether a text names a program, or its module in backticks."""
    check_work()
    # The name is no pattern: a model's redirection without quotes makes a file called `*.py`.
    return f"`{file[:-3]}`" in text or (
        file in text and re.search(rf"(?<!\w){re.escape(file)}(?!\w)", text) is not None
    )
