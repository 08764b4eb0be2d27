"""A dict that cannot be changed, for a class attribute that subclasses extend."""

from typing import Any, NoReturn


class ReadOnlyDict(dict[str, Any]):
    """A dict that rejects changes; `a | b`, `{**a}` and copies of it are plain dicts."""

    def _reject(self, *args: Any, **named: Any) -> NoReturn:
        raise TypeError("this dict is read-only; make a new one: `TodoManager.fields | {…}`")

    __setitem__ = __delitem__ = __ior__ = _reject
    clear = pop = popitem = setdefault = update = _reject

    def __reduce__(self) -> tuple[type, tuple[dict[str, Any]]]:
        """Return how `copy`, `deepcopy` and `pickle` make a copy."""
        return dict, (dict(self),)
