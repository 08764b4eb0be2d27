"""The teacher's board in JupyterLab: three and thirty learners, and the guesses of a class."""

from lab import SHOWN
from playwright.sync_api import expect

from lesson.program.progress import FILE, Answer, Progress, Try

TRIES = ("", "results_go_back", "stops")  # a rule, or "" for one that passes
QUICK = "from lesson.widgets import board\nboard.SECONDS = 0.2"


def hand_in(folder, numbers):
    """Write the files of learners, a third of whom have passed E1. Most of them guess 8."""
    for number in numbers:
        exercises = {"E1": Try(rule=TRIES[number % 3]), "E4": Try(rule="counts")}
        guesses = {"reminder": Answer(value=8 if number % 2 else 2 + number % 5)}
        path = folder / f"ada{number:02}" / "lesson" / FILE
        path.parent.mkdir(parents=True)
        path.write_text(Progress(exercises=exercises, guesses=guesses).model_dump_json())


def check_drawn(lab, *selectors):
    """Check both pictures in both themes: that they can be read, and that no text is cut off."""
    for theme in ("light", "dark"):
        lab.theme(theme)
        for place, selector in enumerate(selectors):
            lab.show(place)
            assert lab.axe(selector) == [], theme
            cut = lab.page.locator(f"{selector} :is(p, i, b, small, h3, h4)").evaluate_all(
                "all => all.filter(it => it.scrollWidth > it.clientWidth + 1 && it.textContent)"
                ".map(it => it.outerHTML)"
            )
            assert cut == [], theme


def test_board_moves_and_its_names_are_not_saved(notebook, tmp_path):
    hand_in(tmp_path, range(3))
    board = f"board.Board({str(tmp_path)!r}, names=True)"
    lab = notebook(f"{QUICK}\n{board}", f"{board}.guesses('reminder')")
    lab.page.set_viewport_size({"width": 1280, "height": 1100})  # axe checks what is in view
    for place, name in enumerate(("board", "guesses")):
        lab.run_cell(place)
        lab.show(place).evaluate("(it, name) => { it.parentElement.id = name; }", name)
    shown = lab.page.locator(SHOWN)
    expect(shown).to_contain_text("1 of 3 pass. 1 of 3 stands at this rule: All results")
    expect(shown).to_contain_text("3 answers. 5 answers make a picture.")
    expect(shown.locator("#board code")).to_have_text("after")
    check_drawn(lab, "#board", "#guesses")
    hand_in(tmp_path, range(3, 30))
    expect(shown.locator("#board")).to_contain_text("10 of 30 pass. 10 of 30 stand at this rule")
    expect(shown.locator("#guesses .lp-hands > span")).to_have_count(7)  # also 3, 5 and 7
    expect(shown.locator("#guesses .lp-right")).to_contain_text("✓ 5")
    check_drawn(lab, "#board", "#guesses")
    lab.save()
    saved = lab.path.read_text(encoding="utf-8")
    assert "This picture is not saved" in saved and "ada0" not in saved and "of 30" not in saved
