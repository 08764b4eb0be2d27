"""The stored pictures are those of today's code: `make notebooks` has been run."""

import json
import re
from pathlib import Path

import pytest
from pictures import REPOSITORY, write_pictures

from lesson.program.copy_lesson import copy_lesson


@pytest.mark.slow
def test_stored_pictures_are_those_of_the_code(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    copy_lesson(tmp_path)
    written = {"notebooks": tmp_path / "n", "docs": tmp_path / "d"}
    written["docs"].mkdir()
    write_pictures(written["notebooks"], written["docs"])
    stored = {
        "notebooks": REPOSITORY / "notebooks" / "lesson_pictures",
        "docs": REPOSITORY / "docs",
    }
    for place, folder in written.items():
        names = {one.name for one in folder.iterdir()}
        assert names == {one.name for one in Path(stored[place]).glob("*.svg")}
        for name in names:
            assert (folder / name).read_bytes() == (stored[place] / name).read_bytes(), name


def test_lesson_opens_with_four_words_and_a_picture_and_the_cell_is_in_view():
    path = REPOSITORY / "notebooks" / "00_start_here.ipynb"
    first, second, *_ = json.loads(path.read_text(encoding="utf-8"))["cells"]
    title, picture, said = "".join(first["source"]).split("\n\n")
    assert title == "# You are the model." and len(said.split()) <= 50
    drawn = REPOSITORY / "notebooks" / re.fullmatch(r"!\[.+\]\((.+)\)", picture)[1]
    svg = drawn.read_text(encoding="utf-8")
    height = int(re.search(r"height='(\d+)'", svg)[1])
    assert height < 200 and second["cell_type"] == "code"
    for words in ("the model sees the last 6 rounds", "its plan: out of sight", ">you<"):
        assert words in svg, words
