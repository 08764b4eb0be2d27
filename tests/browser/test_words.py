"""A real model's words on the board, while it speaks and the cell still runs."""

import threading

import pytest
from gallery import gallery, says
from loopback import Server, reply
from support.blocks import text
from support.streams import HEADERS, sse

HEAD = f"HTTP/1.1 200 OK\r\ncontent-type: {HEADERS['content-type']}\r\nconnection: close\r\n\r\n"
CELLS = """
from agentlib import TodoManager, rounds
from lesson import connect
from lesson.widgets import Board
todo = TodoManager()
todo.update([{"text": "Say something", "status": "in_progress"}])
board = Board(todo)
board
"""
ASK = """
model = connect("some-model", env={"ANTHROPIC_BASE_URL": %r}, say=lambda line: None)
messages = [{"role": "user", "content": "Go"}]
for step in board.follow(rounds(model.client, messages, **model.settings)):
    pass
"""


@pytest.fixture
def lab(lab_server, lab_page, pictures):
    with gallery(lab_server, lab_page, pictures, "words", CELLS) as lab:
        yield lab
    assert lab.problems == []


def test_the_words_stand_above_the_list_while_the_cell_runs(lab):
    go_on = threading.Event()
    parts = sse(reply(text("I look at <b>the files</b> first.")))
    board = lab.page.locator(".al-board")
    with Server([HEAD.encode(), *parts[:7], go_on, *parts[7:]]) as server:
        start = "panel.sessionContext.session.kernel.requestExecute({code: argument});"
        lab.script(start, ASK % server.url)
        words = board.locator(".al-words")
        words.get_by_text("I look at <b>the").wait_for()
        lab.picture("board-words")
        go_on.set()
        says(board, "Finished")
    words.wait_for(state="detached")
