"""The lesson opens with a picture."""

import json
import re
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]


def test_lesson_opens_with_a_picture_and_the_cell_is_in_view():
    path = REPOSITORY / "notebooks" / "00_start_here.ipynb"
    first, second, *_ = json.loads(path.read_text(encoding="utf-8"))["cells"]
    name = re.search(r"!\[.+\]\((.+)\)", "".join(first["source"]))[1]
    svg = (REPOSITORY / "notebooks" / name).read_text(encoding="utf-8")
    height = int(re.search(r"height='(\d+)'", svg)[1])
    assert height < 200 and second["cell_type"] == "code"
