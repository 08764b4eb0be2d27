"""The arena: what the table shows, in numbers of steps that the files show.

`make test` has played the cells already, and names their file in LESSON_MEASURED_RUNS.
"""

import asyncio
from pathlib import Path

from lesson.practice.models import MODELS
from lesson.runs import arena_cells
from lesson.runs.arena import HARNESSES
from lesson.runs.arena_cells import cell, play_folded
from lesson.widgets import arena as arena_widget
from lesson.widgets.arena import Arena
from lesson.widgets.arena_words import MODELS as WORDS
from lesson.widgets.arena_words import ROWS

FORGETS, STARTS, DROPS, TICKS, STOPS, REPEATS = list(MODELS)[1:]


def finished(row):
    return {model for model in MODELS if cell(row, model).is_finished}


def shown(row):
    cells = [cell(row, model) for model in MODELS]
    return [f"{one.steps_done}{'!' if one.is_stopped else ''}" for one in cells]


def test_model_that_keeps_track_only_pays():
    alone, *_, everything, two_parts = [cell(row, "keeps track").tokens for row in range(9)]
    assert two_parts == alone < everything / 2


# What the widget says of the rows, without a page.


def test_each_row_is_told_as_its_cells_are():
    for row, said in enumerate(ROWS[1:], 1):
        done = finished(row)
        if said.kind == "rescued":
            new = done - finished(row - 1)
            named = [name for name in MODELS if f"*{WORDS[name].one}*" in said.told]
            assert set(named) == new, said.told
        elif said.kind == "finish":
            assert f"*{ {3: 'Three', 7: 'All seven'}[len(done)] } finish" in said.told
        else:
            assert set(MODELS) - done == {TICKS}
            assert "*The one that ticks only* does not finish" in said.told


def test_decisive_round_is_where_the_new_part_acts_first():
    assert cell(2, FORGETS).round == 4  # the nag, after three rounds
    folded, trace, shown, left_out = play_folded(0, REPEATS)
    assert len(trace.frames) == len(folded.rounds) + 1 and left_out + len(folded.rounds) == 80
    assert shown == len(folded.rounds)
    folded, trace, shown, _ = play_folded(6, TICKS)
    (question,) = [m for m in folded.messages[1:] if isinstance(m["content"], str)]
    assert question["content"].startswith("<reminder>The files") and question in trace.messages
    assert trace.frames[shown].messages[-1] == question


def test_text_shows_the_question_and_only_the_rows_that_were_guessed():
    arena = Arena()
    assert arena.text().endswith("Which model will it rescue?") and "finish" not in arena.text()
    assert not any(name in arena.text() for name in MODELS)
    arena.guesses = ["none of them"]
    assert "+ a list: 1 of 7 models finish" in arena.text() and "The nag:" in arena.text()
    arena.guesses = [0] * 11
    assert arena.text().endswith("know what it cannot see.")
    assert "+ no third equal call: 7 of 7" in arena.text()


def test_chosen_cell_opens_its_run_at_the_decisive_round():
    arena = Arena()
    arena.chosen = [5, STOPS]
    player = arena._player
    assert player.at == cell(5, STOPS).round and arena.opened.endswith(player.model_id)
    assert player.state["runs"][0]["title"] == "stops early, + at the stop: ask the list"
    arena.chosen = []
    assert arena.opened == "" and arena._player is None


def test_page_plays_the_cells_one_by_one_and_can_stop(monkeypatch):
    monkeypatch.setattr(arena_widget, "is_watched", lambda: True)
    monkeypatch.setattr(arena_cells, "_cells", {})

    async def page():
        arena = Arena()
        arena.observe(lambda _: setattr(arena, "is_playing", False), "cells")
        arena.wait()
        return arena

    arena = asyncio.run(page())
    assert sum(one is not None for row in arena.cells.values() for one in row) == 1
    assert not arena.is_playing and arena.problem == ""


def test_models_have_a_report_or_say_that_they_are_made_up():
    for one in Arena().state["models"]:
        assert one["link"] or one["note"], one["name"]


def test_documented_table_is_the_one_that_is_played():
    page = Path(__file__).parents[1] / "docs" / "practice-model.md"
    table = page.read_text(encoding="utf-8").rpartition("| harness |")[2]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")]
    assert rows == [[one.name, *shown(row)] for row, one in enumerate(HARNESSES)]
