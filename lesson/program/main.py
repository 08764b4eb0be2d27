"""What a `my_agent.py` of version 1.0 to 1.2 imports at its end, to say where its parts are now."""

import sys


def main(*_: object, **__: object) -> None:
    """End the program of an older version with what to run in its place."""
    sys.exit(
        "Your program is the folder my_agent now. In a notebook, `from lesson import my_agent` "
        "moves your parts there, and `terminal(…)` prints the line that runs it."
    )
