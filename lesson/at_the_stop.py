"""What is asked when an agent stops: what is missing in the files, and how often."""

from .samples import InFolder, find_job_of
from .samples.jobs import list_missing

MAX_QUESTIONS = 10  # so often an agent that stops is asked for what is missing


def find_missing(workspace: InFolder) -> list[str]:
    """Return the steps of a sample's job that the files do not show, or [] in any other folder.

    For your own job, use a check that can say no, such as one that runs your tests.
    """
    job = find_job_of(workspace)
    return list_missing(job.steps, workspace.root) if job else []
