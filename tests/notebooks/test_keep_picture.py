"""The picture to keep is a file beside the program, with what the program did and whose it is."""

import xml.etree.ElementTree as ET

from support.notebook import CELLS, write_file

from lesson import keep_picture
from lesson.common.parts import PARTS
from lesson.program import file


def test_picture_has_the_run_and_marks_which_parts_are_the_learners(notebook_of):
    notebook_of()
    write_file(MyTodo=CELLS["MyTodo"])
    kept = keep_picture()
    path = file.path.with_suffix(".svg")
    written = path.read_text(encoding="ascii")
    drawn = ET.fromstring(written)
    texts = [one.text for one in drawn.iter("{http://www.w3.org/2000/svg}text")]
    size = len(file.path.read_text(encoding="utf-8").splitlines())
    assert texts[0] == f"My agent: 10 of 10 steps, {size} lines"
    assert texts[1] == f"1 of {len(PARTS)} parts are mine."
    assert texts[texts.index("MyTodo") - 1] == "✓" and texts[texts.index("MyNag") - 1] == "○"
    assert repr(kept) == f"{texts[0]}. The picture is my_agent.svg, beside my_agent.py."
    assert kept._repr_svg_().encode("ascii", "xmlcharrefreplace").decode() == written


def test_name_is_text_and_there_is_none_unless_it_is_given(notebook_of):
    notebook_of()
    assert "Ada" not in keep_picture().svg
    assert f"&lt;b&gt;Ada: 0 of {len(PARTS)}" in keep_picture("<b>Ada").svg


def test_picture_that_cannot_be_written_is_shown_and_says_why(notebook_of):
    notebook_of()
    file.path.with_suffix(".svg").mkdir()
    kept = keep_picture()
    assert "my_agent.svg was not written: " in repr(kept) and kept.svg.startswith("<svg")
