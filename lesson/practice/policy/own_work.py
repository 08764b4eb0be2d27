"""Recognize the files of a job: the sample's, and what the practice model has made of them."""

import os
from collections.abc import Iterable
from functools import cache
from itertools import permutations
from pathlib import Path

from ...samples.jobs import Action, Job, load_job
from ...samples.own_job import NAME
from ...samples.project_files import read_text
from .history import NO_SHELL, VisibleHistory
from .steps import has_effect


def explain_unknown(job: Job, view: VisibleHistory) -> str | None:
    """Return the reply to a file in the request that somebody else has changed; otherwise None.

    The practice model can only do its own edits, and would spoil what another model or a person has
    done. So it stops before it changes anything else. A job of the learner's own only writes whole
    files, so there it can work on anything.
    """
    if job.name == NAME:
        return None
    unknown = []
    for path in known_texts(job.name):
        text = view.text_of(path)
        if text is None or text.startswith(NO_SHELL):  # that is no content of the file
            continue
        if not can_work_on(job, path, text):
            unknown.append(path)
    if not unknown:
        return None
    return (
        f"I do not recognise {' and '.join(unknown)}: somebody else has worked here, or the tool "
        "did not return the whole file. I am a script and know only my own edits, so I change "
        f"nothing. (Give me a new copy: sample('{job.name}').)"
    )


def find_unknown(job: Job, root: Path) -> list[str]:
    """Return the files of a job in the folder `root` that somebody else has changed or written.

    One that cannot be read as a text, such as a huge file, is not the practice model's own.
    """
    unknown = []
    for path in known_texts(job.name):
        text = read_text(root / path) if (root / path).is_file() else None
        is_own = text is not None and can_work_on(job, path, text)
        if os.path.lexists(root / path) and not is_own:
            unknown.append(path)
    return unknown


def can_work_on(job: Job, path: str, text: str) -> bool:
    """Return whether the practice model can work on a file with this `text`.

    It has written it, or the rest of its edits still fits, because only other places were changed.
    """
    if text.strip() in known_texts(job.name)[path]:
        return True
    text = text.rstrip() + "\n"  # a shell's output may lack the last line break
    actions = [action for action in list_actions(job) if action.input["path"] == path]
    for done in range(len(actions) + 1):
        is_begun = done == 0 or has_visible_effect(actions[done - 1], text)
        if is_begun and all_fit(actions[done:], text):
            return True
    return False


def list_actions(job: Job) -> list[Action]:
    """Return all actions of a job that write or edit a file."""
    actions = [action for step in job.steps for action in step.actions]
    return [action for action in actions if action.tool in ("write_file", "edit_file")]


def has_visible_effect(action: Action, text: str) -> bool:
    """Return whether an action has had its effect; one that only removes something never shows."""
    return bool(action.input.get("new_text")) and has_effect(action, text)


def all_fit(actions: Iterable[Action], text: str) -> bool:
    """Return whether all these edits can be made, one after the other."""
    for action in actions:
        if action.tool == "write_file" or text.count(action.input["old_text"]) != 1:
            return False
        text = text.replace(action.input["old_text"], action.input["new_text"])
    return True


@cache
def known_texts(name: str) -> dict[str, frozenset[str]]:
    """Return for each file that a job changes all contents that it can have, in any order of steps.

    They are the sample's own and what the actions make of it, without whitespace at both ends.
    """
    actions: dict[str, list[Action]] = {}
    for action in list_actions(load_job(name)):
        actions.setdefault(action.input["path"], []).append(action)
    return {path: reachable_texts(name, path, given) for path, given in actions.items()}


def reachable_texts(name: str, path: str, actions: Iterable[Action]) -> frozenset[str]:
    """Return what a file can contain before and after any of these actions, each made once.

    The new text of an edit may contain its old one, as that of a docstring above a line does, and
    two edits may undo each other: made again and again, they would never end.
    """
    file = load_job(name).folder / path
    start = file.read_text("utf-8") if file.is_file() else ""
    found = {start}
    for order in permutations(actions):  # a file of ours has four actions at most
        text = start
        for action in order:
            if action.tool == "write_file":
                text = action.input["content"]
            elif text.count(action.input["old_text"]) == 1:
                text = text.replace(action.input["old_text"], action.input["new_text"])
            found.add(text)
    return frozenset(text.strip() for text in found)
