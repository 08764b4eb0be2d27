"""Runs of a Claude model with this project's loop, tools, list and nag, and what their files show.

    python -m lesson.runs.claude_runs  # judges the final files again, and prints the table

The model's version is not known, and its requests were relayed to it: `docs/sources.md` says how
the runs were made and what they do not show. There are three kinds:

- the seat, played to its end: four conditions, four runs each. They begin in round 8 of the
  practice model's run, with three of the ten steps done, and the plan no longer in the window;
- the same with a second job, `auth`: two conditions, three runs each;
- two whole runs of the ten steps, which the prompt names.
"""

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from agentlib.loop import Round

from ..message_blocks import Message, find_reminders, is_list_tool
from ..samples.jobs import SAMPLES, is_shown, load_job
from ..samples.project_files import ProjectFiles, read_files
from .from_messages import rounds_of
from .measured import Setting, count_finished, measured
from .trace import Trace

Texts = dict[str, str | None]  # of files, by name; None: it does not exist
FILE = Path(__file__).with_suffix(".json.gz")
# What the model got besides the conversation, and what it is called in a table.
CONDITIONS = {
    "listed": "the reminder shows the list",
    "plantext": "the plan once, as text, and no todo tool",
    "reminder": "“Update your todos.”",
    "nolist": "nothing, and no todo tool",
    "whole_list": "the whole job, with the list",
    "whole_nolist": "the whole job, without it",
}
WHOLE = ("whole_list", "whole_nolist")  # these begin with the prompt, in round 1
# The others go on after this many rounds of the practice model, with this threshold of its nag.
START_ROUNDS, START_AFTER = 7, 6
PLAN_UNSEEN = ("reminder", "nolist")  # in these conditions nothing showed the plan


@dataclass(frozen=True, repr=False)
class ClaudeRun:
    """One run.

    `messages` is its whole history, and the first `starts_at` of them were there before the model
    began. `progress` says for each step of the job whether the files showed it: before its first
    round, and after each one. `commands` has the files that commands changed, by the number of the
    round: their texts by name, and None for a file that was deleted. `tokens` is the input of all
    requests together, in characters divided by four, without prompt caching: the system prompt, the
    definitions of the tools and all messages, as they were then.
    """

    name: str
    job: str
    condition: str
    starts_at: int
    messages: tuple[Message, ...]
    progress: tuple[tuple[bool, ...], ...]
    commands: dict[str, Texts]
    tokens: int

    def __repr__(self) -> str:
        return f"ClaudeRun({self.job} {self.name})"

    @cached_property
    def trace(self) -> Trace:
        """Return the model's own rounds as frames, with its prompt and start before them."""
        return Trace(self.rounds, self.messages[: self.starts_at])

    @cached_property
    def rounds(self) -> list[Round]:
        """Return the rounds of the model, from 1."""
        return rounds_of(self.messages[self.starts_at :])[1]

    @cached_property
    def done(self) -> tuple[bool, ...]:
        """Return for each step whether the final files show it, judged now."""
        return judge(self.job, self.final_files)

    @cached_property
    def final_files(self) -> dict[str, str]:
        """Return the texts of the files at the end, by name."""
        *_, last = self.replay()
        return last

    @property
    def steps_done(self) -> int:
        return sum(self.done)

    @cached_property
    def steps(self) -> str:
        """Return a digit for each round: how many steps the files show more than before it."""
        pairs = zip(self.progress, self.progress[1:], strict=False)
        return "".join(str(count_finished(before, after)) for before, after in pairs)

    @cached_property
    def cells(self) -> str:
        """Return a letter of ROUNDS for each round, a capital if a reminder went out with it.

        The plan is lost in a condition that does not show it, until the model writes a list.
        """
        cells, is_lost = "", self.condition in PLAN_UNSEEN
        for turn, finished in zip(self.rounds, self.steps, strict=True):
            if any(call.ok and is_list_tool(call.name) for call in turn.calls):
                kind, is_lost = "p", False
            elif not turn.calls:
                kind = "e"
            elif finished != "0":
                kind = "f" if is_lost else "d"
            else:
                kind = "l" if is_lost else "w"
            cells += kind.upper() if turn.reminder else kind
        return cells

    @property
    def start_cells(self) -> str:
        """Return the letters of the practice model's rounds before it, the last of which it saw.

        The last of them is a capital if the model was given a reminder.
        """
        cells = self._start[0]
        has_reminder = find_reminders(self.messages[self.starts_at - 1])
        return cells[:-1] + (cells[-1:].upper() if has_reminder else cells[-1:].lower())

    @property
    def start_steps(self) -> str:
        """Return a digit for each of these rounds: how many steps it finished."""
        return self._start[1]

    @property
    def _start(self) -> tuple[str, str]:
        if self.condition in WHOLE:
            return "", ""
        script = measured(Setting(self.job, after=START_AFTER))
        return script.cells[:START_ROUNDS], script.steps[:START_ROUNDS]

    @property
    def last_words(self) -> str:
        """Return the text of the last reply."""
        return self.rounds[-1].text

    @property
    def says_all_done(self) -> bool:
        """Return whether the last reply says that the ten steps are done. All sixteen were read."""
        return "ten steps" in self.last_words.casefold()

    @property
    def calls(self) -> int:
        return sum(len(turn.calls) for turn in self.rounds)

    @property
    def reminders(self) -> int:
        return sum(turn.reminder is not None for turn in self.rounds)

    def replay(self) -> Iterator[dict[str, str]]:
        """Yield the texts of the files by name: before the model's first round, and after each.

        The calls that write or edit a file are done again, in memory. No command is run: what the
        commands had changed is data.
        """
        texts: Texts = dict(read_files(SAMPLES / self.job / "project").texts)
        for turn in rounds_of(self.messages[: self.starts_at])[1]:
            repeat(turn, texts)
        yield visible(texts)
        for turn in self.rounds:
            repeat(turn, texts)
            texts |= self.commands.get(str(turn.number), {})
            yield visible(texts)


def repeat(turn: Round, texts: Texts) -> None:
    """Do the calls of a round again, in `texts`, that had written or edited a file."""
    for call in turn.calls:
        path = str(call.input.get("path", "")).removeprefix("./")
        if call.ok and call.name == "write_file":
            texts[path] = call.input["content"]
        elif call.ok and call.name == "edit_file":
            before = texts[path] or ""
            texts[path] = before.replace(call.input["old_text"], call.input["new_text"], 1)


def visible(texts: Texts) -> dict[str, str]:
    """Return the files that are judged: those that exist, without hidden ones."""
    return {
        name: text
        for name, text in sorted(texts.items())
        if text is not None and not name.startswith(".")
    }


def judge(job: str, texts: Mapping[str, str]) -> tuple[bool, ...]:
    """Return for each step of a job whether these files show it."""
    files = ProjectFiles(tuple(texts.items()))
    return tuple(is_shown(step.done, files) for step in load_job(job).steps)


@cache
def read_all() -> tuple[ClaudeRun, ...]:
    """Return all runs, sorted by job and condition."""
    found = [
        ClaudeRun(
            name=run["name"],
            job=run["job"],
            condition=run["condition"],
            starts_at=run["starts_at"],
            messages=tuple(run["messages"]),
            progress=tuple(tuple(mark == "x" for mark in marks) for marks in run["progress"]),
            commands=run["commands"],
            tokens=run["tokens"],
        )
        for run in json.loads(gzip.decompress(FILE.read_bytes()))
    ]
    order = list(CONDITIONS)
    return tuple(sorted(found, key=lambda run: (run.job, order.index(run.condition), run.name)))


def claude_runs(job: str = "ten_steps", condition: str | None = None) -> tuple[ClaudeRun, ...]:
    """Return the runs of a job, of all conditions or of one of CONDITIONS."""
    return tuple(run for run in read_all() if run.job == job and condition in (None, run.condition))


def draw_table(runs: Sequence[ClaudeRun]) -> str:
    """Return a line for each run: its length, its cost, and what its final files show."""
    lines = ["run              rounds calls reminders  input  the files show"]
    for run in runs:
        marks = "".join("x" if ok else "." for ok in run.done)
        lines.append(
            f"{run.name:16} {len(run.rounds):6} {run.calls:5} {run.reminders:9} "
            f"{run.tokens // 1000:4} k  {run.steps_done:2} of {len(run.done)}  {marks}"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    for job in ("ten_steps", "auth"):
        print(f"{job}\n{draw_table(claude_runs(job))}\n")
