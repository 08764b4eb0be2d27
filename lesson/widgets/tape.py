"""The tape of a run as HTML: the markup that tape.js writes in the browser, for tape.css."""


def draw_tape(cells: str, steps: str, *, is_finished: bool, more: str = "") -> str:
    """Return a run as a row of squares, with `more` HTML drawn over it.

    `cells` has a letter of ROUNDS for each round, and `steps` how many steps it finished.
    """
    squares = "".join(map(draw_square, cells, steps, [is_finished] * len(cells)))
    # A reminder is read in the round after the one with whose results it was sent.
    read = [place + 1 for place, cell in enumerate(cells) if cell.isupper()]
    reminders = "".join(f'<u style="--at: {place}"></u>' for place in read)
    style = f"--length: {len(cells)}"
    inside = squares + reminders + more
    return f'<span class="al-tape" aria-hidden="true" style="{style}">{inside}</span>'


def draw_square(cell: str, digit: str, is_finished: bool) -> str:
    kind, count = cell.lower(), int(digit)
    look = [f"al-{kind}"]
    if kind == "e":
        look.append("al-good" if is_finished else "al-bad")
    if kind == "p" and count > 0:
        look.append("al-ticks")
    number = f"<b>{count}</b>" if count > 1 else ""
    return f'<i class="{" ".join(look)}">{number}</i>'
