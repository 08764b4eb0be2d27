"""A run: an agent does a job on new files, and what each of its rounds did is recorded.

A run is kept as two strings, from which it is drawn. `cells` has a letter for each round, a capital
if a reminder was sent with its results:

    p  writes its plan             l  works without its plan, which has left the window
    w  works                       f  finishes a step without its plan
    d  finishes a step             s  writes a short plan in place of the one that it has lost
    e  ends                        u  works; its files were not checked

`steps` has a digit for each round: how many steps the files show more than before it.
"""

import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, Self

from agentlib.loop import Round, rounds
from agentlib.nag import AFTER, Nag
from agentlib.prompts import first_message, system_prompt
from agentlib.todo import TodoManager
from agentlib.workspace import Workspace

from ..at_the_stop import ask_at_the_stop
from ..message_blocks import blocks_of, is_list_tool, read_items, text_of
from ..model_choice import connect_practice
from ..practice.policy import Policy
from ..practice.policy.next_reply import WINDOW, PracticePolicy
from ..practice.practice_model import PracticeModel
from ..practice.starter import starter
from ..real_model.connection import Connection
from ..real_model.stop_reasons import describe_early_end
from ..samples import delete, sample
from ..samples.jobs import Job, list_missing, load_job
from ..samples.own_job import make_job
from ..samples.project_files import read_files
from ..time_limit import OutOfTimeError, TimeLimit
from .adapt import call_loop, list_tool, takes_remind
from .problem import describe_problem
from .watch import watch
from .window import View, Viewer

SECONDS = 20  # of work, for a run of the practice model
ROUND_SECONDS = 2  # of work, for one round of it
NO_REMIND = "This loop takes no `remind`, so it runs without the nag."


class Moment(NamedTuple):
    """A round, and what is known after it.

    `items` is the todo list, `done` what the files show of each step (empty if they were not
    checked), `waited` the number of rounds without a todo call, `view` what the model saw of the
    round's request, `cell` and `new` its letter and how many steps it finished.
    """

    turn: Round
    items: tuple[dict[str, Any], ...]
    done: tuple[bool, ...]
    waited: int
    view: View
    cell: str
    new: int


class Run:
    """One run of a job by the practice model, or by a real one.

    Attributes: `job` (its name), `after` (the nag's threshold in rounds, or None), `window` (in
    messages; None if the model sees all), `workspace`, `messages`, `todo` and `nag` (None without
    one), `step_texts` (the steps of the job), `start_done` (what `done` was before the first
    round), `moments` (what is known after each round), `note` (a sentence about what was left out,
    or ""), and `problem` ("" or what ended the run early: an exception of the learner's code, with
    its line, the time limit, or a last reply that was cut off or refused).
    """

    def __init__(
        self,
        job: str | Iterable[Sequence[str]] = "ten_steps",
        *,
        loop: Callable[..., Any] | None = None,
        todo: Any = TodoManager,
        nag: Callable[[Any, int], Any] | None = Nag,
        after: int | None = AFTER,
        window: int = WINDOW,
        model: str | Connection | None = None,
        ask: Callable[..., Any] | None = None,
        missing: str | Callable[[], list[str]] | None = None,
    ) -> None:
        """Set up a run; see `lesson.play_job` for the arguments.

        Raise FileNotFoundError for an unknown job, and ValueError for an unknown model or a
        `missing` that is neither "list" nor "files" nor a function.
        """
        self._job, self.workspace = open_job(job)
        self.job, self.after = self._job.name, after
        self.window: int | None = window
        self.step_texts = [step.text for step in self._job.steps]
        self.todo: Any = None
        self.nag: Any = None
        self.moments: list[Moment] = []
        self.problem = self.note = ""
        self._loop = rounds if loop is None else loop
        self._connect(model, PracticePolicy(window))
        self._ask, self._missing = ask or ask_at_the_stop, self._find_missing(missing)
        self.start_done, self._start_files = self.done, read_files(self.workspace.root).texts
        self._make_parts(todo, nag)
        self.messages = [self._first_message()]
        self._watched: Any = watch(self._connection.client, self._record)
        self._viewer = Viewer(self.window)
        self._on_round: Callable[[Moment], object] = lambda moment: None
        self._reminder: str | None = None

    def _make_parts(self, todo: Any, nag: Any) -> None:
        """Make the list and the nag, whose classes may be the learner's."""
        with self._reporting(ROUND_SECONDS):
            if todo is not None:
                self.todo = todo() if isinstance(todo, type) else todo
            if self.todo is not None and nag is not None and self.after is not None:
                self.nag = nag(self.todo, self.after)
        if self.nag is not None and not takes_remind(self._loop):
            self.nag, self.note = None, NO_REMIND

    def _connect(self, model: str | Connection | None, policy: Policy) -> None:
        """Connect to a model: by default, to the practice model with this policy."""
        if isinstance(model, Connection):
            self._connection, self.window = model, None
            return
        if model is not None:
            if str(model).casefold() != "starter":
                raise ValueError(f'model is "Starter" or a connection, not {model!r}')
            policy, self.window = starter, None
        self._connection = connect_practice(PracticeModel(policy))

    def _first_message(self) -> dict[str, Any]:
        prompt = self._job.prompt_for(self._connection)
        return first_message(prompt) if self.todo is not None else user_message(prompt)

    def _find_missing(self, missing: Any) -> Callable[[], list[str]] | None:
        if missing is None or callable(missing):
            return missing
        found = {
            "list": lambda: list_open(self.items),
            "files": lambda: list_missing(self._job.steps, self.workspace.root),
        }
        if missing not in found:
            raise ValueError(f'missing is "list", "files" or a function, not {missing!r}')
        return found[missing]

    def play(self, on_round: Callable[[Moment], object] | None = None) -> Self:
        """Play the run to its end and return it. Call `on_round` with the Moment of each round.

        An exception of the learner's code becomes `problem`; only KeyboardInterrupt is raised.
        """
        self._on_round = on_round or self._on_round
        try:
            with self._reporting(SECONDS):
                self._play_loop()
        finally:
            self._watched.finish(self.messages)
        self._judge_end()
        return self

    def _play_loop(self) -> None:
        """Play the loop, and ask at the stop if this run asks."""
        if self.problem:  # the list or the nag could not be made
            return

        def run_once() -> None:
            call_loop(self._loop, self._watched, self.messages, *self._parts(), **self._settings())

        if self._missing is None:
            run_once()
        else:
            self._ask(run_once, self.messages, self._missing)

    def play_rounds(self) -> Iterator[None]:
        """Play the run with the package's loop, and yield after each round: it may be dropped.

        Each round has its own time limit.
        """
        tools, remind = self._parts()
        turns = rounds(self._watched, self.messages, tools, remind=remind, **self._settings())
        while not self.problem:
            with self._reporting(ROUND_SECONDS):
                if next(turns, None) is None:
                    break
            yield
        self._watched.finish(self.messages)
        self._judge_end()

    def _judge_end(self) -> None:
        """Note why the last reply is no complete answer, whatever the loop has made of it."""
        if self.moments and not self.problem:
            self.problem = describe_early_end(self.moments[-1].turn.stop_reason)

    def _parts(self) -> tuple[list[Any], Callable[..., Any] | None]:
        tools = self.workspace.tools()
        if self.todo is not None:
            tools.append(list_tool(self.todo))
        if self._connection.real:
            tools = self._connection.guard(tools)
        return tools, self._remind if self.nag is not None else None

    def _settings(self) -> dict[str, Any]:
        system = system_prompt(self.workspace.name, plan=self.todo is not None)
        return {"system": system, **self._connection.settings}

    def _remind(self, *calls: Any) -> str | None:
        """Call the nag, and note its reminder: its words need no tags, by which it is found."""
        self._reminder = self.nag(*calls)
        return self._reminder

    @contextmanager
    def _reporting(self, seconds: float) -> Iterator[None]:
        """Give the code inside a time limit, and keep what it raises as `problem`."""
        limit = nullcontext() if self._connection.real else TimeLimit(seconds)
        try:
            with limit:
                yield
        except (Exception, SystemExit, OutOfTimeError) as problem:
            if isinstance(limit, TimeLimit):
                limit.end()  # the last signal may have come before its own end
            self.problem = describe_problem(problem)

    def _record(self, turn: Round) -> None:
        """Record a round that has ended."""
        reminder, self._reminder = self._reminder, None
        if not turn.reminder and reminder and is_sent(reminder, turn):
            turn = replace(turn, reminder=reminder)
        view = self._viewer.look(self._watched.request)
        was_done, waited = self.start_done, 0
        if self.moments:
            was_done, waited = self.moments[-1].done, self.moments[-1].waited
        if calls_list(turn):
            waited = 0
        elif turn.calls:
            waited += 1
        done = self.done
        new = sum(now and not then for then, now in zip(was_done, done, strict=True))
        cell = find_cell(turn, view, new, is_checked=bool(done))
        self.moments.append(Moment(turn, tuple(self.items), done, waited, view, cell, min(new, 9)))
        self._on_round(self.moments[-1])

    @property
    def rounds(self) -> list[Round]:
        return [moment.turn for moment in self.moments]

    @property
    def cells(self) -> str:
        return "".join(moment.cell for moment in self.moments)

    @property
    def steps(self) -> str:
        return "".join(str(moment.new) for moment in self.moments)

    @property
    def items(self) -> list[dict[str, Any]]:
        """Return the current todo list; empty without one."""
        items = getattr(self.todo, "items", None)
        given = items if isinstance(items, list) else []
        return [dict(item) for item in given if isinstance(item, Mapping)]

    @property
    def done(self) -> tuple[bool, ...]:
        """Return for each step whether the files show it; empty if the job has no judge."""
        return self._job.find_done(self.workspace.root)

    @property
    def steps_done(self) -> int:
        return sum(self.done)

    @property
    def changed(self) -> list[str]:
        """Return the names of the files that are new or have changed since the start."""
        now = read_files(self.workspace.root).texts
        return [name for name in sorted(now) if now[name] != self._start_files.get(name)]

    @property
    def tokens(self) -> int:
        """Return the tokens of all requests and replies: the amount that a real model bills."""
        return sum(turn.usage.total for turn in self.rounds)

    @property
    def is_over(self) -> bool:
        return bool(self.moments) and self.moments[-1].turn.is_last


def open_job(job: str | Iterable[Sequence[str]]) -> tuple[Job, Workspace]:
    """Return a job and a new workspace for it, which is deleted together with the run.

    `job` is the name of a sample, or the learner's own: steps of a text, a path and a content,
    which begin in an empty folder.
    """
    if isinstance(job, str):
        return load_job(job), sample(job)
    plan = make_job(job)
    root = Path(tempfile.mkdtemp(prefix="agentlib-"), plan.name)
    root.mkdir()
    workspace = Workspace(root)
    weakref.finalize(workspace, delete, workspace.root)
    return plan, workspace


def user_message(text: str) -> dict[str, Any]:
    """Return a message of the user."""
    return {"role": "user", "content": text}


def list_open(items: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the texts of the items that a list does not call completed."""
    return [str(item.get("text")) for item in items if item.get("status") != "completed"]


def calls_list(turn: Round) -> bool:
    """Return whether the round called the todo tool, accepted or rejected."""
    return any(is_list_tool(call.name) for call in turn.calls)


def is_sent(reminder: str, turn: Round) -> bool:
    """Return whether the words of a reminder are in the messages of a round."""
    blocks = [block for message in turn.messages for block in blocks_of(message)]
    blocks += [part for block in blocks for part in blocks_of(block)]
    return any(reminder.strip() in text_of(block) for block in blocks)


def find_cell(turn: Round, view: View, new: int, *, is_checked: bool) -> str:
    """Return the letter of a round.

    `view` is what the model saw of its request, and `new` is how many steps the files show more.
    """
    kind = find_letter(turn, view, new)
    kind = "u" if kind == "w" and not is_checked else kind
    return kind.upper() if turn.reminder else kind


def find_letter(turn: Round, view: View, new: int) -> str:
    """Return the letter of a round; a list is short if it has fewer items than a lost plan."""
    if not turn.calls:
        return "e"
    lists = [read_items(call.input) for call in turn.calls if call.ok and is_list_tool(call.name)]
    if lists:
        lost = view.lost_plan
        return "s" if lost and len(lists[-1]) < len(lost.items) else "p"
    if new:
        return "f" if view.is_lost else "d"
    return "l" if view.is_lost else "w"
