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
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from ..project_files import ProjectFiles

MAX_STATEMENTS = 12  # of a function in receipt.py; the long one has 19
Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# Calls that do more than make a value.
PRINTING = frozenset("print write writelines".split())
ACTING = PRINTING | frozenset("exec exit input main open read_text run system write_text".split())
MAIN_GUARDS = ("__name__ == '__main__'", "'__main__' == __name__")


# --- what a file defines, imports and uses ---


def find_nodes(tree: ast.AST | None, *types: type[ast.AST]) -> list[Any]:
    """Return all nodes of these types in a tree, and none if there is no tree."""
    return [node for node in ast.walk(tree) if isinstance(node, types)] if tree else []


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


def used_names(tree: ast.AST) -> set[str]:
    """Return the names that a tree reads, also after a dot."""
    found = find_nodes(tree, ast.Name, ast.Attribute)
    return {last_name(node) for node in found if isinstance(node.ctx, ast.Load)}


def top_statements(tree: ast.Module | None) -> Iterator[ast.stmt]:
    """Yield the statements of a module, and in place of an `if` or `try` what is in it."""
    left = list(tree.body) if tree else []
    while left:
        statement = left.pop(0)
        if isinstance(statement, ast.If | ast.Try) and not is_main_guard(statement):
            handlers = getattr(statement, "handlers", [])
            blocks = [statement.body, *(handler.body for handler in handlers), statement.orelse]
            left += sum([*blocks, getattr(statement, "finalbody", [])], [])
        else:
            yield statement


def find_definitions(tree: ast.Module | None) -> dict[str, ast.stmt]:
    """Return the functions, classes and variables of a module by name."""
    found: dict[str, ast.stmt] = {}
    for statement in top_statements(tree):
        if isinstance(statement, DEFINITIONS):
            found[statement.name] = statement
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            stored = find_nodes(statement, ast.Name)
            found |= {one.id: statement for one in stored if isinstance(one.ctx, ast.Store)}
    return found


def find_module(files: ProjectFiles, module: str) -> str:
    """Return the file of a module, which may be in any folder, or "" if it is not there."""
    path = "/" + module.replace(".", "/")
    ends = (f"{path}.py", f"{path}/__init__.py")
    return min((file for file in files.names if f"/{file}".endswith(ends)), key=len, default="")


def find_imports(files: ProjectFiles, tree: ast.Module) -> Iterator[tuple[str, str, str]]:
    """Yield for each import the project's file or "", the name in it, and the new name.

    The name is "" if the module itself is imported. A star is all that the file defines.
    """
    for node in find_nodes(tree, ast.Import, ast.ImportFrom):
        for alias in node.names:
            bound = alias.asname or alias.name
            if isinstance(node, ast.Import):
                yield find_module(files, alias.name), "", bound
                continue
            source = find_module(files, node.module) if node.module else ""
            inner = find_module(files, f"{node.module or ''}.{alias.name}".strip("."))
            if alias.name == "*":
                yield from ((source, one, one) for one in find_definitions(files.tree(source)))
            elif inner and not (source and alias.name in find_definitions(files.tree(source))):
                yield inner, "", bound
            else:
                yield source, alias.name, bound


def taken_names(files: ProjectFiles, tree: ast.Module, source: str) -> dict[str, bool]:
    """Return the names that a program takes from the file `source`, and whether it uses them."""
    used, taken = used_names(tree), dict[str, bool]()
    for file, name, bound in find_imports(files, tree):
        if file == source and name:
            taken[name] = bound in used
        elif file == source:
            attributes = find_nodes(tree, ast.Attribute)
            taken |= {one.attr: True for one in attributes if ast.unparse(one.value) == bound}
    return taken


def has_all_imports(files: ProjectFiles, tree: ast.Module, source: str = "") -> bool:
    """Return whether a program finds all that it takes from project files, or from one of them."""
    for file in {source} if source else {file for file, _, _ in find_imports(files, tree)} - {""}:
        module = files.tree(file)
        if module is None:
            return False
        imported = {bound for _, _, bound in find_imports(files, module)}
        if not taken_names(files, tree, file).keys() <= imported | find_definitions(module).keys():
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
    for statement in top_statements(files.tree(name)):
        waiting |= set() if statement in defined.values() else used_names(statement)
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
    opened = [item.optional_vars for one in nodes for item in getattr(one, "items", [])]
    names = {one.arg for one in nodes if isinstance(one, ast.arg)}
    names |= {one.name for one in nodes if isinstance(one, DEFINITIONS)}
    for one in nodes:
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store) and one not in opened:
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
        inner = {id(node) for one in find_nodes(function, *FUNCTIONS)[1:] for node in ast.walk(one)}
        for loop in find_nodes(function, ast.For, ast.While, ast.Call, *COMPREHENSIONS):
            is_map = isinstance(loop, ast.Call) and last_name(loop) == "map"
            if id(loop) in inner or isinstance(loop, ast.Call) and not is_map:
                continue
            inner |= {id(node) for node in ast.walk(loop)}
            work = find_work(loop)
            seen += [("" if name in own else function.name, name) for name in work]
            seen += [("", "*")] if find_nodes(loop, ast.Mult) else []
    is_one = 0 < len(seen) == len(set(seen))
    return serves(files, "orders.py") and is_one and "gift" in files.texts["orders.py"]


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
    """Return whether each function of pricing.py has type hints, and a docstring of two words."""
    functions = find_functions(files.tree("pricing.py"))
    return serves(files, "pricing.py") and bool(functions) and all(map(is_documented, functions))


def is_documented(function: Function) -> bool:
    named = [one for one in find_nodes(function.args, ast.arg) if one.arg not in ("self", "cls")]
    has_hints = function.returns is not None and all(one.annotation for one in named)
    words = (ast.get_docstring(function) or "").split()
    return has_hints and (len(words) > 1 or function.name.startswith("__"))


def is_guarded(files: ProjectFiles) -> bool:
    """Return whether shop.py has a main guard that calls something, and acts nowhere else.

    Importing it may define things, and make values by calls of functions that only do that.
    """
    acting, size = set(ACTING), 0
    functions = [node for tree in files.programs.values() for node in find_functions(tree)]
    while size < len(acting):  # what calls an acting function acts
        size = len(acting)
        acting |= {node.name for node in functions if called_names(node) & acting}
    statements = [*top_statements(files.tree("shop.py"))]
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


def is_main_guard(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and ast.unparse(statement.test) in MAIN_GUARDS


def has_tests(files: ProjectFiles) -> bool:
    """Return whether tests call something of pricing.py and of orders.py, and assert.

    With unittest or pytest, in any number of files, also in a folder. Whether they pass is another
    question, which is answered by running them. All that their file imports must be there.
    """
    tested: set[str] = set()
    for tree in files.tests.values():
        if has_all_imports(files, tree):
            called = {name for test in find_tests(tree) for name in find_tested(test)}
            tested |= {file for file, _, bound in find_imports(files, tree) if bound in called}
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
            yield [test, *(helpers[name] for name in names & helpers.keys() - {test.name})]


def is_skipped(node: ast.AST) -> bool:
    return any(last_name(one) == "skip" for one in getattr(node, "decorator_list", []))


def find_tested(test: list[Function]) -> set[str]:
    """Return the first names of what a test calls, or of what it says raises an error.

    There are none if it asserts nothing about a name. A tuple is always true.
    """
    asserts = [node.test for one in test for node in find_nodes(one, ast.Assert)]
    calls = [call for one in test for call in find_nodes(one, ast.Call)]
    found = {first_name(call) for call in calls}
    for call in calls:
        if last_name(call).startswith("assert") or last_name(call) in ("raises", "fail"):
            asserts += call.args
            found |= {first_name(given) for given in call.args}
    asserts = [one for one in asserts if not isinstance(one, ast.Tuple)]
    return found if any(find_nodes(one, ast.Name) for one in asserts) else set()


# --- README.md ---

URL = re.compile(r"\w+://\S+")
WRITTEN = re.compile(r">\s*\S+")  # the file into which a command writes need not be there yet
FILE = re.compile(r"(?<![\w/.*-])[\w./-]*\w\.(?:py|md|csv|txt|toml|cfg|ini|json|log|sh)\b(?![/\w])")
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
    paths = [PurePosixPath("/", name) for name in files.names]
    named = [one[0].lstrip("./") for one in FILE.finditer(WRITTEN.sub("", URL.sub("", text)))]
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
        and all(any(path.match(name) for path in paths) for name in named)
        and all(find_module(files, one) for one in modules)
        and known.union(dir(builtins)).issuperset(CALL.findall(text))
        and all(re.search(rf"\b{one}\b|`{one[:-3]}`", text) for one in programs)
    )
