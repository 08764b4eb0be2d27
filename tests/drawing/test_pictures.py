"""The lesson opens with a picture."""

import json
import re
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]


def test_lesson_opens_with_four_words_and_a_picture_and_the_cell_is_in_view():
    path = REPOSITORY / "notebooks" / "00_start_here.ipynb"
    first, second, *_ = json.loads(path.read_text(encoding="utf-8"))["cells"]
    title, picture, caption = "".join(first["source"]).split("\n\n")
    assert title == "# You are the model." and len(caption.split()) <= 50
    drawn = REPOSITORY / "notebooks" / re.fullmatch(r"!\[.+\]\((.+)\)", picture)[1]
    svg = drawn.read_text(encoding="utf-8")
    height = int(re.search(r"height='(\d+)'", svg)[1])
    assert height < 200 and second["cell_type"] == "code"
    for words in ("the model sees the last 6 rounds", "its plan: out of sight", ">you<"):
        assert words in svg, words
