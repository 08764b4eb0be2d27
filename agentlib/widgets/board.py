"""The board: the todo list as it changes, and how long the model has not touched it."""

from collections.abc import Iterable, Iterator
from time import sleep

from ..loop import Round
from ..nag import Nag
from ..todo import TodoManager
from .base import View, script
from .summaries import headline
from .todo_state import completed, counter, plan, waiting


class Board(View):
    """Shows a TodoManager and, if given, its Nag. Neither knows that it is shown."""

    _esm = script("board")

    def __init__(self, todo: TodoManager, nag: Nag | None = None) -> None:
        """`todo` is the list to show, `nag` the counter to show below it."""
        super().__init__()
        self.todo, self.nag = todo, nag
        self.refresh()

    def refresh(self, status: str = "", reminded: bool = False) -> None:
        """Show the list as it is now. `status` is a line to say about it."""
        self.state = {
            "plan": plan(self.todo.items),
            "counter": counter(self.nag, reminded),
            "status": status,
        }

    def follow(self, rounds: Iterable[Round], pause: float = 0) -> Iterator[Round]:
        """Pass the Rounds on, and redraw after each. Wraps a live run: nothing is asked ahead.

        `pause` is a time to wait after each round, in seconds, for those who want to watch.
        """
        said, word = "Not started", "Stopped"
        try:
            for round in rounds:
                said = f"Round {round.number}: {headline(round)}"
                self.refresh(f"{said}. {completed(self.todo.items)}.", bool(round.reminder))
                word = "Stopped" if round.calls else "Finished"
                yield round
                sleep(pause)
        finally:
            self.refresh(f"{word}. {said}. {completed(self.todo.items)}.")

    def text(self) -> str:
        """The rendered list, and the count of rounds below it."""
        return f"{self.todo.render()}\n{waiting(self.state['counter'])}".rstrip()
