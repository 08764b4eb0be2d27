"""The line that says which model is being waited for, and how long."""

from loopback import Server, message, reach, send
from support.blocks import text

from lesson.real_model import show_wait


def wait_for_a_reply(seconds):
    with Server([seconds, message(text("Done."))]) as server:
        model, _ = reach(server)
        send(model)


def test_wait_is_shown_and_erased(monkeypatch, capsys):
    monkeypatch.setattr(show_wait, "someone_can_answer", lambda: True)
    monkeypatch.setattr(show_wait, "TICK_SECONDS", 0.01)
    wait_for_a_reply(0.3)
    lines = capsys.readouterr().out.split("\r")
    assert lines[1] == "Waiting for some-model: 0 s" and len(lines) > 3
    assert lines[-2:] == [" " * len(lines[1]), ""]


def test_nothing_is_shown_if_no_user_is_there(monkeypatch, capsys):
    monkeypatch.setattr(show_wait, "TICK_SECONDS", 0.01)
    wait_for_a_reply(0.1)
    assert capsys.readouterr().out == ""
