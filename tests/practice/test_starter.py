"""`starter`, the policy that begins everything at once: why only one task may be in progress."""

from agentlib.todo import TodoManager
from lesson.runs.run import Run


class AllAtOnce(TodoManager):
    def update(self, items):
        self.items = items
        return self.render()


def test_starter_does_all_steps_only_if_one_task_may_be_in_progress():
    free, ruled = (
        Run(model="starter", todo=todo, after=None).play() for todo in (AllAtOnce, TodoManager)
    )
    assert (len(free.rounds), free.steps_done) == (10, 1)
    assert free.rounds[-1].text == "All steps are under way, so I stop here."
    assert (len(ruled.rounds), ruled.steps_done) == (31, 10)
