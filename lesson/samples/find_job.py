"""Find the job that a prompt asks for: a sample's, or one that the prompt contains."""

from .jobs import Job, find_work_words, list_jobs, load_job
from .own_job import describe_prompt, read_own_job


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
