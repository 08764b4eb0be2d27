"""The rules of the practice model, in the order of `practice_policy`, and its robustness."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.loop import SETTINGS
from support.play_loop import rounds, run

from agentlib import TodoManager, Tool
from agentlib.stop import WHO
from lesson import PracticeModel, sample
from lesson.practice.policy.next_reply import describe_jobs
from lesson.program.my_agent import load_solutions
from lesson.runs.claude_runs import claude_runs
from lesson.runs.run import Run
from lesson.samples.jobs import list_jobs, load_job
from lesson.samples.project_files import read_files
from safetylib.guard import approval

TEN = "ten_steps"


def prompt(name):
    """Return the message with the prompt of a job."""
    return {"role": "user", "content": load_job(name).prompt}


def answer(messages, tools=()):
    """Return the practice model's reply to these messages."""
    client = PracticeModel().client()
    return client.messages.create(messages=messages, tools=[t.spec for t in tools], **SETTINGS)


def is_written(run):
    """Return whether the files are as the practice model writes them."""
    texts = dict(read_files(run.workspace.root).texts)
    return all(step.is_written(texts) for step in load_job(run.job).steps)


# Rule 1: the jobs


IN_OTHER_WORDS = {
    "Refactor hello.py, but don't change what it prints. Run it in the end.": "I have no tools "
    f"here, so I can only say what I would do:\n\n1. {load_job('hello').steps[0].text}",
    "Refactor hello.py and write a poem about it": "I am a practice model",
}


@pytest.mark.parametrize("words", IN_OTHER_WORDS)
def test_job_is_recognised_in_other_words_unless_the_prompt_asks_for_more(words):
    reply = answer([{"role": "user", "content": words}]).content[0].text
    assert reply.startswith(IN_OTHER_WORDS[words])


def test_page_that_the_reply_names_exists():
    (page,) = re.findall(r"(docs/\S+\.md) says", describe_jobs())
    assert (Path(__file__).parents[3] / page).is_file()


@pytest.mark.parametrize("name", list_jobs())
def test_every_job_is_done_on_real_files(name):
    trial = Run(name).play()
    assert is_written(trial)
    assert trial.rounds[-1].text == load_job(name).closing != ""
    assert all(item["status"] == "completed" for item in trial.items)
    assert [item["text"] for item in trial.items] == [step.text for step in load_job(name).steps]


# Rule 3: the plan


def test_todo_tool_is_recognised_by_its_schema():
    tool = TodoManager().tool()
    renamed = Tool("TodoWrite", tool.description, tool.input_schema, tool.run)
    *_, call = answer([prompt("hello")], [*sample("hello").tools(), renamed]).content
    assert call.name == "TodoWrite"
    assert len(call.input["items"]) == len(load_job("hello").steps)


def test_required_fields_of_the_todo_schema_are_filled():
    class More(TodoManager):
        fields = TodoManager.fields | {
            "priority": {"type": "string", "enum": ["high", "medium", "low"]},
            "is_hard": {"type": "boolean"},
        }

        def tool(self):
            tool = super().tool()
            tool.input_schema["properties"]["items"]["items"]["required"] += ["priority", "is_hard"]
            return tool

    trial = Run("hello", todo=More()).play()
    assert is_written(trial)
    first = trial.items[0]
    assert first["priority"] == "high"
    assert first["is_hard"] is False
    assert all(item["activeForm"] for item in trial.items)
    assert first.keys() == More.fields.keys()


def test_a_list_that_is_corrected_keeps_what_is_done():
    """A schema may require only the text. Without its ticks, the script did done steps again."""

    class Strict(load_solutions().MyTodo):
        fields = load_solutions().MyTodo.fields | {"priority": {"enum": ["high", "low"]}}

        def update(self, items):
            if sum(item.get("priority") == "high" for item in items) > 3:
                raise ValueError("at most 3 items may have the priority high")
            return super().update(items)

    run = Run(after=8, todo=Strict, nag=load_solutions().MyNag).play()
    assert run.steps_done == 10 and len(run.rounds) == 40


def test_a_status_that_the_script_does_not_know_stays_on_its_list_and_the_run_ends():
    class Blocks(TodoManager):
        status = {"type": "string", "enum": ["pending", "in_progress", "completed", "blocked"]}
        fields = TodoManager.fields | {"status": status}

    trial = Run("hello", todo=Blocks(), after=1)
    next(trial.play_rounds())
    [call] = [block for block in trial.messages[1]["content"] if block.type == "tool_use"]
    call.input["items"][-1]["status"] = "blocked"  # as another model may have written
    trial.play()
    *others, last = [item["status"] for item in trial.items]
    assert last == "blocked" and set(others) == {"completed"}


# Rule 6: files, rejected lists, and limits


@pytest.mark.parametrize("offered", ["read_file", "edit_file"])
def test_job_that_the_tools_cannot_do_is_reported(offered):
    tools = [tool for tool in sample("hello").tools() if tool.name == offered]
    client, tools = PracticeModel().client(), [*tools, TodoManager().tool()]
    rounds = run(client, [prompt("hello")], tools, **SETTINGS)
    assert rounds[-1].text.startswith("I could not do this: Add type hints; Add docstrings; Add a")
    others = {"bash(command)", "edit_file(path, old_text, new_text)", "read_file(path)"}
    _, lacking = rounds[-1].text.split(" this program does not offer me: ")
    others = sorted(other for other in others if not other.startswith(offered))
    assert lacking == f"{', '.join(others)}."
    assert "edit_file" not in {call.name for round_ in rounds for call in round_.calls}


@pytest.mark.parametrize(
    "refused, last_words",
    [
        ([1], "Of this, I left out what you did not approve: Add docstrings."),
        (
            [1, 4],
            "you did not approve: Add docstrings; Add a main guard, and run it.",
        ),
        ([0, 1], f"My last calls have failed, so I stop: Error: {approval.REFUSED}"),
    ],
)
def test_call_that_the_user_refuses_is_asked_for_once_a_prompt(refused, last_words):
    asked, workspace = [], sample("hello")

    def ask(question):
        asked.append(question.preview)
        if len(asked) - 1 in refused:
            raise PermissionError(f"{approval.REFUSED}{approval.SAYS}please keep it")
        return "once"

    tools = [TodoManager().tool(), *approval.with_approval(workspace.tools(), ask)]
    messages = [prompt("hello")]
    replies = run(PracticeModel().client(), messages, tools, **SETTINGS)
    assert last_words in replies[-1].text and "in its own project" not in replies[-1].text
    assert len(asked) == len({*asked}) == (2 if 0 in refused else 5)
    text = workspace.read_file("hello.py")
    assert text.startswith("# says hello") and ('"""Return' in text) is (0 not in refused)
    messages.append({"role": "user", "content": f"{WHO} hello.py has no docstring"})
    run(PracticeModel().client(), messages, tools, **SETTINGS)
    assert len(asked) == len({*asked})
    messages.append({"role": "user", "content": "Now I allow it: please go on."})
    run(PracticeModel().client(), messages, tools, **SETTINGS)
    assert len(asked) > len({*asked}) and workspace.read_file("hello.py").startswith('"""Say')


def test_list_with_a_field_that_is_rejected_is_sent_again_without_it():
    class Strict(TodoManager):
        def update(self, items):
            if "activeForm" in items[0]:
                raise ValueError("No reason given")
            return super().update(items)

    rounds = Run("hello", todo=Strict()).play().rounds
    accepted = [call.ok for round_ in rounds for call in round_.calls if call.name == "todo"]
    assert accepted[:2] == [False, True] and rounds[-1].stop_reason == "end_turn"


def test_file_that_somebody_else_has_changed_ends_the_work_and_is_not_changed():
    trial = Run("hello")
    trial.workspace.write_file("hello.py", 'print("short")\n')
    final = trial.play().rounds[-1].text
    assert "I do not recognise hello.py" in final
    assert trial.workspace.read_file("hello.py") == 'print("short")\n'
    assert trial.items[0]["status"] != "completed"


def test_change_at_another_place_of_a_file_does_not_end_the_work():
    trial = Run("hello")
    text = trial.workspace.read_file("hello.py")
    trial.workspace.write_file("hello.py", text + "\n# to be continued\n")
    assert is_written(trial.play())
    assert "# to be continued" in trial.workspace.read_file("hello.py")


@pytest.mark.parametrize("run", claude_runs(), ids=lambda run: run.name)
def test_script_changes_nothing_in_the_folder_of_a_real_model(run):
    trial = Run(TEN)
    for name, content in run.files.items():
        trial.workspace.write_file(name, content)
    trial.play()
    assert "I do not recognise" in trial.rounds[-1].text
    assert {name: trial.workspace.read_file(name) for name in run.files} == run.files


def renumbering(client, messages, tools, remind=None, **settings):
    """A loop behind a proxy that numbers the calls of each reply anew."""

    def create(**request):
        reply = client.messages.create(**request)
        for number, call in enumerate(one for one in reply.content if one.type == "tool_use"):
            call.id = f"call_{number}"
        return reply

    proxy = SimpleNamespace(messages=SimpleNamespace(create=create))
    yield from rounds(proxy, messages, tools, remind=remind, **settings)


@pytest.mark.parametrize("job", ["hello", TEN])
def test_result_of_a_call_is_the_one_behind_it_if_another_reply_has_the_same_id(job):
    same, own = Run(job).play(), Run(job, loop=renumbering).play()
    assert all(own.done) and own.letters == same.letters
