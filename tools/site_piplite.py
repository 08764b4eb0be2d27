"""What the browser edition has in place of `piplite.piplite`, which imports a package installer.

The kernel sets these two names and asks for its own packages, which are all there. No other package
can be installed in the browser edition, so the installer would only cost time at each start. The
kernel imports this before anything else of its own.
"""

import sys
from typing import Any

# Pyodide looks for each module in the current folder first, and there it asks the page, which is
# busy. IPython puts this place in front of site-packages, where any other kernel has it.
sys.path[:] = [place for place in sys.path if place]

_PIPLITE_DISABLE_PYPI = True
_PIPLITE_URLS: list[str] = []


async def install(*requirements: Any, **options: Any) -> None:
    """Raise RuntimeError: no package can be installed here."""
    raise RuntimeError(
        "The browser edition has all packages of the lesson, and can install no other one. "
        "Install the lesson on your own machine to add packages."
    )
