"""Tools: what the model can call, and the record of one call."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import isasyncgen, iscoroutine, isgenerator
from numbers import Number
from typing import Any

from safetylib.guard import escape
from safetylib.guard.signatures import signature
from safetylib.wire.call_input import NO_JSON, refuse_no_json

__all__ = ["Call", "Tool", "call_tool"]

NOT_RUN = "the tool {} did not run: it is async, or has `yield`, and must return its text"
NO_RESULT = "the tool {} returned a {}, which is no result: return text, a number or None"


@dataclass(frozen=True)
class Tool:
    """A function that the model can call, with the description that the model reads.

    `input_schema` is a JSON Schema of type "object". `run` gets the fields of the input as
    keyword arguments and returns a string. To reject a call, it raises an exception.

    The program around the loop may ask the user before each call. `asks` is false for a tool that
    changes nothing and sends nothing: its calls run without a question. `preview`, `depends_on` and
    `asks_again` get the same keyword arguments as `run`. The user sees the string that `preview`
    returns, or the arguments if there is no `preview`. `depends_on` returns a value, such as a hash
    of the file, that must be the same before and after the question. If `asks_again` returns a
    sentence, the user sees it, and is asked even after the answer "all".
    """

    name: str
    description: str
    input_schema: Mapping[str, Any]
    run: Callable[..., str]
    preview: Callable[..., str] | None = None
    asks: bool = True
    depends_on: Callable[..., Any] | None = None
    asks_again: Callable[..., str] | None = None

    @property
    def spec(self) -> dict[str, Any]:
        """Return the tool definition, as the `tools` list of an API request takes it."""
        return {
            "name": self.name,
            "description": self.description,
            "input_schema": dict(self.input_schema),
        }


@dataclass(frozen=True)
class Call:
    """One tool call that was answered: its input, its output, and whether it succeeded."""

    name: str
    input: Any
    output: str
    ok: bool = True

    def __str__(self) -> str:
        """Return the call as one line, with the start of its input: `edit_file hello.py`."""
        # `shorten` keeps the beginning of a long path, and the file's name.
        line = escape.shorten(f"{self.name} {self._subject()}", 72)
        # Control characters could clear the screen or hide a line of the log.
        visible = escape.for_print(line)
        return visible if self.ok else f"{visible} (failed)"

    def _subject(self) -> str:
        """Return the first field of the input, or "" if there is none."""
        if not isinstance(self.input, Mapping) or not self.input:
            return ""
        first = next(iter(self.input.values()))  # models send fields in the schema's order
        if not isinstance(first, list):
            return str(first)
        return "1 item" if len(first) == 1 else f"{len(first)} items"


def call_tool(dispatch: Mapping[str, Tool], name: str, tool_input: Any) -> Call:
    """Run the tool `name` with the input of a tool_use block. `dispatch` has the tools by name.

    An exception in the tool becomes the output of a failed Call. Only an interrupt is raised.
    """
    try:
        check_input(dispatch, name, tool_input)
        output = run_tool(dispatch[name], tool_input)
    except Exception as problem:
        # The loop must not end here: a model that reads about its mistake can correct it.
        reason = escape.words_of(problem)
        return Call(name, tool_input, escape.for_api(f"Error: {reason}"), ok=False)
    # Next to a reminder, empty output would become an empty text block, which the API rejects.
    return Call(name, tool_input, escape.for_api(output) if output.strip() else "(no output)")


def run_tool(tool: Tool, tool_input: Mapping[str, Any]) -> str:
    """Run a tool and return its result as text. Errors of the tool are not caught.

    Raise TypeError if the result is not text, a number or None: a coroutine or generator did not
    run, and a `map` or Future has no result yet. Raise ValueError if the input is no JSON, and
    RuntimeError if the tool called `exit`.
    """
    if not getattr(tool.run, "counts_failures", False):  # or it refuses, and counts it as well
        refuse_no_json(tool_input)
    try:
        result: Any = tool.run(**tool_input)
    except SystemExit as problem:
        raise RuntimeError(f"the tool {tool.name} has called exit({problem})") from None
    if iscoroutine(result) or isgenerator(result) or isasyncgen(result):
        if iscoroutine(result):
            result.close()  # Python warns about a coroutine that nothing awaits.
        raise TypeError(NOT_RUN.format(tool.name))
    if not isinstance(result, str | Number | None):
        raise TypeError(NO_RESULT.format(tool.name, type(result).__name__))
    return str(result)


def check_input(dispatch: Mapping[str, Tool], name: str, tool_input: Any) -> None:
    """Raise LookupError if there is no tool `name`, or TypeError if it cannot take this input.

    Only the names of the fields are checked here. The tool itself must check their values.
    """
    if name not in dispatch:
        raise LookupError(f"there is no tool {name!r:.60}, only {', '.join(dispatch) or 'none'}")
    # A call with wrong arguments would also raise TypeError, but so would a bug inside the tool.
    # The names are compared before the call, so that this error is always the model's mistake.
    if NO_JSON in tool_input:  # `run_tool` refuses it
        return
    parameters = signature(dispatch[name].run)
    try:
        parameters.bind(**tool_input)
    except TypeError as problem:
        # All names at once: otherwise a model needs a round for each wrong name.
        fields = ", ".join(parameters.parameters) or "no field"
        wrong = [f"{field:.60}" for field in tool_input if field not in parameters.parameters]
        reason = f", not {', '.join(wrong)}" if wrong else f": {problem}"
        raise TypeError(f"{name} takes {fields}{reason}") from None
