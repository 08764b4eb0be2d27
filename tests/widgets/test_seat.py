"""The seat: what the model sees in round 8, and then where each step of its plan can be seen."""

import json
import re
import subprocess
import sys

import pytest
from pictures import record_seat

from lesson import Seat
from lesson.practice.policy.history import VisibleHistory, find_calls
from lesson.widgets.seat import LEDE, LOST, PROMPT, RECORD, STILL_SEEN, list_words, stem


@pytest.fixture
def seat():
    return Seat()


def rows_of(seat):
    """Return the rows of the table: each step, where it is seen, and what the reader wrote."""
    html = seat._left.value.partition("<tbody>")[2]
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in html.split("</tr>")[:-1]]
    return [[re.sub(r"<i.*?</i>|<[^>]+>", "", cell) for cell in row] for row in cells]


def test_recorded_run_is_what_the_practice_model_plays_today():
    assert RECORD.read_text(encoding="utf-8") == record_seat()  # `make notebooks` writes it


def test_messages_are_those_that_the_practice_model_sees_in_round_8(seat):
    seen = VisibleHistory({"messages": seat.sent}, window=12)
    assert find_calls(seat.sent[-12:]) == seen.calls and len(seen.calls) == 6
    assert [turn.number for turn in seat.seen] == [2, 3, 4, 5, 6, 7]
    assert seat._left.value.count("<li>") == 12
    assert "2 messages, with its plan: out of sight" in seat._left.value


def test_seat_needs_no_sdk_because_it_takes_seconds_to_import():
    code = "import sys; from lesson import Seat; Seat(); print('anthropic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_words_that_show_a_step_are_where_the_seat_says(seat):
    texts = {f"round {turn.number}": turn.text for turn in seat.seen}
    texts |= {f"the result of round {turn.number}": turn.calls[0].output for turn in seat.seen}
    texts[PROMPT] = str(seat.sent[0])
    assert all(words in texts[place] for place, words in STILL_SEEN.values())
    visible = json.dumps(seat.sent[-12:], default=str)
    for number, step in enumerate(seat.step_texts, 1):
        assert (step in visible) == (number <= 3)  # the others are only in other words


def test_prompt_is_above_what_scrolls_and_the_last_message_is_the_readers(seat):
    above, scrolled = seat._left.value.split("<div class='lp-messages'")
    assert "easy to read, tested and documented" in above
    assert scrolled.endswith("<b>round 8</b><b>the next message is yours</b></li></ol></div></div>")


def test_frame_the_plan_and_the_readers_square_are_named_and_the_other_marks_explained(seat):
    drawn = seat._top.value
    for words in ("it sees the last 12 messages", "its plan: out of sight", ">you</b>"):
        assert words in drawn, words
    legend = re.findall(r"</svg>([^<]+)</span>", drawn)
    assert legend == ["works", "finishes a step", "reads a reminder"]


def test_words_are_used_after_they_are_explained(seat):
    # The next cells explain both. A round is what a square is.
    assert not re.search("harness|window", seat._top.value + seat._left.value + LEDE)
    assert "the prompt, which is what the user asked for" in LEDE


def test_plan_is_shown_only_after_the_click(seat):
    assert "main guard" not in seat.text() and "main guard" not in str(seat.get_state())
    # The next notebook asks for the threshold.
    assert not re.search(r"after 6|remind after|threshold", seat.text())
    seat.compare.click()
    assert seat._left.value.count("<tr class='lp-lost'>") == 3
    assert [row[1] for row in rows_of(seat)].count("nowhere") == 3
    assert "7 of 10" in seat._top.value
    seat.compare.click()
    assert "main guard" not in seat._left.value and "lp-compared" not in seat._dom_classes


# Lines that a reader may write, and the numbers of the steps that they are beside.
LINES = {
    "check the receipts are the same": [],
    "make sure that it prints the same receipts": [],
    "compare the receipts before and after": [],
    "check the prices": [],
    "simplify the discount function": [],
    "make the code easy to read": [],
    "write a main function": [],
    "add error handling to load": [],
    "add comments": [],
    "finish the rest": [],
    "Rename cryptic names": [1],
    "no more magic numbers": [2],
    "clean up orders.py": [3],
    "fix Receipt.py": [4],
    "split long functions": [4],
    "return, do not print": [5],
    "remove load_old": [6],
    "remove dead code": [6],
    "add type hints": [7],
    "Docstrings": [7],
    "add docstrings to pricing": [7],
    "add a guard": [8],
    "check that shop.py prints the same receipts": [8],
    "add tests": [9],
    "testing": [9],
    "write tests for pricing.py": [9],
    "update the readme": [10],
    "bring the docs up to date": [10],
    "add documentation": [7, 10],
    "write docs": [7, 10],
    "tidy books.py": [1, 6],
}


@pytest.mark.parametrize("line, steps", LINES.items())
def test_line_is_beside_a_step_only_if_it_shares_more_than_one_weak_word_with_it(seat, line, steps):
    seat.answer.value = line
    rows, others = seat._compare()
    assert [number for number, row in enumerate(rows, 1) if row.yours] == steps
    assert others == ([] if steps else [line])


def test_each_line_is_beside_the_step_with_which_it_shares_the_most_words(seat):
    seat.answer.value = "fix receipt.py\n\nAdd docstrings to pricing\nbe careful\ntesting"
    seat.compare.click()
    wrote = {row[0]: row[2] for row in rows_of(seat)}
    assert wrote["Split the long function in receipt.py"] == "fix receipt.py"
    assert wrote["Add type hints and docstrings to pricing.py"] == "Add docstrings to pricing"
    assert wrote["Write tests for the prices and the totals"] == "testing"
    assert wrote["Add a main guard to shop.py"] == "no line of yours names it"
    assert wrote["Rename the cryptic names in books.py"] == "filled in for you"
    assert "fix <b>receipt.py</b>" in seat._left.value  # so one sees what it has named
    assert "These name no step: <b>be careful</b>" in seat._left.value
    for words in ("you wrote: fix receipt.py", "These name no step: be careful"):
        assert words in repr(seat), words


def test_a_reader_who_wrote_nothing_is_told_so_at_each_step_that_was_left(seat):
    seat.compare.click()
    assert [row[2] for row in rows_of(seat)] == ["filled in for you"] * 3 + ["nothing"] * 7
    assert "names it" not in seat._left.value and "shares" not in seat._left.value


def test_no_step_is_named_by_its_common_words_or_by_what_another_line_says(seat):
    seat.answer.value = "Add more code that is easy to read, write it up"
    seat.compare.click()
    assert all(row[2] == "no line of yours names it" for row in rows_of(seat)[3:])
    for line in seat._list_lines():
        assert list_words(line.text), line.text  # every step can be named
    assert stem("tests") == stem("Tested") == stem("testing") and stem("main") != stem("maintain")
    assert [line.note for line in seat._list_lines()].count(LOST) == 3


def test_what_the_reader_writes_is_state_and_never_markup(seat):
    seat.answer.value = "<b>Add tests</b>\n<img src=x> README"
    assert seat.answer.get_state()["value"] == "<b>Add tests</b>\n<img src=x> README"
    data = seat._repr_mimebundle_()["text/plain"]
    assert data.endswith(seat.text()) and "Refactor this bookshop" in data
    seat.compare.click()
    assert "<img" not in seat._left.value and "&lt;img" in seat._left.value
