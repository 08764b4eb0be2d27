"""A widget on a page of its own, opened as a file: without a server and without a kernel."""

from lesson import JudgedRuns, Player, Seat, play
from lesson.practice.policy.jobs import load_job
from lesson.widgets.seat_replies import JOB, PLAN_LOST, WITH_LIST, replies

PHONE = {"width": 390, "height": 844}
HOSTILE = "</script><script>document.title = 'taken'</script><!--"


def compare_lists(tab, lines):
    tab.get_by_role("textbox").focus()
    tab.keyboard.type("\n".join(lines))
    tab.get_by_role("button", name="Compare").press("Enter")
    tab.get_by_text("Your plan had left the window").wait_for()


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
    tab.get_by_role("button", name="Back to the window").click()
    assert tab.get_by_role("textbox").input_value().startswith("Remove load_old")


def test_empty_list_is_not_judged(open_page):
    tab = open_page(Seat())
    compare_lists(tab, [])
    assert tab.get_by_role("status").inner_text() == "The script wrote none."


def read_marks(tab):
    """Return the marks of all ten steps by list."""
    tab.locator("details:has(table)").evaluate("it => (it.open = true)")
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
    assert "4 of 4 replies of Claude have all of them" in tab.get_by_role("status").inner_text()
    tab.get_by_role("button", name="Claude, reply 4").first.press("Enter")
    assert replies(WITH_LIST)[3]["opening"] in tab.locator(".al-seat-say").inner_text()


def test_seat_and_its_comparison_fit_the_output_of_a_cell_on_a_projector(open_page):
    tab = open_page(Seat())
    tab.set_viewport_size({"width": 844, "height": 900})
    widget = tab.locator(".al-seat").bounding_box()
    compare = tab.get_by_role("button", name="Compare").bounding_box()
    assert compare["y"] + compare["height"] - widget["y"] < 600
    compare_lists(tab, ["Add tests"])
    tab.get_by_role("button", name="Compare with Claude").click()
    back = tab.get_by_role("button", name="Back to the window").bounding_box()
    assert back["y"] + back["height"] - tab.locator(".al-seat").bounding_box()["y"] < 600


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


def test_a_run_is_judged_by_keyboard_and_its_verdict_takes_the_focus(open_page):
    tab = open_page(JudgedRuns())
    tab.get_by_role("button", name="take the products").focus()
    for key in "1102":
        tab.keyboard.press(key)
    tab.get_by_text("The lines are drawn").wait_for()
    assert tab.locator(".al-judged-lines path").count() == 4
    tab.get_by_role("button", name="the build").press("Enter")
    assert tab.evaluate("document.activeElement.innerText") == "The verdict:\nfailed"
    tab.get_by_text("You and the verdict agree. The build did say no.").wait_for()
    third = tab.locator(".al-judged-wishes li").nth(2)
    assert "missing" in third.inner_text() and "(your line" not in tab.locator("main").inner_text()


ANSWERS = (
    (6, "finished", "the files. What said no: the build, a test and the wishes."),
    (6, "build", "agree. The build did say no. So did a test and the wishes."),
    (6, "test", "agree. A test did say no. So did the build and the wishes."),
    (8, "test", "agree. All tests passed. What said no: the build."),
    (8, "wishes", "In the files, each wish looks done. What said no: the build."),
    (3, "finished", "on your side. What said no: a test, which is wrong."),
    (3, "build", "The build succeeded. What said no: a test, which is wrong."),
    (10, "finished", "our reading of the files says otherwise. Nothing said no."),
    (10, "test", "our reading of the files is on your side. All tests passed."),
    (11, "wishes", "can be argued. Compared with the files, the wishes did say no. So did a t"),
    (4, "nobody", "otherwise, and so does our reading of the files. Nothing said no."),
)


def test_reader_is_told_who_agrees_and_what_said_no(open_page):
    judged = [JudgedRuns() for _ in ANSWERS]
    for widget, (number, choice, _) in zip(judged, ANSWERS, strict=True):
        screens = [*widget.state["screens"], {"runs": []}, *widget.state["more"]]  # and all lists
        numbers = [[run["number"] for run in screen["runs"]] for screen in screens]
        widget.at = next(n for n, runs in enumerate(numbers) if str(number) in runs)
        widget.played = {one: {"choice": choice} for one in numbers[widget.at]}
    tab = open_page(*judged)
    for widget, (*_, said) in zip(tab.locator(".al-judged").all(), ANSWERS, strict=True):
        assert said in " ".join(widget.locator(".al-aside").all_inner_texts())


def test_verdict_and_first_wish_are_in_view_on_a_phone(open_page):
    tab = open_page(JudgedRuns())
    tab.set_viewport_size(PHONE)
    tab.get_by_role("button", name="nobody").click()
    for part in (tab.locator(".al-judged-stamp"), tab.get_by_text("take the products")):
        box = part.bounding_box()
        assert box["y"] > 0 and box["y"] + box["height"] < 844


def test_first_of_two_answers_says_that_the_second_question_waits(open_page):
    judged = JudgedRuns()
    judged.at = 2
    tab = open_page(judged)
    tab.get_by_role("group", name="Run A").get_by_role("button", name="finished").click()
    says = tab.get_by_role("group", name="Run A").get_by_role("status")
    assert says.inner_text() == "Now judge Run B: then both verdicts are shown."
    tab.get_by_role("group", name="Run B").get_by_role("button", name="finished").click()
    assert tab.locator(".al-judged-stamp").count() == 2


def test_all_lists_are_counted_after_a_guess(open_page):
    judged = JudgedRuns()
    judged.at = len(judged.state["screens"])
    tab = open_page(judged)
    assert tab.locator("td .al-list").count() == 43
    tab.get_by_role("slider").fill("20")
    tab.get_by_role("button", name="Show the verdicts").click()
    tab.get_by_text("10 of 43 passed. You said 20.").wait_for()
    assert tab.locator("tr > td:nth-child(2) .al-no-build").count() == 15


def test_markup_in_a_run_and_in_the_title_is_escaped(open_page):
    run = play("hello")
    run.messages[0]["content"][-1]["text"] += HOSTILE
    tab = open_page(Player(run), Player(play("hello", plan=False)), title=f"A run {HOSTILE}")
    assert tab.title() == f"A run {HOSTILE}"
