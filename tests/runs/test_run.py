"""A run of any loop, list and nag is recorded at its client, and shown once."""

import gc
import os
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from functools import partial

import pytest
from support.blocks import text, use
from support.loop import scripted
from support.nags import PlainNag
from support.play_loop import rounds

from agentlib import Nag, TodoManager
from agentlib.list_tool import list_tool
from agentlib.signatures import uses_remind
from lesson import play
from lesson.drawing.marks import EDGES
from lesson.drawing.picture import escape
from lesson.drawing.run_picture import (
    draw_notes,
    draw_round,
    draw_run_counts,
    draw_run_legend,
    draw_run_tape,
    draw_run_timeline,
    format_run,
    list_run_marks,
)
from lesson.practice.model_choice import connect_practice
from lesson.practice.practice_model import PracticeModel
from lesson.program.my_agent import load_solutions
from lesson.runs.run import NO_REMIND, Run

own_loop = load_solutions().agent_loop


def yielding_loop(client, messages, tools, remind=None, **settings):
    yield from rounds(client, messages, tools, remind=remind, **settings)


def loop_without_remind(client, messages, tools, **settings):
    own_loop(client, messages, tools, **settings)


@pytest.mark.parametrize(
    "loop", [None, own_loop, yielding_loop], ids=["the package", "own", "yielding"]
)
def test_run_of_any_loop_is_recorded_with_what_the_files_show_in_each_round(loop):
    run = Run(after=6, nag=PlainNag, loop=loop).play()
    assert (run.letters, run.steps) == ("pwdwdwDsse", "0010101000")
    assert (run.steps_done, len(run.items), run.problem, run.is_over) == (3, 4, "", True)
    assert [sum(record.snapshot.done) for record in run.records] == [0, 0, 1, 1, 2, 2, 3, 3, 3, 3]
    assert [record.waited for record in run.records][:8] == [0, 1, 2, 3, 4, 5, 6, 0]
    assert [round_.number for round_ in run.rounds] == [*range(1, 11)]
    assert run.tokens > 10_000


@pytest.mark.parametrize("model", [lambda: None, PracticeModel])
def test_run_that_is_kept_takes_less_than_680_kilobytes(model):
    Run(model=model()).play()  # what all runs share
    tracemalloc.start()
    run = Run(model=model()).play()
    gc.collect()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size < 680_000 and len(run.records) > 20


def test_run_that_returns_early_is_shown_as_far_as_it_came():
    def stops_early(client, messages, tools, **settings):
        for round_ in rounds(client, messages, tools, **settings):
            if round_.number == 3:
                return "bye"

    run = Run(loop=stops_early).play()
    assert (run.letters, run.steps, run.is_over, run.problem) == ("pwd", "001", False, "")


@pytest.mark.parametrize("loop", [own_loop, yielding_loop])
def test_last_reply_that_is_no_complete_answer_is_a_problem_in_text_and_picture(loop):
    early = {"content": [text("Half a")], "stop_reason": "brand_new"}
    model = scripted([use("bash", command="true")], early)
    run = Run("hello", loop=loop, model=connect_practice(model)).play()
    says = "The reply may be cut off: the server's stop reason is 'brand_new'."
    assert says in run.problem
    assert says in format_run(run)
    drawn = draw_run_timeline(run, len(run.records))
    assert escape(says) in drawn.partition("<ol")[0]  # under the squares, and only there
    assert "lp-problem" not in draw_notes(run)


def test_early_end_before_a_complete_reply_is_no_problem():
    half = {"content": [use("bash", command="true")], "stop_reason": "max_tokens"}
    assert Run("hello", model=connect_practice(scripted(half))).play().problem == ""


def test_class_of_a_list_or_nag_that_raises_is_a_problem_and_no_exception():
    def broken(*arguments):
        raise RuntimeError("not yet")

    assert Run(nag=broken).play().problem.startswith("RuntimeError: not yet")
    assert "Give its class" in Run(nag=Nag(TodoManager())).play().problem


def test_round_in_which_the_loop_raises_counts_and_the_problem_names_the_line():
    def forgets_results(client, messages, tools, **settings):
        for round_ in rounds(client, messages, tools, **settings):
            if round_.number == 3:
                del messages[-2:]
                messages[0].clear()
                raise ValueError("no more")

    run = Run(loop=forgets_results).play()
    assert (run.letters, run.steps, run.is_over) == ("pwd", "001", False)
    assert run.problem.startswith("ValueError: no more\nin line ")
    assert run.problem.endswith('of test_run.py: raise ValueError("no more")')


def test_loop_without_remind_is_played_without_the_nag_and_says_so():
    run = Run(loop=loop_without_remind, after=1).play()
    assert run.nag is None and run.note == NO_REMIND and run.letters.islower()
    assert NO_REMIND in format_run(run)
    assert uses_remind(own_loop) and not uses_remind(loop_without_remind)
    for loop in (lambda *remind: None, lambda **remind: None, lambda remind=None: None):
        assert not uses_remind(loop)
    assert uses_remind(partial(own_loop, None)) and uses_remind(lambda remind: lambda: remind)


class OnlyUpdate:
    """A list as it is after the first exercise: no `tool()`."""

    fields = {"text": {"type": "string"}, "status": {"type": "string"}}

    def __init__(self):
        self.items = []

    def update(self, tasks):
        self.items = tasks
        return "noted"

    def tool(self):
        raise NotImplementedError


def test_list_without_a_tool_gets_the_packages_with_its_own_fields():
    tool = list_tool(OnlyUpdate())
    item = tool.input_schema["properties"]["items"]["items"]
    assert item["properties"] == OnlyUpdate.fields and item["required"] == ["text"]
    assert tool.run(items=[{"text": "a", "status": "pending"}]) == "noted" and not tool.asks
    assert Run(todo=OnlyUpdate).play().steps_done == 10


def test_nobody_is_asked_about_a_list_whatever_its_tool_says():
    todo = TodoManager()
    asking = replace(todo.tool(), asks=True)
    todo.tool = lambda: asking
    assert asking.asks and not list_tool(todo).asks


def test_run_without_a_list_or_a_nag():
    run = Run(todo=None).play()
    assert (run.todo, run.nag, run.items, run.steps_done) == (None, None, [], 3)
    assert isinstance(run.messages[0]["content"], str)
    assert Run(after=None).play().nag is None
    todo = TodoManager()
    assert Run("hello", todo=todo).play().items is not None and todo.items


def test_model_or_question_that_a_run_does_not_know_is_refused():
    with pytest.raises(ValueError, match="starter"):
        Run(model="Finisher")
    with pytest.raises(ValueError, match="missing"):
        Run(missing="tests")


@pytest.mark.parametrize(
    "missing, stops", [("files", "☒☒☒☑"), ("list", "☒")], ids=["the files", "the list"]
)
def test_each_stop_is_drawn_as_the_files_were_then_and_not_at_the_end(missing, stops):
    run = Run(after=6, nag=PlainNag, missing=missing).play()
    assert [round_.number for round_ in run.rounds] == [*range(1, len(run.letters) + 1)]
    ends = [at for at, record in enumerate(run.records, 1) if record.round.is_last]
    shown = ["☑" if all(run.records[at - 1].snapshot.done) else "☒" for at in ends]
    assert "".join(shown) == "".join(list_run_marks(run)[at - 1].sign for at in ends) == stops
    for at, sign in zip(ends, shown, strict=True):  # also when ▲ goes back to it
        assert list_run_marks(run, at)[at - 1].sign == sign
        words = "stops; the files show all steps" if sign == "☑" else "stops; the files do not"
        assert f"Round {at}: {words}" in draw_run_tape(run, at)
    rounds = format_run(run).partition("\nrounds ")[2].partition("\n")[0].strip()
    assert [rounds[at - 1] for at in ends] == shown


def test_reminder_without_tags_is_found_if_it_was_sent():
    class Plain(Nag):
        def __call__(self, calls):
            return super().__call__(calls) and "Update your todos."

    run = Run(nag=Plain, after=3, loop=own_loop).play()
    assert run.rounds[3].reminder == "Update your todos."
    ignores = lambda *arguments, remind=None, **more: own_loop(*arguments, **more)  # noqa: E731
    assert Run(nag=Plain, after=3, loop=ignores).play().rounds[3].reminder is None


def test_run_is_drawn_in_each_round():
    run = Run(after=6, nag=PlainNag).play()
    assert "no longer sees its plan" not in draw_round(run, 7)
    assert "reads a reminder" in draw_round(run, 8) and "lp-gone" in draw_run_timeline(run, 8)
    assert "6 of 6 rounds without a todo call" in draw_round(run, 7)
    assert "3 of 10" in draw_run_counts(run, 10) and "4 of 4" in draw_run_counts(run, 10)
    assert "lp-later" in draw_run_tape(run, 9) and "lp-left" in draw_run_tape(run, 9)
    lost = Run(after=None).play()
    assert "no longer sees its plan" in draw_round(lost, len(lost.records))


def test_exception_of_the_loop_is_shown_in_the_picture_and_does_not_end_the_cell(notebook, capsys):
    assert notebook.run("from lesson import play\nplay(loop=lambda *all, **more: 1 / 0)").problem
    shown = capsys.readouterr().out
    assert "ZeroDivisionError: division by zero\nin line 2 of its cell" in shown


PRINTS = """
import sys
from agentlib.tools import Call
from lesson.__main__ import run as command
from lesson import NagSlider, Seat, play
from exerciselib.feedback import Verdict

run, shown = play("hello"), (Seat(), NagSlider())
for encoding in ("ascii", "gbk", "cp1252"):
    sys.stdout.reconfigure(encoding=encoding)
    print(run, run.request(2), Call("write_file", {"path": "\u5f88\u0436\U0001f600"}, ""))
    print(*shown, Verdict("MyNag", "", 1, 2, title="\u2265"))
    command(["lesson", "\u6211"])
"""


@pytest.mark.slow
def test_what_the_lesson_shows_can_be_printed_in_any_encoding(tmp_path):
    env = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [sys.executable, "-c", PRINTS], cwd=tmp_path, env=env, capture_output=True
    )
    assert not done.stderr.decode() and done.stdout.count(b"write_file") >= 3


def test_list_that_has_tasks_of_another_run_is_refused_and_a_result_keeps_its_own():
    todo = TodoManager()
    first = play("ten_steps", todo=todo, after=12)
    before, items = str(first), first.items
    second = Run("hello", todo=todo).play()
    assert "todo= got one list, and each run begins" in second.problem and not second.rounds
    todo.update([{"text": "Another job", "status": "completed"}])
    assert str(first) == before and first.items == items and len(items) == 10
    assert todo.items != items
    first.items[0]["text"] = "changed"
    assert first.items == items


@pytest.mark.parametrize("after", [0, -1, 2.5, "3", True])
@pytest.mark.parametrize("nag", ["agentlib", "MyNag"])
def test_threshold_that_is_no_number_of_rounds_is_named_whosever_nag_it_is(after, nag):
    run = play("hello", after=after, nag=nag)
    assert "after must be a whole number of rounds, 1 or more, not" in run.problem


def test_a_run_that_an_error_ends_has_its_mark_behind_the_last_square():
    good = Run("hello").play()
    model = scripted(
        [use("bash", command="true")], {"content": [text("Half")], "stop_reason": "new"}
    )
    failed = Run("hello", model=connect_practice(model)).play()
    for run in (good, failed):
        size = len(run.records)
        has_mark = run is failed
        assert (
            f"lp-failed' d='{EDGES['failed'].strokes}' transform='translate({size})'"
            in draw_run_tape(run, 1)
        ) is has_mark
        assert ("ended by an error" in draw_run_legend(run)) is has_mark
        assert ("! ended by an error" in format_run(run)) is has_mark


def test_a_schema_that_the_practice_model_does_not_understand_is_told():
    class NoArray(TodoManager):
        def tool(self):
            made = super().tool()
            items = made.input_schema["properties"]["items"]["items"]
            return replace(made, input_schema=made.input_schema | {"properties": {"items": items}})

    assert "does not understand the schema of todo" in Run("hello", todo=NoArray).play().note
    assert "schema" not in (Run("hello").play().note or "")
