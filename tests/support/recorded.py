"""The recorded replies of a Claude model, given again by the offline API."""

from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

from agentlib.workspace import Workspace
from lesson import PracticeModel
from lesson.samples import copy_sample

FOLDER = TemporaryDirectory()  # for the copies of all tests


class NoCommands(Workspace):
    """A workspace in which a recorded command is not run again."""

    def bash(self, command: str) -> str:
        """Run a bash command in the workspace."""
        return "(not run again)"


def copy_without_commands(name):
    """Return a workspace on a new copy of a sample, in which no command is run."""
    root = Path(mkdtemp(dir=FOLDER.name), name)
    copy_sample(name, root)
    return NoCommands(root)


def play_again(run, *, leave_out=()):
    """Return a model that gives the replies of a run, one for each request of a conversation.

    Calls of the tools in `leave_out` are not in them. After the last one, it says that it was
    asked again.
    """
    said = [message for message in run.messages if message["role"] == "assistant"]
    start = sum(message["role"] == "assistant" for message in run.messages[: run.starts_at])

    def policy(request):
        turn = sum(message["role"] == "assistant" for message in request["messages"])
        if turn >= len(said):
            return [{"type": "text", "text": "Why do you ask again?"}]
        blocks = [without_id(block) for block in said[turn]["content"]]
        kept = [block for block in blocks if block.get("name") not in leave_out]
        if len(kept) < len(blocks) and not any(block["type"] == "tool_use" for block in kept):
            look = {"type": "tool_use", "name": "read_file", "input": {"path": "README.md"}}
            kept.append(look)
        return kept

    assert start == 0 or run.starts_at > 1
    return PracticeModel(policy)


def without_id(block):
    return {key: value for key, value in block.items() if key != "id"}


def open_start(run):
    """Return a workspace with the files that a run began with, in which no command is run."""
    workspace = copy_without_commands(run.job)
    for name, text in next(run.replay()).items():
        workspace.write_file(name, text)
    return workspace
