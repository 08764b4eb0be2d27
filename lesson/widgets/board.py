"""The board: the todo list as it changes, and the rounds since the model last touched it.

While a real model speaks, its words stand above the list.
"""

from collections.abc import Iterable, Iterator
from time import sleep

from agentlib.client.notebook import is_watched
from agentlib.client.streaming import aloud
from agentlib.loop import Round
from agentlib.nag import Nag
from agentlib.todo import TodoManager

from ..runs.trial import Trial
from .base import View
from .summaries import headline
from .todo_state import (
    describe_evidence,
    describe_progress,
    describe_waiting,
    draw_counter,
    draw_plan,
    list_evidence,
)

MAX_WORDS_CHARS = 600  # of what the model is saying: the newest


class Board(View):
    """Shows a TodoManager and, if given, its Nag. Neither knows that it is shown.

    When it follows a Trial, it also shows what the files say.
    """

    kind = "board"

    def __init__(self, todo: TodoManager, nag: Nag | None = None) -> None:
        """`todo` is the list to show, and `nag` the counter to show below it."""
        super().__init__()
        self.todo, self.nag = todo, nag
        self._trial: Trial | None = None
        self._words = ""
        self.refresh()

    def refresh(self, status: str = "", reminded: bool = False) -> None:
        """Show the list as it is now. `status` is a line of text to show with it."""
        self._words = ""
        steps = list_evidence(self._trial.task, self._trial.done) if self._trial else None
        self.state = {
            "plan": draw_plan(self.todo.items, steps),
            "counter": draw_counter(self.nag, reminded),
            "status": status,
            "words": "",
        }

    def hear(self, words: str) -> None:
        """Show these words of the model behind those before them, until the next `refresh`."""
        self._words += words
        shown = self._words.strip()
        if len(shown) > MAX_WORDS_CHARS:
            shown = "… " + shown[-MAX_WORDS_CHARS:]
        self.state = self.state | {"words": shown}

    def follow(self, rounds: Iterable[Round], pause: float = 0) -> Iterator[Round]:
        """Pass the Rounds on, and redraw after each, and with each word of a real model.

        Nothing is asked of a live run ahead of time.

        `pause` is a time to wait after each round, in seconds, so that you can watch. If no page
        runs the cell (in a test or a script), there is no pause.
        """
        # Only the list of a Trial can be checked against files.
        self._trial = None
        if isinstance(rounds, Trial) and rounds.todo is self.todo:
            self._trial = rounds
        said, word = "Not started", "Stopped"
        try:
            for step in aloud(rounds, self.hear):
                said = f"Round {step.number}: {headline(step)}"
                self.refresh(f"{said}. {describe_progress(self.todo.items)}.", bool(step.reminder))
                word = "Stopped" if step.calls else "Finished"
                yield step
                if is_watched():
                    sleep(pause)
        finally:
            self.refresh(f"{word}. {said}. {describe_progress(self.todo.items)}.")

    def text(self) -> str:
        """What the model says now, the list, what the files show, and the count of rounds."""
        evidence = describe_evidence(self.state["plan"]["steps"])
        waiting = describe_waiting(self.state["counter"])
        return "\n".join(filter(None, [self.state["words"], self.todo.render(), evidence, waiting]))
