"""Find a statement of a learner's cell that has no effect, or another one than it seems to have.

The sentence says what was probably meant. It comes before all others, so it must be sure.
"""

import ast
import linecache
import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from itertools import pairwise
from typing import Any

from .learners_code import Cell, split_code

MAKE_NEW = {"replace", "strip", "lstrip", "rstrip", "removesuffix", "removeprefix", "lower"}
NEVER_RUNS = "This line never runs, because it stands below a `return`: write it above."
COMPARES = "`==` only compares, and its result is not used: `=` assigns."
NOT_RAISED = "This line makes a {}, and does not raise it: write `raise` before it."
NO_RETURN = "This line makes a text and does nothing with it: is a `return` missing?"
NO_STORE = (
    "This line makes a new value and does nothing with it: is `+=` meant, or is a `return` missing?"
)
NO_CALL = (
    "This line only names something, and does nothing with it: write `return` before it to return "
    "it, or `()` after it to call it."
)
NEW_STRING = "A string is never changed: this makes a new one, which is not used."
ALWAYS = "A string alone is true, so `{0} {1!r}` compares nothing: compare with `in` and a list."
ONE_WORD = (
    "These words with `{0}` between them are {1!r} alone: compare with `in` and a list of them."
)
NO_AND = (
    "No value is equal to two words, so one `!=` is always true: write `and`, or `not in` and a "
    "list."
)
NO_OR = "No value is equal to two words, so this is never true: write `or`, or `in` and a list."
IS_STRING = "`is` asks for the very same object: compare two strings by `==` or `!=`."
ONLY_READS = "`get` only reads, and stores nothing: `setdefault(key, value)` stores."
TWO_NAMES = (
    "Both names have the very same object, so what is stored in one is also in the other: make "
    "two, `{0}, {0}`."
)
IS_FUNCTION = (
    "`{0}` without parentheses is the function itself, which is always true: call it first, `left "
    "= {0}()`, and look at `left`."
)
NAME_LOST = (
    "After this line, `{0}` is what the function has returned, and no function any more: give the "
    "result another name."
)
NEVER_NONE = "`{0}` is a list, and never None: ask whether it is empty, `if not {0}`."
RETURNS_NONE = (
    "`{0}` changes the object itself, and returns None: write it in a line of its own, then use "
    "the object."
)
CHANGE = {"append", "extend", "insert", "reverse", "sort"}  # and, if it is one of a dict, `update`
MISSPELLED = "This line compares with {!r}, and the word is {!r}."
# Of a line: a pattern, and what it means.
IN_A_LINE = (
    (
        r"[^=!<>](?:=(?=[-+])|= (?=\+))([-+]) ?(\d)",
        "`={0} {1}` sets it to {0}{1}, and `{0}= {1}` changes it by {1}.",
    ),
    (
        r"""[(\[{,] *["'](\w+)["'] +["'](\w+)["']""",
        'A comma is missing: Python joins `"{0}" "{1}"` to one word. Write `"{0}", "{1}"`.',
    ),
    (
        r"""["'](?:/n)+["']""",
        r"`/n` is a slash and an n: a line break has a backslash, `\n`, and a blank line is two.",
    ),
)
NO_F_STRING = 'Braces are read only in an f-string: write `f` before the first quote, `f"…"`.'


def find_no_effect_of(cell: Cell, words: Iterable[str] = ()) -> tuple[str, str]:
    """Return the first line without effect of what a learner has written, and why; or "" and ""."""
    for file in cell.files:
        lines = linecache.getlines(file)
        number, said = find_no_effect("".join(lines), words)
        if said:
            return f"line {number}: {lines[number - 1].strip()}", said
    return "", ""


def find_no_effect(source: str, words: Iterable[str] = ()) -> tuple[int, str]:
    """Return the line of the first statement without effect, and a sentence; or 0 and "".

    `words` are those of the course, which may be misspelled in a comparison.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return 0, ""
    found = [*find_statements(tree), *find_always_true(tree), *find_braces(tree)]
    found += [*find_names(tree), *find_none(tree)]
    found += [*find_near_words(tree, words), *find_in_lines(source)]
    return min(found, default=(0, ""))


def find_in_lines(source: str) -> Iterator[tuple[int, str]]:
    """Yield the number of each line that has one of the patterns, and what it means."""
    for number, line in enumerate(split_code(source), 1):
        for pattern, said in IN_A_LINE:
            if found := re.search(pattern, line.partition("#")[0]):
                yield number, said.format(*found.groups())


def find_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line of each name that two things share, or that is asked and was to be called."""
    given = [node.args for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    arguments = list_called(tree) & {one.arg for args in given for one in args.args}
    # One with a default, such as None, may be no function.
    maybe = {one.arg for args in given for one in args.args[len(args.args) - len(args.defaults) :]}
    lists = find_lists(tree) - {one.arg for args in given for one in args.args}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.NamedExpr | ast.For):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            value = node.iter if isinstance(node, ast.For) else node.value
            names = {one.id for one in targets if isinstance(one, ast.Name)} & arguments
            if lost := names & list_called(value):
                yield node.lineno, NAME_LOST.format(*lost)
        if isinstance(node, ast.Assign):
            is_pair = len(node.targets) > 1 and len({*map(type, node.targets)}) == 1
            if is_pair and isinstance(node.value, ast.Dict | ast.List):
                yield node.lineno, TWO_NAMES.format(ast.unparse(node.value))
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name):
            is_none = getattr(node.comparators[0], "value", 0) is None
            if is_none and node.left.id in lists:
                yield node.lineno, NEVER_NONE.format(node.left.id)
        test = getattr(node, "test", None)
        if isinstance(test, ast.UnaryOp):
            test = test.operand
        # `remind(uses) if remind else None` may be meant.
        if isinstance(test, ast.Name) and test.id in arguments - maybe - list_called(node):
            yield test.lineno, IS_FUNCTION.format(test.id)


def find_none(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line of each name, or value to return, that is what `append` or `sort` returns."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(value=ast.Call(func=ast.Attribute(attr=name), args=given)):
                # A dict's `update` gets a dict, and that of a list of tasks none.
                if name in CHANGE or name == "update" and [*map(type, given)] == [ast.Dict]:
                    yield node.lineno, RETURNS_NONE.format(name)
            case ast.FunctionDef():
                found = [one.value for one in ast.walk(node) if isinstance(one, ast.Return)]
                values = [one for one in found if one and ast.unparse(one) != "None"]
                for value in values[: len(values) if len(values) > 1 else 0]:
                    match value:
                        # Alone, `return messages.append(reply)` may end a function without a value.
                        case ast.Call(func=ast.Attribute(attr=name)) if name in CHANGE:
                            yield value.lineno, RETURNS_NONE.format(name)


def find_lists(tree: ast.AST) -> set[str]:
    """Return the names that are only ever assigned a list."""
    nodes = [*ast.walk(tree)]
    made = [one for one in nodes if isinstance(one, ast.Assign)]
    lists = [one.targets[0] for one in made if isinstance(one.value, ast.List | ast.ListComp)]
    stored = [one for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
    others = {one.id for one in stored if one not in lists}
    return {one.id for one in lists if isinstance(one, ast.Name)} - others


def list_called(tree: ast.AST) -> set[str]:
    """Return the names that are called in a tree."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {one.func.id for one in calls if isinstance(one.func, ast.Name)}


def find_near_words(tree: ast.AST, words: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the line of each comparison with almost one of these words."""
    known = [*words]
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare | ast.MatchValue):
            for one in ast.walk(node):
                word = one.value if isinstance(one, ast.Constant) else ""
                if isinstance(word, str) and word not in known:
                    for close in get_close_matches(word.lower(), known, 1, 0.8):
                        yield node.lineno, MISSPELLED.format(word, close)


def find_statements(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line of each statement without effect, and what was probably meant."""
    bodies: list[Any] = [getattr(node, "body", None) for node in ast.walk(tree)]
    bodies = [body for body in bodies if isinstance(body, list) and body]
    for above, below in (pair for body in bodies for pair in pairwise(body)):
        is_no = any(isinstance(one, ast.Raise) for one in ast.walk(below))  # a rule of the learner
        if is_no and isinstance(above, ast.Return):
            yield below.lineno, NEVER_RUNS
    shown = {id(node) for node in getattr(tree, "body", ())}  # below the cell, as its last value
    for node in (node for node in ast.walk(tree) if id(node) not in shown):
        if not isinstance(node, ast.Expr):
            continue
        match node.value:
            case ast.Compare():
                yield node.lineno, COMPARES
            case ast.Call(func=ast.Name(id=name)) if name.endswith("Error"):
                yield node.lineno, NOT_RAISED.format(name)
            case ast.Call(func=ast.Attribute(attr=name)) if name in MAKE_NEW:
                yield node.lineno, NEW_STRING
            case ast.Call(func=ast.Attribute(attr="get")):
                yield node.lineno, ONLY_READS
            case ast.JoinedStr():
                yield node.lineno, NO_RETURN
            case ast.BinOp():
                yield node.lineno, NO_STORE
            case ast.Name() | ast.Attribute():
                yield node.lineno, NO_CALL


def find_always_true(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line of each `one == "a" or "b"`, `one != "a" or one != "b"` and `one is "a"`.

    And of `one["text"] is other["text"]`, of `("a" or "b")`, and the same with `and`. (`one or
    "b"` may be meant: it is a default.)
    """
    node: Any
    # `found and "yes" or "no"` may be meant, but not in an `if`.
    tests = {id(node.test) for node in ast.walk(tree) if isinstance(node, ast.If | ast.While)}
    for node in ast.walk(tree):
        if isinstance(node, ast.BoolOp):
            is_or = isinstance(node.op, ast.Or)
            word, kept = ("or", 0) if is_or else ("and", -1)
            words = [getattr(one, "value", None) for one in node.values]
            words = [one if isinstance(one, str) else "" for one in words]
            is_compared_first = isinstance(node.values[0], ast.Compare | ast.UnaryOp)
            if all(words):
                yield node.lineno, ONE_WORD.format(word, words[kept])
            elif any(words) and is_compared_first and (is_or or id(node) in tests):
                yield node.lineno, ALWAYS.format(word, next(filter(None, words)))
            operator, said = (ast.NotEq, NO_AND) if is_or else (ast.Eq, NO_OR)
            both: list[Any] = [one for one in node.values if is_compared(one, operator)]
            if len({ast.dump(one.left) for one in both}) < len({*map(ast.dump, both)}):
                yield node.lineno, said
        if is_compared(node, ast.Is) or is_compared(node, ast.IsNot) or is_of_texts(node):
            yield node.lineno, IS_STRING


def is_compared(node: Any, operator: type[ast.cmpop]) -> bool:
    """Return whether a node compares something with a string in this way."""
    if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], operator):
        return False
    value = node.comparators[0]
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def is_of_texts(node: Any) -> bool:
    """Return whether a node asks if `one["text"]` is the very same object as `other["text"]`."""
    if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.Is | ast.IsNot):
        return False
    return all(ast.unparse(one).endswith("['text']") for one in (node.left, node.comparators[0]))


def find_braces(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line of each plain string with a variable of the cell, or `self`, in braces."""
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} | {"len"}
    names |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    left: set[int] = set()  # docstrings, and what is inside of an f-string or has a method
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            left |= {id(one) for one in ast.walk(node)}
        if isinstance(node, ast.Expr):
            left.add(id(node.value))
        if isinstance(node, ast.Attribute):
            left.add(id(node.value))
            if node.attr in ("format", "format_map"):
                return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in left:
            inside = re.findall(r'\{(?!\s*"\w+": )([^{}]+)\}', node.value)  # but no JSON
            if names & {*re.findall(r"\w+", " ".join(inside))}:
                yield node.lineno, NO_F_STRING
