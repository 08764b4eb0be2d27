"""The kept runs, played again: a fixed twentieth of them; with the variable CI set, all of them."""

import json
import os
from hashlib import sha256

from lesson.practice.models import MODELS
from lesson.runs.arena_cells import cell, describe, set_up
from lesson.runs.harnesses import HARNESSES
from lesson.runs.kept_runs import read_file
from lesson.runs.measured import WINDOWS, Setting, measured, summarize
from lesson.runs.play_all import play_all

SETTINGS = [setting for window in WINDOWS for setting in Setting(window=window).column()]
CELLS = [(row, model) for row in range(len(HARNESSES)) for model in MODELS]


def twentieth(places):
    """Return those places that a hash chooses: others for every window, threshold and model."""
    return [one for one in places if sha256(repr(one).encode()).digest()[0] < 256 / 20]


def test_kept_runs_are_those_that_are_played_again():
    if "CI" in os.environ:
        assert json.loads(json.dumps(play_all())) == read_file()
        return
    settings, cells = twentieth(SETTINGS), twentieth(CELLS)
    assert len(settings) > 20 and cells
    for setting in settings:
        assert summarize(setting, setting.trial().play()) == measured(setting)
    for row, model in cells:
        assert describe(row, set_up(row, model).play()) == cell(row, model)
