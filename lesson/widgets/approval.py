"""The question whether a real model may run a command or change a file, as buttons."""

import threading
import time
from queue import Empty, Queue
from typing import Any

from agentlib.client import approval, escape

from .base import View

PATIENCE = 3.0  # seconds for a page to show that it can answer
TOO_SOON = 0.5  # seconds: too little to read a command; probably a double click on the last one
QUIET = "Nothing is asked now."
WAITS = "The model waits for your answer."
TOO_QUICK = "That was too quick. Read the question, then press again."
SAID = {
    approval.ONCE: "Allowed, once.",
    approval.ALL_IN_THIS_RUN: "Allowed, in this run.",
    "no": "Not allowed.",
}
HERE = "here"


class Approval(View):
    """Asks a person about a command: `approval = Approval()`, then `connect(ask=approval)`.

    Its buttons are for work in the background, such as a Player's: show it in a cell near the
    Player. While a cell runs, no button reaches Python (ipykernel passes messages to the event
    loop that the cell keeps busy), so a command from a cell is asked about in an input line below
    it. If the widget is not shown anywhere, the answer is no.
    """

    kind = "approval"

    def __init__(self) -> None:
        super().__init__()
        self._answers: Queue[str] = Queue()
        self._asked, self._question = 0.0, 0
        self._turn = threading.Lock()
        self._action = approval.COMMAND
        self._show(None, QUIET)
        self.on_msg(self._hear)

    def __call__(self, question: str) -> str:
        """Ask the person. Returns "once", "run", or the refusal, which the model reads.

        `question` is a Question; a plain text counts as a command.
        """
        if threading.current_thread() is threading.main_thread():
            return approval.ask(question)
        with self._turn:
            self._answers, self._asked = Queue(), time.monotonic()
            self._action = getattr(question, "action", approval.COMMAND)
            self._show(escape.command(question), WAITS)
            self.send({"ask": HERE})
            answer = self._answer()
            self._show(None, SAID[answer] if answer in SAID else QUIET)
        if answer is None:
            return approval.NO_ONE
        return answer if answer in (approval.ONCE, approval.ALL_IN_THIS_RUN) else approval.REFUSED

    def _answer(self) -> str | None:
        """Wait for a button to be pressed; None if no page shows one."""
        try:
            word = self._answers.get(timeout=PATIENCE)
        except Empty:
            return None
        while word == HERE:
            word = self._answers.get()
        return word

    def _hear(self, _: Any, content: dict[str, Any], __: Any) -> None:
        """Take an answer to the question that is shown. An answer to another one comes too late."""
        if self.state["command"] is None or content.get("question") != self.state["question"]:
            return
        if HERE in content:
            self._answers.put(HERE)
            return
        answer = content.get("answer")
        is_read = time.monotonic() - self._asked > TOO_SOON
        if is_read or answer == "no":
            self._answers.put(answer if answer in SAID else "no")
        else:
            self._answers.put(HERE)  # a person is there
            self._show(self.state["command"], TOO_QUICK)

    def _show(self, command: str | None, said: str) -> None:
        # The number lets the page tell an answered question from a new one.
        self._question += 1
        self.state = {
            "question": self._question,
            "command": command,
            "action": self._action,
            "is_change": self._action == approval.CHANGE,
            "said": said,
        }

    def text(self) -> str:
        """The question, and its status."""
        command = self.state["command"]
        return self.state["said"] if command is None else f"{self.state['said']}\n{command}"
