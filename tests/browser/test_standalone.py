"""A widget on a page of its own, opened as a file: without a server and without a kernel."""

import re
import zlib

import pytest

from lesson import Board, JudgedRuns, PlanStudy, Player, Seat, play
from lesson.runs.claude_runs import claude_runs
from lesson.runs.trial import Trial
from lesson.samples.jobs import load_job
from lesson.widgets.seat_replies import JOB, PLAN_LOST, STILL_SEEN, WITH_LIST, replies

PHONE = {"width": 390, "height": 844}
# The two ends of a path, in the page.
ENDS_OF_PATH = """it => [0, it.getTotalLength()].map(along => {
    const {x, y} = it.getPointAtLength(along).matrixTransform(it.getScreenCTM());
    return {x, y}; })"""
HOSTILE = "</script><script>document.title = 'taken'</script><!--"


def compare_lists(tab, lines):
    tab.get_by_role("textbox").focus()
    tab.keyboard.type("\n".join(lines))
    tab.get_by_role("button", name="Compare").press("Enter")
    tab.get_by_text("were only in the plan").wait_for()


def row_of(tab, step):
    return tab.get_by_role("row").filter(has=tab.get_by_role("rowheader", name=step))


def test_search_marks_the_readers_list_and_a_press_corrects_it(open_page):
    tab = open_page(Seat())
    compare_lists(tab, ["Remove load_old", "", "<b>Paint</b> shop.py", "receipts: tidy"])
    assert tab.evaluate("document.activeElement.className") == "al-seat-title"
    said = tab.get_by_role("status")
    assert "You wrote none of the 3 again, and a part of 1. The script" in said.inner_text()
    assert "no step of the plan: <b>Paint</b> shop.py." in tab.locator("main").inner_text()
    mine = row_of(tab, "main guard").locator(".al-seat-you button")
    mine.press("Enter")
    assert "You wrote 1 of the 3 again, and a part of 1." in said.inner_text()
    mine.press("Enter")
    assert "You wrote none" in said.inner_text()
    tab.get_by_role("button", name="Write again").click()
    assert tab.get_by_role("textbox").input_value().startswith("Remove load_old")


def test_empty_list_is_not_judged(open_page):
    tab = open_page(Seat())
    compare_lists(tab, [])
    assert tab.get_by_role("status").inner_text() == "The script wrote none."


def read_marks(tab):
    """Return the marks of all ten steps by list."""
    marks = {}
    for step in load_job(JOB).steps:
        cells = row_of(tab, step.text).locator(".al-seat-mark .al-hidden")
        letters = {"all of it": "x", "a part of it": "p", "no": "."}
        marks[step.text] = [letters[words] for words in cells.all_text_contents()]
    return ["".join(letters) for letters in zip(*marks.values(), strict=True)]


def test_marks_of_all_lists_are_the_recorded_ones_and_the_sums_count_them(open_page):
    seat = Seat()
    own = {"name": "llama", "short": "Your model", "with_list": False}
    own["replies"] = [{"opening": "", "list": [["Add a main guard", "pending"]]}]
    seat.state = seat.state | {"columns": [*seat.state["columns"], own]}
    tab = open_page(seat)
    compare_lists(tab, [text for text, _ in replies(PLAN_LOST)[4]["list"]])
    assert tab.get_by_role("button", name="Claude, reply 4").count() == 0
    tab.get_by_role("button", name="Compare with Claude").press("Enter")
    script, *claude, llama = read_marks(tab)
    assert script == "xxx......."
    assert claude == [reply["steps"] for reply in replies(PLAN_LOST)]
    assert llama == ".......x.."
    for step, letter in zip(load_job(JOB).steps[3:], claude[4][3:], strict=True):
        mine = row_of(tab, step.text).locator(".al-seat-you .al-hidden").inner_text()
        assert mine == {"x": "all of it", "p": "a part of it", ".": "no"}[letter]
    for step, count in {"stock.py": 0, "receipt.py": 2, "main guard": 0, "type hints": 3}.items():
        assert row_of(tab, step).locator(".al-seat-sum").inner_text() == f"{count} of 12"
    assert "Of Claude’s 12 lists, 2 have one of the 3." in tab.get_by_role("status").inner_text()

    tab.get_by_role("button", name="Show the list in the reminder").press("Enter")
    tab.get_by_text("so this measures copying").wait_for()
    script, *claude = read_marks(tab)
    assert script == "x" * 10
    assert claude == [reply["steps"] for reply in replies(WITH_LIST)]
    assert row_of(tab, "stock.py").locator(".al-seat-sum").inner_text() == "4 of 4"
    assert tab.get_by_text("nowhere else").count() == 0
    assert "4 of 4 replies of Claude have all of them" in tab.get_by_role("status").inner_text()
    tab.get_by_role("button", name="Claude, reply 4").first.press("Enter")
    assert replies(WITH_LIST)[3]["opening"] in tab.locator(".al-seat-say").inner_text()


def test_seat_and_its_comparison_fit_the_output_of_a_cell_on_a_projector(open_page):
    tab = open_page(Seat())
    tab.set_viewport_size({"width": 844, "height": 900})
    widget = tab.locator(".al-seat").bounding_box()
    assert widget["height"] < 600  # the messages scroll, and the list stays in sight
    compare = tab.get_by_role("button", name="Compare").bounding_box()
    assert compare["y"] + compare["height"] - widget["y"] < 600
    compare_lists(tab, ["Add tests"])
    tab.get_by_role("button", name="Compare with Claude").click()
    back = tab.get_by_role("button", name="Write again").bounding_box()
    assert back["y"] + back["height"] - tab.locator(".al-seat").bounding_box()["y"] < 600


def test_messages_of_the_seat_open_at_the_reminder_and_their_other_end_is_soft(open_page):
    tab = open_page(Seat())
    pane = tab.locator(".al-seat-window")
    note = pane.locator(".al-seat-note")
    box, shown = note.bounding_box(), pane.bounding_box()
    assert shown["y"] < box["y"] and box["y"] + box["height"] < shown["y"] + shown["height"] + 1
    assert "gradient" in pane.evaluate("it => getComputedStyle(it, '::before').backgroundImage")
    # The prompt does not scroll.
    assert tab.get_by_text("code that is easy to read").is_visible()


def test_thread_leads_from_each_step_to_the_line_that_shows_it(open_page):
    tab = open_page(Seat())
    compare_lists(tab, ["Add tests"])
    ends = {}
    steps = load_job(JOB).steps
    lines, threads = tab.locator(".al-seat-short > li"), tab.locator(".al-seat-threads > path")
    assert threads.count() == len(STILL_SEEN)
    shown = [steps[number - 1].text for number in STILL_SEEN]
    for text, thread in zip(shown, threads.all(), strict=True):
        start, end = thread.evaluate(ENDS_OF_PATH)
        step = tab.get_by_role("rowheader", name=text).bounding_box()
        assert step["y"] < start["y"] < step["y"] + step["height"]
        boxes = [(line, line.bounding_box()) for line in lines.all()]
        (ends[text],) = [
            line for line, box in boxes if box["y"] < end["y"] < box["y"] + box["height"]
        ]
    for number, (_, words) in STILL_SEEN.items():
        marked = ends[steps[number - 1].text].locator("mark").all_inner_texts()
        assert words in marked
    assert tab.get_by_text("nowhere else").count() == len(steps) - len(STILL_SEEN)
    tab.get_by_role("button", name="Show the list in the reminder").press("Enter")
    assert threads.count() == len(steps)
    reminder = tab.locator(".al-seat-short > .al-seat-note").bounding_box()
    for thread in tab.locator(".al-seat-threads > .al-seat-new").all():
        end = thread.evaluate(ENDS_OF_PATH)[1]
        assert reminder["y"] < end["y"] < reminder["y"] + reminder["height"]


def test_seat_on_a_phone_leaves_the_window_in_sight_and_all_marks_on_the_screen(open_page):
    tab = open_page(Seat())
    tab.set_viewport_size(PHONE)
    bar = tab.locator(".al-seat-bar").bounding_box()
    assert bar["height"] < 0.15 * PHONE["height"]
    button = tab.get_by_role("button", name="Compare").bounding_box()
    assert button["y"] + button["height"] <= PHONE["height"]
    compare_lists(tab, ["Add tests"])
    tab.get_by_role("button", name="Compare with Claude").click()
    marks = row_of(tab, "stock.py").locator(".al-square")
    boxes = [mark.bounding_box() for mark in marks.all()]
    assert len(boxes) == 14 and len({round(box["y"]) for box in boxes}) == 1
    assert boxes[-1]["x"] + boxes[-1]["width"] < PHONE["width"]


def test_lists_are_beside_each_other_also_without_claudes(open_page):
    tab = open_page(Seat())
    tab.set_viewport_size({"width": 640, "height": 600})
    compare_lists(tab, ["Add tests"])
    marks = row_of(tab, "stock.py").locator(".al-square")
    assert (
        [round(mark.bounding_box()["y"]) for mark in marks.all()].count(
            round(marks.first.bounding_box()["y"])
        )
        == marks.count()
        == 2
    )


def judge(number="6", **play):
    widget = JudgedRuns()
    widget.counted, widget.opened, widget.played = True, number, {number: play}
    return widget


def test_after_a_guess_each_told_square_opens_its_list(open_page):
    tab = open_page(JudgedRuns())
    assert tab.locator("td .al-judged-box").count() == 43 and tab.locator("td button").count() == 0
    tab.get_by_role("slider").fill("20")
    tab.get_by_role("button", name="Show the results").click()
    told = tab.locator(".al-judged-count")
    assert told.inner_text() == "10 of 43\nbuild and pass all tests. You said 20."
    assert tab.locator("td .al-no-build").count() == 15
    assert tab.locator("td .al-judged-told").count() == 12
    assert "cache tag" in tab.get_by_title("the shop, attempt 2").first.get_attribute("title")
    opens = tab.get_by_role("button", name="Its list opens")
    assert opens.count() == 12
    opens.and_(tab.get_by_role("button", name="the shop")).first.press("Enter")
    assert tab.evaluate("document.activeElement.innerText") == "The shop"


def test_a_run_is_judged_by_keyboard_and_then_its_lines_are_drawn(open_page):
    tab = open_page(judge(""))
    tab.get_by_role("button", name="Judge one: The shop").press("Enter")
    lines = tab.locator(".al-judged-lines path")
    assert lines.count() == 0
    tab.get_by_role("button", name="the build").press("Enter")
    tab.get_by_role("button", name="a test").press("Enter")
    tab.get_by_role("button", name="Show the result").press("Enter")
    said = "You said: the build and a test. But the request, the build and a test said no."
    told = tab.evaluate("document.activeElement.innerText")
    assert told == f"The result:\nfailed\n{said}"
    looks = [line.get_attribute("class") for line in lines.all()]
    assert looks == [None, None, None, "al-judged-gap", None, None]
    assert "wrong" in tab.get_by_role("listitem").nth(2).inner_text()
    tab.get_by_role("button", name="Next: The welcome page").click()
    assert lines.count() == 0


ANSWERS = (
    ("6", ["nobody"], "You said: nobody. But the request, the build and a test said no."),
    ("8", ["build"], "Right: the build said no."),
    ("8", ["request", "build"], "You said: the request and the build. But the build said no."),
    ("3", ["build"], "But a test said no. That test is wrong."),
    ("10", ["nobody"], "Right: nobody said no."),
)


def test_reader_is_told_what_said_no(open_page):
    judged = [judge(number, judged=True, chosen=chosen) for number, chosen, _ in ANSWERS]
    tab = open_page(*judged)
    for widget, (*_, said) in zip(tab.locator(".al-judged").all(), ANSWERS, strict=True):
        assert said in widget.locator(".al-judged-verdict").inner_text()


def test_nobody_and_a_witness_exclude_each_other(open_page):
    tab = open_page(judge())
    show = tab.get_by_role("button", name="Show the result")
    assert show.get_attribute("aria-disabled") == "true"
    for name in ("the build", "nobody", "a test", "the request"):
        tab.get_by_role("button", name=name).click()
    pressed = tab.get_by_role("button", pressed=True).all_inner_texts()
    assert [words.split("\n")[0] for words in pressed] == ["the request", "a test"]


def test_verdict_and_first_point_are_in_view_on_a_phone(open_page):
    tab = open_page(judge(chosen=["nobody"]))
    tab.set_viewport_size(PHONE)
    tab.get_by_role("button", name="Show the result").click()
    for part in (tab.locator(".al-judged-stamp"), tab.get_by_text("take the products")):
        box = part.bounding_box()
        assert box["y"] > 0 and box["y"] + box["height"] < 844


def test_squares_and_the_first_verdict_fit_the_cell_of_a_small_screen(open_page):
    squares, verdict = JudgedRuns(), judge(judged=True, chosen=["nobody"])
    squares.counted = True
    tab = open_page(squares, verdict)
    tab.set_viewport_size({"width": 876, "height": 600})
    for widget in tab.locator(".al-judged").all():
        assert widget.bounding_box()["height"] <= 600


@pytest.mark.parametrize(("after", "done", "colour"), [(None, 3, "lost"), (3, 10, "done")])
def test_board_says_how_its_run_ended_in_the_colour_of_what_the_files_show(
    open_page, after, done, colour
):
    trial = Trial(after=after)
    board = Board(trial.todo, trial.nag)
    for _ in board.follow(trial):
        pass
    result = open_page(board).locator(".al-board-result")
    assert result.inner_text() == f"It stopped by itself. The files show {done} of 10."
    is_coloured = """(it, name) => {
        const sample = document.body.appendChild(document.createElement('i'));
        sample.style.color = `var(--${name})`;
        return getComputedStyle(it).color === getComputedStyle(sample).color;
    }"""
    assert result.evaluate(is_coloured, colour)


def test_squares_are_filled_on_paper(open_page):
    study = PlanStudy()
    study.played = {"shown": True}
    tab = open_page(study)
    gained = tab.locator(".al-study-squares > .al-study-gained").first
    filled = gained.evaluate("it => getComputedStyle(it).backgroundColor")
    red, green, blue = (int(part) / 255 for part in re.findall(r"\d+", filled)[:3])
    pdf = tab.pdf(print_background=False)
    starts = [found.end() for found in re.finditer(rb"stream\r?\n(?=x)", pdf)]
    drawn = b"".join(zlib.decompressobj().decompress(pdf[start:]) for start in starts)
    fills = re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) rg", drawn)
    expected = pytest.approx((red, green, blue), abs=0.01)
    assert any(tuple(map(float, fill)) == expected for fill in fills)


def test_markup_in_a_run_and_in_the_title_is_escaped(open_page):
    run = play("hello")
    run.messages[0]["content"][-1]["text"] += HOSTILE
    tab = open_page(Player(run), Player(play("hello", plan=False)), title=f"A run {HOSTILE}")
    assert tab.title() == f"A run {HOSTILE}"


MARK = "it => getComputedStyle(it, '::before').content"


@pytest.mark.parametrize(
    "name, window", [("nolist_4", None), ("nolist_4", 12), ("reminder_2", None)]
)
def test_number_of_finished_steps_is_in_place_of_the_check_mark(open_page, name, window):
    run = next(one for one in claude_runs() if one.name == name)
    player = Player(run, window=window)
    player.at = len(run.rounds)
    tab = open_page(player)
    squares = tab.locator(".al-timeline .al-tape > i")
    for place, count in enumerate(run.steps):
        square = squares.nth(place)
        assert square.inner_text() == (count if count > "1" else "")
        if count > "0":
            assert (square.evaluate(MARK) == "none") == (count > "1")
    legend = tab.locator(".al-legend").inner_text()
    assert "finishes 2 steps" in legend and "finishes a step" in legend


def test_thinking_is_shown_as_text_and_each_list_with_its_own_changes(open_page):
    call = {"type": "tool_use", "name": "todo"}
    lists = [
        call | {"id": status, "input": {"items": [{"text": "Read", "status": status}]}}
        for status in ("in_progress", "completed")
    ]
    thought = {"type": "thinking", "thinking": 'First "a list".', "signature": "c2ln"}
    results = [{"type": "tool_result", "tool_use_id": one["id"], "content": "ok"} for one in lists]
    player = Player(
        [
            {"role": "user", "content": "Go on."},
            {"role": "assistant", "content": [thought, {"type": "text", "text": "Now."}, *lists]},
            {"role": "user", "content": results},
        ]
    )
    tab = open_page(player)
    tab.get_by_text("Show the messages of round 1").click()
    said = tab.locator(".al-role-assistant").inner_text()
    assert 'First "a list".' in said and "{" not in said
    assert tab.locator(".al-changes").all_inner_texts() == [
        "1 task\n▸ #1 Read",
        "1 task\n✓ #1 Read",
    ]
