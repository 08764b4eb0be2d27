"""A trial: one measured run of a job by the practice model, on fresh files."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Self

from agentlib.loop import Round, rounds
from agentlib.nag import AFTER, Nag
from agentlib.prompts import first_message, system_prompt
from agentlib.todo import TodoManager
from agentlib.tools import Tool

from ..model_choice import connect_practice
from ..practice.policy import Policy
from ..practice.policy.next_reply import MAX_MESSAGES, WINDOW, PracticePolicy
from ..practice.practice_model import PracticeModel
from ..samples import sample
from ..samples.jobs import load_job


class Trial:
    """One run. Iterate over it to play it round by round, or `play` it to its end.

    Attributes: `job` (its name), `after` (the nag's threshold in rounds, or None), `window`
    (in messages), `eager`, `workspace`, `messages`, `model` (the PracticeModel), `todo` and `nag`
    (None without a plan), and `rounds` (the Rounds so far).

    Of the files: `done` (whether they show each step now), `steps_done` (how many) and `progress`
    (the value of `done` before the first Round and after each one). Of the run: `is_over`.
    """

    def __init__(
        self,
        job: str = "ten_steps",
        *,
        after: int | None = AFTER,
        window: int = WINDOW,
        plan: bool = True,
        todo: TodoManager | None = None,
        nag: Callable[[TodoManager, int], Nag] = Nag,
        eager: bool = False,
        policy: Policy | None = None,
    ) -> None:
        """Set up a run. Without `plan` there is no todo tool; with `after=None`, no reminder.

        `todo` may be your own list, with `items`, `update` and `render`, and `nag` your own class,
        or any function that makes a nag from a list and a threshold. An `eager` model starts
        everything at once. `policy` is another script, in place of the practice policy with this
        window. Raises FileNotFoundError for an unknown job.
        """
        if policy is None:
            policy = PracticePolicy(window, eager=eager)
        self.job, self.after, self.eager = job, after, eager
        self.window = getattr(policy, "window", MAX_MESSAGES)  # Starter sees all
        self.workspace = sample(job)
        self.model = PracticeModel(policy)
        self.todo: TodoManager | None = None
        if plan:
            self.todo = TodoManager() if todo is None else todo
        self.nag = nag(self.todo, after) if self.todo is not None and after is not None else None
        prompt = load_job(job).prompt
        self.messages = [first_message(prompt) if plan else {"role": "user", "content": prompt}]
        self.rounds: list[Round] = []
        self.progress = [self.done]

    def __iter__(self) -> Iterator[Round]:
        """Continue after the last round, even after an interrupt. `rounds` keeps each Round."""
        if self.is_over:
            return
        for turn in self._play(self._tools()):
            self.rounds.append(replace(turn, number=len(self.rounds) + 1))
            self.progress.append(self.done)
            yield self.rounds[-1]

    def play(self) -> Self:
        """Play the run to its end, and return it."""
        for _ in self:
            pass
        return self

    def _tools(self) -> list[Tool]:
        return self.workspace.tools() + ([list_tool(self.todo)] if self.todo else [])

    def _play(self, tools: list[Tool]) -> Iterator[Round]:
        model = connect_practice(self.model)
        system = system_prompt(self.workspace.name, plan=self.todo is not None)
        return rounds(
            model.client, self.messages, tools, remind=self.nag, system=system, **model.settings
        )

    @property
    def is_over(self) -> bool:
        return bool(self.rounds) and self.rounds[-1].is_last

    @property
    def items(self) -> list[dict]:
        """Return the current todo list; empty without a plan."""
        return self.todo.items if self.todo else []

    @property
    def done(self) -> tuple[bool, ...]:
        """Return for each step of the job whether the files show that it is done."""
        return load_job(self.job).find_done(self.workspace.root)

    @property
    def steps_done(self) -> int:
        return sum(self.done)

    @property
    def tokens(self) -> int:
        """Return the tokens of all requests and replies: the amount that a real model bills."""
        return sum(turn.usage.total for turn in self.rounds)


def play(job: str = "ten_steps", **settings) -> Trial:
    """Play a Trial to its end and return it. `settings` are those of `Trial`."""
    return Trial(job, **settings).play()


def list_tool(todo: Any) -> Tool:
    """Return the todo tool of a list, which may be no TodoManager: then it needs only `update`."""
    if isinstance(todo, TodoManager):
        return todo.tool()
    # Not `run=todo.update`: its argument may have another name.
    return replace(TodoManager().tool(), run=lambda items: todo.update(items))
