"""Find slips in Python code: lines that never do what their author means."""

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from os.path import commonprefix

from safetylib.guard.escape import NAMES, find_mixed, name_character, script_of, to_keyboard

from .learners_code import Cell

COMMA = "The comma at the end of line {} makes a tuple of one value: delete the comma."
COMMA_TEST = (
    "The condition in line {} is always true: with a comma, it is a tuple. `and` and `or` join two "
    "conditions."
)
PLUS = "`=+` in line {} assigns the number behind it: `+=` adds it."
LAZY_TRUE = (
    "{} of line {} is always true, even if it has no items: write `list(…)` around it to test it."
)
LAZY_LENGTH = "{} of line {} has no length: write `list(…)` around it to count its items."
LAZY_TWICE = "{} of line {} can be read only once: write `list(…)` around it to read it again."
LAZY_ALONE = "{} in line {} does nothing by itself: write a `for` loop."
IS_TEXT = (
    "`{}` in line {} asks whether two texts are the same object: compare texts with `==` or `!=`."
)
OR_TEXT = (
    "The condition in line {} is always true, because a text behind `or` counts as true: compare "
    "the value with each text, or write `in (…)`."
)
OR_NOT = (
    "The condition in line {} is always true, because no value equals both texts: join them with "
    "`and`, or write `not in (…)`."
)
NO_F = "The text in line {} has no `f` before its quotes, so `{}` stays as it is."
CHARACTER = "`{}` has {} ({}): {}."
AROUND = 12  # characters that are shown before and after one
RETURNS_NONE = "`{}` in line {} changes the list and returns None: leave out `{} =`."

LAZY = {"filter", "map", "zip", "reversed"}
IN_PLACE = {"append", "extend", "insert", "sort", "reverse"}
BRACES = re.compile(r"\{([^{}!:]+)(?:[!:][^{}]*)?\}")  # a value, and perhaps its format


def find_slip(cell: Cell) -> str:
    """Return a sentence about the first slip in a learner's cell, or ""."""
    lines = cell.text.splitlines()
    nodes = [*ast.walk(cell.tree)]
    slips = [slip for node in nodes for slip in list_slips(node, lines)]
    slips += list_letters(nodes)
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            slips += [*list_lazy(node), *list_plain_texts(node)]
    return min(slips)[1] if slips else ""


def list_slips(node: ast.AST, lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the slips of one node, with their lines."""
    match node:
        case (
            ast.Assign(value=ast.Tuple(elts=[first]) as pair)
            | ast.AnnAssign(value=ast.Tuple(elts=[first]) as pair)
            | ast.AugAssign(value=ast.Tuple(elts=[first]) as pair)
            | ast.Return(value=ast.Tuple(elts=[first]) as pair)
        ):
            # With parentheses around it, the tuple begins before its value, and is meant.
            if (pair.lineno, pair.col_offset) == (first.lineno, first.col_offset):
                yield pair.lineno, COMMA.format(pair.end_lineno)
        case ast.If(test=ast.Tuple(elts=[_, *_])) | ast.While(test=ast.Tuple(elts=[_, *_])):
            yield node.lineno, COMMA_TEST.format(node.lineno)
        case ast.Assign(value=ast.UnaryOp(op=ast.UAdd())):
            if "=+" in lines[node.lineno - 1]:
                yield node.lineno, PLUS.format(node.lineno)
        case ast.Assign(
            targets=[target],
            value=ast.Call(func=ast.Attribute(value=owner, attr=name)),
        ):
            if name in IN_PLACE and ast.unparse(owner) == ast.unparse(target):
                yield node.lineno, RETURNS_NONE.format(name, node.lineno, ast.unparse(target))
        case ast.Compare(ops=[ast.Is() | ast.IsNot() as sign], left=left, comparators=[right]):
            if any(map(is_text, (left, right))):
                word = "is" if isinstance(sign, ast.Is) else "is not"
                yield node.lineno, IS_TEXT.format(word, node.lineno)
        case ast.BoolOp(op=ast.Or(), values=values):
            unequal = [
                ast.unparse(value.left)
                for value in values
                if isinstance(value, ast.Compare)
                and isinstance(value.ops[0], ast.NotEq)
                and is_text(value.comparators[0])
            ]
            if isinstance(values[0], ast.Compare) and any(map(is_text, values[1:])):
                yield node.lineno, OR_TEXT.format(node.lineno)
            elif len(unequal) > len({*unequal}):
                yield node.lineno, OR_NOT.format(node.lineno)


def list_letters(nodes: list[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield letters of another alphabet in words of Latin letters, in names and texts of code.

    A Greek letter is left out: it may be meant, as in "Δt".
    """
    documents = {id(it.value) for it in nodes if isinstance(it, ast.Expr)}
    for node in nodes:
        texts = [it for it in vars(node).values() if isinstance(it, str)]
        for text in texts if id(node) not in documents else ():
            places = [at for at in find_mixed(text) if script_of(text[at]) != "GREEK"]
            if places:
                line = getattr(node, "lineno", 0)
                yield line, f"In line {line}, {describe_character(text, min(places))}"


def describe_character(text: str, place: int) -> str:
    """Return which character is at a place of a text, and what to type for it."""
    character, key = text[place], to_keyboard(text[place])
    shown = character if character.isprintable() else "␣"
    before, after = text[:place].rpartition("\n")[2], text[place:].partition("\n")[0]
    around = (before[-AROUND:] + after[:AROUND]).replace(character, shown).strip()
    todo = f"type {NAMES.get(key, f'`{key}`')} in its place" if key else "delete it"
    if not key.isascii():
        todo = "an English keyboard does not have this character. Type one that it has"
    return CHARACTER.format(around, shown, name_character(character), todo)


def explain_syntax(problem: SyntaxError) -> str:
    """Return which character of a line is not one of Python's, and what to type, or ""."""
    text = problem.text or ""
    code = re.search(r"^invalid .*U\+(\w+)", problem.msg)
    place = text.find(chr(int(code[1], 16))) if code else -1
    if problem.msg.startswith("unterminated"):  # its last quote is not Python's
        quote = re.search("['\"]", text[(problem.offset or 1) - 1 :])
        alike = (at for at, one in enumerate(text) if quote and quote[0] == to_keyboard(one) != one)
        place = max(alike, default=-1)
    return describe_character(text, place) if place >= 0 else ""


def find_alike(problem: BaseException) -> str:
    """Return which character of a wrong text only looks like the expected one, or ""."""
    got, expected = (getattr(problem, name, None) for name in ("got", "expected"))
    if not isinstance(got, str) or not isinstance(expected, str):
        return ""
    place = len(commonprefix([got, expected]))
    character, wanted = got[place : place + 1], expected[place : place + 1]
    is_alike = to_keyboard(character) in ("", wanted) and character not in ("", wanted)
    return describe_character(got, place) if is_alike else ""


def is_text(node: ast.AST) -> bool:
    """Return whether a node is a text with at least one character."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value != ""


def name_lazy(node: ast.AST | None) -> str:
    """Return what makes a value that is read once and is always true: "`filter`", or ""."""
    match node:
        case ast.GeneratorExp():
            return "The generator"
        case ast.Call(func=ast.Name(id=name)) if name in LAZY:
            return f"`{name}(…)`"
    return ""


def list_lazy(function: ast.FunctionDef) -> Iterator[tuple[int, str]]:
    """Yield the slips with a generator, `filter` and the like in a function, with their lines."""
    nodes = [*ast.walk(function)]
    values: dict[str, list[ast.expr | None]] = {}
    for node in nodes:  # a name that gets something else as well is not sure
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                values.setdefault(name, []).append(value)
            case ast.arg(arg=name):
                values.setdefault(name, []).append(None)
    stored = [it.id for it in nodes if isinstance(it, ast.Name) and isinstance(it.ctx, ast.Store)]
    lazy = {
        name: first
        for name, (first, *more) in values.items()
        if first and all(map(name_lazy, (first, *more))) and stored.count(name) == 1 + len(more)
    }

    def find_lazy(node: ast.expr) -> ast.expr | None:
        value = lazy.get(node.id, node) if isinstance(node, ast.Name) else node
        return value if name_lazy(value) else None

    loops = [it.iter for it in nodes if isinstance(it, ast.For | ast.comprehension)]
    for node in nodes:
        tests: list[ast.expr] = []
        sentence = LAZY_TRUE
        match node:
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                tests = [test]
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                tests = [operand]
            case ast.BoolOp(values=parts):
                tests = parts
            case ast.Call(func=ast.Name(id="len" | "bool" as called), args=[first]):
                tests, sentence = [first], LAZY_LENGTH if called == "len" else LAZY_TRUE
            case ast.Expr(value=alone) if name_lazy(alone):
                yield alone.lineno, LAZY_ALONE.format(name_lazy(alone), alone.lineno)
        for test in tests:
            if lazy_value := find_lazy(test):
                yield test.lineno, sentence.format(name_lazy(lazy_value), lazy_value.lineno)
    read = [it.id for it in loops if isinstance(it, ast.Name) and it.id in lazy]
    for name in read:
        if read.count(name) > 1:
            value = lazy[name]
            yield value.lineno, LAZY_TWICE.format(name_lazy(value), value.lineno)


def list_plain_texts(function: ast.FunctionDef) -> Iterator[tuple[int, str]]:
    """Yield texts that name a variable of the function in braces, and lack their `f`."""
    nodes = [*ast.walk(function)]
    variables = {it.arg for it in nodes if isinstance(it, ast.arg)}
    names = [node for node in nodes if isinstance(node, ast.Name)]
    variables |= {name.id for name in names if isinstance(name.ctx, ast.Store)}
    inside = {id(part) for it in nodes if isinstance(it, ast.JoinedStr) for part in ast.walk(it)}
    documents = {id(it.value) for it in nodes if isinstance(it, ast.Expr)}
    if any(isinstance(it, ast.Attribute) and it.attr.startswith("format") for it in nodes):
        return
    for node in nodes:
        if isinstance(node, ast.Constant) and is_text(node) and id(node) not in inside | documents:
            for braces in BRACES.finditer(str(node.value)):
                if read_names(braces[1]) & variables:
                    yield node.lineno, NO_F.format(node.lineno, braces[0])


def read_names(text: str) -> set[str]:
    """Return the names in an expression, or none if the text is not one."""
    with suppress(SyntaxError):
        nodes = ast.walk(ast.parse(text.strip(), mode="eval"))
        return {node.id for node in nodes if isinstance(node, ast.Name)}
    return set()
