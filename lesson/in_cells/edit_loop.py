"""Put the learner's loop into the cell in which they go on with it."""

from collections.abc import Callable
from typing import Any

from ..common.solutions import read_first_loop
from ..kernel.ipython_shell import find_shell
from ..program.my_agent import Parts, my_agent, store

OWN = "Your loop is in this cell now. Add your lines, and run the cell again."
AGENTLIBS = (
    "agentlib's loop is in this cell now, because yours has not passed its check yet. Add your "
    "lines, and run the cell again. (To have yours here after it has passed, replace all of this "
    "cell by `from lesson import edit_loop; agent_loop = edit_loop()`, and run it.)"
)


def edit_loop() -> Callable[..., Any]:
    """Replace the text of the cell that runs by your loop in `my_agent`, and return the loop.

    Without one that passes its first exercise, it is agentlib's, in the form of that exercise.
    """
    own = store.read_own("agent_loop")
    text = own or read_first_loop()
    if shell := find_shell():
        # Not `shell.set_next_input`, which in a browser's kernel is the one of a terminal.
        payload = {"source": "set_next_input", "text": text, "replace": True}
        shell.payload_manager.write_payload(payload)
    print(OWN if own else AGENTLIBS)
    if own:
        loop: Callable[..., Any] = my_agent.agent_loop
        return loop
    return Parts({"agent_loop": text}).agent_loop
