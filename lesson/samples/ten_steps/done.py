"""Judge the ten steps of the bookshop from its files: one function for each step.

A judge reads texts and syntax trees, and runs nothing. No judge looks for names that a refactoring
may choose: those of the project's files stay, and `discount`, for example, may change as long as
the programs that use it change as well. A file that other programs import is only done while they
find in it what they import. What a judge does not recognize is not done.
"""

import ast
import builtins
import re
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


# Keep these results as long as a file's tree: each step asks for them, and after the next round
# most files are the same.
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
    nodes = find_nodes(tree, ast.Name, ast.Attribute)
    return frozenset(last_name(node) for node in nodes if isinstance(node.ctx, ast.Load))


def top_statements(tree: ast.Module | None) -> Iterator[ast.stmt]:
    """Yield the statements of a module, and in place of an `if` or `try` what is in it."""
    left = deque(tree.body if tree else ())
    while left:
        statement = left.popleft()
        if isinstance(statement, ast.If | ast.Try) and not is_main_guard(statement):
            for block in (statement, *getattr(statement, "handlers", [])):
                left += block.body
            left += statement.orelse
        else:
            yield statement


@once_for_each_file
def find_definitions(tree: ast.Module | None) -> Mapping[str, ast.stmt]:
    """Return the functions, classes and variables of a module by name."""
    definitions: dict[str, ast.stmt] = {}
    for statement in top_statements(tree):
        if isinstance(statement, DEFINITIONS):
            definitions[statement.name] = statement
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            for node in find_nodes(statement, ast.Name):
                if isinstance(node.ctx, ast.Store):
                    definitions[node.id] = statement
    return definitions


@once_for_each_file
def find_attributes(tree: ast.Module) -> Mapping[str, set[str]]:
    """Return what a module reads after a dot, by the names before it: `c` by `a.b` of `a.b.c`."""
    attributes = defaultdict(set)
    for node in find_nodes(tree, ast.Attribute):
        attributes[dotted_name(node.value)].add(node.attr)
    return attributes


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
    A star stands for all that the file defines.
    """
    if tree not in files.imports:
        imports: dict[str, dict[tuple[str, str], None]] = defaultdict(dict)
        statements = find_nodes(tree, ast.Import, ast.ImportFrom)
        for node, alias in [(each, alias) for each in statements for alias in each.names]:
            bound = alias.asname or alias.name
            if isinstance(node, ast.Import):
                imports[find_module(files, alias.name)]["", bound] = None
                continue
            source = find_module(files, node.module) if node.module else ""
            inner = find_module(files, f"{node.module or ''}.{alias.name}".strip("."))
            if alias.name == "*":
                names = find_definitions(files.tree(source))
                imports[source] |= {(name, name): None for name in names}
            elif inner and not (source and alias.name in find_definitions(files.tree(source))):
                imports[inner]["", bound] = None
            else:
                imports[source][alias.name, bound] = None
        files.imports[tree] = imports
    return files.imports[tree]


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
        bound = {name for names in find_imports(files, module).values() for _, name in names}
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

    A name that only tests, itself or other unused code use is unused. Methods are not judged.
    """
    defined = find_definitions(files.tree(name))
    others = [tree for user, tree in files.programs.items() if user != name]
    taken = [taken_names(files, tree, name).items() for tree in others]
    waiting = {name for names in taken for name, is_used in names if is_used}
    defining = {*map(id, defined.values())}
    for statement in top_statements(files.tree(name)):
        waiting |= set() if id(statement) in defining else used_names(statement)
    reached: set[str] = set()
    while waiting:
        reached |= waiting
        inner = [used_names(defined[name]) for name in waiting & defined.keys()]
        waiting = set().union(*inner) - reached
    return {name for name in defined.keys() - reached if not name.startswith("__")}


# --- the ten steps ---


def has_readable_names(files: ProjectFiles) -> bool:
    """Return whether no name in books.py is cryptic: a single letter.

    Exceptions: `_`, the file of a `with`, and code that nobody uses, which another step removes.
    """
    unused = find_unused(files, "books.py")
    statements = top_statements(files.tree("books.py"))
    used = [statement for statement in statements if getattr(statement, "name", "") not in unused]
    nodes = [node for statement in used for node in ast.walk(statement)]
    opened = [item.optional_vars for node in nodes for item in getattr(node, "items", [])]
    names = {node.arg for node in nodes if isinstance(node, ast.arg)}
    names |= {node.name for node in nodes if isinstance(node, DEFINITIONS)}
    stored = [node for node in nodes if isinstance(getattr(node, "ctx", None), ast.Store)]
    names |= {node.id for node in stored if isinstance(node, ast.Name) and node not in opened}
    cryptic = [name for name in names if len(name.strip("_")) == 1]
    return serves(files, "books.py") and not cryptic


def has_named_numbers(files: ProjectFiles) -> bool:
    """Return whether no function of pricing.py contains a number, even as a default.

    The constants may be anywhere else. Exceptions: 0, 1, and the 100 of "percent".
    """
    functions = find_functions(files.tree("pricing.py"))
    constants = [node.value for each in functions for node in find_nodes(each, ast.Constant)]
    numbers = [value for value in constants if type(value) in (int, float)]
    numbers = [value for value in numbers if value not in (0, 1, 100)]
    return serves(files, "pricing.py") and bool(functions) and not numbers


def has_one_loop(files: ProjectFiles) -> bool:
    """Return whether orders.py adds up the lines of an order in one place.

    No function of orders.py is called in two loops, and no two loops of one function call the same
    function. Gifts must still be an issue.
    """
    functions = find_functions(files.tree("orders.py"))
    own = {function.name for function in functions}
    seen: list[tuple[str, str]] = []
    for function in functions:
        for loop in outer_loops(function):
            calls = find_calls_for_each_line(loop)
            seen += [("" if name in own else function.name, name) for name in calls]
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


def find_calls_for_each_line(loop: ast.AST) -> set[str]:
    """Return what a loop calls for each line, including the function that a `map` gets."""
    lines = [node.iter for node in ast.walk(loop) if hasattr(node, "iter")]
    once = {call for line in lines for call in find_nodes(line, ast.Call)}
    names = {last_name(call) for call in find_nodes(loop, ast.Call) if call not in once}
    if isinstance(loop, ast.Call):
        names |= {last_name(function) for function in loop.args[:1]}
    return names - {"", "map", "sum", "len", "zip", "items", "values"}


def has_short_functions(files: ProjectFiles) -> bool:
    """Return whether receipt.py has several functions, all of them used and none of them long."""
    functions = find_functions(files.tree("receipt.py"))
    is_split = len(functions) > 1 and max(map(count_statements, functions)) <= MAX_STATEMENTS
    return serves(files, "receipt.py") and is_split and not find_unused(files, "receipt.py")


def count_statements(function: Function) -> int:
    """Return the number of statements in a function and the functions in it.

    Its `def` and its docstring do not count.
    """
    is_documented = bool(ast.get_docstring(function))
    return len(find_nodes(function, ast.stmt)) - 1 - is_documented


def returns_warnings(files: ProjectFiles) -> bool:
    """Return whether a used function of stock.py returns or yields its warnings, and prints none.

    Another one may print what is returned, but no text of its own.
    """
    functions = find_functions(files.tree("stock.py"))
    unused = find_unused(files, "stock.py")
    printing = [function for function in functions if called_names(function) & PRINTING]
    quiet = [function for function in functions if function not in printing]
    returns = any(returns_a_choice(function) for function in quiet if function.name not in unused)
    return serves(files, "stock.py") and returns and not any(map(has_own_text, printing))


def has_own_text(function: Function) -> bool:
    """Return whether a function contains text with letters.

    A docstring and a key of a dict do not count.
    """
    exempt = [node.slice for node in find_nodes(function, ast.Subscript)]
    exempt += [node.value for node in find_nodes(function, ast.Expr)]
    constants = [node.value for node in find_nodes(function, ast.Constant) if node not in exempt]
    return any(isinstance(text, str) and re.search("[A-Za-z]", text) for text in constants)


def returns_a_choice(function: Function) -> bool:
    """Return whether a function chooses, and returns or yields more than a constant or a bool."""
    results = [node.value for node in find_nodes(function, ast.Return, ast.Yield, ast.YieldFrom)]
    values = [node for node in results if not isinstance(node, ast.Constant | ast.Compare | None)]
    return bool(values and find_nodes(function, ast.Compare, ast.If, ast.IfExp, ast.Match))


def has_no_unused_code(files: ProjectFiles) -> bool:
    """Return whether books.py defines nothing that no other program uses."""
    return serves(files, "books.py") and not find_unused(files, "books.py")


def is_documented_with_types(files: ProjectFiles) -> bool:
    """Return whether each function of pricing.py has type hints and a docstring."""
    functions = find_functions(files.tree("pricing.py"))
    return serves(files, "pricing.py") and bool(functions) and all(map(is_documented, functions))


def is_documented(function: Function) -> bool:
    return has_hints(function) and (has_docstring(function) or function.name.startswith("__"))


def has_hints(function: Function) -> bool:
    parameters = find_nodes(function.args, ast.arg)
    annotated = all(node.annotation or node.arg in ("self", "cls") for node in parameters)
    return annotated and function.returns is not None


def has_docstring(node: Function | ast.Module) -> bool:
    return bool(ast.get_docstring(node))  # which is not white space, in any language


def is_guarded(files: ProjectFiles, name: str = "shop.py") -> bool:
    """Return whether a file has a main guard that calls something, and acts nowhere else.

    Importing it may define things, and make values by calls of functions that only do that.
    """
    callers: dict[str, set[str]] = defaultdict(set)
    for tree in files.programs.values():
        for caller, called in find_call_pairs(tree):
            callers[called].add(caller)
    acting, waiting = set(ACTING), [*ACTING]
    while waiting:  # a function that calls an acting one acts
        more = callers[waiting.pop()] - acting
        acting |= more
        waiting += more
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
def find_call_pairs(tree: ast.Module) -> set[tuple[str, str]]:
    """Return pairs of names: a function of a module, and one that it calls."""
    functions = find_functions(tree)
    return {(node.name, called) for node in functions for called in called_names(node)}


def is_main_guard(statement: ast.stmt) -> bool:
    match statement:
        case ast.If(test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right])):
            sides = [getattr(side, "id", getattr(side, "value", None)) for side in (left, right)]
            return sides in MAIN_GUARDS
    return False


def has_tests(files: ProjectFiles) -> bool:
    """Return whether tests call something of pricing.py and of orders.py, and assert.

    They may be for unittest or pytest, in any number of files and folders. All that their file
    imports must be there. Whether they pass is not judged, because nothing is run.
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
    """Yield each test that a runner finds, with the functions that it uses."""
    helpers = {node.name: node for node in find_functions(tree)}
    owners = [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]
    for test in [node for owner in owners for node in owner.body if isinstance(node, FUNCTIONS)]:
        if test.name.startswith("test"):
            names = used_names(test) | {node.arg for node in find_nodes(test.args, ast.arg)}
            yield [test, *(helpers[name] for name in (names & helpers.keys()) - {test.name})]


def find_tested(test: list[Function]) -> set[str]:
    """Return the first names of what a test calls, or of what it says raises an error.

    A test that asserts nothing about a name has none.
    """
    check_work()
    checks = [*map(find_checks, test)]
    if not any(asserts for _, asserts in checks):
        return set()
    return set().union(*(names for names, _ in checks))


@lru_cache(maxsize=4 * MAX_FILES)
def find_checks(function: Function) -> tuple[set[str], bool]:
    """Return the first names for `find_tested`, and whether a function asserts about a name."""
    asserts = [node.test for node in find_nodes(function, ast.Assert)]
    calls = find_nodes(function, ast.Call)
    names = {first_name(call) for call in calls}
    for call in calls:
        if last_name(call).startswith("assert") or last_name(call) in ("raises", "fail"):
            asserts += call.args
            names |= {first_name(argument) for argument in call.args}
    return names, any(find_nodes(condition, ast.Name) for condition in asserts)


# --- README.md ---

URL = re.compile(r"(?<!\w)\w+://\S+")
WRITTEN = re.compile(r">\s*\S+")  # a file into which a command writes need not exist yet
NAMED_FILE = re.compile(
    r"(?<![\w/.*-])[\w./-]*\w\.(?:py|md|csv|txt|toml|cfg|ini|json|log|sh)\b(?![/\w])"
)
PYTHON = r"(?:\bpython[\d.]*|\bpy|\buv run)\s+(?:-(?!m\b)\w+\s+)*"
CALL = re.compile(r"`(\w+)\(")


def has_current_readme(files: ProjectFiles) -> bool:
    """Return whether README.md says what is where and how to run it, and all of it is there.

    It names each program in the project's own folder, the command that runs shop.py and, if there
    are tests, one that runs them. Every file and function that it names exists. The TODO is gone.
    """
    text = files.texts.get("README.md", "")
    words = NAMED_FILE.finditer(WRITTEN.sub("", URL.sub("", text)))
    named = {str(PurePosixPath(word[0].lstrip("./"))) for word in words}
    programs = [file for file in files.programs if "/" not in file]
    stems = "|".join(re.escape(PurePosixPath(file).stem) for file in files.tests)
    trees = [*files.programs.values(), *files.tests.values()]
    defined = {node.name for tree in trees for node in find_nodes(tree, *DEFINITIONS)}
    return (
        "TODO" not in text
        and bool(re.search(rf"{PYTHON}(?:-m\s+shop\b|(?:\./)?shop\.py\b)", text))
        and (not stems or bool(re.search(rf"\b(?:pytest|unittest)\b|{PYTHON}({stems})\.py", text)))
        and named <= files.suffixes
        and defined.union(dir(builtins)).issuperset(CALL.findall(text))
        and all(is_named(file, text) for file in programs)
    )


def is_named(file: str, text: str) -> bool:
    """Return whether a text names a program, or its module in backticks."""
    check_work()
    # The name is not a pattern: a redirection without quotes creates a file called `*.py`.
    return f"`{file[:-3]}`" in text or (
        file in text and re.search(rf"(?<!\w){re.escape(file)}(?!\w)", text) is not None
    )
