"""The question whether a real model may run a command, as buttons."""

import threading
import time
from typing import Any

from .. import escape
from ..live import approval
from .view import View, script

TICK = 0.1  # seconds
PATIENCE = 3.0  # seconds for a page to show that it can answer
TOO_SOON = 0.5  # seconds: nobody reads a command in them; it is the last question's second click
QUIET = "Nothing is asked now."
WAITS = "The model waits for your answer."
TOO_QUICK = "That was too quick to have been read. Read the command, then press again."
SAID = {
    approval.ONCE: "Allowed, once.",
    approval.ALL_IN_THIS_RUN: "Allowed, in this run.",
    "no": "Not allowed.",
}


class Approval(View):
    """Asks a person about a command: `approval = Approval()`, then `connect(ask=approval)`.

    Its buttons are for work beside the cells, such as a Player's: show it in a cell, near the
    Player. While a cell runs, no button reaches Python (ipykernel hands messages to the loop that
    the cell keeps busy), so what a cell wants to run is asked by an input line below it. Where
    the widget is not shown anywhere, the answer is no.
    """

    _esm = script("approval")

    def __init__(self) -> None:
        super().__init__()
        self._heard: dict[str, Any] = {}
        self._asked, self._question = 0.0, 0
        self._turn = threading.Lock()
        self._show(None, QUIET)
        self.on_msg(self._hear)

    def __call__(self, command: str) -> str:
        """Put `command` to the person: "once", "run", or the no that the model gets to read."""
        if threading.current_thread() is threading.main_thread():
            return approval.ask(command)
        with self._turn:
            self._heard, self._asked = {}, time.monotonic()
            self._show(escape.command(command), WAITS)
            self.send({"ask": "here"})
            answer = self._answer()
            self._show(None, SAID.get(answer, QUIET))
        if answer is None:
            return approval.NOBODY
        return answer if answer in (approval.ONCE, approval.ALL_IN_THIS_RUN) else approval.REFUSED

    def _answer(self) -> str | None:
        """Wait for a button; None where no page is there to press one."""
        while "answer" not in self._heard:
            if "here" not in self._heard and time.monotonic() - self._asked > PATIENCE:
                return None
            time.sleep(TICK)
        return self._heard["answer"]

    def _hear(self, _: Any, content: dict, __: Any) -> None:
        read = time.monotonic() - self._asked > TOO_SOON
        if read or content.get("answer", "no") == "no":
            self._heard |= content
        elif self.state["command"] is not None:
            self._show(self.state["command"], TOO_QUICK)

    def _show(self, command: str | None, said: str) -> None:
        # By its number the page knows a question that it has answered from a new one.
        self._question += 1
        self.state = {"question": self._question, "command": command, "said": said}

    def text(self) -> str:
        """What is asked, and how it stands."""
        command = self.state["command"]
        return self.state["said"] if command is None else f"{self.state['said']}\n{command}"
