"""Whether data that comes from outside has the shape that the code counts on."""

from typing import Any


def misfit(value: Any, shape: Any, place: str) -> str | None:
    """The first place at which `value` does not fit `shape`, or None where all of it does.

    A shape is a type; a tuple of shapes of which one must fit (None stands for null); a list with
    the shape of its elements; a range for a whole number in it; or a dict with the shapes of its
    fields, of which those that end in "?" may be missing. `place` is the value's own name.
    """
    match shape:
        case None:
            fits = value is None
        case tuple():
            fits = any(misfit(value, one, place) is None for one in shape)
        case range():
            fits = type(value) is int and value in shape
        case [element] if isinstance(value, list):
            return first(misfit(each, element, f"{place}[{n}]") for n, each in enumerate(value))
        case dict() if isinstance(value, dict):
            return first(field(value, name, part, place) for name, part in shape.items())
        case type():
            fits = isinstance(value, shape)
        case _:
            fits = False
    return None if fits else place


def field(value: dict[str, Any], name: str, shape: Any, place: str) -> str | None:
    """Like misfit, for one field of a dict."""
    key = name.removesuffix("?")
    if key not in value:
        return None if key != name else f"{place}.{key}"
    return misfit(value[key], shape, f"{place}.{key}")


def first(places: Any) -> str | None:
    """The first that is not None."""
    return next((place for place in places if place is not None), None)
