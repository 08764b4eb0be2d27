"""A job that a practice model does with the package's parts, round by round."""

from dataclasses import replace
from types import SimpleNamespace

from agentlib import Nag, TodoManager, first_message, rounds, system_prompt
from agentlib.room import keep_last
from lesson.practice.practice_model import PracticeModel
from lesson.samples.copies import sample
from lesson.samples.jobs import load_job
from lesson.samples.project_files import read_files

from .loop import SETTINGS


class Session:
    """Iterate over it to play it round by round, even after an interrupt, or `play` it.

    Its client sends the prompt and the last `window` messages, as that of a Run.
    """

    def __init__(
        self, job="ten_steps", *, after=3, window=12, plan=True, todo=None, nag=Nag, policy=None
    ):
        self.job, self.workspace, self.rounds = load_job(job), sample(job), []
        self.model, self.window = PracticeModel(policy), window
        self.todo = (todo or TodoManager()) if plan else None
        self.nag = nag(self.todo, after) if plan and after else None
        prompt = self.job.prompt
        self.messages = [first_message(prompt) if plan else {"role": "user", "content": prompt}]

    def __iter__(self):
        tools = self.workspace.tools() + ([self.todo.tool()] if self.todo else [])
        system = {"system": system_prompt(self.workspace.name, plan=self.todo is not None)}
        settings = SETTINGS | system
        client = SimpleNamespace(messages=SimpleNamespace(create=self._create))
        playing = rounds(client, self.messages, tools, remind=self.nag, **settings)
        for round_ in playing:
            self.rounds.append(replace(round_, number=len(self.rounds) + 1))
            yield self.rounds[-1]

    def _create(self, messages, **settings):
        sent = keep_last(messages, self.window)
        return self.model.client().messages.create(messages=sent, **settings)

    def play(self):
        """Play it to its end, and return it."""
        list(self)
        return self

    def play_until(self, number):
        """Play it up to this round, and return it."""
        next(round_ for round_ in self if round_.number == number)
        return self

    @property
    def items(self):
        return self.todo.items

    @property
    def done(self):
        return self.job.find_done(self.workspace.root)

    @property
    def steps_done(self):
        return sum(self.done)

    @property
    def written(self):
        """Return for each step whether the files are as the practice model writes them."""
        texts = dict(read_files(self.workspace.root).texts)
        return tuple(step.is_written(texts) for step in self.job.steps)
