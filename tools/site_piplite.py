"""What the browser edition has in place of `piplite.piplite`, which imports a package installer.

The kernel sets these two names and asks for its own packages, which are all there. No other package
can be installed in the browser edition, so the installer would only cost time at each start.
"""

from typing import Any

_PIPLITE_DISABLE_PYPI = True
_PIPLITE_URLS: list[str] = []


async def install(*requirements: Any, **options: Any) -> None:
    """Raise RuntimeError: no package can be installed here."""
    raise RuntimeError(
        "The browser edition has all packages of the lesson, and can install no other one. "
        "Install the lesson on your own machine to add packages."
    )
