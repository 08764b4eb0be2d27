"""The practice model knows the files that a job can make, in any order of its edits."""

from lesson.practice.policy.own_work import can_work_on
from lesson.samples.jobs import Action, Job, Step

WORDS = "def count_words(text):\n    return len(text.split())\n"
DOCSTRING, COMMENT = '    "Count the words."', "# Words are separated by whitespace."


def add_above(line, new):
    """Return a step that adds a line above one that stays."""
    edit = {"path": "words.py", "old_text": line, "new_text": f"{new}\n{line}"}
    return Step("Add it", "Adding it", "high", {"words.py": new}, (Action("edit_file", edit),))


def test_each_order_of_the_edits_is_known_and_a_change_of_their_place_is_not():
    steps = add_above("    return len", DOCSTRING), add_above("def count_words", COMMENT)
    job = Job("words", "Document words.py", (), frozenset(), "It is documented.", steps)
    head, body = WORDS.splitlines(keepends=True)
    documented = head + DOCSTRING + "\n" + body
    for text in [WORDS, documented, f"{COMMENT}\n{WORDS}", f"{COMMENT}\n{documented}"]:
        assert can_work_on(job, "words.py", text)
    assert not can_work_on(job, "words.py", body)
