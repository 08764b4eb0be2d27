"""The seat: what the model sees in round 8, and then where each step of its plan can be seen."""

import json
import re
from threading import Event, Thread

import pytest
from pictures import record_seat

from lesson import Seat
from lesson.practice.policy.history import VisibleHistory, find_calls
from lesson.widgets.seat import GIVEN, NONE, PROMPT, RECORD, STILL_SEEN, propose


@pytest.fixture
def seat():
    return Seat()


def rows_of(seat):
    """Return the rows of the table: a step, where it is seen, and the reader's."""
    html = seat._left.value.partition("<tbody>")[2]
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in html.split("</tr>")[:-1]]
    return [[re.sub(r"<i.*?</i>|<[^>]+>", "", cell) for cell in row] for row in cells]


def test_recorded_run_is_what_the_practice_model_plays_today():
    assert RECORD.read_text(encoding="utf-8") == record_seat()  # `make notebooks` writes it


def test_messages_are_those_that_the_practice_model_sees_in_round_8(seat):
    sent = seat.request.sent["messages"]
    seen = VisibleHistory({"messages": sent})
    assert find_calls(sent[-12:]) == seen.calls and len(seen.calls) == 6
    calls = [part.text.split()[0] for part in seat.request.parts if part.kind == "call"]
    assert calls == [call.name for call in seen.calls]
    assert "2 messages of round 1, with its plan: not sent" in seat._left.value


def test_words_that_show_a_step_are_where_the_seat_says(seat):
    texts = {PROMPT: str(seat.request.sent["messages"][0])}
    for part in seat.request.parts:
        number = part.label.rpartition(" ")[2]
        place = f"the result of round {number}" if part.kind == "result" else f"round {number}"
        texts[place] = texts.get(place, "") + part.text
    assert all(words in texts[place] for place, words in STILL_SEEN.values())
    visible = json.dumps(seat.request.sent["messages"][-12:])
    for number, step in enumerate(seat.step_texts, 1):
        assert (step in visible) == (number <= 3)  # the others are only in other words


def test_words_are_used_after_they_are_explained(seat):
    # The next cell explains both. A round is what a square of the picture above is.
    assert not re.search("harness|window", seat._top.value + seat._left.value + seat.text())


def test_plan_is_shown_only_after_the_click(seat):
    assert "main guard" not in seat.text() and "main guard" not in str(seat.get_state())
    # The next notebook asks for the threshold.
    assert not re.search(r"after 6|remind after|threshold", seat.text())
    seat.compare.click()
    assert seat._left.value.count("<tr class='lp-lost'>") == 3
    assert [row[1] for row in rows_of(seat)].count("nowhere") == 3
    said = "Of the 4 steps left that can still be seen, you named 0. The other 3 were only in the"
    assert f"{said} lost plan." in seat._top.value and f"{said} lost plan." in seat.text()
    seat.compare.click()
    assert "main guard" not in seat._left.value and "lp-compared" not in seat._dom_classes


# Lines that a reader may write, and the number of the step that their words propose.
LINES = {
    "finish the rest": 0,
    "pytest": 0,
    "check that everything works": 0,
    "Rename cryptic names": 0,  # which is filled in
    "compare the receipts before and after": 4,
    "fix Receipt.py": 4,
    "fix receipts in receipt file": 4,
    "réparer receipt.py": 4,
    "split it": 4,
    "read stock.py": 5,
    "delete dead code": 6,
    "remove the unused function": 6,
    "drop the old loader": 6,
    "add type hints": 7,
    "Docstrings": 7,
    "write docs for pricing.py": 7,
    "add a guard": 8,
    "add tests": 9,
    "testing": 9,
    "write tests for pricing.py": 9,
    "update the readme": 10,
}


@pytest.mark.parametrize("line, number", LINES.items())
def test_words_that_only_one_step_has_propose_it(seat, line, number):
    assert propose(line, seat.known) == number - 1


def test_reader_decides_which_step_each_line_names(seat):
    seat.answer.value = "fix receipt.py\n\nAdd docstrings; annotate it, testing\npytest\ntesting"
    seat.compare.click()
    fields = {field.description: field for field in seat.choices.children}
    lines = ["fix receipt.py", "Add docstrings", "annotate it", "testing", "pytest"]
    assert [*fields] == lines
    assert [label for label, _ in fields["pytest"].options] == [NONE, *seat.step_texts[GIVEN:]]
    wrote = {row[0]: row[2] for row in rows_of(seat)}
    assert wrote["Split the long function in receipt.py"].startswith("fix receipt.py")
    assert wrote["Write tests for the prices and the totals"] == "testing"
    assert wrote["Rename the cryptic names in books.py"] == "filled in for you"
    assert "you named 2" in seat._top.value and "you guessed 1" in seat._top.value
    assert f"{NONE}: annotate it; pytest" in repr(seat)
    fields["pytest"].label = "Write tests for the prices and the totals"
    fields["annotate it"].label = "Add type hints and docstrings to pricing.py"
    fields["fix receipt.py"].label = NONE
    assert "you named 2" in seat._top.value and "you guessed" not in seat._top.value
    wrote = {row[0]: row[2] for row in rows_of(seat)}
    assert wrote["Split the long function in receipt.py"] == "no line of yours"
    for words in ("you wrote: Add docstrings; annotate it", f"{NONE}: fix receipt.py"):
        assert words in repr(seat), words
    seat.compare.click()
    seat.answer.value += "\nupdate the readme"
    seat.compare.click()  # what was chosen stays
    assert [field.description for field in seat.choices.children] == [*lines, "update the readme"]
    assert fields["pytest"] in seat.choices.children
    assert "you named 3" in seat._top.value


def test_a_step_that_can_be_seen_nowhere_is_a_guess_and_not_named(seat):
    """That a step is left in a file which the reader remembers is said nowhere in the window."""
    lines = ["receipt.py", "stock.py", "shop.py", "load_old", "type hints", "tests", "README.md"]
    seat.answer.value = "\n".join(lines)
    seat.compare.click()
    said = "you named 4. The other 3 were only in the lost plan; you guessed 3 of them."
    assert said in seat._top.value and said in seat.text()
    wrote = {row[0]: row[2] for row in rows_of(seat)}
    guess = "a guess: nothing says so"
    assert wrote["Add a main guard to shop.py"] == f"shop.py{guess}"
    assert list(map(str.endswith, wrote.values(), [guess] * 10)).count(True) == 3


def test_a_reader_who_wrote_nothing_is_told_so_at_each_step_that_was_left(seat):
    seat.compare.click()
    assert [row[2] for row in rows_of(seat)] == ["filled in for you"] * 3 + ["no line of yours"] * 7
    assert "decide" not in seat._top.value


def test_letters_that_come_while_the_comparison_is_drawn_are_in_it(seat, monkeypatch):
    # In JupyterLab, the kernel can call the field and the button in two threads.
    has_begun, is_typed, draw = Event(), Event(), seat._draw_comparison

    def draw_slowly():
        drawn = draw()
        has_begun.set()
        is_typed.wait(0.3)
        return drawn

    def type_more():
        has_begun.wait()
        seat.answer.value = "update the readme"
        is_typed.set()

    seat.answer.value = "update"
    monkeypatch.setattr(seat, "_draw_comparison", draw_slowly)
    typing = Thread(target=type_more)
    typing.start()
    seat.compare.click()
    typing.join()
    assert "update the readme" in seat._left.value
