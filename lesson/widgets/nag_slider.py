"""The slider for the nag's threshold, with any nag: how soon must the reminder come?"""

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from ipywidgets import HTML, Button, HBox, IntSlider

from agentlib.defaults import AFTER

from ..common.guesses import say_guess
from ..common.message_blocks import MESSAGES_PER_ROUND, WINDOW
from ..drawing.marks import Count, Line, Mark, list_counts
from ..drawing.picture import (
    draw_counts,
    draw_legend,
    draw_plan,
    draw_tape,
    draw_window_edge,
    escape,
    format_counts,
    format_legend,
    format_plan,
    format_tape,
)
from ..drawing.run_picture import (
    describe_size,
    draw_title,
    list_notes,
    list_run_marks,
    list_run_rows,
)
from ..kernel.watching import call_in_main_thread, find_event_loop, is_cell_running
from ..runs.explain import explain_outcome
from ..runs.record import Record
from ..runs.run import Run
from ..runs.window import SMALLEST_WINDOW, last_round_in_window
from .drawn import DrawnWhenShown, draw_new_signs, set_class

THRESHOLDS = range(1, 16)  # rounds
WINDOWS = (SMALLEST_WINDOW, 30)  # messages: the last is a whole run of 15 rounds
# A reminder after k rounds is read in round k + 2, because the list is written in round 1.
FIRST = 2
WAIT_SECONDS = 0.15  # after the last key, before a run begins: a key that is held repeats sooner
USUAL_ROUNDS = 30  # there is room for so many, or for more if a run that was tried has more
NOT_TRIED, NOT_KNOWN = "", "…"  # in place of a result
THRESHOLD_LABEL = "nag threshold"  # what the first thumb is called


class Setting(NamedTuple):
    """What a result depends on: the threshold in rounds, and the window in messages."""

    after: int
    window: int


class RunSummary(NamedTuple):
    """What is drawn of a run.

    `frame` is what the model sees when it reads the first reminder, or else at the end.
    """

    marks: list[Mark]
    frame: tuple[float, float]
    done: tuple[bool, ...]
    lines: list[Line]
    counts: list[Count]
    size: str
    why: str
    problem: str
    whose: str  # a line on whose the nag is, or ""

    @property
    def state(self) -> str:
        """Return "good" if the files show all steps, or "bad"."""
        return "bad" if self.problem or not all(self.done) else "good"

    @property
    def sign(self) -> str:
        """Return how many steps the files show, or "!" for an error."""
        return "!" if self.problem else str(sum(self.done))


class NagSlider(DrawnWhenShown):
    """The slider: a pin for the nag's threshold, and another one for the edge of the window.

    `after` and `window` are the sliders. Above them is a bar for the result of each threshold, as
    soon as the thumb has been there. If all were tried, their runs are at the end, below a list
    that keeps its place.
    """

    def __init__(
        self,
        nag: Callable[[Any, int], Any] | str = "plain",
        after: int = AFTER,
        window: int = WINDOW,
        guess: object = None,
    ) -> None:
        """Play the ten steps with this class of nag, threshold and window, and draw the run.

        `nag` may be a name, as in `nag="MyNag"`: then it is yours if it passes E6. Without one it
        is "plain", whose reminder does not show the list.
        `guess` is the learner's guess of the highest threshold. It is
        answered when what was tried shows the right one.
        """
        self.guess, self.guessed_window = guess, window
        whose = ""
        if isinstance(nag, str):  # here, because widgets import no checks
            from ..program.your_parts import choose, join

            nag, owner = choose("nag", nag, "shows the list")
            whose = join([owner])
        self.nag, self.whose = nag, whose
        self.results: dict[Setting, RunSummary] = {}
        self.tried: set[Setting] = set()
        self.visited: set[Setting] = set()  # by the thumbs
        self.after = IntSlider(
            after, min=THRESHOLDS[0], max=THRESHOLDS[-1], readout=False, tooltip=""
        )
        self.window = IntSlider(
            window,
            min=WINDOWS[0],
            max=WINDOWS[1],
            step=MESSAGES_PER_ROUND,
            readout=False,
            tooltip="",
        )
        self.all = Button(description=f"try all {len(THRESHOLDS)}")
        self._scale, self._tape, self._below = HTML(), HTML(), HTML()
        self._task: asyncio.Task[None] | None = None
        self._drawn: Setting | None = None
        self._rounds = USUAL_ROUNDS
        for thumb, name in ((self.after, "lp-after"), (self.window, "lp-size")):
            thumb.add_class(name)
            thumb.add_class("lp-pin")
        top = HBox([self._scale, self.all])
        super().__init__(top, self.after, self._tape, self.window, self._below, css_class="lp-soon")
        for thumb in (self.after, self.window):
            thumb.observe(self.in_turn(self._follow), "value")
        self.all.on_click(self._try_all)
        self._name_thumbs()
        self._draw()
        self.start()

    def compute(self) -> None:
        """Play the run of the setting, and draw it."""
        self._move()

    @property
    def setting(self) -> Setting:
        """Return where the thumbs are."""
        return Setting(self.after.value, self.window.value)

    def _settings(self) -> list[Setting]:
        """Return the settings of all thresholds with this window, those near the thumb first."""
        here = self.setting
        settings = [Setting(after, here.window) for after in THRESHOLDS]
        return sorted(settings, key=lambda setting: abs(setting.after - here.after))

    def _try_all(self, button: Any = None) -> None:
        call_in_main_thread(partial(self._move, all_of_them=True))

    def _follow(self, change: Any) -> None:
        """Follow the thumbs: the labels at once, and the run in the main thread."""
        self._name_thumbs()
        self._make_pale()
        call_in_main_thread(self._move)

    def _move(self, all_of_them: bool = False) -> None:
        """Draw the setting, and play its run when the thumbs have come to rest."""
        self.tried |= {*self._settings()} if all_of_them else {self.setting}
        self.visited.add(self.setting)
        loop = None if is_cell_running() else find_event_loop()
        self._draw()
        if loop is not None:
            self._task = loop.create_task(self._play_when_at_rest())
            return
        for setting in self._settings() if all_of_them else [self.setting]:
            for _ in self._play(setting):
                pass
        self._draw()

    def _name_thumbs(self) -> None:
        self.after.description = f"{THRESHOLD_LABEL}: {self.after.value}"
        self.window.description = f"window: {self.window.value} messages"

    async def _play_when_at_rest(self) -> None:
        """Play the run of the setting, and then its neighbours; a newer task stops this one."""
        task = asyncio.current_task()
        await asyncio.sleep(WAIT_SECONDS)
        for setting in self._settings():
            if self._task is not task:
                return
            for _ in self._play(setting):
                await asyncio.sleep(0)  # lets a key of the reader come in
                if self._task is not task:
                    return
            if setting in self.tried:
                self._draw()

    def _play(self, setting: Setting) -> Iterator[None]:
        """Play the run of a setting unless it is known, and yield after each round."""
        if setting in self.results:
            return
        run = Run(nag=self.nag, after=setting.after, window=setting.window)
        for _ in run.play_rounds():
            yield
        self.results[setting] = summarize(run, self.whose)

    def _draw(self) -> None:
        """Draw the scale, and the run; while it is not known, the old one is pale."""
        # The room only grows, or a thumb would slip away from the hand that moves it.
        seen = [result for setting, result in self.results.items() if setting in self.visited]
        self._rounds = max([self._rounds, *(len(result.marks) for result in seen)])
        self._scale.value = self.set_numbers(most=self._rounds) + self._draw_scale()
        result = self.results.get(self.setting)
        self._drawn = self.setting if result else self._drawn
        self._make_pale()
        if result is None:
            return
        words = format_counts(result.counts, result.size)
        frame, edge = result.frame, self._edge()
        self._tape.value = draw_tape(result.marks, frame=frame, edge=edge, words=words)
        self._below.value = "".join(
            [
                draw_window_edge(edge),
                f"<p><b>{escape(self.answer_guess())}</b></p>" if self.answer_guess() else "",
                draw_below(result),
                self._draw_legend(result),
                self._draw_rows(),
            ]
        )

    def _make_pale(self) -> None:
        """Make what is drawn pale while the labels say another setting."""
        for part in (self._below, self._tape):
            set_class(part, "lp-pale", self._drawn not in (None, self.setting))

    def answer_guess(self) -> str:
        """Return whether the guess is right, or "" until a run that is tried shows it."""
        tried = [each for each in self.tried if each.window == self.guessed_window]
        states = {each.after: self.results[each].state for each in tried if each in self.results}
        highest = max((after for after, state in states.items() if state == "good"), default=0)
        is_known = highest == THRESHOLDS[-1] or states.get(highest + 1) == "bad"
        if self.guess is None or not is_known:
            return ""
        return say_guess(self.guess, highest)

    def _draw_legend(self, result: RunSummary) -> str:
        marks = result.marks
        if self._are_all_known():
            results = [self.results[setting] for setting in self._settings()]
            marks = [mark for each in results for mark in each.marks]
        return draw_new_signs(partial(draw_legend, marks, frame=result.frame), self.cell)

    def _are_all_known(self) -> bool:
        """Return whether all thresholds were tried with this window, and played."""
        return {*self._settings()} <= self.tried & self.results.keys()

    def _draw_rows(self) -> str:
        """Return the runs of all thresholds as rows with their first ▼, if all are known."""
        if not self._are_all_known():
            return ""
        rows = ""
        results = [self.results[setting] for setting in self._settings()]
        most = max(self._rounds, *(len(result.marks) for result in results))
        for setting in sorted(self._settings()):
            result, after = self.results[setting], setting.after
            marks = [
                mark._replace(read=place == after + FIRST)
                for place, mark in enumerate(result.marks, 1)
            ]
            here = " class='lp-here'" if setting == self.setting else ""
            words = f"After {after}: {format_tape(marks)}"
            drawn = draw_tape(marks, edge=self._edge(), words=words)
            sign = f"<b class='lp-{result.state}'>{escape(result.sign)}</b>"
            rows += f"<li{here}><small>{after}</small>{drawn}{sign}</li>"
        return f"<ol class='lp-rows' style='--most:{most}'>{rows}</ol>"

    def _edge(self) -> int:
        return last_round_in_window(self.window.value)

    def _list_signs(self) -> list[tuple[int, str, RunSummary | None]]:
        """Return each threshold with its sign and result: nothing until the thumb was there."""
        signs = []
        for after in THRESHOLDS:
            setting = Setting(after, self.window.value)
            result = self.results.get(setting) if setting in self.tried else None
            unknown = NOT_KNOWN if setting in self.tried else NOT_TRIED
            signs.append((after, result.sign if result else unknown, result))
        return signs

    def _draw_scale(self) -> str:
        """Return the results as bars, as high as steps are done, and below them the thresholds.

        Where equal numbers are side by side, the style sheet shows those at the ends.
        """
        drawn, signs = "", self._list_signs()
        for place, (after, sign, result) in enumerate(signs):
            here = " lp-here" if after == self.after.value else ""
            beside = [other for _, other, _ in signs[max(place - 1, 0) : place + 2]]
            if not here and beside.count(sign) == 3:
                here = " lp-again"
            height = sum(result.done) if result else 0  # steps
            bar = f"<b>{escape(sign)}</b><i style='--steps:{height}'></i>"
            state = result.state if result else "plain"
            drawn += f"<span class='lp-{state}{here}'>{bar}<small>{after}</small></span>"
        names = "<em>the files show</em><em><span>rounds </span>after the plan</em>"
        return f"<div class='lp-scale'>{names}{drawn}</div>"

    def text(self) -> str:
        """Return the results that were tried, and the run of the setting."""
        signs = self._list_signs()
        rows = [
            "reminded after  " + " ".join(f"{after:>2}" for after, _, _ in signs),
            "the files show  " + " ".join(f"{sign:>2}" for _, sign, _ in signs),
            f"{self.after.description}, {self.window.description}",
        ]
        result = self.results.get(self.setting)
        if result is None:
            return "\n".join(rows)
        rows.append(format_tape(result.marks, frame=result.frame, edge=self._edge()))
        rows.append(format_legend(result.marks, frame=result.frame))
        if self._are_all_known():
            rows += map(self._format_row, sorted(self._settings()))
        rows += filter(None, [self.answer_guess()])
        rows.append(f"{result.whose} {format_counts(result.counts, result.size)}".strip())
        rows += [result.problem or result.why.replace("*", ""), format_plan(result.lines)]
        return "\n".join(rows)

    def _format_row(self, setting: Setting) -> str:
        """Return the run of a threshold as a row of text, with its first ▼ in place of a sign."""
        result, read = self.results[setting], setting.after + FIRST
        signs = [mark.sign for mark in result.marks]
        if read <= len(signs):
            signs[read - 1] = "▼"
        return f"{setting.after:>8}  {''.join(signs)} {result.sign}"


def summarize(run: Record, whose: str = "") -> RunSummary:
    """Return what is drawn of a run: the run itself has files and messages, and is dropped."""
    read = run.records[: run.after + FIRST] if run.after else run.records
    return RunSummary(
        list_run_marks(run),
        read[-1].view.frame if read else (0, 0),
        run.done,
        [row.line for row in list_run_rows(run)],
        list_counts(run.done, run.items, run.not_judged),
        describe_size(run),
        " ".join([explain_outcome(run), *list_notes(run)]),
        run.problem,
        whose,
    )


def draw_below(result: RunSummary) -> str:
    """Return what is below the tape: the counts, why it ended so, and the list."""
    if result.problem:
        words = f"<p class='lp-problem'>{escape(result.problem)}</p>"
    else:
        before, _, rest = result.why.partition("*")
        point, _, after = rest.partition("*")
        words = f"<p class='lp-why'>{escape(before)}<b>{escape(point)}</b>{escape(after)}</p>"
    return (
        draw_counts(result.counts, result.size, result.whose)
        + words
        + draw_title(True)
        + draw_plan(result.lines)
    )
