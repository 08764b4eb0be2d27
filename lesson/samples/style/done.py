"""Judge the steps of this job from its files, whoever has written them."""

import ast
import re

from ..project_files import ProjectFiles

LONGEST_LINE = 120  # characters
MARKS = re.compile(r"\t|[ \t]$|^ *(?:if|for|while|else)\b[^#\n]*:[ \t]+[^\s#]", re.MULTILINE)


def is_clean(files: ProjectFiles, name: str) -> bool:
    """Return whether a file is a program without the flaws that this project has."""
    tree, text = files.tree(name), files.texts.get(name, "")
    if tree is None or not tree.body:
        return False
    lines = text.splitlines()
    has_marks = bool(MARKS.search(text)) or any(len(line) > LONGEST_LINE for line in lines)
    return not has_marks and not any(map(is_flaw, ast.walk(tree)))


def is_flaw(node: ast.AST) -> bool:
    """Return whether a node of a program's syntax tree is one of the usual flaws."""
    match node:
        case ast.ImportFrom(names=[ast.alias(name="*")]) | ast.Import(names=[_, _, *_]):
            return True
        case ast.ExceptHandler(type=None) | ast.Assign(value=ast.Lambda()):
            return True
        case ast.Compare(ops=[ast.Eq() | ast.NotEq()], comparators=[ast.Constant(value=None)]):
            return True
        case ast.arguments(defaults=[*_, ast.List() | ast.Dict() | ast.Set()]):
            return True
    return False


def has_review(files: ProjectFiles) -> bool:
    """Return whether REVIEW.md says something of each file."""
    text = files.texts.get("REVIEW.md", "")
    return all(name in text for name in ("readings", "stats", "report"))
