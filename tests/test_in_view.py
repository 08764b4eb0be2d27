"""What a model with a window sees of a request: the same as the practice model really sees."""

import itertools

import pytest

from lesson.practice.policy.practice_policy import list_in_view
from lesson.practice.policy.tasks import load
from lesson.practice.policy.window import VisibleHistory
from lesson.runs.trial import play
from lesson.widgets.in_view import Viewer
from lesson.widgets.seat import ListNag


@pytest.mark.parametrize("window", [6, 12])
@pytest.mark.parametrize(
    "settings", [{"after": 3}, {"after": 8}, {"plan": False}, {"after": 8, "nag": ListNag}], ids=str
)
def test_view_of_every_request_is_that_of_the_practice_model(window, settings):
    trial = play(window=window, **settings)
    viewer = Viewer(window)
    for request in trial.model.requests:
        seen, view = VisibleHistory(request, window), viewer.look(request["messages"])
        listed = list_in_view(load(trial.task), seen)
        assert view.is_whole == seen.is_whole, view
        assert view.is_lost == (not seen.is_whole and not listed), view


def test_only_the_newest_prompt_is_seen_and_without_a_window_everything_is():
    def conversation(*words):
        pairs = [({"role": "user", "content": word}, "Done.") for word in words]
        return [
            one if isinstance(one, dict) else {"role": "assistant", "content": one}
            for one in itertools.chain(*pairs)
        ]

    messages = conversation("First.", "<reminder>Look.</reminder>", "Second.", "Third.")
    later, earlier = Viewer(2).look(messages[:-1]), Viewer(2).look(messages[:4])
    assert (later.prompt, later.first) == (6, 7)
    assert (earlier.prompt, earlier.first) == (0, 2)
    assert Viewer(None).look(messages).is_whole
