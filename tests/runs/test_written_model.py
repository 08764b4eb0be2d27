"""`play` with a model that the learner has written: its errors, and a model that never stops."""

import pytest
from support.blocks import text, use

from lesson import PracticeModel, play
from lesson.program.my_agent import load_solutions
from lesson.runs.ended import MAX_REQUESTS
from lesson.runs.run import Run

OWN_LOOP = load_solutions().agent_loop


def tiny_model(request):
    """Decide by the newest message alone, as the learner's model does."""
    newest = str(request["messages"][-1]["content"])
    if "tool_result" not in newest:
        return [use("read_file", path="hello.py")]
    if "Edited" in newest:
        return [text("Done.")]
    return [use("edit_file", path="hello.py", old_text="Ada", new_text="Maria")]


def test_model_of_the_learners_plays_a_job_with_any_loop():
    for loop in (OWN_LOOP, "agentlib"):
        run = play("hello", loop=loop, model=PracticeModel(tiny_model), todo=None)
        assert not run.problem and len(run.rounds) == 3 and "+people" in run.diff("hello.py")


def reads_a_wrong_name(request):
    return [use("read_file", path="helo.py")]


def stops(request):
    return [text("Done.")]


def appends_nothing(client, messages, tools, **settings):
    while True:
        client.messages.create(messages=messages, tools=[one.spec for one in tools], **settings)


def never_looks(client, messages, tools, **settings):
    while True:
        reply = client.messages.create(messages=messages, **settings)
        messages += [{"role": "assistant", "content": reply.content}]
        messages += [{"role": "user", "content": "Go on."}]


@pytest.mark.parametrize(
    ("model", "loop", "says"),
    [
        (reads_a_wrong_name, OWN_LOOP, "Your model has asked 60 times for a tool"),
        (reads_a_wrong_name, None, "was: read_file helo.py (failed). The result was: Error: helo"),
        (tiny_model, appends_nothing, "Your loop has asked the model 60 times, and its last"),
        (tiny_model, appends_nothing, "contains 0 of the 60 replies"),
        (stops, never_looks, "goes on after a reply that calls no tool"),
    ],
)
def test_model_that_never_stops_is_asked_sixty_times_and_the_cause_is_named(model, loop, says):
    own = PracticeModel(model)
    run = Run("hello", loop=loop, model=own, todo=None).play()
    assert len(own.requests) == MAX_REQUESTS == 60 and says in run.problem
    assert "does not end" not in run.problem, "the time limit blames the line of the loop"


def test_practice_model_of_the_package_has_no_such_limit():
    left = iter(range(70))

    def asks_often(run, messages, missing):
        for _ in left:
            messages.append({"role": "user", "content": "Go on."})
            run()

    run = Run("hello", model=PracticeModel(), at_stop=asks_often, missing=lambda: []).play()
    assert not run.problem and len(run.rounds) > MAX_REQUESTS
