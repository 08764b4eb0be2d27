"""Find what looks like a key in the text of a cell, before the text is written into a file."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator

from safetylib.guard.hide_keys import NO_SECRETS

# A name whose value is a key whatever it looks like, and one whose value may be anything else.
SECRET = re.compile(
    r"api_?key|passw|secret|bearer|credential|authorization|(auth|access|api)_?token", re.IGNORECASE
)
MAYBE = re.compile(r"key|token|auth|cookie", re.IGNORECASE)
MIN_CHARS = 8
# The value of a name that may be anything: long, with letters and digits side by side. So it is
# no word of a program, such as "in_progress" or "</reminder>".
RANDOM = re.compile(r"(?=.{16})[\w.+/=~-]*(?:[A-Za-z]\d|\d[A-Za-z])[\w.+/=~-]*", re.ASCII)
LONG_PART = re.compile(r"[A-Za-z\d]{12}")
# What says itself what it is, also in a comment: a header, a line of a shell, or a spelling.
SPELLED = re.compile(
    r"""\bsk-[\w-]{16,}|\beyJ[\w-]{10,}\.[\w-]{10,}"""
    r"""|(?i:bearer|api[_-]?key|passw\w*|secret|(?:auth|access|api)[_-]?token)"""
    r"""["']?(?:\s*[:=]\s*|\s+)["']?(?=[!-~]*\d)[\w.+/=~-]{8,}""",
    re.ASCII,
)


def find_key(text: str) -> int | None:
    """Return the number of the first line that contains what looks like a key, or None.

    A key begins with `sk-`, is a JWT, or is set by its name: in an assignment, a dict, an argument,
    a header, or the arguments of a call, such as those of `setdefault`.
    """
    try:
        named = find_named(ast.parse(text))
        lines = {node.lineno for name, node in named if is_key(name, node.value)}
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            is_words = token.type in (tokenize.COMMENT, tokenize.STRING)
            if is_words or tokenize.tok_name[token.type].startswith("FSTRING"):
                lines |= {token.start[0]} if SPELLED.search(token.string) else set()
    except (SyntaxError, ValueError, tokenize.TokenError, RecursionError):  # a line of IPython
        found = SPELLED.search(text)
        return text.count("\n", 0, found.start()) + 1 if found else None
    return min(lines, default=None)


def is_key(name: str, value: str | bytes) -> bool:
    """Return whether a value that has this name looks like a key."""
    words = (value.decode("latin-1") if isinstance(value, bytes) else value).strip()
    is_name = re.fullmatch(r"[A-Za-z_-]+", words) and SECRET.search(words.replace("-", "_"))
    if words in NO_SECRETS or is_name:  # a placeholder, or the name of a variable
        return False
    if SECRET.search(name.replace("-", "_")):
        return bool(re.fullmatch(rf"[!-~]{{{MIN_CHARS},}}", words)) and "your" not in words.lower()
    return bool(MAYBE.search(name) and RANDOM.fullmatch(words) and LONG_PART.search(words))


def find_named(tree: ast.AST) -> Iterator[tuple[str, ast.Constant]]:
    """Yield the strings of a program that have a name, each with it."""
    for node in ast.walk(tree):
        pairs: list[tuple[ast.AST | str | None, ast.AST | None]] = []
        match node:
            case ast.Assign(targets=targets, value=value):
                pairs = [(target, value) for target in targets]
            case ast.AnnAssign() | ast.AugAssign() | ast.NamedExpr():
                pairs = [(node.target, node.value)]
            case ast.Dict(keys=keys, values=values):
                pairs = [*zip(keys, values, strict=True)]
            case ast.keyword(arg=name, value=value):
                pairs = [(name, value)]
            case ast.arguments(args=args, defaults=defaults):
                pairs = [*zip(args[len(args) - len(defaults) :], defaults, strict=True)]
                pairs += zip(node.kwonlyargs, node.kw_defaults, strict=True)
            case ast.Call(args=row) | ast.Tuple(elts=row) | ast.List(elts=row):
                # A list of names has no digits, so the second is no value of the first.
                both = zip(row, row[1:], strict=False)
                texts = [one for one in both if all(isinstance(part, ast.Constant) for part in one)]
                pairs = [(one, two) for one, two in texts if re.search(r"\d", ast.unparse(two))]
        for target, value in pairs:
            yield from pair(target, value)


def pair(target: ast.AST | str | None, value: ast.AST | None) -> Iterator[tuple[str, ast.Constant]]:
    """Yield the strings that a target gets, each with the target's name."""
    match target, value:
        case (
            (ast.Tuple(elts=names) | ast.List(elts=names)),
            (ast.Tuple(elts=values) | ast.List(elts=values)),
        ):
            for one, other in zip(names, values, strict=False):
                yield from pair(one, other)
        case ((ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name) | str(name)), _):
            yield from ((name, one) for one in strings_of(value))
        case (
            (ast.Subscript(slice=ast.Constant(value=str(name))) | ast.Constant(value=str(name))),
            _,
        ):
            yield from ((name, one) for one in strings_of(value))


def strings_of(value: ast.AST | None) -> Iterator[ast.Constant]:
    """Yield the strings that an expression can be, such as both of `a or "b"`."""
    match value:
        case ast.Constant(value=str() | bytes()):
            yield value
        case ast.JoinedStr(values=parts) | ast.BoolOp(values=parts):
            for part in parts:
                yield from strings_of(part)
        case ast.BinOp(left=left, right=right) | ast.IfExp(body=left, orelse=right):
            yield from strings_of(left)
            yield from strings_of(right)
        case ast.Call(func=ast.Attribute(value=text)):
            yield from strings_of(text)
