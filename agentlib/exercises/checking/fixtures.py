"""What the checks try solutions with, and what a learner can try them with, too."""

from ...tools import Call

WORK = [Call("bash", {"command": "ls"}, "hello.py", ok=True)]
PLANNING = [Call("todo", {"items": []}, "No todos.", ok=True)]


class Clock:
    """A clock that stands still until you move it: `clock.now = 110`. Calling it reads it.

    `now` is in seconds, since whenever you like.
    """

    def __init__(self, now: float = 0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def __repr__(self) -> str:
        return f"Clock({self.now:g})"
