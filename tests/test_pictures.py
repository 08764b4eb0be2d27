"""The pictures for pages without a kernel."""

from dataclasses import replace
from xml.etree import ElementTree

from agentlib.replies import Usage
from lesson import Board, Costs, Seat, Trial, play
from lesson.svg import DARK, LIGHT, darken
from lesson.window import column, kinds_of


def words_of(picture):
    return [words for words in ElementTree.fromstring(picture).itertext() if words.strip()]


def rounds_with(*usages):
    turns = play("hello").rounds
    return [replace(turn, usage=usage) for turn, usage in zip(turns, usages, strict=False)]


def test_bar_of_a_request_has_the_height_of_its_tokens_and_a_pale_part_for_the_cache():
    usages = [Usage(100, 5), Usage(0, 5, 300, 100)]  # input, output, cache write, cache read
    assert [usage.prompt_tokens for usage in usages] == [100, 400]
    drawn = Costs({"mine": rounds_with(*usages)}, "claude-opus-5").picture()
    paths = [
        (path.get("d"), path.get("fill-opacity"))
        for path in ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}path")
        if path.get("fill") == LIGHT.muted
    ][2:]  # after the legend
    heights = [(float(path.split("v")[1].split("h")[0]), pale) for path, pale in paths]
    assert heights == [(22.5, None), (0, "0.3"), (67.5, None), (22.5, "0.3")]


def test_board_has_a_column_with_the_newest_message_below():
    trial = Trial(after=6)
    board = Board(trial.todo)
    for turn in board.follow(trial):
        if turn.number == 9:
            break
    expected = column(kinds_of("pwdwdwDs"), 12)
    assert board.state["view"]["column"].lower() == expected.lower()
    assert "newest" in words_of(board.picture())
    assert 'fill="url(#lost)"' in board.picture()


def test_picture_has_dark_colours_for_a_dark_page():
    picture = Seat().picture()
    assert "▼ Update your todos." in words_of(picture)
    assert f"[fill='{LIGHT.plan}']{{fill:{DARK.plan}}}" in picture
    dark = darken(picture)
    assert "<style>" not in dark
    assert not any(colour in dark for colour in vars(LIGHT).values())
