"""A run in the arena: a Trial with a scripted model, and the parts of a row around the loop."""

from collections.abc import Iterator
from dataclasses import replace

from agentlib.loop import Round
from agentlib.tools import Tool

from ..at_the_stop import MAX_QUESTIONS
from ..practice.policy import Policy
from .arena_rows import Row
from .harness_parts import JOB, reject_third_equal_call
from .trial import Trial

MAX_REQUESTS = 80  # a run that needs more is stopped, and this is its result


class ArenaTrial(Trial):
    """One run in the arena: a Trial with a scripted model and the parts of a row.

    `questions` counts how often the harness asked at the stop: each question is in the messages of
    the round before it. `is_stopped` is true if the run was ended after MAX_REQUESTS.
    """

    def __init__(self, policy: Policy, row: Row) -> None:
        """Set up a run of a row's harness with the scripted model `policy`, on fresh files."""
        todo = row.todo() if row.todo else None
        super().__init__(JOB, after=row.after, plan=todo is not None, todo=todo, policy=policy)
        self.row = row
        self.questions = 0
        self.is_stopped = False

    def _tools(self) -> list[Tool]:
        tools = super()._tools()
        return reject_third_equal_call(tools) if self.row.rejects_repeats else tools

    def _play(self, tools: list[Tool]) -> Iterator[Round]:
        """Yield the rounds, and ask at each stop until nothing is missing."""
        question: str | None = ""
        while question is not None:
            for turn in super()._play(tools):
                question = self._ask() if turn.is_last else None
                self.is_stopped = len(self.rounds) + 1 == MAX_REQUESTS and not turn.is_last
                if question is not None:
                    self.questions += 1
                    asked = {"role": "user", "content": question}
                    self.messages.append(asked)
                    turn = replace(turn, messages=(*turn.messages, asked), is_last=False)
                yield turn
                if self.is_stopped:
                    return

    def _ask(self) -> str | None:
        if self.row.at_stop is None or self.questions == MAX_QUESTIONS:
            return None
        return self.row.at_stop(self.todo, self.workspace)

    @property
    def is_over(self) -> bool:
        return self.is_stopped or super().is_over
