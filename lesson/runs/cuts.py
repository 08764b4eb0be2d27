"""Show what is left of a plan after a harness compacts a conversation that is too long."""

from textwrap import shorten
from typing import NamedTuple

from agentlib.prompts import carry_on, first_message

from ..letters import ROUNDS
from ..practice.policy.jobs import load_job
from ..practice.policy.practice_policy import MAX_MESSAGES
from ..real_model.server_errors import is_too_long
from ..svg import LIGHT, draw_cells, draw_kind, draw_svg, draw_text
from .measured import Setting, summarize
from .trial import Trial

AFTER = 3  # rounds: the reminder's threshold
WINDOW_TOKENS = 3000  # the context window; the whole job needs about 4,700
CUT_TOKENS = 2400  # the harness compacts after a request of more than 80% of the window
SUMMARY = (
    "<reminder>An earlier conversation about this was replaced by this summary, which is what you "
    "said in it:\n\n{words}</reminder>"
)
NAMES = ("no compaction", "compaction", "compaction, list put back")


class CutRun(NamedTuple):
    """How a run ended. `cells` has a letter for each round, `cuts` the rounds before each cut."""

    name: str
    cells: str
    cuts: tuple[int, ...]
    steps_done: int
    last_words: str


class Cuts(list[CutRun]):
    """The runs of `compare_cuts`: a table in text, and a picture in a notebook."""

    def __repr__(self) -> str:
        lines = [f"{'':<27}{'rounds':>6}{'cuts':>6}{'steps done':>12}   last words"]
        for run in self:
            figures = f"{run.name:<27}{len(run.cells):>6}{len(run.cuts):>6}{run.steps_done:>12}"
            lines.append(f"{figures}   {shorten(run.last_words, 48, placeholder=' …')}")
        return "\n".join(lines)

    def _repr_svg_(self) -> str:
        left, width, row = 205, 10, 34
        right = left + width * max(len(run.cells) for run in self) + 14
        parts: list[str] = []
        x = 16.0
        for kind in (kind for kind in ROUNDS if any(kind in run.cells.lower() for run in self)):
            parts += draw_kind([(x, 12, 10, 11)], kind)
            parts.append(draw_text(x + 16, 22, ROUNDS[kind], LIGHT.muted, 13))
            x += 34 + 7 * len(ROUNDS[kind])
        for number, run in enumerate(self):
            y = 48 + row * number
            is_finished = run.steps_done == len(load_job("ten_steps").steps)
            colour = LIGHT.done if is_finished else LIGHT.lost
            parts.append(draw_text(16, y + 13, run.name))
            parts += draw_cells(run.cells, is_finished, (left, y), (width, 16))
            for cut in run.cuts:
                path = f"M{left + width * cut} {y - 5}v26"
                parts.append(f'<path d="{path}" stroke="{LIGHT.ink}" stroke-width="2.5"/>')
            parts.append(draw_text(right, y + 13, f"{run.steps_done} of 10", colour, bold=True))
        note = "Each cell is a round of the practice model, a script. Each line is a compaction."
        parts.append(draw_text(16, 48 + row * len(self) + 8, note, LIGHT.muted, 12))
        size = (max(right + 80, x), 48 + row * len(self) + 22)
        return draw_svg("What compaction does to a plan", repr(self), size, parts)


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

    trial = Trial(after=AFTER, window=MAX_MESSAGES)
    trial.model.context_window = WINDOW_TOKENS
    said: list[str] = []
    cuts: list[int] = []
    try:
        for turn in trial:
            said.append(turn.text)
            is_full = turn.usage.prompt_tokens > CUT_TOKENS
            if name != NAMES[0] and turn.calls and is_full:
                compact(trial, said, keeps_list=name == NAMES[2])
                cuts.append(turn.number)
        last_words = said[-1]
    except BadRequestError as problem:
        if not is_too_long(problem):
            raise
        last_words = "(rejected: prompt is too long)"
    return CutRun(name, make_cells(trial), tuple(cuts), trial.steps_done, last_words)


def make_cells(trial: Trial) -> str:
    """Return a letter of ROUNDS for each round. A list with fewer tasks than the first is short."""
    cells = summarize(Setting(after=AFTER, window=MAX_MESSAGES), trial).cells
    sizes = [
        [len(call.input["items"]) for call in turn.calls if call.name == "todo"]
        for turn in trial.rounds
    ]
    first = next(size[0] for size in sizes if size)
    is_short = [bool(size) and size[-1] < first for size in sizes]
    return "".join("s" if short else cell for cell, short in zip(cells, is_short, strict=True))


def compact(trial: Trial, said: list[str], *, keeps_list: bool) -> None:
    """Replace `trial.messages` by the prompt and a summary of what the model said."""
    prompt = load_job(trial.job).prompt
    opening = first_message(prompt)
    if keeps_list and trial.todo:
        opening = carry_on(prompt, trial.todo.render())
    words = SUMMARY.format(words="\n".join(dict.fromkeys(said)))
    opening["content"].append({"type": "text", "text": words})
    trial.messages[:] = [opening]
