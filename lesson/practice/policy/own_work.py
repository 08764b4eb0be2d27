"""Recognize the files of a job: those of the sample, and those after the practice model's edits."""

from pathlib import Path

from ...samples.jobs import Action, Job
from ...samples.own_job import NAME
from .history import VisibleHistory
from .steps import has_effect

NEW_COPY = "Give me a new copy: sample('{}')."


def explain_unknown(job: Job, view: VisibleHistory) -> str | None:
    """Return the last reply if somebody else has changed a file in the request; otherwise None.

    The practice model can only do its own edits, and would spoil what another model or a person has
    done. So it stops before it changes such a file. A job of the learner's own only writes whole
    files, so there it can work on anything.
    """
    if job.name == NAME:
        return None
    texts = ((path, changes, view.text_of(path)) for path, changes in changes_by_path(job).items())
    unknown = [
        path
        for path, changes, text in texts
        if text is not None and not can_work_on(job.folder / path, changes, text)
    ]
    if not unknown:
        return None
    return (
        f"I do not recognise {' and '.join(unknown)}: somebody else has worked here, or the tool "
        "did not return the whole file. I am a script and know only my own edits, so I change "
        f"nothing. ({NEW_COPY.format(job.name)})"
    )


def can_work_on(original: Path, changes: list[Action], text: str) -> bool:
    """Return whether the practice model can do these `changes` of a file that has this `text` now.

    Each of them has had its effect, or a later one has, or it can still be done: its edits may have
    been made in any order, and other places of the file may have been changed.
    """
    text = text.rstrip() + "\n"  # a shell's output may lack the last line break
    for number, change in enumerate(changes):
        fields = change.input
        if has_effect(change, text):
            continue
        if change.tool == "edit_file" and text.count(fields["old_text"]) == 1:
            text = text.replace(fields["old_text"], fields["new_text"])
        elif change.tool == "write_file" and text.strip() == read(original).strip():
            text = fields["content"]
        else:  # an edit that only removes something never shows
            later = [edit for edit in changes[number + 1 :] if edit.input.get("new_text")]
            if not any(has_effect(edit, text) for edit in later):
                return False
    return True


def read(file: Path) -> str:
    """Return the text of a file of a sample, or "" if the sample does not have it."""
    return file.read_text("utf-8") if file.is_file() else ""


def changes_by_path(job: Job) -> dict[str, list[Action]]:
    """Return for each file of a job the actions that write or edit it."""
    changes: dict[str, list[Action]] = {}
    for action in [action for step in job.steps for action in step.actions]:
        if action.tool in ("write_file", "edit_file"):
            changes.setdefault(action.input["path"], []).append(action)
    return changes
