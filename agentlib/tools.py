"""What a tool is, and what happened when one was called."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from textwrap import shorten
from typing import Any


@dataclass(frozen=True)
class Tool:
    """A function that a model may ask for, and the words that tell the model about it.

    `input_schema` is a JSON Schema of type "object". `run` gets the input's fields as keyword
    arguments, returns the text that goes back to the model, and refuses by raising.

    Where a person is asked before the tool runs, `preview` gets the same arguments and returns
    what they are shown. A tool without one runs unasked.
    """

    name: str
    description: str
    input_schema: Mapping[str, Any]
    run: Callable[..., str]
    preview: Callable[..., str] | None = None

    @property
    def spec(self) -> dict[str, Any]:
        """The tool as the Messages API wants it, in the `tools` list of a request."""
        schema = dict(self.input_schema)
        return {"name": self.name, "description": self.description, "input_schema": schema}


@dataclass(frozen=True)
class Call:
    """A tool call that happened: what was asked, what came back, and whether it worked."""

    name: str
    input: Any
    output: str
    ok: bool

    def __str__(self) -> str:
        """The call in one line, with the first part of its input: `edit_file hello.py`."""
        first = next(iter(self.input.values()), "") if isinstance(self.input, Mapping) else ""
        words = f"{len(first)} items" if isinstance(first, list) else str(first)
        return shorten(f"{self.name} {words}", 72, placeholder=" …")


def call(dispatch: Mapping[str, Tool], name: str, input: Any) -> Call:
    """Run the tool that `dispatch` has under `name`, with the `input` of a tool_use block.

    Whatever goes wrong comes back as text for the model, not as an exception: told of its
    mistake, a model can mend it. Only a person's stop (KeyboardInterrupt) passes through.
    """
    try:
        if name not in dispatch:
            raise LookupError(f"there is no tool {name!r}, only {', '.join(dispatch) or 'none'}")
        run = dispatch[name].run
        try:
            arguments = signature(run).bind(**input)
        except TypeError as problem:
            raise TypeError(f"{name} cannot take this input: {problem}") from None
        output, ok = str(run(*arguments.args, **arguments.kwargs)), True
    except (Exception, SystemExit) as problem:
        output, ok = f"Error: {str(problem) or type(problem).__name__}", False
    return Call(name, input, sendable(output), ok)


def sendable(text: Any) -> str:
    """A text that the API takes: not blank, and no half of a surrogate pair, which UTF-8 lacks."""
    return str(text).encode("utf-8", "replace").decode() if str(text).strip() else "(no output)"
