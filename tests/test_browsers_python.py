"""The lesson in Pyodide, without threads, shell and network, simulated in CPython.

browser/test_live.py runs it in a real browser.
"""

import sys

import pytest

from lesson import ConnectError, connect, sample
from lesson.trying import attempt

# Checks without signals


def test_check_runs_without_a_time_limit(monkeypatch):
    monkeypatch.delattr("signal.SIGALRM")
    assert attempt(lambda: print("done") or 7, seconds=1) == (7, "done\n")


# No shell, no network


def test_command_returns_an_error_message_and_raises_nothing(monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setenv("PATH", "/nowhere")
    output = sample("hello").bash("ls")
    assert output.startswith("There is no shell here, so nothing was run: a browser has none")
    assert output.endswith("(exit code 127)")


def test_real_model_is_rejected_with_an_error_message(monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    with pytest.raises(ConnectError, match="only the practice model is available"):
        connect("some-model", env={"ANTHROPIC_API_KEY": "a key"})
