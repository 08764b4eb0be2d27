"""Name the likely cause of an exception or a wrong value, and what to do."""

import ast
import builtins
import inspect
import re
import sys
import textwrap
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from difflib import SequenceMatcher, get_close_matches
from functools import cached_property
from typing import Any

from .learners_code import (
    Cell,
    Raised,
    find_frames,
    find_last_line,
    find_lines,
    is_in_teachers_file,
    is_learners,
    is_learners_frame,
    read_members,
    unwrap,
)
from .restore import read_globals
from .show_value import show

KINDS = (list, str, dict, set, tuple, int, float)
SHOWN = 40  # characters of a value in a sentence
Causes = Iterable[tuple[str, str]]
NO_RESULT = r"return( None| print\([\s\S]*\))?$"  # returns None

OWN_ATTRIBUTE = (
    "Is this name misspelled, or not created in `__init__`? If you extend a class, your `__init__` "
    "must call `super().__init__(…)`, and that of `@dataclass` does not."
)
KEPT = "`{0}` is unknown in this method. It is kept as `self.{0}`, so write that."
MEANT = "`{0}` has no value here. Did you mean {1}?"
FIELD = 'A field of a dict is read with `["{0}"]`, not `.{0}`.'
NO_APPEND = "A dict has no `{0}`: `d[key] = value` puts something in. To append, begin with `[]`."
NO_ATTRIBUTE = "`{}` has no `{}`{}."
SAME = (
    "The result is {} in each of the {} calls tried so far. Follow the last one shown: "
    "which line should do something else?"
)
LATER = "This value is wrong already: begin with it. A later call, `{}`, does not end."
FIRST_ROUND = (
    "The loop in line {} always returns in its first round: put the `return` below the loop, or in "
    "an `if`."
)
NO_VALUE = "Your function has no `return` with a value, so it returns None."
OTHER_VALUE = (
    "A value in this line, or in what was tried, is not what the code expects. Print it in a cell, "
    "and compare."
)
OWN_RAISE = (
    "Your code raises this error itself, and none is to be raised here: find out why it came to "
    "this line."
)
OTHER_RAISE = (
    "Your code raises this error itself, and another one is expected. Raise that one, or one that "
    "extends it."
)
HEADER = "It is called as `{0}`: keep these parameters, and give each further one a default."
TAKEN = "The class that you extend has its own `{0}`: choose another name."
PROPERTY = "`{0}` is a property, and is called with `()`: delete the line with `@` above it."
NO_KEY = (
    "`key` is a function that gets an item, and returns what is compared: write `key=lambda item: "
    "…`."
)
METHOD_TAKEN = (
    "A value is called here as if it were a function: has your code given the name of a method "
    "another value?"
)

HIDDEN = (
    "`{0}` is a variable of this notebook, {1}, and hides Python's: rename it, and run `del {0}`."
)
HIDDEN_HERE = "`{0}` is a variable of yours here, and hides Python's `{0}`: give it another name."
HIDDEN_IMPORT = (
    "`{0}` is a variable of this notebook, {1}, and hides what you imported: rename it, and run "
    "`{2}`."
)
# For any course. The first pattern that is found counts.
GENERAL: Causes = (
    ("^OutOfTimeError", "An endless loop, or a sleep? It was stopped by the time limit."),
    (
        "^EOFError",
        "`input`, `getpass` and `breakpoint` have nobody to answer them here: take what you need "
        "from the arguments.",
    ),
    (
        "not supported between instances of '(list|dict|str)' and 'int'",
        "Only numbers can be compared so: `len(…)` is how many items or characters there are.",
    ),
    (
        "not supported between instances of 'dict' and 'dict'",
        "Dicts have no order: give `sorted`, `min` or `max` a `key`, a function that returns a "
        "number for an item.",
    ),
    (
        "^IndexError",
        "There are fewer items than this line expects, or none: look at the length first.",
    ),
    (
        "unhashable type: '(dict|list)'",
        "The key of a dict, or the item of a set, must be text or a number, such as "
        '`item["text"]`, and not a dict or a list.',
    ),
    (
        "(list|tuple) indices must be integers",
        "This is a list, and not a dict: go through its items with `for`, or take one, such as "
        "`[-1]`, and then its field.",
    ),
    ("^KeyError: '\\w+'$", "No such key is there. Is the name misspelled? Print the dict's keys."),
    (
        "^KeyError: ",
        "No such key is in this dict yet: test for it by `in`, or take `.get(key, 0)`, which is 0 "
        "without it.",
    ),
    (
        r"['\"](function|\w*method)['\"]|^Got: <(function|built-in|bound|class)",
        "It is a function or a class: call it, with `()` after its name.",
    ),
    (
        "^AttributeError: property '\\w+' of .* has no setter",
        "A property without a setter cannot get a value: keep the value under another name, such "
        "as `self._items`, or delete the line with `@property`.",
    ),
    (
        "^FrozenInstanceError|^AttributeError: can't set attribute$",
        "A frozen dataclass and a NamedTuple cannot be changed: write a class with `__init__`, or "
        "`@dataclass` alone.",
    ),
    (
        "^RecursionError",
        "Your function or method calls itself without end. In a class that extends another one, "
        "`super().update(…)` calls the other class's method.",
    ),
    (
        "'super' object is not callable",
        "`super()` has the methods of the other class: call one by its name, such as "
        "`super().__call__(…)`.",
    ),
    (
        r"type object 'super'|super\(\) argument",
        "Write `super()`, with parentheses, such as `super().update(…)`.",
    ),
    (
        "^TypeError: exceptions must derive from",
        "`raise` needs an error, and this is none: write `raise ValueError(…)` around the text.",
    ),
    (
        "^SystemExit",
        "Your code ends Python here, as `sys.exit`, `exit` and `quit` do: use `return`, or raise "
        "the error that the exercise names.",
    ),
    (
        "'(str|int|float|bool|list|tuple|set|dict)' object is not callable",
        "This is a value, and not a function: write its name without parentheses.",
    ),
    (
        "object is not callable",
        "This is None, or another value, and not a function. Is an argument whose default is None "
        "called without a test?",
    ),
    (
        r"^TypeError: (can only concatenate|unsupported operand type\(s\) for \+=?: (?!.*None))",
        "Both sides of `+` must be of one kind: `[x]` makes a list of one value, and `str(x)` a "
        "text.",
    ),
    (
        "'(int|float|bool)' object is not iterable",
        "This is one value, and no list: loop over a list or `range(…)`, and add one item by "
        "`append`.",
    ),
    (
        "'(int|float|bool)' object is not subscriptable",
        "This is one value, and has no items: `[…]` goes after a list, text or a dict.",
    ),
    (
        "'type' object is not (iterable|subscriptable)",
        "This is a kind of values, such as `list`, and no value: write the name of yours.",
    ),
    (
        "object of type '(int|float|bool)' has no len",
        "This is one value, and has no length: `len(…)` is for a list, text or a dict.",
    ),
    (
        "^ValueError: (invalid literal for int|could not convert string to float)",
        "This text is not a number, so `int(…)` or `float(…)` cannot read it: print it first.",
    ),
    (
        "cannot be interpreted as an integer",
        "A whole number is needed here: `len(…)` is how many items a list has, and `//` divides "
        "without a rest.",
    ),
    (
        "argument of type '(int|float|bool)' is not",
        "`in` looks into a list, text or a dict, and this is one value.",
    ),
    (
        "^TypeError: .* not supported between instances",
        "These two values are of kinds that cannot be compared: print both, and compare a number "
        "with a number.",
    ),
    (
        r"^ValueError: (max|min)\(\) (arg|iterable)",
        "Nothing is in it here, so there is no greatest or smallest item: test for that first.",
    ),
    (
        "^UnboundLocalError",
        "This name has no value yet: assign it before the `if` or the loop that gives it one, or "
        "is `self.` missing?",
    ),
    (
        r"^NameError: .*'\w+'",
        "This name has no value here: is it misspelled, or of another cell? Take it from an "
        "argument, or import it in this cell.",
    ),
    (
        "with `yield`",
        "With `yield` in it, a call of this function runs nothing and makes a generator: use "
        "`return`.",
    ),
    ("coroutine|`async`", "Nothing awaits it: write `def` instead of `async def`."),
    (
        r"\.__init__\(\) missing",
        "A new object is made here without this argument: give the parameter, or the field of a "
        "dataclass, a default, or pass it to `super().__init__(…)`.",
    ),
    (
        "positional argument|unexpected keyword|multiple values for|required keyword"
        "|takes exactly one|expected at (least|most)|takes at (least|most)",
        "Compare the parameters with the arguments of the call. In a method, the first one is "
        "`self`.",
    ),
    (
        "'NoneType' object (is not (iterable|subscriptable)|has no attribute)"
        "|(operand|argument of type).*'NoneType'",
        "This is None: test for it first, or is a `return` missing? `append` and `sort` return it.",
    ),
    (
        "^TypeError: unsupported operand",
        "These two values are of kinds that this sign does not work with: print both first.",
    ),
)


def name_cause(
    problem: BaseException,
    origin: BaseException,
    cell: Cell,
    printed: str,
    table: Causes,
    methods: Mapping[str, str],
) -> str:
    """Return a sentence about the likely cause, or "".

    `problem` is what a trial raised, and `origin` the exception of the learner's code that led to
    it, or the same. `cell` is what the learner wrote, `printed` is what the trial
    printed, `table` has the causes of this part and of its course, and `methods` are those that it
    should have, with their headers.
    """
    part = cell.part
    got = getattr(problem, "got", problem)
    is_error = re.match(r"an? \w*error", str(getattr(problem, "expected", "")), re.IGNORECASE)
    is_print = bool(cell.returned and ast.unparse(cell.returned).startswith("return print("))
    if is_error:
        is_in_place = got is None or not isinstance(got, Raised) and prints_only(cell.text)
    else:
        is_in_place = got is None and (returns_nothing(cell) or is_print)
    if printed.strip() and is_in_place:
        word = "raise" if is_error else "return"
        return f"Your code printed {textwrap.shorten(printed, 60)!r}: use `{word}`, not `print`."
    if note := getattr(problem, "note", ""):
        return str(note)
    frames = find_lines(origin)
    if type(problem) is AssertionError and is_in_teachers_file(frames[-1].filename):
        return str(problem)
    has_got = origin is problem and hasattr(problem, "got")
    text = f"Got: {show(got)}" if has_got else show(Raised(origin))
    owner = getattr(origin, "obj", None)  # the object whose attribute is missing
    if isinstance(owner, dict):
        text += f" (its keys: {', '.join(map(str, owner))})"
    name = getattr(part, "__name__", "")
    misspelled = isinstance(part, type) and find_misspelled(part, methods)
    of_own = f"'{name}' object (is not callable|has no attribute)|{name}\\(\\) takes no arg"
    header = find_header(origin, cell, methods)
    near = find_near(origin) if isinstance(origin, NameError) else find_attribute(origin)
    rows = (*table, *header, *near, (of_own, misspelled or OWN_ATTRIBUTE), *GENERAL)
    sentence = next((said for pattern, said in rows if re.search(pattern, text)), "")
    if isinstance(origin, NameError) and (kept := find_kept(origin, cell)):
        sentence = KEPT.format(kept)
    if "is not callable" in text:
        sentence = find_property(part) or find_called(origin) or sentence
    other = (OTHER_RAISE if is_error else OWN_RAISE) if is_own_raise(origin) else OTHER_VALUE
    sure = read_code(cell, got) if has_got else other
    return sentence or misspelled or sure or str(getattr(problem, "otherwise", ""))


def find_hidden(problem: BaseException, imports: Mapping[str, str] | None = None) -> str:
    """Return a sentence about a name in the failing line that hides Python's own, or "".

    That is a function of Python's, a module that the line takes something from, or a name that one
    of these `imports` gives. What can be called may be meant to take its place.
    """
    last, frames = find_last_line(problem), [*filter(is_learners_frame, find_frames(problem))]
    if last is None or not isinstance(problem, TypeError | NameError | AttributeError):
        return ""
    frame, line = frames[-1], last.line or ""
    for name, sign in re.findall(r"(?<![.\w\"'])([a-z]\w*)(?=([(,).]))", line):
        is_module = sign == "." and name in sys.stdlib_module_names
        is_python = sign != "." and hasattr(builtins, name)
        is_local = name in (*frame.f_code.co_varnames, *frame.f_code.co_freevars)
        value = (frame.f_locals if is_local else frame.f_globals).get(
            name, None if is_local else print
        )
        if callable(value) or inspect.ismodule(value):
            continue
        if is_local and (is_python or is_module):
            return HIDDEN_HERE.format(name)
        if is_python and not is_local:
            return HIDDEN.format(name, show(value)[:SHOWN])
        imported = f"import {name}" if is_module else (imports or {}).get(name, "")
        if imported and not is_local:
            return HIDDEN_IMPORT.format(name, show(value)[:SHOWN], imported)
    return ""


def find_hidden_in(part: type) -> str:
    """Return the same sentence about a name of Python's in the code of a learner's class, or "".

    It is for an exception that somebody has caught and told in words.
    """
    members = read_members(part).values() if is_learners(part) else ()
    for function in filter(inspect.isfunction, map(unwrap, members)):
        for name, value in read_globals(function).items():
            if hasattr(builtins, name) and not callable(value) and not inspect.ismodule(value):
                return HIDDEN.format(name, show(value)[:SHOWN])
    return ""


def is_own_raise(problem: BaseException) -> bool:
    """Return whether a `raise` or an `assert` of the learner's code has raised this."""
    word = r"\b(raise|assert)\b" if isinstance(problem, AssertionError) else r"\braise\b"
    is_own = is_learners_frame(find_frames(problem)[-1])
    return is_own and bool(re.search(word, find_lines(problem)[-1].line or ""))


def prints_only(text: str) -> bool:
    """Return whether the body of an `if` or an `except` only prints: it raises and returns none."""
    with suppress(SyntaxError):
        for node in ast.walk(ast.parse(text)):
            body = node.body if isinstance(node, ast.If | ast.ExceptHandler) else []
            inside = [ast.unparse(one) for one in body]
            ends = re.search(r"raise|return (?!None)", str(inside))
            if any(one.startswith("print(") for one in inside) and not ends:
                return True
    return False


def returns_nothing(cell: Cell) -> bool:
    """Return whether the part, or a method of it, prints and returns no value.

    A `print` beside a `return` may only show what is going on.
    """
    name = getattr(cell.part, "__name__", "")
    with suppress(SyntaxError):
        own = [one for one in ast.parse(cell.text).body if getattr(one, "name", "") == name]
        methods = [one for cls in own if isinstance(cls, ast.ClassDef) for one in cls.body]
        for node in [*own, *methods]:
            ends = [one for one in ast.walk(node) if isinstance(one, ast.Return)]
            values = [one for one in ends if not re.match(NO_RESULT, ast.unparse(one))]
            is_it = isinstance(node, ast.FunctionDef) and node.name != "__init__" and not values
            if is_it and "print(" in ast.unparse(node):
                return True
    return False


def find_header(
    problem: BaseException, cell: Cell, methods: Mapping[str, str]
) -> list[tuple[str, str]]:
    """Return a row with the header that a function needs, if a trial could not call it, or none."""
    called = re.search(r"(\w+)\(\) (takes|missing|got)", str(problem))
    if not isinstance(problem, TypeError) or not called or cell.find_line(problem):
        return []
    return [("^TypeError", HEADER.format(methods[called[1]]))] if called[1] in methods else []


def find_kept(problem: NameError, cell: Cell) -> str:
    """Return the name without a value if the class or its `__init__` has kept it, or ""."""
    # An UnboundLocalError has no attribute for it, and an error of the learner's may name none.
    name = (re.findall(r"'(\w+)'", str(problem)) or [""])[0]
    in_init = rf"def __init__\b(?:(?!\n[ \t]*def )[\s\S])*self\.{name}\b[^\n]* = "
    return name if hasattr(cell.part, name) or re.search(in_init, cell.text) else ""


def find_near(problem: NameError) -> list[tuple[str, str]]:
    """Return a row with the names that are most like the one without a value, or none.

    They are those of the function and of the ones around it, or of what is called, if it is called.
    """
    name = (re.findall(r"'(\w+)'", str(problem)) or [""])[0]
    frames = [*filter(is_learners_frame, find_frames(problem))]
    if not frames:
        return []
    last, line, local = frames[-1], find_lines(problem)[-1], dict[str, Any]()
    for frame in frames:
        is_around = last.f_code in (frame.f_code, *frame.f_code.co_consts)
        if is_around and frame.f_code.co_name != "<module>":  # which has names of other cells
            local |= frame.f_locals
    names, is_local = {"True", "False", "None", *local}, isinstance(problem, UnboundLocalError)
    if re.search(rf"\b{name}\s*\(", line.line or "") and not is_local:
        names = {key for key, one in local.items() if callable(one)}
        functions = [one for one in last.f_globals.values() if inspect.isfunction(one)]
        names |= {one.__name__ for one in functions if line.filename in Cell(one).files}
        names |= {*filter(str.islower, dir(builtins))}
    alike = {one: SequenceMatcher(None, one, name).ratio() for one in names - {name}}
    best = [one for one, ratio in alike.items() if ratio == max([0.7, *alike.values()])]
    meant = " or ".join(f"`{one}`" for one in sorted(best))
    return [("", MEANT.format(name, meant))] if best else []


def find_attribute(problem: BaseException) -> list[tuple[str, str]]:
    """Return a row about an attribute that a value of Python's own types lacks, or none."""
    owner, name = getattr(problem, "obj", None), str(getattr(problem, "name", ""))
    is_own = type(owner).__module__ in ("builtins", "collections")  # not a learner's class
    if not isinstance(problem, AttributeError) or not isinstance(owner, KINDS) or not is_own:
        return []
    kind, more = type(owner).__name__, ""
    if others := [f"`{one.__name__}`" for one in KINDS if hasattr(one, name)]:
        more = f". It belongs to {' and '.join(others[:2])}"
    sentence = NO_ATTRIBUTE.format(kind, name, more)
    if isinstance(owner, dict) and name in owner:
        sentence = FIELD.format(name)
    elif near := get_close_matches(name, [one for one in dir(owner) if one[0] != "_"], 1, 0.7):
        sentence = f"{NO_ATTRIBUTE.format(kind, name, '')} Did you mean `{near[0]}`?"
    elif isinstance(owner, dict) and name in ("append", "add", "insert"):
        sentence = NO_APPEND.format(name)
    return [("^AttributeError", sentence)]


def read_code(cell: Cell, got: Any) -> str:
    """Return a sentence that is sure by the code alone of a function that returns `got`, or ""."""
    has_value = any(isinstance(node, ast.Return) and node.value for node in cell.nodes)
    if cell.nodes and got is None and not has_value:
        return NO_VALUE
    for node in cell.nodes:
        if isinstance(node, ast.For | ast.While) and always_returns(node.body):
            inside = [*ast.walk(node)]
            is_left = any(isinstance(it, ast.Continue | ast.Break) for it in inside)
            if cell.returned and cell.returned in inside and not is_left:
                return FIRST_ROUND.format(node.lineno)
    return ""


def always_returns(body: list[ast.stmt]) -> bool:
    """Return whether statements end with a `return` on each way."""
    last = body[-1] if body else None
    if isinstance(last, ast.If):
        return always_returns(last.body) and always_returns(last.orelse)
    return isinstance(last, ast.Return)


def find_property(candidate: Any) -> str:
    """Return a sentence about a method that is a property, or ""."""
    members = read_members(candidate) if isinstance(candidate, type) else vars(candidate)
    names = [name for name, one in members.items() if isinstance(one, property | cached_property)]
    return PROPERTY.format(names[0]) if names else ""


def find_called(problem: BaseException) -> str:
    """Return a sentence about a value that the failing line does not call itself, or ""."""
    line = find_last_line(problem)
    if line and re.search(r"\bkey=(?!lambda\b)", line.line or ""):
        return NO_KEY
    return "" if is_learners_frame(find_frames(problem)[-1]) else METHOD_TAKEN


def find_misspelled(candidate: type, methods: Collection[str] = ()) -> str:
    """Return a question about a method with almost the name of one of these, or ""."""
    names = {name for cls in candidate.__mro__[1:] for name in vars(cls)} | {*methods}
    for name in read_members(candidate).keys() - names:
        if close := get_close_matches(name, names, 1, 0.8):
            return f"Your class has `{name}`. Did you mean `{close[0]}`?"
    return ""


def find_taken(cell: Cell, hooks: Collection[str]) -> str:
    """Return a sentence about a name of a base that a class uses for something else, or "".

    The base is not the learner's. A class may define its `hooks` anew, and a method that calls the
    base's.
    """
    mro = getattr(cell.part, "__mro__", ())
    bases = [one for one in mro[1:-1] if not is_learners(one)]
    inherited = {name for base in bases for name in vars(base) if not name.startswith("__")}
    own = [*read_members(cell.part)] if bases else []
    own += re.findall(r"\bself\.(\w+)(?=[^=\n()]* = )", cell.text) if inherited else []
    taken = [name for name in own if name in inherited - {*hooks}]
    return next((TAKEN.format(one) for one in taken if f"super().{one}" not in cell.text), "")


def find_missing_body(candidate: Any, problem: BaseException) -> str:
    """Return a sentence if the learner has not begun to write the part, or "".

    Then the code raises NotImplementedError, a function is a stub, or a class is empty.
    """
    members = (
        read_members(candidate)
        if isinstance(candidate, type)
        else {getattr(candidate, "__name__", ""): candidate}
    )
    # A method that is `pass` alone may switch off that of a base.
    inherited = {name for base in getattr(candidate, "__mro__", ())[1:] for name in vars(base)}
    missing = [name for name, one in members.items() if is_stub(one, name not in inherited)]
    if isinstance(problem, NotImplementedError):
        missing = [find_lines(problem)[-1].name]
    elif not members and len(candidate.__bases__) == 1:  # a second base can have all that is needed
        missing = [candidate.__name__]
    if not missing:
        return ""
    return f"Write `{missing[0]}` in its cell, run the cell, then run this check again."


def is_stub(value: Any, or_pass: bool = True) -> bool:
    """Return whether a function has nothing but a docstring, `...`, `pass` and `return`.

    `pass` and `return` are something if not `or_pass`.
    """
    if not inspect.isfunction(value):
        return False
    with suppress(OSError, SyntaxError):  # the source is not known, or is a part of a statement
        (function,) = ast.parse(textwrap.dedent(inspect.getsource(value))).body
        for statement in getattr(function, "body", [None]):  # a lambda has none
            is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            returns_none = isinstance(statement, ast.Return) and not statement.value
            ends = isinstance(statement, ast.Pass) or returns_none
            if not is_text and not (or_pass and ends):
                return False
        return True
    return False
