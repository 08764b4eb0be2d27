"""The tool of any list: what a model sends is read kindly, and it is told what was lost."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from functools import wraps
from typing import Any

from safetylib.guard import escape
from safetylib.wire.odd_lists import find_lost, read_list, spell_fields

from .nag import Nag
from .todo import TodoManager
from .tools import Tool

__all__ = ["GONE", "list_tool", "make_nag", "unfinished"]

MAX_CHARS = 1000  # of each text in an item: the whole list is sent again in every round
# The beginning of the note to the model about tasks that a new list lacks.
GONE = "Compared with the last list, "


def list_tool(todo: Any) -> Tool:
    """Return the tool of a list. The user is not asked, because it changes only the list.

    If the list has no `tool()` yet, or `tool()` raises NotImplementedError, the list gets the
    definition of agentlib with its own `fields`.

    The list gets what a model means: a list that was sent as text, and a field in the spelling of
    its schema. What the list takes, and would lose, is refused then, so that the list's own rule
    speaks first: a field that it does not have, and too long a text. A new list that lacks tasks is
    taken, because the model may have given them up, and the model reads which it lacks.
    """
    tool = make_tool(todo)

    @wraps(tool.run)  # an extra field gives the usual error
    def run(**sent: Any) -> Any:
        fields = read_fields(todo)
        read = {name: read_sent(value, fields) for name, value in sent.items()}
        if refused := next(list_refused(read.values(), fields), ""):
            with suppress(TypeError, AttributeError):  # of a list that cannot be copied
                make_tool(deepcopy(todo)).run(**read)
            raise ValueError(f"agentlib refuses this list: {refused}")
        before = [dict(item) for item in list_items(todo) if isinstance(item, Mapping)]
        shown = tool.run(**read)
        return shown + describe_lost(before, list_items(todo))

    return replace(tool, run=run, asks=False)


def describe_lost(before: Sequence[Mapping[str, Any]], items: Iterable[Any]) -> str:
    """Return the note to the model on the tasks that a new list lacks, or has opened again.

    A task that is only written in another way, or has new words under its id in a list of the same
    length, is not missing.
    """
    now = [item for item in items if isinstance(item, Mapping)]
    new, open_now = ({*map(plain_text, part)} for part in (now, filter(is_open, now)))
    old = {*map(plain_text, before)}
    reworded = [item.get("id") for item in now if plain_text(item) not in old]
    if len(now) != len(before):
        reworded = []
    gone = [
        item
        for item in before
        if is_open(item)
        and plain_text(item) not in new
        and (item.get("id") is None or item["id"] not in reworded)
    ]
    # A second list in one reply often comes from the same state as the first one.
    reopened = [item for item in before if not is_open(item) and plain_text(item) in open_now]
    differences = {"unfinished tasks that are missing": gone, "no longer completed": reopened}
    named = "; ".join(f"{words}: {name_tasks(of)}" for words, of in differences.items() if of)
    note = f"\n\n{GONE}{named}. If this was not meant, send the whole list again."
    return note if named else ""


def plain_text(item: Mapping[str, Any]) -> str:
    """Return the text of a task in the form in which two lists are compared."""
    return " ".join(str(item.get("text")).casefold().split()).rstrip(" .!?…;:,")


def name_tasks(items: Sequence[Mapping[str, Any]]) -> str:
    """Return how many tasks these are, and the first three of them by their texts."""
    names = [f'"{escape.shorten(str(item.get("text")), 60)}"' for item in items[:3]]
    return f"{len(items)} ({', '.join(names)}{', …' if len(items) > 3 else ''})"


def make_tool(todo: Any) -> Tool:
    """Return the tool that a list has, or agentlib's with the fields of this list."""
    made: Tool | None = None
    if hasattr(todo, "tool"):
        with suppress(NotImplementedError):
            made = todo.tool()
    if made and (
        made.run != getattr(todo, "update", None) or "items" not in made.input_schema["properties"]
    ):
        return made
    if made is None:
        model: Any = TodoManager()
        model.fields = getattr(todo, "fields", model.fields)
        made = model.tool()
    # Not `run=todo.update`: its argument may have another name.
    return replace(made, run=lambda items: todo.update(items))


def make_nag(nag: Any, todo: Any, after: int) -> Any:
    """Return a new nag of a list. If agentlib's cannot show the list, it has plain words.

    `nag` is a class, or another function of a list and a number of rounds.
    """
    is_shown = nag is not Nag or hasattr(todo, "render")
    return nag(todo if is_shown else Unshown(), after)


class Unshown:
    """Stands for a list that has no `render`."""

    def render(self) -> str:
        """Return no words."""
        return ""


def read_fields(todo: Any) -> dict[str, Any]:
    """Return the schema of each field of a list, without what is not a schema."""
    fields = getattr(todo, "fields", None)
    pairs = fields.items() if isinstance(fields, Mapping) else ()
    return {name: schema for name, schema in pairs if isinstance(schema, Mapping)}


def read_sent(value: Any, fields: Mapping[str, Any]) -> Any:
    """Return a list as the model means it. What is no list is returned itself."""
    try:
        items = read_list(value)
    except ValueError:
        return value  # the list says what is wrong
    return [spell_fields(item, fields) for item in items]


def list_refused(values: Iterable[Any], fields: Mapping[str, Any]) -> Iterator[str]:
    """Yield why a list must be refused, for each of its items: what it says would be lost."""
    for items in values:
        for place, item in enumerate(items if isinstance(items, list) else (), 1):
            if lost := find_lost(item, fields):
                yield f"item {place} has the unknown field {lost}, only {', '.join(fields)}"
            for name in fields if isinstance(item, dict) else ():
                length = len(item[name]) if isinstance(item.get(name), str) else 0
                if length > MAX_CHARS:
                    yield f"item {place}: {name} has {length} characters, max {MAX_CHARS}"


def list_items(todo: Any) -> list[Any]:
    """Return the items of a list, which may have stored something else."""
    items = getattr(todo, "items", None)
    return [*items] if isinstance(items, list | tuple) else []


def texts_of(items: Iterable[Any]) -> list[str]:
    """Return the texts of the items. A list may store odd items."""
    return [str(item.get("text")) for item in items if isinstance(item, Mapping)]


def unfinished(items: Iterable[Any]) -> list[str]:
    """Return the texts of the items that are not completed. A list may store odd items."""
    return texts_of(item for item in items if isinstance(item, Mapping) and is_open(item))


def is_open(item: Mapping[str, Any]) -> bool:
    """Return whether a task is not completed."""
    return bool(item.get("status") != "completed")
