"""Find slips in Python code: lines that may not do what their author means, each with its mend.

None of them is sure by the code alone: a tuple of one value may be meant. So a slip is told only if
its mend mends what the check saw: see mend.py. A course adds one of its own by
`SLIPS.append((PATTERN, MEND, SENTENCE))`.
"""

import ast
import re
from collections.abc import Iterator
from os.path import commonprefix
from typing import Any, NamedTuple

from safetylib.guard.escape import NAMES, find_mixed, name_character, script_of, to_keyboard

from .learners_code import Cell

IS_TEXT = (
    "`{word}` in line {line} asks whether two texts are the same object: compare texts with `==` "
    "or `!=`."
)
PLUS = "`={sign}` in line {line} assigns the number behind it: `{sign}=` changes the old one."
APART = "`{word}` in line {line} takes what is behind it apart: `append` adds it whole."
# Patterns and mends of Python. A name such as `_a` stands for any code, and for the same one in all
# places; `_text` for a text, and `_one` for what is neither a number nor a list.
SLIPS: list[tuple[str, str, str]] = [
    ("(_a,)", "_a", "The comma in line {line} makes a tuple of one value: delete the comma."),
    ("_a = +_b", "_a += _b", PLUS.replace("{sign}", "+")),
    ("_a = -_b", "_a -= _b", PLUS.replace("{sign}", "-")),
    ("_a is _text", "_a == _text", IS_TEXT.replace("{word}", "is")),
    ("_a is not _text", "_a != _text", IS_TEXT.replace("{word}", "is not")),
    ("_a += _one", "_a += [_one]", APART.replace("{word}", "+=")),
    ("_a.extend(_one)", "_a.append(_one)", APART.replace("{word}", "extend")),
]
COMMA_TEST = (
    "The condition in line {line} is always true: with a comma, it is a tuple. `and` and `or` join "
    "two conditions."
)
LAZY = (
    "{name} of line {line} can be read only once, has no length, and is always true: write "
    "`list(…)` around it."
)
LAZY_ALONE = "{name} in line {line} does nothing by itself: write a `for` loop."
NO_F = "The text in line {line} has no `f` before its quotes, so `{name}` stays as it is."
CHARACTER = "`{}` has {} ({}): {}."
AROUND = 12  # characters that are shown before and after one
RETURNS_NONE = (
    "`{name}` in line {line} changes `{owner}` and returns None: write it in a line of its own."
)
NOT_CALLED = "`{name}` in line {line} is the function itself: `{name}()` calls it."
NOT_RAISED = "Line {line} makes an error, and does not raise it: write `raise` before it."

READ_ONCE = {"filter", "map", "zip", "reversed", "enumerate", "iter"}
IN_PLACE = {"append", "extend", "insert", "sort", "reverse", "update", "remove", "clear"}
# A mend may call these methods, because they change nothing, and no other one.
LOOKS = {
    *("is_file", "is_dir", "exists", "resolve", "strip", "lower", "upper", "casefold", "split"),
    *("items", "keys", "values", "copy"),
}
BRACES = re.compile(r"\{([^{}!:]+)(?:[!:][^{}]*)?\}")  # a value, and perhaps its format
VARIABLE = re.compile(r"\b_[a-z]+\b")  # of a pattern
LATIN = str.maketrans("авсеікмнорѕтухјАВСЕНІЈКМОРЅТХУ", "abceikmhopstyxjABCEHIJKMOPSTXY")


class Slip(NamedTuple):
    """What may be a slip: its line, its sentence, and the texts that its mend puts for nodes.

    Slips of one `kind` may have to be mended together.
    """

    line: int
    kind: str
    sentence: str
    mend: list[tuple[ast.AST, str]]


def make_slip(node: Any, text: str, kind: str, **words: str) -> Slip:
    """Return the slip at a node that a mend replaces by a text."""
    line: int = node.lineno
    return Slip(line, kind, kind.format(line=line, **words), [(node, text)])


def list_slips(cell: Cell, solution: str) -> list[Slip]:
    """Return what may be slips in a learner's cell, by their lines.

    A name may lack its `()` if it is an argument without a default that our `solution` calls, or a
    method that looks and is no attribute there.
    """
    nodes, ours = [*ast.walk(cell.tree)], [*ast.walk(ast.parse(solution))]
    called = {ast.unparse(it.func) for it in ours if isinstance(it, ast.Call)}
    given = [
        it.args[: len(it.args) - len(it.defaults)] for it in ours if isinstance(it, ast.arguments)
    ]
    uncalled = called & {one.arg for some in given for one in some}
    uncalled |= {name for name in LOOKS if not re.search(rf"{name}\b(?!\()", solution)}
    parents = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
    slips = [slip for node in nodes for slip in find_slips(node, parents.get(node), uncalled)]
    slips += [*match_slips(nodes), *list_letters(cell.tree)]
    slips.sort(key=lambda slip: slip.line)
    kinds = dict[str, list[Slip]]()
    for slip in slips:
        kinds.setdefault(slip.kind, []).append(slip)
    together = [same for same in kinds.values() if same[1:]]
    return slips + [one[0]._replace(mend=[it for s in one for it in s.mend]) for one in together]


def match_slips(nodes: list[ast.AST]) -> Iterator[Slip]:
    """Yield what is matched by the patterns of SLIPS."""
    for pattern, mend, sentence in SLIPS:
        is_value = all(isinstance(read(one), ast.expr) for one in (pattern, mend))
        wanted = read(pattern) if is_value else ast.parse(pattern).body[0]
        for node in nodes:
            found = dict[str, str]()
            if type(node) is type(wanted) and matches(wanted, node, found):
                text = VARIABLE.sub("({\\g<0>})", mend).format(**found)
                yield make_slip(node, text, sentence, **found)


def read(text: str) -> ast.AST:
    """Return the node of an expression or a statement."""
    statement = ast.parse(text).body[0]
    return statement.value if isinstance(statement, ast.Expr) else statement


def matches(pattern: Any, node: Any, found: dict[str, str]) -> bool:
    """Return whether a node is like a pattern; `found` gets the code of the pattern's names."""
    if isinstance(pattern, ast.Name) and VARIABLE.fullmatch(pattern.id) and node:
        name, text = pattern.id, ast.unparse(node)
        is_one = not isinstance(node, ast.List) and not re.fullmatch(r"-?[\d.]+", text)
        is_kind = is_text(node) if name.startswith("_text") else name != "_one" or is_one
        return is_kind and found.setdefault(name, text) == text
    if isinstance(pattern, list):
        are_many = len(pattern) == len(node)
        return are_many and all(matches(*both, found) for both in zip(pattern, node, strict=True))
    if isinstance(pattern, ast.AST):
        return type(pattern) is type(node) and all(
            matches(getattr(pattern, name, None), getattr(node, name, None), found)
            for name in pattern._fields
        )
    return bool(pattern == node)


def find_slips(node: Any, parent: ast.AST | None, uncalled: set[str]) -> Iterator[Slip]:
    """Yield what may be slips at one node."""
    text, is_alone = ast.unparse, isinstance(parent, ast.Expr)
    match node:
        case (
            ast.If(test=ast.Tuple(elts=[_, _, *_] as parts) as test)
            | ast.While(test=ast.Tuple(elts=[_, _, *_] as parts) as test)
        ):
            for word in (" and ", " or "):
                yield make_slip(test, word.join(f"({text(one)})" for one in parts), COMMA_TEST)
        case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name in IN_PLACE:
            if not is_alone and not isinstance(owner, ast.Call):
                mended = f"({text(node)}, {text(owner)})[1]"  # it is called, and is its owner
                yield make_slip(node, mended, RETURNS_NONE, name=name, owner=text(owner))
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))) if name.endswith("Error"):
            yield make_slip(node, f"raise {text(node)}", NOT_RAISED)
        case ast.Constant(value=str(value)) if not is_alone and "{" in value:
            braces = BRACES.search(value)
            if braces and not isinstance(parent, ast.JoinedStr):
                yield make_slip(node, f"f{value!r}", NO_F, name=braces[0])
        case ast.Attribute(attr=name) | ast.Name(id=name) if isinstance(node.ctx, ast.Load):
            is_method = isinstance(node, ast.Attribute) == (name in LOOKS)
            is_called = isinstance(parent, ast.Call) and parent.func is node
            if (
                is_method
                and name in uncalled
                and not is_called
                and not isinstance(parent, ast.Attribute)
            ):
                yield make_slip(node, f"{text(node)}()", NOT_CALLED, name=text(node))
    if name := name_lazy(node):
        is_read = isinstance(parent, ast.For | ast.comprehension) and parent.iter is node
        is_passed = isinstance(parent, ast.Call) and text(parent.func) not in ("len", "bool")
        if not is_read and not is_passed:
            kind = LAZY_ALONE if is_alone else LAZY
            yield make_slip(node, f"list({text(node)})", kind, name=name)


def list_letters(tree: ast.Module) -> Iterator[Slip]:
    """Yield letters of another alphabet in words of Latin letters, in names and texts of code.

    A Greek letter is left out: it may be meant, as in "Δt". All are mended together.
    """
    found, mend = list[tuple[int, str]](), list[tuple[ast.AST, str]]()
    documents = {id(it.value) for it in ast.walk(tree) if isinstance(it, ast.Expr)}
    for node in ast.walk(tree):
        texts = [it for it in vars(node).values() if isinstance(it, str)]
        for text in texts if id(node) not in documents else ():
            places = [at for at in find_mixed(text) if script_of(text[at]) != "GREEK"]
            if places:
                line = getattr(node, "lineno", 0)
                found.append((line, f"In line {line}, {describe_character(text, min(places))}"))
    if found:
        for one in tree.body:
            text = ast.unparse(one)
            mixed = find_mixed(text)
            letters = [it.translate(LATIN) if at in mixed else it for at, it in enumerate(text)]
            mend.append((one, to_keyboard("".join(letters))))
        yield Slip(min(found)[0], CHARACTER, min(found)[1], mend)


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
        case ast.Call(func=ast.Name(id=name)) if name in READ_ONCE:
            return f"`{name}(…)`"
    return ""
