"""The exercises of the two hours of docs/teach.md, written by twenty with the given first lines."""

import pytest
from support.notebook import FIRST

from lesson import Board
from lesson.common.solutions import read_given
from lesson.program import folder, progress
from lesson.program.my_agent import my_agent
from lesson.program.your_parts import UNSAVED

LOOP = FIRST["agent_loop"].replace("tools, **settings", "tools, remind=None, **settings")
MARK = "        # Your rules go here. They look at `checked`.\n"
STATUS = """
        for item in checked:
            if item["status"] not in ("pending", "in_progress", "completed"):
                raise ValueError("the status must be pending, in_progress or completed")
"""
ONE = """
        if sum(item["status"] == "in_progress" for item in checked) > 1:
            raise ValueError("only one item can be in_progress at a time")
"""
TODO = read_given("MyTodo")
NAG = FIRST["MyNag"]
# What a class that learns Python types, and with which error the cell ends.
SLIPS = [
    (LOOP.replace("while True:", "while True"), "SyntaxError"),
    (LOOP.replace("    while True:", "   while True:"), "IndentationError"),
    (LOOP.replace("tools=specs, **settings)", "tools=specs, **settings"), "SyntaxError"),
    (LOOP.replace('block.type == "tool_use"', 'block.type = "tool_use"'), "SyntaxError"),
    (LOOP.replace('"tool_result"', '"tool_result'), "SyntaxError"),
]
STOPS = LOOP.replace("if not uses:", 'if reply.stop_reason == "end_turn":')
GLOBALS = LOOP.replace("    specs = [tool.spec for tool in tools]\n", "")
# The three cells of each, from the first to the last: E1, E2 and E4. None: only run as given.
CLASS = [
    *[(LOOP, TODO.replace(MARK, STATUS + ONE), NAG)] * 6,
    *[(LOOP, TODO.replace(MARK, STATUS), None)] * 2,
    *[(slip, None, None) for slip, _ in SLIPS],
    *[(STOPS, TODO.replace(MARK, STATUS), NAG.replace(">=", "=="))] * 2,
    *[(GLOBALS, TODO.replace(MARK, STATUS + ONE)[:-20] + "(", None)] * 2,
    *[(None, None, None)] * 2,
    (SLIPS[0][0], FIRST["MyTodo"], NAG),
]


@pytest.fixture
def play_class(notebook_of, monkeypatch, tmp_path):
    """Return a function that lets each learner run the cells in a folder of their own."""
    monkeypatch.setattr(progress, "is_watched", lambda: True)
    for name in (*progress.NO_LEARNER, progress.CLASS):
        monkeypatch.delenv(name, raising=False)

    def play(cells):
        for number, (loop, todo, nag) in enumerate(cells, 1):
            own = tmp_path / "class" / f"learner {number:02}"
            own.mkdir(parents=True)
            monkeypatch.chdir(own)
            monkeypatch.setattr(folder, "path", own / folder.FOLDER)
            UNSAVED.clear()
            my_agent._unsaved.clear()
            notebook = notebook_of()
            for name, text in (("agent_loop", loop), ("MyTodo", todo), ("MyNag", nag)):
                notebook.run(text or read_given(name), f'check("{name}")')
            notebook.run('check("MyTodo", "tool")')  # Run All, at minute 24
        return tmp_path / "class"

    return play


@pytest.mark.slow
def test_board_shows_all_twenty_with_their_syntax_errors(play_class):
    board = Board(play_class(CLASS), names=True)
    rows = {row.exercise: {one.words: one.who for one in row.places} for row in board._list_rows()}
    assert len(board.learners) == 20 and not board.skipped
    assert rows["E1"]["not begun"] == ["learner 18", "learner 19"]  # they have run all as given
    assert [len(rows["E1"][one]) for one in ("pass", "at SyntaxError")] == [8, 5]
    assert len(rows["E1"]["at IndentationError"]) == 1
    assert sorted(map(len, rows["E1"].values()), reverse=True) == [8, 5, 2, 2, 2, 1]
    assert len(rows["E2"]["at rule 3"]) == 6 and len(rows["E2"]["pass"]) == 1
    assert len(rows["E2"]["at SyntaxError"]) == 2
    assert rows["E2"].keys() >= {"at rule 2", "not begun"} and len(rows["E2"]["not begun"]) == 7
    assert len(rows["E4"]["pass"]) == 7 and len(rows["E4"]["not begun"]) == 11
    assert [*rows["E3"]] == [*rows["E5"]] == [*rows["E6"]] == ["not begun"]
