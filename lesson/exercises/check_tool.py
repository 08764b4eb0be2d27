"""The exercise "Your own tool": a Tool that counts the words of a file, for a model to use."""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from inspect import getfile, iscoroutine, signature
from pathlib import Path
from typing import Any

from agentlib.loop import run
from agentlib.safety.import_guard import agent_folders
from agentlib.tools import Call, Tool, call_tool

from ..practice import PracticeModel
from ..samples import MARK
from ..time_limit import Raised
from .checking import case, exercise, hint, rule, why
from .checking.expected import is_message
from .scene import SETTINGS, send_definition

EXAMPLE = "example_of_check_tool.txt"
LINK = "link_of_check_tool.txt"
EXAMPLE_WORDS = 26
EXAMPLE_TEXT = "Don't count 54\nwell-known  words twice\n" + "again and again\n" * 6 + "the end"

WHOLE = (
    'The schema is `{"type": "object", "properties": …}`, and not a whole tool definition or the '
    "properties alone."
)
WRONG_TYPE = 'A `type` is "string", not "str". `required` is a list of names, next to `properties`.'
SWAPPED = "The third argument of `Tool` is the schema, a dict, and the fourth is the function."
COMMAND = "A command returns its error as text. `workspace.read_file(path)` raises one."
CAUGHT = "Do not catch the error of `workspace.read_file`: the loop sends it, marked with is_error."


def use_tool(tool: Tool, path: str) -> Call:
    """Call a tool with this path. Return a Call with its output unchanged, or its error."""
    try:
        return Call(tool.name, {"path": path}, tool.run(path=path), ok=True)
    except Exception:
        return call_tool({tool.name: tool}, tool.name, {"path": path})


@contextmanager
def example_file(text: str = EXAMPLE_TEXT) -> Iterator[str]:
    """Write an example file into every open workspace for the duration of the `with`.

    Raise FileExistsError if one has a file, or a link, of this name: nothing is overwritten.
    """
    made = []
    try:
        for path in {Path(one, EXAMPLE) for one in list(agent_folders)}:
            # A folder may be deleted at any time: by the user, or with its workspace by Python.
            with suppress(FileNotFoundError, NotADirectoryError), open(path, "x") as file:
                made.append(path)
                file.write(text)
        yield EXAMPLE
    finally:
        for path in made:
            path.unlink(missing_ok=True)


@contextmanager
def paths_out() -> Iterator[list[str]]:
    """Yield paths that lead out of the open workspaces to a file that exists.

    They go up with `..`, or follow a link in the workspace. A sample also has a neighbour for this
    time, whose path begins like its own.
    """
    target, found, made = getfile(Tool), [], []
    try:
        for root in map(Path, list(agent_folders)):
            # Windows may have no links, and the folder may be deleted at any time.
            with suppress(OSError, ValueError):
                found.append(os.path.relpath(target, root))
                Path(root, LINK).symlink_to(target)
                made.append(Path(root, LINK))
                found.append(LINK)
            if Path(root, MARK).is_file():  # its parent is a folder of our own
                neighbour = root.with_name(f"{root.name}-2")
                with suppress(OSError):
                    neighbour.mkdir()
                    made.append(neighbour)
                    Path(neighbour, EXAMPLE).write_text(EXAMPLE_TEXT, encoding="utf-8")
                    found.append(f"../{neighbour.name}/{EXAMPLE}")
        yield found
    finally:
        for path in made:
            if path.is_symlink():
                path.unlink(missing_ok=True)
            else:
                shutil.rmtree(path, ignore_errors=True)


def list_mismatches(tool: Tool) -> list[str]:
    """Return the differences between a tool's schema and its function's parameters."""
    if not callable(tool.run):
        return ["`run` is not a function: write `run=count_words`, without parentheses"]
    fields = tool.input_schema.get("properties", {})
    found = [] if "path" in fields else ["the schema has no property 'path'"]
    try:
        signature(tool.run).bind(**dict.fromkeys(fields))
    except TypeError as problem:
        found.append(f"run cannot take the fields of the schema: {problem}")
    required = tool.input_schema.get("required", [])
    if "path" in fields and "path" not in required:
        found.append("`required` does not contain 'path'")
    unknown = [one for one in required if one not in fields]
    return found + [f"`required` contains {one!r}, which is no property" for one in unknown]


def is_explained_error(call: Call) -> bool:
    """Return whether a call failed, with a message and not only the exception's name."""
    return not call.ok and not re.fullmatch(r"Error: (\w+(Error|Exception))?", call.output.strip())


def explain_output(call: Call) -> str:
    """Say what is wrong with a call's result, or "" if it is a string with EXAMPLE_WORDS in it."""
    if not call.ok and "No such file" in call.output:
        return "The file is in the workspace's folder: `workspace.read_file(path)` reads it."
    if not call.ok:
        return "The tool raised an exception: the output contains it."
    if iscoroutine(call.output):
        call.output.close()  # Python warns about a coroutine that nothing awaits.
        return "Nothing awaits it: write `def` instead of `async def`."
    if call.output is None:
        return "The function returned None: use return, not print."
    if not isinstance(call.output, str):
        return f"The output has the type {type(call.output).__name__}. It must be a str."
    if re.search(rf"\b{EXAMPLE_WORDS}\b", call.output):
        return ""
    return f"The file has {EXAMPLE_WORDS} words. Compare this with the number in your output."


def explain_schema(got: Any) -> str:
    """Say what is wrong with a schema, from what the API said, or from the error in the trial."""
    if isinstance(got, Raised):
        return SWAPPED if "'function' object is not iterable" in str(got.problem) else ""
    return WHOLE if "type: Field required" in got else WRONG_TYPE


@rule("Its name is count_words, and the API accepts it")
@why("Every request contains the tool's name. If the API rejects it, nothing works.")
@hint("Which name does the task give? Which characters may a name have?")
@hint("Letters, digits and underscores, and a name that no other tool has.")
@case("count_words")
def name(my_tool):
    return my_tool.name


@rule("Its description says what it does")
@why("The model has never seen your code. It decides by these words whether to use the tool.")
@hint("Write for a reader who sees only the name: what is the input, and what is the output?")
@case(
    "a description: what it does, and what it returns",
    lambda got: is_message(got, ("count", "words", "count_words", "tool")),
)
def description(my_tool):
    return my_tool.description


@rule("The API accepts its input_schema")
@why("The schema tells the model which fields to write. The API rejects an invalid one.")
@hint("What does the API say under Got?")
@hint('It has `"type": "object"` and `properties`: a dict of dicts, such as `{"type": "string"}`.')
@case("accepted", lambda got: got == "accepted", explain_schema)
def schema(my_tool):
    tool = Tool("mine", "Any tool.", my_tool.input_schema, my_tool.run)
    return send_definition(tool)


@schema.also
@case("string", hint="The model must know what to write into `path`: its type is a string.")
def schema_type(my_tool):
    fields = my_tool.input_schema.get("properties", {})
    return fields.get("path", {"type": "string"}).get("type", "no type")


@rule("Schema and function have the same fields, and `path` is required")
@why("The model fills in the fields of the schema, and `run` receives them by these names.")
@hint("Which names does the model send, and which names does your function take?")
@hint("Compare the names in `properties` with the parameters of your function.")
@hint('`"required": ["path"]`, next to `properties`.')
@case([])
def fields(my_tool):
    return list_mismatches(my_tool)


@rule("It counts the words, and returns a string")
@why("The result goes into a message as text. The model reads nothing else.")
@hint("Does your function return a string, a number, or nothing?")
@hint("`text.split()` splits at all whitespace. `str(…)` or an f-string makes a string.")
@case(
    f"a Call with ok=True whose output is a string with {EXAMPLE_WORDS} in it, the number of words",
    lambda call: not explain_output(call),
    explain_output,
)
def counts_words(my_tool):
    with example_file() as path:
        call = use_tool(my_tool, path)
    return call


@counts_words.also
@case(
    "two different outputs, for files with 3 and with 4 words",
    lambda calls: all(call.ok for call in calls) and "3" in calls[0].output != calls[1].output,
    hint="Read the file in each call. It can have changed since the last one.",
)
def counts_again(my_tool):
    calls = []
    for text in ("one two three", "one two three four"):
        with example_file(text) as path:
            calls.append(use_tool(my_tool, path))
    return calls


@rule("A path that does not exist returns an error with a message")
@why("After an error message, a model can look for the right path; a 0 says that it was right.")
@hint("Does your function catch an exception that it should not catch?")
@hint("Do not catch the errors of `workspace.read_file`: the loop marks them with is_error.")
@case(
    "a Call with ok=False and a message as its output",
    is_explained_error,
    lambda call: COMMAND if "(exit code" in str(call.output) else CAUGHT if call.ok else "",
)
def missing_path(my_tool):
    return use_tool(my_tool, "no/such/file.txt")


@rule("It rejects a path outside the workspace")
@why("The model decides what to read. It may be wrong, or follow instructions in a file.")
@hint("What does your tool do with `../secret.txt`?")
@hint("`workspace.read_file(path)` reads only inside the folder. `open(path)` reads any file.")
@case(
    "a Call with ok=False and a message as its output",
    is_explained_error,
    hint="An absolute path, such as that of a module, is also a path outside.",
)
def outside(my_tool):
    return use_tool(my_tool, getfile(Tool))


@outside.also
@case(
    "for each path a Call with ok=False and a message: `..`, a link, and another folder",
    lambda calls: all(map(is_explained_error, calls)),
)
def other_ways_out(my_tool):
    with paths_out() as paths:
        return [use_tool(my_tool, path) for path in paths]


@rule("The practice model uses it")
@why("It finds your tool as a real model does: by its name, description and schema.")
@hint("Does the tool need more than `path`? The model fills in only what the prompt says.")
@case(
    "a first round that calls the tool successfully", lambda calls: [c.ok for c in calls] == [True]
)
def used(my_tool):
    with example_file() as path:
        prompt = f"Use my tool {my_tool.name} with {path}"
        messages = [{"role": "user", "content": prompt}]
        rounds = run(PracticeModel().client(), messages, [my_tool], **SETTINGS)
    return rounds[0].calls


@exercise(
    order=2,
    title="Your own tool",
    notebook="s02_tool_use",
    needs=("workspace",),
    kind="Tool",
    label="Your tool",
    advice="Write a function, and make a Tool of it and of the parts of its definition: "
    "`Tool(name, description, input_schema, run)`. Run that cell, then run this check again.",
    after="A model that has never seen its code can use it.",
    question="Which part of the tool has the model seen, and which part not?",
    answer="Name, description and schema: every request contains them, and they cost tokens each "
    "time. The code stays on your machine. With another description, the same code is another "
    "tool.",
)
def check_tool(my_tool=None):
    """Check a learner's Tool: pass the Tool.

    It is run with an example file, which is in every open workspace for that time.
    """
