"""Record two rounds of the ten steps line by line: a list is rejected, and a reminder is sent."""

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from types import CodeType, SimpleNamespace
from typing import Any, NamedTuple

from agentlib.signatures import call_loop
from exerciselib.learners_code import Raised, TimeLimit, attempt
from exerciselib.show_value import show

from ..common.message_blocks import contains
from ..practice.model_choice import connect_practice
from ..practice.policy.next_reply import practice_policy
from ..practice.practice_model import PracticeModel
from ..program.my_agent import load_plain_nag
from ..program.your_parts import AGENTLIB, YOURS, choose, join
from ..runs.adapters import copy_items
from ..runs.run import Run
from .recorder import ENTRIES, REMINDED, CodeStep, Recorder

SECONDS = 5.0  # of processor time for a run up to the end of its scene. Our solution's takes 0.1
THRESHOLD = 3  # rounds without a todo call: the notebook s03c tells what this run shows
# The name of each scene, whether the model begins all tasks at once, and the round to record.
SCENES = (("a list is rejected", True, THRESHOLD + 3), ("a reminder is sent", False, THRESHOLD + 1))


class State(NamedTuple):
    """What the lines of a run change: the nag's count, the list, and the messages."""

    waited: int | None  # the nag's `rounds`
    items: tuple[str, ...]  # the status of each task
    messages: str  # the last two, because no other message changes
    length: int  # how many messages there are
    is_reminded: bool  # whether the last message has a reminder


class WalkParts(NamedTuple):
    """A loop that takes a nag, a list and a nag, and a sentence on whose they are."""

    loop: Callable[..., Any]
    todo: Any
    nag: Any
    whose: str


class WalkScene(NamedTuple):
    """A recorded round, the one with this number of its run."""

    name: str
    round: int
    steps: list[CodeStep]


class Scenes(NamedTuple):
    """What was recorded: whose parts they are, and the two scenes."""

    whose: str
    scenes: list[WalkScene]


class EndOfScene(BaseException):  # noqa: N818  # not an error
    """Ends a run after the round that is recorded. `except Exception` does not catch it."""


def read_parts(wanted: str = YOURS) -> WalkParts:
    """Return the learner's parts that pass, and agentlib's for the others."""
    levels = {"loop": "remind", "todo": "", "nag": ""}  # what a run with a reminder needs
    chosen = [choose(kind, wanted, level) for kind, level in levels.items()]
    return WalkParts(*(part for part, _ in chosen), join(whose for _, whose in chosen))


def record() -> Scenes:
    """Record the learner's parts that pass, with our solution's for the others.

    If the learner's code does not run, record our solution's alone, and say why. What the code
    prints is dropped.
    """
    parts, solution = read_parts(), read_parts(AGENTLIB)
    attempts = [parts]
    if parts.nag is solution.nag:  # it renders the list, and a learner's list may have no `render`
        attempts.append(parts._replace(nag=load_plain_nag()))
    problem = ""
    for parts in attempts:
        scenes, _ = attempt(partial(record_scenes, parts), SECONDS * len(SCENES))
        if not isinstance(scenes, Raised):
            return Scenes(parts.whose, scenes)
        problem = problem or show(scenes)
    why = f"This is our solution's code, because yours does not run here. {problem}"
    return Scenes(f"{solution.whose} {why}", record_scenes(solution))


def record_scenes(parts: WalkParts) -> list[WalkScene]:
    """Return the scenes of these parts. Raise ValueError with the problem of a run that fails."""
    scenes, tracer = [], sys.gettrace()
    try:
        for name, is_eager, number in SCENES:
            recorded = RecordedRun(parts, is_eager, number)
            with suppress(EndOfScene):
                recorded.run.play()
            if not recorded.steps:
                raise ValueError(recorded.run.problem or f"the run has no round {number}")
            scenes.append(WalkScene(name, number, recorded.steps))
    finally:
        sys.settrace(tracer)
    return scenes


class RecordedRun:
    """A run of which the round `number` is recorded. `steps` are those of the round."""

    def __init__(self, parts: WalkParts, is_eager: bool, number: int) -> None:
        self.parts, self.number, self.replies = parts, number, 0
        self.steps: list[CodeStep] = []
        self.reminders: list[str] = []  # what the nag has returned
        self.recorder = Recorder(self.read_state, self.reminders)
        model = connect_practice(PracticeModel(partial(practice_policy, eager=is_eager)))
        self.run = Run(
            loop=self.play_loop, todo=parts.todo, nag=parts.nag, after=THRESHOLD, model=model
        )

    def play_loop(
        self, client: Any, messages: Any, tools: Any, remind: Any = None, **settings: Any
    ) -> None:
        """Play the loop with a client that knows where a round begins and ends."""

        def create(**request: Any) -> Any:
            if self.replies == self.number:
                self.steps = self.steps or self.recorder.end()
                raise EndOfScene
            reply = client.messages.create(**request)
            self.replies += 1
            if self.replies == self.number:
                self.recorder.begin()
            return reply

        recording = SimpleNamespace(messages=SimpleNamespace(create=create))
        nag = self.remind if remind else None
        with TimeLimit(SECONDS):
            call_loop(self.parts.loop, recording, messages, tools, remind=nag, **settings)

    def remind(self, *calls: Any) -> Any:
        """Call the nag, and note what it returns. The recorder does not show this function."""
        reminder = self.run.nag(*calls)
        if isinstance(reminder, str):
            self.reminders.append(reminder)
        return reminder

    def read_state(self) -> State:
        """Return the state of the run now."""
        count, last = getattr(self.run.nag, "rounds", None), self.run.messages[-2:]
        return State(
            waited=count if isinstance(count, int) else None,
            items=tuple(str(item.get("status", "")) for item in copy_items(self.run.todo)),
            messages=str(last),
            length=len(self.run.messages),
            is_reminded=any(contains(last[-1], text) for text in self.reminders),
        )


def find_sought(scenes: Sequence[WalkScene]) -> dict[str, list[int]]:
    """Return what the reader looks for: what a line does, and the numbers of such steps, from 1.

    More than one line can put a reminder into the messages: in many loops, one adds it to the
    results, and another one adds these to the messages.
    """
    first, second = (scene.steps for scene in scenes)
    sought = {
        "rejects the list": [n for n, step in enumerate(first, 1) if rejects_list(step, first)],
        "sets the count to 0": [n for n, step in enumerate(first, 1) if resets_count(step)],
        "puts the reminder into the messages": [
            n for n, step in enumerate(second, len(first) + 1) if adds_reminder(step)
        ],
    }
    return {name: numbers for name, numbers in sought.items() if numbers}


def rejects_list(step: CodeStep, steps: Sequence[CodeStep]) -> bool:
    """Return whether a step raises the error with which the list is rejected.

    That is the last error in the list's `update`. A step that raises the same words raises the same
    error again. Any other error was caught, and does not reject the list.
    """
    raising = [other for other in steps if other.error]
    in_update = [other for other in raising if ENTRIES[0] in list_functions(other)]
    return bool(raising) and step.error == (in_update or raising)[-1].error


def list_functions(step: CodeStep) -> list[str]:
    """Return the names of the function of a step and of those that wait for it."""
    return [code.co_name for code in [*step.waits, step.code]]


def resets_count(step: CodeStep) -> bool:
    return "waited" in step.changes and step.after.waited == 0


def adds_reminder(step: CodeStep) -> bool:
    """Return whether a step puts a reminder into the messages, or into the results for them."""
    is_added = step.after.is_reminded and not step.before.is_reminded
    return is_added or any(words.endswith(REMINDED) for words in step.values.values())


def find_step_kind(step: CodeStep) -> str:
    """Return the kind of a step's mark: what it has changed."""
    if step.error:
        return "error"
    kinds = {"waited": "count", "items": "list", "messages": "sent"}
    for name in step.changes:
        if name in kinds:
            return kinds[name]
    return "sent" if adds_reminder(step) else "line"


def describe_effects(step: CodeStep) -> list[str]:
    """Return in words what a step has raised, changed, set and called."""
    before, after, effects = step.before, step.after, []
    if step.error:
        effects.append(step.error)
    if "waited" in step.changes:
        effects.append(f"self.rounds {before.waited} → {after.waited}")
    if "items" in step.changes:
        effects.append("self.items changes")
    if "length" in step.changes:
        effects.append(f"messages {before.length} → {after.length}")
    elif "messages" in step.changes:
        effects.append(f"message {after.length} changes")
    effects += step.values.values()
    if step.calls:
        effects.append(f"calls {step.calls}()")
    return effects


def name_of(code: CodeType) -> str:
    """Return the name of a function, with its class."""
    return code.co_qualname.replace("<locals>.", "")
