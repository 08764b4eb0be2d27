"""Compare what is left of a plan after the harness shortens a conversation that is too long."""

from textwrap import shorten
from typing import NamedTuple

from agentlib.nag import AFTER
from agentlib.prompts import carry_on, first_message

from ..blocks import Message
from ..practice.policy.jobs import load_job
from ..practice.policy.practice_policy import MAX_MESSAGES
from ..real_model.server_errors import is_too_long
from .trial import Trial

WINDOW_TOKENS = 3000  # the context window; the whole job needs about 4,700
CUT_TOKENS = 2400  # the harness cuts after a request of more than 80% of the window
MAX_ROUNDS = 60  # then a run is stopped: it repeats its work after each cut
KEPT_MESSAGES = 12  # by "drop the oldest": the newest ones
SUMMARY = (
    "<reminder>An earlier conversation about this was replaced by this summary, which is what you "
    "said in it:\n\n{words}</reminder>"
)
CUTS = ("none", "drop the oldest", "summary")


class CutRun(NamedTuple):
    """How a run ended. `steps_done` is what the files show; `rounds` includes repeated work."""

    cut: str  # one of CUTS
    keeps_list: bool  # whether the harness put the todo list into the cut conversation
    steps_done: int
    rounds: int
    last_words: str


class CutTable(list[CutRun]):
    """The rows of `compare_cuts`, printed as a table."""

    def __repr__(self) -> str:
        lines = [f"{'cut':<17}{'list put back':<15}{'steps done':>10}{'rounds':>8}   last words"]
        for run in self:
            put_back = "-" if run.cut == "none" else "yes" if run.keeps_list else "no"
            figures = f"{run.cut:<17}{put_back:<15}{run.steps_done:>10}{run.rounds:>8}"
            lines.append(f"{figures}   {shorten(run.last_words, 60, placeholder=' …')}")
        return "\n".join(lines)


def compare_cuts(after: int | None = AFTER) -> CutTable:
    """Play the ten steps in a small context window, once for each cut, and return the results.

    "none": the API rejects the request that is too long. "drop the oldest": the prompt and the
    newest messages stay, and nothing says that others were removed. "summary": the prompt and the
    model's text stay, which does not include its list. Each cut is played twice: the harness puts
    the todo list back into the conversation, or it does not. `after` is the reminder's threshold
    in rounds (None: no reminder).

    The practice model is a script (rule 7 of PracticePolicy): it shows what is lost. A real model
    may write a new plan, or a summary that contains the old one.
    """
    settings = [("none", False), *((cut, kept) for cut in CUTS[1:] for kept in (False, True))]
    return CutTable(play_with_cuts(cut, keeps_list, after) for cut, keeps_list in settings)


def play_with_cuts(cut: str, keeps_list: bool, after: int | None) -> CutRun:
    """Play the ten steps, and cut the conversation whenever it has become too long."""
    from anthropic import BadRequestError  # late, because importing it takes most of a second

    trial = Trial(after=after, window=MAX_MESSAGES)
    trial.model.context_window = WINDOW_TOKENS
    said: list[str] = []
    try:
        for turn in trial:
            said.append(turn.text)
            if cut != "none" and turn.calls and turn.usage.prompt_tokens > CUT_TOKENS:
                cut_messages(trial, cut, keeps_list, said)
            if turn.number == MAX_ROUNDS:
                break
        last_words = said[-1] if turn.is_last else f"(stopped after {MAX_ROUNDS} rounds)"
    except BadRequestError as problem:
        if not is_too_long(problem):
            raise
        last_words = "(rejected: prompt is too long)"
    return CutRun(cut, keeps_list, trial.steps_done, len(trial.rounds), last_words)


def cut_messages(trial: Trial, cut: str, keeps_list: bool, said: list[str]) -> None:
    """Shorten `trial.messages` in place."""
    prompt = load_job(trial.job).prompt
    opening = first_message(prompt)
    if keeps_list and trial.todo:
        opening = carry_on(prompt, trial.todo.render())
    newest: list[Message] = trial.messages[1:][-KEPT_MESSAGES:]
    if cut == "summary":
        opening["content"].append(
            {"type": "text", "text": SUMMARY.format(words="\n".join(dict.fromkeys(said)))}
        )
        newest = []
    trial.messages[:] = [opening, *newest]
