"""The board: the todo list as it changes, and how long the model has not touched it."""

from collections.abc import Iterable, Iterator
from time import sleep

from ..loop import Round
from ..nag import Nag
from ..runs.trial import Trial
from ..todo import TodoManager
from .base import View, script, style
from .runs import is_watched
from .summaries import headline
from .todo_state import completed, counter, evidence, plan, shown_by_files, waiting


class Board(View):
    """Shows a TodoManager and, if given, its Nag. Neither knows that it is shown.

    Of a Trial that it follows, it also shows what the files say.
    """

    _esm = script("board")
    _css = style("board")

    def __init__(self, todo: TodoManager, nag: Nag | None = None) -> None:
        """`todo` is the list to show, `nag` the counter to show below it."""
        super().__init__()
        self.todo, self.nag = todo, nag
        self._trial: Trial | None = None
        self.refresh()

    def refresh(self, status: str = "", reminded: bool = False) -> None:
        """Show the list as it is now. `status` is a line to say about it."""
        steps = evidence(self._trial.task, self._trial.done) if self._trial else None
        self.state = {
            "plan": plan(self.todo.items, steps=steps),
            "counter": counter(self.nag, reminded),
            "steps": steps,
            "status": status,
        }

    def follow(self, rounds: Iterable[Round], pause: float = 0) -> Iterator[Round]:
        """Pass the Rounds on, and redraw after each. Wraps a live run: nothing is asked ahead.

        `pause` is a time to wait after each round, in seconds, for those who want to watch. Where
        no page runs the cell (a test, a script) there is no pause.
        """
        # The list of a Trial may be checked against its files; that of another run may not.
        self._trial = None
        if isinstance(rounds, Trial) and rounds.todo is self.todo:
            self._trial = rounds
        said, word = "Not started", "Stopped"
        try:
            for round in rounds:
                said = f"Round {round.number}: {headline(round)}"
                self.refresh(f"{said}. {completed(self.todo.items)}.", bool(round.reminder))
                word = "Stopped" if round.calls else "Finished"
                yield round
                if is_watched():
                    sleep(pause)
        finally:
            self.refresh(f"{word}. {said}. {completed(self.todo.items)}.")

    def text(self) -> str:
        """The rendered list, what the files show, and the count of rounds below it."""
        lines = [self.todo.render(), shown_by_files(self.state["steps"])]
        return "\n".join(filter(None, [*lines, waiting(self.state["counter"])]))
