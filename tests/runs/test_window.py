"""What a model with a window sees of a request: the same as the practice model really sees."""

import pytest
from support.session import Session

from agentlib import Nag
from lesson.practice.policy.history import VisibleHistory
from lesson.practice.policy.next_reply import list_in_view
from lesson.runs.window import Viewer


class ListNag(Nag):
    """A nag whose reminder shows the list."""

    def reminder(self):
        return f"<reminder>Update your todos.\n{self.todo.render()}</reminder>"


@pytest.mark.parametrize("window", [6, 12])
@pytest.mark.parametrize(
    "settings", [{"after": 3}, {"after": 8}, {"plan": False}, {"after": 8, "nag": ListNag}], ids=str
)
def test_view_of_every_request_is_that_of_the_practice_model(window, settings):
    trial = Session(window=window, **settings).play()
    viewer = Viewer(window)
    for request in trial.model.requests:
        seen, view = (
            VisibleHistory(request, window),
            viewer.look(
                request["messages"], [turn.reminder for turn in trial.rounds if turn.reminder]
            ),
        )
        listed = list_in_view(trial.job, seen)
        assert view.is_whole == seen.is_whole, view
        assert view.is_lost == (not seen.is_whole and not listed), view


def test_only_the_newest_prompt_is_seen_and_without_a_window_everything_is():
    messages = []
    for prompt in ("First.", "<reminder>Look.</reminder>", "Second.", "Third."):
        messages.append({"role": "user", "content": prompt})
        messages.append({"role": "assistant", "content": "Done."})
    later, earlier = Viewer(2).look(messages[:-1]), Viewer(2).look(messages[:4])
    assert (later.prompt, later.first) == (6, 7)
    assert (earlier.prompt, earlier.first) == (0, 2)
    assert Viewer(None).look(messages).is_whole
