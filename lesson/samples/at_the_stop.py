"""What is asked when an agent stops: what is missing in the files, and how often."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from agentlib.workspace import Workspace

from .copies import find_job_of
from .jobs import list_missing

WHO = "The program asks, not the user: this is missing:"  # so begins each question
MAX_QUESTIONS = 10  # so often an agent that stops is asked: once for each of ten steps
IN_VAIN = (
    "The model has answered the last question without a tool call, and the same is still missing, "
    "so it is not asked again. Read its last reply: it may ask you something, or say that it "
    "cannot go on. Write your answer into the prompt, and run this again."
)
NUMBERS = re.compile(r"\d+(\.\d+)?")  # a test run says how long it took


class AskedInVainError(Exception):
    """A second question in a row would get the same answer."""


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


def find_missing(workspace: Workspace) -> list[str]:
    """Return the steps of a sample's job that the files do not show, or [] in any other folder.

    For your own job, use a check that can say no, such as one that runs your tests.
    """
    job = find_job_of(workspace)
    return list_missing(job.steps, workspace.root) if job else []


def stop_in_vain(
    missing: Callable[[], Sequence[str]], count_calls: Callable[[], int]
) -> Callable[[], Sequence[str]]:
    """Return a `missing` that raises AskedInVainError instead of asking the same again.

    `count_calls` returns how many tools the model has called. If it has called none since the last
    question, and the same is missing, it is waiting for the user, or cannot do it.
    """
    before: tuple[int, list[str]] | None = None

    def ask() -> Sequence[str]:
        nonlocal before
        left = missing()
        now = count_calls(), [NUMBERS.sub("", one) for one in left]
        if left and now == before:
            raise AskedInVainError(IN_VAIN)
        before = now
        return left

    return ask
