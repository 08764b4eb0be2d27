"""Find the job that a prompt asks for: a sample's, or one that the prompt contains."""

from collections.abc import Sequence
from functools import lru_cache

from safetylib.wire.reminders import REMINDERS
from safetylib.wire.replies import NO_RESULT

from ..common.message_blocks import Block, Message, blocks_of, text_of
from .jobs import Job, find_work_words, list_jobs, load_job
from .own_job import describe_prompt, read_own_job


@lru_cache(maxsize=64)  # the policy asks for each message of each request
def find_job(prompt: str) -> Job | None:
    """Return the job that a `prompt` asks for, or None.

    The prompt must contain all of the job's `words`, and ask for no work that is not in the
    job's own prompt: "add tests to hello.py" is not the job about hello.py. It may name the job's
    own steps, as `name_steps` does. A prompt of `own_job` contains its job.
    """
    own = read_own_job(prompt)
    if own:
        return own
    for job in map(load_job, list_jobs()):
        rest = prompt.casefold()
        for step in job.steps:
            rest = rest.replace(step.text.casefold(), "")
        if all(word in rest for word in job.words) and find_work_words(rest) <= job.work:
            return job
    return None


def list_prompts() -> list[str]:
    """Return the prompts that the practice model knows: of the samples, and of an own job."""
    return [*(load_job(name).prompt.strip() for name in list_jobs()), describe_prompt()]


def part_prompts(messages: Sequence[Message]) -> list[Message]:
    """Return messages in which each prompt for a job begins a message.

    A `CheckedClient` sends messages of the user in a row as one. A prompt is then behind another
    one, or behind the results of calls that were interrupted.
    """
    parted: list[Message] = []
    for message in messages:
        parts: list[list[Block]] = [[]]
        for block in blocks_of(message) if message["role"] == "user" else ():
            if parts[-1] and begins_prompt(block, parts[-1][-1]):
                parts.append([])
            parts[-1].append(block)
        more = [{**message, "content": part} for part in parts]
        parted += more if len(more) > 1 else [message]
    return parted


def begins_prompt(block: Block, before: Block) -> bool:
    """Return whether a block of a user message is a prompt of its own after the block `before`."""
    text = REMINDERS.sub("", text_of(block)).strip()
    was_interrupted = before["type"] == "tool_result" and NO_RESULT in str(before.get("content"))
    return text != "" and (was_interrupted or find_job(text) is not None)
