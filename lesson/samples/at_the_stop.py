"""What is asked when an agent stops: what is missing in the files, and how often."""

from collections.abc import Callable, Sequence
from typing import Any

from .copies import InFolder, find_job_of
from .jobs import list_missing

WHO = "The program asks, not the user: this is missing:"  # so begins each question
MAX_QUESTIONS = 10  # so often an agent that stops is asked: once for each of ten steps


def ask_at_the_stop(
    run: Callable[[], Any], messages: list[Any], missing: Callable[[], Sequence[str]]
) -> None:
    """Play the agent loop, and ask for what is missing each time that the model stops.

    `run()` plays the loop on `messages` until the model stops. `missing()` is called once at each
    stop, and returns strings that say what is missing. If there are any, append one user message
    that names all of them, and play the loop again, at most MAX_QUESTIONS times.

    What `run` and `missing` raise is passed on.
    """
    run()
    for _ in range(MAX_QUESTIONS):
        left = missing()
        if not left:
            return
        # The role of the message is "user", so its text says who really asks.
        question = f"{WHO} {'; '.join(left)}"
        messages.append({"role": "user", "content": question})
        run()


def find_missing(workspace: InFolder) -> list[str]:
    """Return the steps of a sample's job that the files do not show, or [] in any other folder.

    For your own job, use a check that can say no, such as one that runs your tests.
    """
    job = find_job_of(workspace)
    return list_missing(job.steps, workspace.root) if job else []
