"""Play a job with any loop, list and nag, and show the run: `play(…)` and `run.fork(…)`."""

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from time import monotonic
from typing import Any

from IPython.display import display

from agentlib.defaults import AFTER
from safetylib.guard.escape import for_print

from ..common.connection import Connection
from ..drawing.picture import escape
from ..drawing.run_picture import format_run
from ..kernel.watching import is_watched, name_request
from ..practice.model_choice import is_fault
from ..practice.practice_model import PracticeModel
from ..program.my_agent import store
from ..program.your_parts import YOURS, choose, join
from ..runs.adapters import ReadFile
from ..runs.record import RoundRecord
from ..runs.run import Run
from ..runs.settings import Settings
from ..runs.too_long import TrimMessages
from ..samples.own_job import Steps
from ..widgets.drawn import WORKING, shown_at_the_end
from ..widgets.run_view import RunView, draw_still

SIGN_SECONDS = 0.5  # how often a run says how far it is, while it is computed
IS_OVER = "In round {}, the model called no tool: there is nothing to go on with. Choose another."
OTHER_JOB = (
    "This run is of the job {!r}, which has other steps here, so no other run can go on from it."
)
NUMBERED = (
    "A run with task tools goes on from its start only, as in fork(0), because nobody has noted "
    "what its nag has counted in between."
)
NOT_NONE = (
    "{0}=None takes nothing away, because this run needs one: leave {0} out for yours, or give an "
    'object or "agentlib".'
)


class PlayedRun(Run):
    """A run that `play` has set up, so another one can go on from it.

    It is shown while it is played, and once: not again as the last value of its cell. `print(run)`
    prints all of it.
    """

    settings: Settings  # those of `play`, in which a part can still be "yours"
    _shown_by = ""  # the request of the cell that has shown it
    view: RunView | None = None

    def __str__(self) -> str:
        return for_print(format_run(self))

    __repr__ = __str__

    def play_and_show(self) -> None:
        """Play the run and show it. On a page, it can be seen from the beginning on.

        A real model's rounds are drawn as they come. A run of the practice model is computed in a
        moment, and then shown from its first round on.
        """
        view = self.view = RunView(self)
        self._shown_by, since = name_request(), monotonic()
        with shown_at_the_end(view, WORKING) as say:

            def show(record: RoundRecord) -> None:
                nonlocal since
                size = len(self.records)
                if self.is_real:
                    say(draw_still(self, size))
                elif monotonic() - since > SIGN_SECONDS:
                    since = monotonic()
                    say(f"<p class='lp-note'>{WORKING} round {size}</p>")

            def show_words(words: str) -> None:
                line = f"<p class='lp-note'>{escape(words)}</p>" if words else ""
                size = len(self.records)
                say((draw_still(self, size) if size else "") + line)

            reply_display = self._connection.display
            before, reply_display.show = reply_display.show, show_words
            try:
                self.play(show)
            finally:
                reply_display.show = before
                if self.is_real or not is_watched():
                    view.draw_last()
                else:
                    view.move_soon()

    def _ipython_display_(self) -> None:
        if self._shown_by != name_request():
            display(self.view or RunView(self))

    def fork(self, number: int, **settings: Any) -> "PlayedRun":
        """Play on from the end of a round of this run, and return the new run.

        It begins with the files, the list, the messages and the nag's count of that moment; after
        round 0, with those of the start. It is shown as the last value of its cell, and if a real
        model plays, while it is played. `settings` are those of `play`, in place of those of this
        run: nag, after, window and so on. Raise IndexError if there is no such round, and
        ValueError if it was the last one, the job is another one or the tasks have numbers.
        """
        if number:
            self.request(number)  # raises IndexError
        if number and self.records[number - 1].round.is_last:
            raise ValueError(IS_OVER.format(number))
        if number and hasattr(self.todo, "tools"):
            raise ValueError(NUMBERED)
        if unknown := settings.keys() - {field.name for field in fields(Settings)}:
            raise TypeError(f"play has no setting {min(unknown)!r}, so fork has none.")
        new = set_up(
            replace(self.settings, **{"save": None, "window": self.window or "all", **settings})
        )
        if (new.job, new.step_texts) != (self.job, self.step_texts):
            raise ValueError(OTHER_JOB.format(self.job))
        if number and not new.problem:
            new.begin_after(self, self.lines, number)
        if new.is_real:  # its rounds are drawn as they come
            new.play_and_show()
            return new
        return new.play()


def play(
    job: str | Steps = "ten_steps",
    *,
    loop: Callable[..., Any] | str = YOURS,
    todo: Any = YOURS,
    nag: Callable[[Any, int], Any] | str | None = YOURS,
    after: int | None = AFTER,
    window: int | str | None = None,
    model: str | PracticeModel | Connection | None = None,
    at_stop: Callable[..., Any] | str = YOURS,
    missing: str | Callable[[], list[str]] | None = None,
    trim_messages: TrimMessages | str | None = YOURS,
    read_file: ReadFile | str | None = YOURS,
    save: str | Path | None = None,
) -> PlayedRun:
    """Play a job with your agent, show the run, and return it.

    A part is yours if it passes what this run needs of it, and otherwise agentlib's, as the
    run's first line says: `loop` must pass E5 if there is a nag, and each other part its first one.
    Of lists that extend each other, and of nags, the last one that you have written plays. Pass
    None to take a part away, "agentlib" for agentlib's, the name of a part, as in `todo="MyTodo"`,
    or an object of your own. The picture has priorities and times if `todo` is given.
    `nag="plain"` is agentlib's with plain words: it does not show the list.

    `job` is the name of a sample project, or your own job: a list of steps, each a tuple of a text,
    a path, the content that is written there and, if you like, a priority, or a dict with the
    fields text, path, content and priority. `loop` is any agent loop; one that does not use
    `remind` runs without the nag. `todo` is a class or one of its objects, without tasks, and None
    plays without a list; a class that takes a `clock` gets one that counts rounds, and
    one with `tools()`, such as `agentlib.Tasks`, has several tools. `nag` is a
    class, which is called with the list and `after`, the threshold in rounds; `after=None` plays
    without a nag. `window` is how many of the last messages the program sends after the prompt, in
    whole rounds, or "all"; by default 12 with the practice model and its faults, and otherwise all
    messages. `model` is None for the practice model, "starter" for the one that begins all steps at
    once, "diligent" for the one that ticks each step, the name of a fault, as in `model="ticks"`
    (see docs/practice-model.md), a PracticeModel of your own, which is asked at most 60 times, or a
    connection to a real model.

    With `missing`, the program asks when the loop has ended: "list" asks for what the list leaves
    open, "files" for what the files lack, and a function returns a list of strings. `at_stop` is
    then called as `at_stop(run, messages, missing)`; by default it is `ask_at_the_stop`.

    `trim_messages` is called as `trim_messages(messages, todo)` if the API answers that the
    conversation is too long, and returns the messages of a new one.

    `read_file` is called as `read_file(folder, path)` when the model calls the tool of this name.
    What the package's own refuses, such as a path out of the folder, the model does not get.

    `save` is the name of a file, into which each request, reply and result is written as it comes,
    so a run that is interrupted is kept: `open_run` opens it. Only you can read the file,
    and it must be a new one.

    The result has `job`, `after`, `window`, `workspace`, `messages`, `todo`, `nag`, `rounds`,
    `items`, `done`, `steps_done`, `tokens`, `letters`, `steps`, `is_over` and `problem`, which is
    "" or says which exception of your code has ended the run, and in which line, or that the last
    reply was cut off or refused. `print(run)` prints all that the picture shows,
    `run.diff("hello.py")` returns what the run has changed in a file, `run.request(4)` what was
    sent in a round, `run.save("run.jsonl")` writes all of it into a file, and
    `run.fork(6, after=2)` plays on from the end of round 6, with other settings.

    Raise FileNotFoundError for an unknown job, and ValueError for an unknown model or `missing`,
    a window of less than 4 messages, for "files" if nobody judges the files of the job, for
    own steps that are not written as steps, or for a `save` that is there already.
    """
    settings = Settings(
        job,
        loop=loop,
        todo=todo,
        nag=nag,
        after=after,
        window=window,
        model=model,
        at_stop=at_stop,
        missing=missing,
        trim_messages=trim_messages,
        read_file=read_file,
        save=save,
    )
    run = set_up(settings)
    run.play_and_show()
    return run


def set_up(settings: Settings) -> PlayedRun:
    """Return the run of these settings of `play`, before its first round."""
    reminds = None not in (settings.todo, settings.nag, settings.after)
    owners: dict[str, str] = {}

    def take(kind: str, level: str = "", *, is_used: bool = True) -> Any:
        wanted = getattr(settings, kind)
        if not is_used and isinstance(wanted, str):
            return None
        if wanted is None and is_used and kind in ("loop", "at_stop"):
            raise ValueError(NOT_NONE.format(kind))
        part, owners[kind] = choose(kind, wanted, level)
        return part

    with store.looked_at_once():
        # Our read_file is one of the workspace's tools anyway.
        is_named = settings.read_file != YOURS or "read_file" in store.list_own()
        chosen = replace(
            settings,
            loop=take("loop", "remind" if reminds else ""),
            todo=take("todo"),
            nag=take("nag", is_used=reminds),
            at_stop=take("at_stop", is_used=settings.missing is not None),
            trim_messages=take(
                "trim_messages", is_used=getattr(settings.model, "context_window", None) is not None
            ),
            read_file=take("read_file", is_used=is_named),
        )
    owners |= describe_model(settings.model)
    run = PlayedRun(chosen)
    if run.nag is None:  # also if the loop cannot remind
        owners.pop("nag", None)
    run.whose, run.settings = join(owners.values()), settings
    # Whoever plays an earlier notebook again, with a list that has priorities, sees what it shows.
    run.shows_fields = settings.todo != YOURS
    return run


def describe_model(model: Any) -> dict[str, str]:
    """Return whose the model of a run is, and for a learner's own model whose tools it calls.

    The practice model is not named, because it plays unless another one is given.
    """
    if is_fault(model):
        return {"model": f"Model: {model}, a script with a fault"}
    if isinstance(model, Connection) and model.real:
        return {"model": f"Model: {model.settings['model']:.60}"}
    policy = getattr(model, "policy", None)
    if getattr(policy, "__module__", "") != "__main__":
        return {}
    return {
        "model": f"Yours: model ({getattr(policy, '__name__', 'a policy')})",
        "tools": "agentlib's: tools",
    }
