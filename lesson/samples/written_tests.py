"""Which functions of a project its tests call and assert something about."""

import ast
from collections.abc import Iterator

from .project_files import ProjectFiles
from .syntax import (
    FUNCTIONS,
    Function,
    calls_in,
    defines,
    dotted,
    first_name,
    has_all_imports,
    imports,
    last_name,
    list_arguments,
    parameters,
)

# What pytest and unittest call before each test.
SETUPS = ("setUp", "setUpClass", "asyncSetUp", "setup_method", "setup_class")


def find_tested(files: ProjectFiles) -> set[tuple[str, str]]:
    """Return what tests call and assert something about: pairs of a file and a name in it.

    A test is a function whose name begins with "test" in a file in which unittest or pytest looks
    for tests. It may do this with other functions of its file, such as a fixture. All that the file
    imports from the project must be there. A test that is always skipped is none.
    """
    return {
        found
        for name, tree in files.tests.items()
        if has_all_imports(files, name, tree)
        for test in find_test_functions(tree)
        for found in find_tested_by(test, files, name, tree)
    }


def find_test_functions(tree: ast.Module) -> Iterator[list[Function]]:
    """Yield each test, with all functions of its file that it uses."""
    helpers: dict[str, list[Function]] = {}
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS):
            helpers.setdefault(node.name, []).append(node)
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    # pytest looks into those that are called Test…, unittest into those with a base class.
    found = [one for one in classes if one.name.startswith("Test") or one.bases]
    owners: list[ast.Module | ast.ClassDef] = [tree, *found]
    for owner in owners:
        methods = [node for node in owner.body if isinstance(node, FUNCTIONS)]
        before = [one for one in methods if one.name in SETUPS]
        for test in methods:
            if test.name.startswith("test") and not is_skipped(test) and not is_skipped(owner):
                yield with_helpers([test, *before], helpers)


def is_skipped(node: ast.Module | ast.ClassDef | Function) -> bool:
    """Return whether a test or a class of tests has a decorator that always skips it."""
    decorators = [] if isinstance(node, ast.Module) else node.decorator_list
    return any(
        last_name(one.func if isinstance(one, ast.Call) else one) == "skip" for one in decorators
    )


def with_helpers(functions: list[Function], helpers: dict[str, list[Function]]) -> list[Function]:
    """Return functions and all that they name in the same file, also as fixtures."""
    found, left = [], list(functions)
    while left:
        function = left.pop()
        if function in found:
            continue
        found.append(function)
        names = {last_name(node) for node in ast.walk(function)}
        names |= {one.arg for one in parameters(function)}
        left += [helper for name in names & helpers.keys() for helper in helpers[name]]
    return found


def find_tested_by(
    test: list[Function], files: ProjectFiles, name: str, tree: ast.Module
) -> Iterator[tuple[str, str]]:
    """Yield what one test calls, as pairs of a file and a name, if the test asserts something."""
    if not any(is_assertion(node) for function in test for node in ast.walk(function)):
        return
    called = {node for function in test for call in calls_in(function) for node in parts(call)}
    for file, imported, bound in imports(files, name, tree):
        if file not in files.programs:
            continue
        if imported == "*":
            yield from ((file, one) for one in called if defines(files, file, one))
        elif imported and bound in called:
            yield file, imported
        elif not imported:
            after = {one[len(bound) + 1 :] for one in called if one.startswith(f"{bound}.")}
            yield from ((file, one.partition(".")[0]) for one in after)


def parts(call: ast.Call) -> Iterator[str]:
    """Yield what a call calls, as a name and with its dots, and the functions that it is given.

    `Order("Ada").total()` calls Order, and `assertRaises(KeyError, total)` calls total.
    """
    yield first_name(call.func)
    yield dotted(call.func)
    name = last_name(call.func)
    if not name.startswith("assert") or name.startswith("assertRaises"):
        for given in list_arguments(call):
            yield dotted(given)


def is_assertion(node: ast.AST) -> bool:
    """Return whether a node is an assertion that can fail.

    It compares or checks something that is no constant: `assert f() == 1`, `self.assertEqual(…)`,
    `with pytest.raises(…)`. A tuple is always true, and `assertTrue(True)` checks nothing.
    """
    if isinstance(node, ast.Assert):
        return not isinstance(node.test, ast.Tuple) and has_name(node.test)
    if isinstance(node, ast.Call):
        name = last_name(node.func)
        is_check = name.startswith("assert") or name in ("raises", "fail")
        return is_check and any(has_name(given) for given in node.args)
    return False


def has_name(node: ast.AST) -> bool:
    """Return whether something in a tree is no constant."""
    return any(isinstance(part, ast.Name) for part in ast.walk(node))
