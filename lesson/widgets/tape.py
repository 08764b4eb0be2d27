"""The tape of a run as HTML: the markup that tape.js writes in the browser, for tape.css."""


def draw_tape(cells: str, steps: str, *, is_finished: bool, pale: int = 0, more: str = "") -> str:
    """Return a run as a row of squares, with `more` HTML drawn over it.

    `cells` has a letter of ROUNDS for each round, and `steps` how many steps it finished. The
    first `pale` rounds are paler.
    """
    squares = [
        draw_square(cell, digit, is_finished, is_pale=place < pale)
        for place, (cell, digit) in enumerate(zip(cells, steps, strict=True))
    ]
    # A reminder is read in the round after the one with whose results it was sent.
    read = [place + 1 for place, cell in enumerate(cells) if cell.isupper()]
    reminders = [f'<u style="--at: {place}"></u>' for place in read]
    style = f"--length: {len(cells)}"
    inside = "".join([*squares, *reminders, more])
    return f'<span class="al-tape" aria-hidden="true" style="{style}">{inside}</span>'


def draw_square(cell: str, digit: str, is_finished: bool, *, is_pale: bool) -> str:
    kind, count = cell.lower(), int(digit)
    look = [f"al-{kind}"]
    if kind == "e":
        look.append("al-good" if is_finished else "al-bad")
    if kind == "p" and count > 0:
        look.append("al-ticks")
    if is_pale:
        look.append("al-pale")
    number = f"<b>{count}</b>" if count > 1 else ""
    return f'<i class="{" ".join(look)}">{number}</i>'


def draw_edge(place: int) -> str:
    """Return the line after `place` rounds, where the first plan leaves the window."""
    return f'<span class="al-line" style="--from: {place}"></span>'


def draw_legend(words: dict[str, str]) -> str:
    """Return what the marks mean.

    A mark is a letter of ROUNDS, perhaps with the steps that the round finishes ("p1"), or "▼" for
    the reminder, or "|" for the line.
    """
    marks = {
        "▼": '<span class="al-reminder-mark">▼</span>',
        "|": '<span class="al-key al-line-key"></span>',
    }
    drawn = ""
    for sign, meaning in words.items():
        mark = marks.get(sign) or draw_tape(sign[0], sign[1:] or "0", is_finished=False)
        drawn += f"<span>{mark}{meaning}</span>"
    return f'<div class="al-legend">{drawn}</div>'
