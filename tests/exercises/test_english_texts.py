"""Texts of a learner in free English: a check refuses what is plainly wrong, and no more.

Most of these were written by people who had not read the check.
"""

import pytest

from lesson.exercises.read_file import says_what_is_possible

POSSIBLE = [
    "is outside of the folder: give a path inside it",
    "leads out of the workspace. Use a path relative to the workspace.",
    "must be inside of the workspace",
    "escapes the workspace; only files in it can be read",
    "is forbidden - try a path without ..",
    "is not in the folder, you have notes.txt, README.md and src",
    "isn't inside the workspace. Please provide a path inside.",
    "may not be read. Read a file of this folder.",
    "is elsewhere. Please request a file of the workspace.",
]
NOT_POSSIBLE = [
    "is not allowed",
    "leads out of the workspace.",
    "is not inside of the folder",
    "cannot be read",
    "is no path in the workspace",
]


@pytest.mark.parametrize("text", [*POSSIBLE, *NOT_POSSIBLE])
def test_error_is_refused_only_if_it_does_not_say_what_is_possible(text):
    assert says_what_is_possible(text, "../notes.txt", is_outside=True) == (text in POSSIBLE)
