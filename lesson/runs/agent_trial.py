"""A trial of a learner's own agent: the same measurements as for the package's loop."""

from collections.abc import Callable, Iterator
from typing import Any

from agentlib.loop import Round
from agentlib.replies import usage_of

from ..model_choice import connect_practice
from ..practice.policy.tasks import load
from .trace import Trace
from .trial import Trial

NO_REMINDER = 10**6  # rounds: a threshold that no run reaches


class AgentTrial(Trial):
    """One run of `agent(client, messages, workspace, after=3, **settings)`, a function.

    The agent runs to its end before the first Round is yielded, because it does not have to yield.
    Then its Rounds are read from its messages, with the list and the files as they were after each.
    """

    def __init__(
        self, agent: Callable[..., Any], task: str, after: int | None, window: int
    ) -> None:
        """Without a threshold (`after` is None), the agent gets one that is never reached."""
        super().__init__(task, after=after, window=window)
        self.agent = agent
        self.messages = [{"role": "user", "content": load(task).prompt}]
        self.nag = None

    def __iter__(self) -> Iterator[Round]:
        """Run the agent to its end, then yield its Rounds."""
        if self.rounds:
            return
        model = connect_practice(self.model)
        create = model.client.messages.create
        done, facts = [], []

        def record(**request: Any) -> Any:
            reply = create(**request)
            done.append(self.done)  # before the calls of this reply
            facts.append({"usage": usage_of(reply)})
            return reply

        model.client.messages.create = record  # type: ignore[method-assign]
        after = NO_REMINDER if self.after is None else self.after
        settings = {"after": after, **model.settings}
        made = self.agent(model.client, self.messages, self.workspace, **settings)
        if hasattr(made, "__next__"):  # an agent that yields
            for _ in made:
                pass
        steps = Trace.from_messages(self.messages, facts=facts).steps[1:]
        for step, now_done in zip(steps, [*done[1:], self.done], strict=False):
            if step.round is not None and self.todo is not None:
                self.todo.items = [{**item} for item in step.items]
                self.rounds.append(step.round)
                self.progress.append(now_done)
                yield step.round
