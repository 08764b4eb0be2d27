"""Texts of a learner in free English: a check refuses what is plainly wrong, and no more.

Most of these were written by people who had not read the check.
"""

import re

import pytest
from attempts.my_todo import PLAIN
from judge_rules import slip, try_source

from lesson.exercises.my_todo import OF_RULE_2, OF_RULE_3, OF_RULE_4, asks_for_all, has_aim
from lesson.exercises.read_file import says_what_is_possible

ASK_FOR_ALL = [
    "Record your plan and your progress here: all of your tasks, every time.",
    "Manage todos. Input: the entire list, never just a part of it.",
    "Your memory for tasks. Always send the list completely, because missing tasks are deleted.",
    "Overwrite the todo list with the given items. Partial lists are not merged.",
    "Set the todo list. Never send only changes; send the total list.",
    "Todo list. items: all tasks with their status.",
    "Keep your plan up to date with this tool. Pass the whole list, not just what is new.",
    "Tracks progress on multi-step work. Every call must contain every task.",
    "Call this to save your todos. Anything that is missing in items is removed.",
    "A list of what you have to do. Do not send single items; send all the items.",
    "Your plan for the job. Never omit a task, also if it is done.",
    "Update your todo list before and after each step (always the full list).",
    "Plan your steps here. Send all items, not only the ones that changed.",
]
ASK_FOR_LESS = [
    "Your todo list.",
    "Add a task to the list.",
    "Send the tasks that have changed.",
    "Send the list.",
    "This is your todo list on the whole. Update it often.",
    "Plans tasks. The whole list is shown each time.",
    "Write your whole plan once, at the beginning.",
    "Send just the changes of your plan, never the whole list.",
    "Updates the status of one task in your plan.",
    "Manage your plan. Completed tasks are removed.",
    "Manage your plan, and leave out completed tasks.",
    "Send all tasks at the start; afterwards just updates.",
]
MESSAGES = [
    (OF_RULE_2, "You can only work on one thing at a time", True),
    (OF_RULE_2, "Only a single item can be in progress", True),
    (OF_RULE_2, "there are several active tasks; keep one and set the others to pending", True),
    (OF_RULE_2, "at most two tasks may be in_progress", False),
    (OF_RULE_2, "Invalid list", False),
    (OF_RULE_2, "rule 2", False),
    (OF_RULE_2, "too many", False),
    (OF_RULE_2, "Too many tasks in the list", False),
    (OF_RULE_2, "2 tasks are in progress; set the others to pending", True),
    (OF_RULE_2, "too many at the same time", True),
    (OF_RULE_3, "Your plan is too long: 20 is the limit", True),
    (OF_RULE_3, "Use no more than 20 tasks", True),
    (OF_RULE_3, "fewer than 20 are allowed", False),
    (OF_RULE_4, "Each task needs its own text", True),
    (OF_RULE_4, "Tasks must be unique", True),
    (OF_RULE_4, "You listed a task two times", True),
    (OF_RULE_4, "Don't repeat a task", True),
    (OF_RULE_4, "bad items", False),
    (OF_RULE_4, "same", False),
    (OF_RULE_4, "duplicate", True),
]
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


@pytest.mark.parametrize("text", [*ASK_FOR_ALL, *ASK_FOR_LESS])
def test_description_is_refused_only_if_it_does_not_ask_for_the_whole_list(text):
    assert (asks_for_all(text.lower()) and has_aim(text)) == (text in ASK_FOR_ALL)


@pytest.mark.parametrize("of_rule, text, is_right", MESSAGES)
def test_message_is_refused_only_if_it_says_nothing_of_its_rule_or_something_false(
    of_rule, text, is_right
):
    assert bool(re.search(of_rule, text.lower())) == is_right


@pytest.mark.parametrize("text", [*POSSIBLE, *NOT_POSSIBLE])
def test_error_is_refused_only_if_it_does_not_say_what_is_possible(text):
    assert says_what_is_possible(text, "../notes.txt", is_outside=True) == (text in POSSIBLE)


def test_words_that_would_do_are_named():
    own = slip(PLAIN, ("no two items may have the same text", "bad items"))
    assert "*the same text*" in try_source("MyTodo", own).cause
    own = re.sub(r'(?s)description="Write.*?done\."', 'description="Your todo list."', PLAIN)
    assert "*the whole list*" in try_source("MyTodo", own).cause
