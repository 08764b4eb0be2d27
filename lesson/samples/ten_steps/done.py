"""What the files of the bookshop show: a function for each of the ten steps.

Each accepts any right way of doing the step, and says its exceptions. None of them looks for names
that a refactoring may choose; those of the project's files, and of `discount`, for example, may
change as long as the programs that use them change as well. A file that other programs import is
only done while they find in it what they import.
"""

import ast

from ..project_files import ProjectFiles
from ..syntax import (
    bound_names,
    calls_in,
    count_statements,
    definitions,
    does_nothing_when_imported,
    dotted,
    find_functions,
    find_unused,
    has_main_guard,
    has_numbers,
    is_annotated,
    is_documented,
    last_name,
    serves,
)
from ..written_docs import (
    find_unnamed,
    is_true_of_files,
    is_true_of_functions,
    is_unfinished,
    says_how_to_run,
    says_how_to_test,
)
from ..written_tests import find_tested

MAX_STATEMENTS = 12  # of a function in receipt.py; the long one has 19
LOOPS = (
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)


def has_readable_names(files: ProjectFiles) -> bool:
    """Return whether books.py has no parameter, variable or function with a cryptic name.

    A name is cryptic if it is one letter, also twice or with digits: `d`, `dd`, `d1`. Exceptions:
    `_`, the name of a file in a `with`, of an exception in an `except`, and all names in code that
    nobody uses, which another step removes.
    """
    tree = files.tree("books.py")
    if tree is None or not serves(files, "books.py"):
        return False
    exempt = {
        id(item.optional_vars)
        for node in ast.walk(tree)
        if isinstance(node, ast.With)
        for item in node.items
    }
    defined = definitions(tree)
    for name in find_unused(files, "books.py") & defined.keys():
        exempt |= {id(node) for node in ast.walk(defined[name])}
    return not any(is_cryptic(name) for name, node in bound_names(tree) if id(node) not in exempt)


def is_cryptic(name: str) -> bool:
    """Return whether a name has only one letter, which may be there several times."""
    return len(set(name.strip("_0123456789").lower())) == 1


def has_named_numbers(files: ProjectFiles) -> bool:
    """Return whether no function of pricing.py contains a number with a meaning.

    The constants may be anywhere: in pricing.py, in a class, in another file. Exceptions: 0, 1,
    and the 100 of "percent". The default of a parameter is a number in a function.
    """
    tree = files.tree("pricing.py")
    if tree is None or not serves(files, "pricing.py") or not find_functions(tree):
        return False
    return not has_numbers(tree, allowed=(0, 1, 100))


def has_one_loop(files: ProjectFiles) -> bool:
    """Return whether orders.py adds up the lines of an order in one place.

    A loop is a `for`, a comprehension or a `map`. At most one loop multiplies a price, no function
    of orders.py is called in two loops, and no two loops of one function call the same function.
    Several loops with different work are accepted, such as one for the prices and one for the
    copies to wrap. Gifts must still be an issue. Two loops are not seen as copies if a function of
    another file has the work of both.
    """
    tree = files.tree("orders.py")
    if tree is None or not serves(files, "orders.py"):
        return False
    loops = [node for node in ast.walk(tree) if is_loop(node)]
    loops = [one for one in loops if not any(is_inside(one, other) for other in loops)]
    owners = find_functions(tree)
    own = {function.name for function in owners}
    seen: set[tuple[object, str]] = set()
    for loop in loops:
        owner = next((function.name for function in owners if is_inside(loop, function)), "")
        work = {(owner, name) for name in called_names(loop) - {""}}
        work |= {("anywhere", name) for name in called_names(loop) & own}
        work |= {("anywhere", "*")} if multiplies(loop) else set()
        if work & seen:
            return False
        seen |= work
    return bool(loops) and mentions(tree, "gift")


def is_loop(node: ast.AST) -> bool:
    is_map = isinstance(node, ast.Call) and last_name(node.func) == "map"
    return is_map or isinstance(node, LOOPS)


def is_inside(node: ast.AST, other: ast.AST) -> bool:
    return node is not other and any(part is node for part in ast.walk(other))


def called_names(loop: ast.AST) -> set[str]:
    """Return what a loop calls for each line; of a `map`, also the function that it is given."""
    rows = [node.iter for node in ast.walk(loop) if hasattr(node, "iter")]
    once = {id(call) for row in rows for call in calls_in(row)}
    found = {last_name(call.func) for call in calls_in(loop) if id(call) not in once}
    if isinstance(loop, ast.Call):
        found |= {last_name(given) for given in loop.args[:1]}
    return found - {"map", "sum", "len", "zip", "items", "values"}


def multiplies(loop: ast.AST) -> bool:
    return any(isinstance(node, ast.Mult) for node in ast.walk(loop))


def mentions(tree: ast.AST, word: str) -> bool:
    """Return whether a name, an attribute or a string of a tree contains a word."""
    for node in ast.walk(tree):
        value = node.value if isinstance(node, ast.Constant) else last_name(node)
        if isinstance(value, str) and word in value.lower():
            return True
    return False


def has_short_functions(files: ProjectFiles) -> bool:
    """Return whether receipt.py has several functions, which are used, and none is long.

    A function is long if it has more than MAX_STATEMENTS statements, its docstring not counted.
    The length of a line makes no difference. A function inside of another belongs to it. A long
    function that was moved to another file is not found.
    """
    tree = files.tree("receipt.py")
    if tree is None or not serves(files, "receipt.py"):
        return False
    functions = find_functions(tree)
    are_short = all(count_statements(function) <= MAX_STATEMENTS for function in functions)
    return len(functions) > 1 and are_short and not find_unused(files, "receipt.py")


def returns_warnings(files: ProjectFiles) -> bool:
    """Return whether a function of stock.py returns or yields its warnings, and prints nothing.

    They may be sentences, or the books that they are about. Some program uses this function.
    Exception: another function of stock.py may print what is returned, but no text of its own.
    """
    tree = files.tree("stock.py")
    if tree is None or not serves(files, "stock.py"):
        return False
    functions = find_functions(tree)
    printing = [one for one in functions if any(is_output(node) for node in ast.walk(one))]
    if any(has_own_text(function) for function in printing):
        return False
    unused = find_unused(files, "stock.py")
    return any(
        returns_a_choice(function) and function.name not in unused
        for function in functions
        if function not in printing
    )


def is_output(node: ast.AST) -> bool:
    """Return whether a node prints, or writes to the output."""
    if not isinstance(node, ast.Call):
        return False
    return last_name(node.func) == "print" or dotted(node.func).startswith(
        ("sys.stdout.", "sys.stderr.", "stdout.", "stderr.", "logging.")
    )


def has_own_text(function: ast.AST) -> bool:
    """Return whether a function contains text with letters: no docstring, and no key of a dict."""
    exempt = {id(node.slice) for node in ast.walk(function) if isinstance(node, ast.Subscript)}
    for node in ast.walk(function):
        if isinstance(node, ast.Expr):
            exempt.add(id(node.value))
    return any(
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and any(letter.isalpha() for letter in node.value)
        and id(node) not in exempt
        for node in ast.walk(function)
    )


def returns_a_choice(function: ast.AST) -> bool:
    """Return whether a function chooses, and returns or yields more than True or a constant."""
    nodes = list(ast.walk(function))
    chooses = any(isinstance(node, ast.Compare | ast.If | ast.IfExp | ast.Match) for node in nodes)
    return chooses and any(
        isinstance(node, ast.Yield | ast.YieldFrom)
        or isinstance(node, ast.Return)
        and node.value is not None
        and not is_true_or_false(node.value)
        and not isinstance(node.value, ast.Constant)
        and not (isinstance(node.value, ast.List | ast.Tuple) and not node.value.elts)
        for node in nodes
    )


def is_true_or_false(value: ast.expr) -> bool:
    """Return whether a value is True or False, as far as its syntax says."""
    is_test = isinstance(value, ast.Call) and last_name(value.func) in ("any", "all", "bool")
    return is_test or isinstance(value, ast.Compare | ast.UnaryOp)


def has_no_unused_code(files: ProjectFiles) -> bool:
    """Return whether books.py defines nothing that nobody uses.

    That are functions, classes, methods and constants. What only tests use is unused, and so is
    what is only imported. Imports in books.py are not looked at.
    """
    return serves(files, "books.py") and not find_unused(files, "books.py")


def is_documented_with_types(files: ProjectFiles) -> bool:
    """Return whether each function of pricing.py has type hints and a docstring.

    Hints: for each parameter but `self` and `cls`, and for the result. A docstring has two words
    or more. Exceptions: functions inside of others, and methods like `__init__` need no docstring.
    """
    tree = files.tree("pricing.py")
    if tree is None or not serves(files, "pricing.py"):
        return False
    functions = find_functions(tree)
    inner = {
        id(node) for function in functions for node in ast.walk(function) if node is not function
    }
    return bool(functions) and all(
        is_annotated(function)
        and (is_documented(function) or id(function) in inner or function.name.startswith("__"))
        for function in functions
    )


def is_guarded(files: ProjectFiles) -> bool:
    """Return whether importing shop.py does nothing, because its work is behind a main guard.

    The guard may call a function, or contain the work. Exception: orders may be made by calls, of
    a class or of a function that only makes values.
    """
    tree = files.tree("shop.py")
    if tree is None or not has_main_guard(tree):
        return False
    return does_nothing_when_imported(files, "shop.py")


def has_tests(files: ProjectFiles) -> bool:
    """Return whether tests import and call something of pricing.py and of orders.py, and assert.

    With unittest or pytest, in any number of files, also in a folder. Whether they pass is another
    question, which is answered by running them.
    """
    return {"pricing.py", "orders.py"} <= {file for file, _ in find_tested(files)}


def has_current_readme(files: ProjectFiles) -> bool:
    """Return whether README.md says what is where and how to run it, and all of it is there.

    It names each program in the project's own folder, the command that runs shop.py and, if there
    are tests, one that runs them. Every file, module and function that it names exists. It has no
    TODO.
    """
    text = files.texts.get("README.md", "")
    return (
        not is_unfinished(text)
        and says_how_to_run(text, "shop")
        and says_how_to_test(text, files)
        and is_true_of_files(text, files)
        and is_true_of_functions(text, files)
        and not find_unnamed(text, files)
    )
