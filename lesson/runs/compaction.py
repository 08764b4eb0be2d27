"""Show what is left of a plan after a harness compacts a conversation that is too long."""

from textwrap import shorten
from typing import NamedTuple

from agentlib.prompts import carry_on, first_message

from ..practice.policy.jobs import load_job
from ..practice.policy.practice_policy import MAX_MESSAGES
from ..real_model.server_errors import is_too_long
from .summaries import writes_list
from .trial import Trial

WINDOW_TOKENS = 3000  # the context window; the whole job needs about 4,700
CUT_TOKENS = 2400  # the harness compacts after a request of more than 80% of the window
SUMMARY = (
    "<reminder>An earlier conversation about this was replaced by this summary, which is what you "
    "said in it:\n\n{words}</reminder>"
)
LIST, WORK, CUT = "■□┃"
NAMES = ("no compaction", "compaction", "compaction, list put back")


class CutRun(NamedTuple):
    """How a run ended. In `rounds` is a mark for each round, and one for each compaction."""

    name: str
    rounds: str
    steps_done: int
    last_words: str


class Cuts(list[CutRun]):
    """The runs of `compare_cuts`, drawn round by round."""

    def __repr__(self) -> str:
        lines = [f"{LIST} a round that writes the list   {WORK} another round   {CUT} compaction"]
        for run in self:
            words = shorten(run.last_words, 48, placeholder=" …")
            lines += ["", f"{run.name}: {run.steps_done} of 10 steps. {words}", run.rounds]
        return "\n".join(lines)


def compare_cuts() -> Cuts:
    """Play the ten steps in a small context window, and return the runs.

    Without compaction, the API rejects the request that is too long. Compaction leaves the prompt
    and the model's text, which does not include its list; in the last run, the harness also puts
    the todo list back into the conversation.

    The practice model is a script (rule 7 of PracticePolicy): it shows what is lost. A real model
    may write a new plan, or a summary that contains the old one.
    """
    return Cuts(play_with_cuts(name) for name in NAMES)


def play_with_cuts(name: str) -> CutRun:
    """Play the ten steps, and compact the conversation whenever it has become too long."""
    from anthropic import BadRequestError  # late, because importing it takes most of a second

    trial = Trial(window=MAX_MESSAGES)
    trial.model.context_window = WINDOW_TOKENS
    said: list[str] = []
    rounds = ""
    try:
        for turn in trial:
            said.append(turn.text)
            rounds += LIST if writes_list(turn) else WORK
            is_full = turn.usage.prompt_tokens > CUT_TOKENS
            if name != NAMES[0] and turn.calls and is_full:
                compact(trial, said, keeps_list=name == NAMES[2])
                rounds += CUT
        last_words = said[-1]
    except BadRequestError as problem:
        if not is_too_long(problem):
            raise
        last_words = "(rejected: prompt is too long)"
    return CutRun(name, rounds, trial.steps_done, last_words)


def compact(trial: Trial, said: list[str], *, keeps_list: bool) -> None:
    """Replace `trial.messages` by the prompt and a summary of what the model said."""
    prompt = load_job(trial.job).prompt
    opening = first_message(prompt)
    if keeps_list and trial.todo:
        opening = carry_on(prompt, trial.todo.render())
    words = SUMMARY.format(words="\n".join(dict.fromkeys(said)))
    opening["content"].append({"type": "text", "text": words})
    trial.messages[:] = [opening]
