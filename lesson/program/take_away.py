"""Write `agent.py`: the learner's parts and a frame around them, in a file that needs only the SDK.

The frame is the code of `whole_agent.py` that `frame.py` imports, and that of `frame.py` itself. In
`agent.py`, each of its names begins with `_`, so that no name of a learner's can take its place.
"""

import ast
import builtins
import io
import re
import sys
import tokenize
from collections.abc import Iterable
from pathlib import Path
from textwrap import fill

from exerciselib.learners_code import split_code
from safetylib.files import write_atomically

from ..common.file_errors import describe_file_error
from ..common.parts import PARTS
from ..common.solutions import NOTEBOOKS, read_solutions
from . import file
from .cells import list_made, list_used
from .file import ProgramError, read_program

AGENT = "agent.py"
FRAME, WHOLE_AGENT = Path(__file__).with_name("frame.py"), NOTEBOOKS / "whole_agent.py"
HEAD = '''\
# /// script
# requires-python = ">=3.11"
# dependencies = ["anthropic>=2.10,<3"]
# ///
"""My coding agent, for a terminal. It works in the folder in which it is started.

In the terminal, set the key and the name of a model (in PowerShell, `$env:MODEL_ID = "…"`).
ANTHROPIC_BASE_URL is only for another server than Anthropic's, such as the practice model.

    export ANTHROPIC_API_KEY=…
    export MODEL_ID=…           (such as claude-haiku-5-5)

Then, in the folder of a project, start it with its path. uv installs the package anthropic:

    uv run --no-config PATH/{name} "…"

Without uv, do once `python -m pip install "anthropic>=2.10,<3"`, and then:

    python PATH/{name} "…"      (`--help` instead of a prompt names the options)

{parts}
A part begins with its line, such as `# --- MyNag (mine) ---`, and ends before the next such line.
All other code is the frame, whose names begin with `_`: it asks me before each command and each
change, and keeps the conversation. It has no sandbox: the lesson's SECURITY.md says what is not
promised. What I may change first: the tools, which are `runs` in `_main`, and how many rounds may
pass without the list, which is `after` in MyNag.
"""'''
# What a learner's part may import of the packages, with its module: the frame has a short form.
STAND_INS = {"Tool": "agentlib", "call_tool": "agentlib", "Shown": "lesson"}


class TakeAwayError(ValueError):
    """Raised if a program cannot be written. The message names the line, and says what to do."""


def take_away(name: str = AGENT) -> None:
    """Write the learner's program as one file, which runs wherever the package anthropic is.

    Parts that are missing in `my_agent.py`, or do not pass, are those of our solution. A file that
    is there already is replaced only if it was written by this function.
    """
    main(name)


def main(name: str = AGENT) -> int:
    """Write the program, and print what it contains, or why it was not written. Return 0 or 1."""
    target = file.path.with_name(name)
    try:
        text, said = write_agent(file.read_file(), name)
        if target.exists() and not target.read_text("utf-8", "replace").startswith(HEAD[:12]):
            raise TakeAwayError(f"{name} is a file of yours. Rename it, or give another name.")
        write_atomically(target.resolve(), text.encode())
    except TakeAwayError as problem:
        print(f"Nothing was written: {problem}")
    except OSError as problem:
        print(f"{target}: {describe_file_error(problem)}")
    else:
        print(said)
        return 0
    return 1


def write_agent(mine: str, name: str = AGENT) -> tuple[str, str]:
    """Return the text of the program with the parts in the text of `my_agent.py`, and what to say.

    Raise TakeAwayError.
    """
    texts, own, said = choose_texts(mine)
    whole, frame = read_frame()
    names = {*whole, *frame}
    needed = {one for text in (whole | frame).values() for one in list_used(text)}
    imports = read_imports(WHOLE_AGENT) | read_imports(FRAME)
    parts = {}
    for part, text in texts.items():
        parts[part], more = adapt_part(part, text, imports, needed - names - set(PARTS))
        imports |= more
    check_clashes(parts)
    # In `frame.py`, the name of a part is the learner's.
    blocks = {one: rename(text, names) for one, text in whole.items()}
    blocks |= {one: rename(text, names - set(PARTS)) for one, text in frame.items()}
    first = [blocks.pop(one) for one in ("MARKS", *STAND_INS)]
    main = blocks.pop("__main__")
    whose = {part: "mine" if part in own else "the lesson's solution" for part in parts}
    body = [begin(f"{part} ({whose[part]})", text) for part, text in parts.items()]
    first[0] = begin("the frame: what the parts use", first[0])
    rest = [*blocks.values(), main]
    rest[0] = begin("the frame: the tools, the questions, the session and main", rest[0])
    text = join_blocks([*first, *body, *rest])
    ours = [one for one in PARTS if one not in own]
    mine = f"{', '.join(own) or 'none yet'}."
    others = [f"Of the lesson's solution: {', '.join(ours)}."] if ours else []
    head = HEAD.format(
        name=name, parts="\n".join(fill(one, 99) for one in [f"Mine: {mine}", *others])
    )
    used = list_used(text)
    lines = sort_imports({line for one, line in imports.items() if one in used})
    text = f"{head}\n\n{lines}\n\n{text}\n"
    lost = list_used(text) - list_made(text).keys() - vars(builtins).keys() - {"__file__"}
    if lost := sorted(lost & {one for part in parts.values() for one in list_used(part)}):
        raise TakeAwayError(f"a part uses {lost[0]}, which no part defines: define it in its cell.")
    return text, " ".join([f"{name} is written. Yours: {mine}", *others]) + said


def begin(title: str, text: str) -> str:
    """Return code below a line that says what begins here."""
    return f"# --- {title} ---\n{text}"


def join_blocks(blocks: Iterable[str]) -> str:
    """Return definitions as a program: two empty lines between them, and none between constants."""
    text = "\n\n\n".join(blocks)
    return re.sub(r"(?m)^(_[A-Z]\w* = .*)\n\n\n(?=_[A-Z]\w* = |#.*\n_[A-Z]\w* = )", r"\1\n", text)


def choose_texts(mine: str) -> tuple[dict[str, str], list[str], str]:
    """Return the text of each part, the names of the learner's, and sentences on the others."""
    given, solutions = read_program(mine).sections, read_solutions()
    own, said = [], ""
    try:
        program = file.load(mine) if mine else None
    except ProgramError as problem:
        raise TakeAwayError(f"{file.FILE} does not run: {problem}") from None
    for part in file.list_own(given):
        passed = file.count_levels(part, getattr(program, part))
        if passed and not (part == "MyTodo" and passed < len(PARTS[part].levels)):
            own.append(part)
        else:
            said += f" {part} does not pass yet, so ours is in it."
    return {one: given[one].text if one in own else solutions[one] for one in PARTS}, own, said


def read_frame() -> tuple[dict[str, str], dict[str, str]]:
    """Return the definitions of `whole_agent.py` that are needed, and those of `frame.py`."""
    frame, whole = read_blocks(FRAME), read_blocks(WHOLE_AGENT)
    wanted = [one for text in frame.values() for one in list_used(text) - set(PARTS)]
    for one in wanted:  # it grows
        if one in whole and one not in frame:
            wanted += list_used(whole[one])
    return {one: text for one, text in whole.items() if one in {*wanted} - {*frame}}, frame


def read_blocks(path: Path) -> dict[str, str]:
    """Return the definitions at the top level of a file by name, with the comments above them.

    The block that runs the program is "__main__".
    """
    text = path.read_text(encoding="utf-8")
    lines = split_code(text)
    blocks = {}
    for node in ast.parse(text).body:
        begin = node.lineno - 1
        while lines[begin - 1].startswith("#"):
            begin -= 1
        block = "".join(lines[begin : node.end_lineno]).rstrip("\n")
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Assign):
            blocks[next(iter(list_made(block)))] = block
        elif isinstance(node, ast.If) and "__name__" in ast.unparse(node.test):
            blocks["__main__"] = block
    return blocks


def read_imports(path: Path) -> dict[str, str]:
    """Return the imports at the top level of a file: the line of each by the name that it makes."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    return {name: line for node in nodes for name, line in list_made(ast.unparse(node)).items()}


def adapt_part(
    part: str, text: str, imports: dict[str, str], needed: Iterable[str]
) -> tuple[str, dict[str, str]]:
    """Return the text of a part for the program, without its imports, and these by name.

    What it imports of the packages becomes the frame's stand-in. Raise TakeAwayError with the line.
    """
    lines, more = split_code(text), {}
    for node in ast.parse(text).body:
        where = f"line {node.lineno} of {part}, `{lines[node.lineno - 1].strip()}`,"
        made = list_made(ast.unparse(node))
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = getattr(node, "module", None) or node.names[0].name
            if all(STAND_INS.get(one.name) == module for one in node.names):
                new = [
                    f"{one.asname or one.name} = _{one.name}  # of the frame" for one in node.names
                ]
            elif module.partition(".")[0] in (*sys.stdlib_module_names, "anthropic"):
                new, more = [], more | made
            else:
                raise TakeAwayError(f"{where} imports what will not be there.")
            rest = (node.end_lineno or node.lineno) - node.lineno
            lines[node.lineno - 1 : node.end_lineno] = ["\n".join(new) + "\n"] + ["\n"] * rest
        clash = [one for one, line in made.items() if one in needed and imports.get(one) != line]
        if clash and part not in clash:
            raise TakeAwayError(f"{where} makes {clash[0]}, which the program needs: rename yours.")
    return re.sub(r"\n{4,}", "\n\n\n", "".join(lines)).strip("\n"), more


def check_clashes(parts: dict[str, str]) -> None:
    """Raise TakeAwayError if two parts give one name to different things."""
    made: dict[str, tuple[str, str]] = {}
    for part, text in parts.items():
        for name, code in list_made(text).items():
            other, before = made.setdefault(name, (part, code))
            if before != code:
                rows = [row for row, line in enumerate(split_code(text), 1) if name in line]
                raise TakeAwayError(
                    f"line {rows[0]} of {part} makes {name}, and {other} has another: rename it."
                )


def rename(text: str, names: Iterable[str]) -> str:
    """Return code in which each of these names, as a variable, begins with `_`."""
    rows = split_code(text)
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    for number in reversed(range(len(tokens))):
        token, before = tokens[number], tokens[number - 1].string
        new = token.string
        if token.type == tokenize.NAME and new in names and before != ".":
            # `name=` is an argument; the formatter writes `name = ` for a variable.
            is_argument = rows[token.end[0] - 1][token.end[1] :][:1] == "="
            new = new if is_argument else f"_{new}"
        elif token.type == tokenize.STRING and re.match(r"(?i)[rb]*f", new):  # before Python 3.12
            new = re.sub(r"\{[^{}]*\}", lambda part: rename_words(part[0], names), new)
        if new != token.string and token.start[0] == token.end[0]:
            row, begin, end = token.start[0] - 1, token.start[1], token.end[1]
            rows[row] = rows[row][:begin] + new + rows[row][end:]
    return "".join(rows)


def rename_words(text: str, names: Iterable[str]) -> str:
    """Return the inside of an f-string's braces, renamed."""
    return re.sub(
        r"(?<![\w.'\"])[A-Za-z_]\w*",
        lambda word: f"_{word[0]}" if word[0] in names else word[0],
        text,
    )


def sort_imports(lines: Iterable[str]) -> str:
    """Return import lines as a block: `import` first, then `from`, and the SDK last."""
    plain = sorted(line for line in lines if line.startswith("import ") and "anthropic" not in line)
    froms: dict[str, list[str]] = {}
    for line in sorted(line for line in lines if line.startswith("from ")):
        module, _, name = line.removeprefix("from ").partition(" import ")
        froms.setdefault(module, []).append(name)
    rest = [f"from {one} import {', '.join(sorted(froms[one], key=rank))}" for one in sorted(froms)]
    return "\n".join([*plain, *rest, "", "import anthropic"])


def rank(name: str) -> tuple[bool, bool, str]:
    """Return what sorts the names of an import: constants, then classes, then functions."""
    return not name.isupper(), not name[:1].isupper(), name
