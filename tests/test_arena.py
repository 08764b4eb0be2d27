"""The arena: what the table shows, in numbers of steps that the files show."""

from itertools import pairwise
from pathlib import Path

import pytest

from agentlib import TodoManager
from lesson import Player, play, starter
from lesson.practice.models import MODELS
from lesson.runs.arena_cells import cell, play_folded
from lesson.runs.arena_rows import GROWING, ROWS, SORTED, TURN, Row
from lesson.runs.arena_trial import ArenaTrial
from lesson.runs.harness_parts import STEPS, AllAtOnce
from lesson.widgets.arena import Arena

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "practice-model.md").read_text(encoding="utf-8")
ANSWERS = (ROOT / "notebooks" / "s06_arena.ipynb").read_text(encoding="utf-8")


def finished(row):
    return {model for model in MODELS if cell(row, model).is_finished}


def test_each_model_is_rescued_by_the_row_that_its_module_names():
    names = [row.name for row in GROWING]
    for before, row in pairwise(names):
        named = {model.name for model in MODELS.values() if model.rescued_by == row}
        assert finished(row) - finished(before) == named, row
    assert finished(names[-1]) == set(MODELS)


def test_model_that_needs_no_help_only_pays():
    rows = (GROWING[0].name, GROWING[-1].name, "only the last two")
    alone, everything, two_parts = [cell(row, SORTED[-1]).tokens for row in rows]
    assert two_parts == alone < everything / 2


def test_starter_does_all_steps_if_only_one_task_may_be_in_progress():
    """The two runs of s03a, which have a list and no reminder."""
    free, ruled = (
        play(policy=starter, todo=todo(), after=None) for todo in (AllAtOnce, TodoManager)
    )
    assert (len(free.rounds), free.steps_done) == (10, 1)
    assert free.rounds[-1].text == "All steps are under way, so I stop here."
    assert (len(ruled.rounds), ruled.steps_done) == (22, 10)


def test_each_row_has_its_own_name_and_after_the_first_one_a_part_that_acts_and_its_words():
    assert len(ROWS) == len(GROWING) + len(TURN)
    for row in [*GROWING, *TURN][1:]:
        assert row.acts and row.part and row.question and row.told, row.name


# What the widget says of the rows, without a page.


def test_decisive_round_is_where_the_new_part_acts_first():
    assert cell("+ the nag", "Forgetter").round == 4  # the nag, after three rounds
    folded, shown = play_folded("+ at the stop: ask the files", "Ticker")
    (question,) = [m for m in folded.messages[1:] if isinstance(m["content"], str)]
    assert question["content"].startswith("<reminder>The files")
    assert Player(folded).trace.frames[shown].messages[-1] == question


@pytest.mark.parametrize("row, model", [("the nag", "Ticker"), ("+ the nag", "Tick")])
def test_name_that_is_not_in_the_table_is_an_error_with_the_names(row, model):
    with pytest.raises(ValueError, match=r"has no '.*'\. It has: .*(\+ a list|Ticker)"):
        Arena().open_player(row, model)


def test_run_that_is_asked_the_same_again_and_again_is_shown_with_all_its_rounds():
    row = "… the check only counts"  # and so it asks the same again
    folded, _ = play_folded(row, "Ticker")
    trace = Player(folded).trace
    assert len(trace.frames) - 1 == len(folded.rounds) == cell(row, "Ticker").requests == 17
    assert folded.left_out == 0 and trace.messages == folded.messages


def test_text_shows_only_the_rows_that_were_guessed():
    arena = Arena()
    arena.guesses = ["none of them"]
    assert f"+ a list: 1 of {len(MODELS)} models finish" in arena.text()
    assert "After 3 rounds without" in arena.text() and "nag" not in arena.text()
    arena.guesses = [0] * 11
    assert arena.text().endswith("Each of them misses something.")
    assert f"+ no third equal call: {len(MODELS)} of {len(MODELS)}" in arena.text()


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_model_has_its_row_in_the_page_and_in_the_answers_of_s06(model):
    part = model.rescued_by.removeprefix("+ ")
    [row] = [line for line in PAGE.splitlines() if line.startswith(f"| {model.name} |")]
    assert (part or "it needs no help") in row and (model.imitates or "we made it up") in row
    assert all(report in row for report in model.reports)
    assert not part or f"| {part} | {model.name} |" in ANSWERS


# A question at the stop helps in whatever words it names the files


def play_with(model, **parts):
    """Return the ended run of a model with a harness of these parts."""
    return ArenaTrial(MODELS[model].policy, Row("", **parts)).play()


def ask_in_german(todo, workspace):
    left = [next(iter(step.patterns)) for step in STEPS if not step.is_done(workspace.root)]
    return f"Es fehlt noch: {', '.join(left)}. Bitte mach weiter!" if left else None


@pytest.mark.parametrize("model", [name for name in MODELS if name != "Repeater"])
def test_question_that_names_the_files_helps_in_another_language(model):
    assert play_with(model, at_stop=ask_in_german).steps_done == 10


@pytest.mark.parametrize("model, done", [("Forgetter", 3), ("Quitter", 4)])
def test_question_that_names_nothing_does_not_help(model, done):
    trial = play_with(model, todo=TodoManager, at_stop=lambda todo, _: "Update your todos.")
    assert trial.steps_done == done
