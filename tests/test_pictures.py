"""The stored pictures are those of today's code: `make notebooks` has been run."""

from pathlib import Path

import pytest
from pictures import REPOSITORY, write_pictures

from lesson.copy_lesson import copy_lesson


@pytest.mark.slow
def test_stored_pictures_are_those_of_the_code(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    copy_lesson(tmp_path)
    written = {"notebooks": tmp_path / "n", "docs": tmp_path / "d"}
    written["docs"].mkdir()
    write_pictures(written["notebooks"], written["docs"])
    stored = {"notebooks": REPOSITORY / "notebooks" / "pictures", "docs": REPOSITORY / "docs"}
    for place, folder in written.items():
        names = {one.name for one in folder.iterdir()}
        assert names == {one.name for one in Path(stored[place]).glob("*.svg")}
        for name in names:
            assert (folder / name).read_bytes() == (stored[place] / name).read_bytes(), name
