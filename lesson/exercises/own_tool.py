"""A tool of the learner's own: can a model find it, fill it in, and read what comes back?"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from inspect import Parameter, getclosurevars, signature
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from agentlib.loop import run
from agentlib.tools import Call, Tool, call_tool
from agentlib.workspace import Workspace

from ..practice import PracticeModel
from ..samples import sample
from .checking.check import Subject, check
from .checking.result import Further, Result
from .checking.rule import Rules, case, hint, why
from .scene import Scene, warm_up

RULES = Rules()
EXAMPLES = {"integer": 3, "number": 2.5, "boolean": True, "array": ["some words"], "object": {}}
FILES_TRIED = 20
EXAMPLE_FILE, EXAMPLE_TEXT = "example_for_the_check.py", "words = ['one', 'two', 'three']\n"
PROSE_FILE, PROSE_TEXT = "prose_for_the_check.txt", "one two two\nthree four\n"  # five words


def offer(*tools: Tool) -> str:
    """Offer tools to the practice model: "accepted", or what the API says to it."""
    return Scene().ask_more(tools=[tool.spec for tool in tools])


def properties(tool: Tool) -> dict[str, Mapping[str, Any]]:
    """The fields of a tool's input, by name, as far as its schema is sound."""
    fields = tool.input_schema.get("properties") if isinstance(tool.input_schema, Mapping) else {}
    return dict(fields) if isinstance(fields, Mapping) else {}


def is_path(name: str) -> bool:
    """Whether a field of this name takes a path, as the practice model reads names."""
    return bool(re.search("path|file|folder", name))


def list_examples(name: str, field: Mapping[str, Any], tool: Tool) -> list[Any]:
    """Values that a field may get: for a path, files where the tool may look."""
    if field.get("enum"):
        return [field["enum"][0]]
    if field.get("type", "string") != "string":
        return [EXAMPLES.get(str(field["type"]), "some words")]
    return list_files(tool) if is_path(name) else ["some words"]


def list_files(tool: Tool) -> list[str]:
    """Paths of files in the workspaces that a tool's function knows, the example first."""
    folders = [workspace.root for workspace in find_workspaces(tool)]
    paths = [str(path.relative_to(root)) for root in folders for path in sorted(root.glob("*.*"))]
    return [EXAMPLE_FILE, *paths][:FILES_TRIED]


def find_workspaces(tool: Tool) -> list[Workspace]:
    """The workspaces that a tool's function has in sight."""
    run = tool.run
    if isinstance(run, partial):
        known = [*run.args, *run.keywords.values(), *getattr(run.func, "__globals__", {}).values()]
    else:
        known = [*getattr(run, "__globals__", {}).values(), getattr(run, "__self__", None)]
        known += getattr(run, "__dict__", {}).values()  # an object with a __call__
    with suppress(TypeError, ValueError):  # not a plain function
        known += getclosurevars(tool.run).nonlocals.values()
    return [one for one in known if isinstance(one, Workspace)]


@contextmanager
def example_files(tool: Tool, name: str = EXAMPLE_FILE, text: str = EXAMPLE_TEXT) -> Iterator[None]:
    """A file to try a tool with, for as long as the `with` lasts.

    It is in each workspace that the tool knows, and in this folder, so that a tool which changes
    or deletes what it is given does no harm.
    """
    folders = [workspace.root for workspace in find_workspaces(tool)]
    paths = [folder / name for folder in [*folders, Path.cwd()]]
    try:
        for path in paths:
            path.write_text(text)
        yield
    finally:
        for path in paths:
            path.unlink(missing_ok=True)


def list_inputs(tool: Tool) -> Iterator[dict[str, Any]]:
    """Inputs that fit a tool's schema, as far as one can guess."""
    fields = properties(tool)
    values = [list_examples(name, field, tool) for name, field in fields.items()]
    for chosen in product(*values):
        yield dict(zip(fields, chosen, strict=True))


def use(tool: Tool) -> Call:
    """The first use of a tool that works, with what its function gave, unchanged; or the last."""
    with example_files(tool):
        for input in list_inputs(tool):
            try:
                return Call(tool.name, input, tool.run(**input))
            except Exception:
                failed = call_tool({tool.name: tool}, tool.name, input)
    return failed


def misuse(tool: Tool, path: str) -> Call | None:
    """A use of a tool with an unusable path, or None where it takes no path."""
    fields = properties(tool)
    if not any(map(is_path, fields)):
        return None
    input = next(list_inputs(tool)) | {name: path for name in fields if is_path(name)}
    return call_tool({tool.name: tool}, tool.name, input)


@contextmanager
def secret_file() -> Iterator[str]:
    """A file in no workspace, for as long as the `with` lasts: its path."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "secret.txt")
        path.write_text("one two three")
        yield str(path)


def ask_for(tool: Tool) -> str:
    """A prompt that asks the practice model for a tool, with a value for each of its fields."""
    input = use(tool).input
    said = [f'"{v}"' if isinstance(v, str) and not is_path(n) else str(v) for n, v in input.items()]
    return f"Use my tool {tool.name} with " + " and ".join(said)


def count_prose(tool: Tool) -> str | None:
    """What a tool says of a text with five words; None where it does not claim to count words."""
    said = str(tool.description).lower()
    paths = [name for name in properties(tool) if is_path(name)]
    if len(paths) != 1 or not re.search(r"count.*words|word.*count", said):
        return None
    with example_files(tool, PROSE_FILE, PROSE_TEXT):
        return call_tool({tool.name: tool}, tool.name, {paths[0]: PROSE_FILE}).output


def mismatches(tool: Tool) -> list[str]:
    """Where a tool's schema and the arguments of its function differ, in sentences."""
    fields, arguments = properties(tool), signature(tool.run).parameters.values()
    required = tool.input_schema.get("required", [])
    named = {one.name: one for one in arguments if one.kind is not Parameter.VAR_KEYWORD}
    takes_any = len(named) < len(arguments)
    found = [f"run has no argument {n!r}" for n in fields if n not in named and not takes_any]
    for name, argument in named.items():
        is_needed = argument.default is Parameter.empty
        if name not in fields and is_needed:
            found.append(f"the schema has no property {name!r}")
        elif name in fields and is_needed and name not in required:
            found.append(f"run needs {name!r}, and `required` does not name it")
    unknown = [name for name in required if name not in fields]
    found += [f"`required` names {name!r}: there is no property of that name" for name in unknown]
    return found


def is_described(came: Any) -> bool:
    """Whether this is a sentence that somebody wrote: three words or more."""
    return isinstance(came, str) and len(re.findall(r"[^\W\d_]+", came)) >= 3


def is_told(call: Any) -> bool:
    """Whether a call failed, in words that say more than the kind of error."""
    return call is None or not call.ok and len(call.output.split()) >= 4


def explain_output(call: Call) -> str:
    """What is not right about the output of a use."""
    if not call.ok:
        return "It did not work: the output says what was raised."
    kind = type(call.output).__name__
    return "" if kind == "str" else f"The output is of type {kind}, and should be str."


@RULES.add("The API takes its name")
@why("A tool's name goes into every request: with one that the API refuses, nothing works.")
@hint("Which characters may a name have? Read what the API says under Came.")
@hint("Letters, digits, _ and -; and a name that none of the other tools has.")
@case("accepted")
def name(my_tool):
    named = Tool(my_tool.name, "Any tool.", {"type": "object"}, my_tool.run)
    return offer(named, *sample("hello").tools())


@RULES.add("Its description says what it does")
@why("The model has never seen your code. By these words it decides whether to use the tool.")
@hint("Write for somebody who sees only the name: what goes in, and what comes out?")
@case("a sentence of three words or more", is_described)
def description(my_tool):
    return my_tool.description


@RULES.add("The API takes its input_schema")
@why("It tells the model which fields to write. One that is not sound is refused, or misread.")
@hint("Read what the API says under Came.")
@hint(
    'It begins with `"type": "object"`, and has a dict of `properties`: each a dict as well, '
    'such as `{"type": "string"}`.'
)
@case("accepted")
def schema(my_tool):
    return offer(Tool("mine", "Any tool.", my_tool.input_schema, my_tool.run))


@schema.also
@case(
    "each property a dict with a type, or an enum",
    lambda c: all(map(bool, c.values())),
    hint="A model must know what to write into a field: a string, an integer, one of a few words?",
)
def schema_types(my_tool):
    fields = my_tool.input_schema.get("properties", {})
    return {name: field.get("type") or field.get("enum") for name, field in fields.items()}


@RULES.add("Schema and function have the same fields")
@why("The model fills in what the schema names, and `run` gets exactly that, by these names.")
@hint("Compare the names in `properties` with the arguments of your function, letter by letter.")
@hint("What the function cannot do without belongs in `required`.")
@case([])
def fields(my_tool):
    return mismatches(my_tool)


@RULES.add("It runs, and returns text")
@why("The result goes into a message, and a message is text. The model reads nothing else.")
@hint("What does your function return: a text, a number, or nothing?")
@hint("`str(…)` makes text of a number; an f-string also says what the number means.")
@case(
    "a Call that worked, with a text that is not empty as its output",
    lambda came: came.ok and isinstance(came.output, str) and came.output.strip(),
    explain_output,
)
def runs(my_tool):
    return use(my_tool)


@runs.also
@case(
    "of a tool that counts words, the number 5 for 'one two two, three four' on two lines",
    lambda came: came is None or re.search(r"\b(5|five)\b", came),
    hint="`text.split()` splits at blanks and line breaks alike, and keeps words that come twice.",
)
def counts_words(my_tool):
    return count_prose(my_tool)


@RULES.add("A path that does not exist comes back as an error, in words")
@why(
    "Models get paths wrong. One that is told so looks for the right one; one that is told 0 "
    "believes that the file is empty."
)
@hint("Does your function catch what it should let through?")
@hint("Let errors of `open` or `workspace.read_file` rise: the loop marks them as errors.")
@case("a Call with ok=False, and a sentence as its output", is_told)
def missing_path(my_tool):
    return misuse(my_tool, "no/such/file.txt")


@RULES.add("A path that leads out of the workspace is refused")
@why("The model decides what is read. It may be wrong, or a file may have told it to.")
@hint("What happens with `../secret.txt`?")
@hint(
    "`workspace.read_file(path)` reads only what is in the folder, and refuses the rest in a "
    "sentence. `open(path)` reads everything that you may read."
)
@case("a Call with ok=False, and a sentence as its output", is_told)
def outside(my_tool):
    with secret_file() as path:
        call = misuse(my_tool, path)
    return call


@RULES.add("The practice model uses it")
@why("It finds your tool as a real model does: by what the schema says that it needs.")
@hint("Is every field of a type that one can take from a sentence: a text, a path, a number?")
@case(
    "a first round that calls the tool, and it works", lambda c: [call.ok for call in c] == [True]
)
def used(my_tool):
    messages = [{"role": "user", "content": ask_for(my_tool)}]
    settings = {"model": "practice", "max_tokens": 1000}
    with example_files(my_tool):
        rounds = run(PracticeModel().client(), messages, [my_tool], **settings)
    return rounds[0].calls


FURTHER = Further(
    "Which part of the tool has the model seen, and which not?",
    "Name, description and schema: they go with every request, and cost tokens in each. The code "
    "never leaves your machine. Change the description, and the same code is another tool.",
)


def check_tool(tool: Any = None, **settings: Any) -> Result:
    """How far a Tool of the learner's own is: give it the Tool.

    It is run with inputs that fit its schema: for a path, a file that the check puts for that
    time into this folder, and into each workspace that its function knows. `settings` are those
    of check.examine.
    """
    title = "Your tool"
    if tool is None or tool is ...:
        note = (
            "Your tool: nothing there yet, and that is fine. Write a function, put it into a "
            "`Tool(name, description, input_schema, run)`, run that cell, then the check again."
        )
        return Result(title, RULES, begun=False, note=note)
    if not isinstance(tool, Tool):
        note = (
            f"Your tool: not yet. This check wants a Tool, and got {type(tool).__name__}. A "
            "function becomes one by `Tool(name, description, input_schema, run)`."
        )
        return Result(title, RULES, note=note)
    warm_up()
    after = "A model that has never seen its code can use it."
    subject = Subject(title, RULES, after, FURTHER)
    return check(subject, {title: lambda: tool, "my_tool": tool}, **settings)
