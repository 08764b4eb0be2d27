"""`evaluate` with a real model: what it says before, sends, keeps and goes on with; and chance."""

import json
import re
from collections import Counter
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import pytest

from agentlib import Nag
from agentlib.loop import run
from lesson import PracticeModel, connect, evaluate
from lesson.in_cells import own_model
from lesson.practice.api.errors import ApiError
from lesson.practice.policy.next_reply import practice_policy
from lesson.widgets import drawn
from lesson.widgets.own_runs import LEFT_OUT, deal
from safetylib.guard import approval
from tests.support.nags import ShowsList

STEPS = [("Greet", "hello.txt", "Hi\n"), ("Part", "bye.txt", "Bye\n")]
ONE, TWO = {"a": {}}, {"a": {}, "b": {"todo": None}}
DOWN = ApiError(529, "overloaded_error", "Overloaded")


class Server(PracticeModel):
    """A model's server. `answers` are by the number of a request, and replace its reply."""

    def __init__(self, answers=(), count=0, **more):
        super().__init__(self.reply, **more)
        self.sent, self.answers, self.count, self.counted = 0, dict(answers), count, 0

    def reply(self, request):
        self.sent += 1
        answer = self.answers.get(self.sent) or practice_policy(request)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def respond(self, http):
        response = super().respond(http)
        if "count_tokens" not in str(http.url):
            return response
        self.counted += 1
        return type(response)(200, json={"input_tokens": self.count})

    def connect(self, **more):
        return connect("claude-x", client=self.client(), say=lambda words: None, **more)


@pytest.fixture
def user(tmp_path, monkeypatch, notebook_of):
    """Answer each question with `answer`, and note all of them."""
    notebook_of()
    monkeypatch.chdir(tmp_path)
    seen = SimpleNamespace(asked=[], answer="y")
    monkeypatch.setattr(approval, "someone_can_answer", lambda: True)
    monkeypatch.setattr(
        approval, "read_line", lambda prompt, text: seen.asked.append(text + prompt) or seen.answer
    )
    return seen


def trial(agents, model, times=1, **more):
    """Play with a model after the first round: the script does not know steps that are named."""
    return evaluate(agents, job=STEPS, model=model, times=times, **{"script_rounds": 1, **more})


def files(pattern="*.jsonl"):
    return sorted(Path("runs").glob(pattern))


def test_nothing_is_sent_without_a_model_a_yes_or_somebody_to_ask(user, monkeypatch, capsys):
    server = Server()
    assert trial(TWO, None) is None
    said = capsys.readouterr().out
    assert "2 runs of own to play: 1 of 'a', 1 of 'b'." in said and "times=5: " in said
    assert "in 2 of 2 ways: this can show nothing." in said and own_model.NO_MODEL in said
    user.answer = "no"
    assert trial(TWO, server.connect(), 0, prices=(3, 15), max_tokens=40_000) is None
    assert "at most 40,000 tokens (0.60 if all are written)?" in user.asked[0]
    assert "10 runs of own" in user.asked[0] and "in 2 of 252 ways." in user.asked[0]
    monkeypatch.setattr(approval, "someone_can_answer", lambda: False)
    assert trial(TWO, server.connect()) is None
    assert own_model.NO_ONE in capsys.readouterr().out
    assert not server.sent + server.counted and not Path("runs").exists()
    for model, got in ("ticks", "'ticks'"), (connect("practice"), "the practice model"):
        with pytest.raises(TypeError, match=f"model is a real one, .* and not {got}."):
            trial(ONE, model)
    with pytest.raises(ValueError, match="script_rounds=7 is none"):
        trial(ONE, None, script_rounds=7)
    with pytest.raises(ValueError, match="'a' ends early"):
        trial({"a": {"loop": lambda *given: None}}, None)


@pytest.mark.parametrize(
    ("job", "agent", "rounds"), [("style", {"nag": None}, 0), ("ten_steps", {"window": "all"}, 7)]
)
def test_announced_is_what_the_script_sends_and_the_limits_stay(user, job, agent, rounds):
    server = Server()
    model = server.connect()
    found = evaluate({"a": agent}, job=job, model=model, times=1, script_rounds=rounds)
    result, announced = found.results["run 1", "a"], found._sizes["a"][1]
    assert abs(announced - result.sent) < 0.01 * result.sent and result.rounds == server.sent
    assert f"{announced:,} tokens sent" in user.asked[0]
    assert model.limits.max_requests - model.limits.requests_sent == 60
    assert model.limits.max_tokens - model.limits.tokens_used == 500_000


def catches(client, messages, tools, **settings):
    """A loop that ends quietly if a request fails."""
    with suppress(Exception):
        run(client, messages, tools, **settings)


def test_run_that_a_server_ends_is_no_result_and_the_same_call_plays_it_again(user):
    agents = {"a": {"nag": None, "loop": catches}}
    found = trial(agents, Server({6: DOWN}).connect(), 2)  # in the second run
    assert [*found.results] == [("run 1", "a")] and "Run 2 of 'a', put aside: " in repr(found)
    assert "a  1 of 1, 1 put aside" in repr(found) and "Missing: 1 run." in repr(found)
    assert json.loads(files("*_2_of_2_1.jsonl")[0].read_text().splitlines()[-1])["again"]
    whole = trial(agents, Server().connect(), 2)
    assert "1 run of own to play" in user.asked[1] and "tokens of 1 run that broke" in repr(whole)
    assert [result.steps_done for result in whole.results.values()] == [2, 2]
    assert repr(trial(agents, Server().connect(), 2)) == repr(whole) and len(user.asked) == 2


def test_interrupt_loses_no_run_that_has_ended_and_counts_none_that_has_not(user, monkeypatch):
    shown = []  # at the end, in which nothing is played any more, and what was paid is told
    monkeypatch.setattr(drawn, "display", lambda output: shown.append(output.shown.draw()))
    for at in 7, 2, 1:
        with pytest.raises(KeyboardInterrupt):
            trial(ONE, Server({at: KeyboardInterrupt()}).connect(), 2)
    assert "Paid as well: " in shown[0] and not any("plays run" in one for one in shown)
    assert ['"type": "end"' in path.read_text() for path in files()] == [True, *[False] * 3]
    found = trial(ONE, Server().connect(), 2)
    assert "1 run of own to play" in user.asked[-1] and "a  2 of 2, 3 put aside" in repr(found)
    assert all(path.stat().st_mode & 0o77 == 0 for path in files())


def test_two_errors_of_a_server_in_a_row_and_tokens_end_the_table(user):
    found = trial(TWO, Server(dict.fromkeys(range(6, 99), DOWN)).connect(), 4)
    assert found.said[2] == own_model.IN_A_ROW and "529" in found.said[1]
    model = Server().connect()
    found = trial({"c": {}}, model, 9, max_tokens=6_000)
    assert 6_000 <= model.limits.tokens_used < 9_000 and len(found.results) < 9


def test_refusal_and_a_full_context_are_results(user):
    refused = {"content": [{"type": "text", "text": "No."}], "stop_reason": "refusal"}
    found = trial(ONE, Server({2: refused}, context_window=700).connect(), 2)
    assert "declined" in found.ended["run 1", "a"] and "too long" in found.ended["run 2", "a"]
    assert "a  0 of 2" in repr(found)


def test_changed_part_setting_or_name_begins_new_files_and_more_times_do_not(user):
    for nag in (Nag, ShowsList, Nag):
        trial({"a": {"nag": nag}}, Server().connect())
    assert len(user.asked) == 2 and len(files()) == 2
    model = Server().connect()
    model.settings["thinking"] = {"type": "disabled"}
    assert trial({"a": {"nag": Nag}}, model).results["run 1", "a"].more == "thinking off"
    trial({"b": {"nag": Nag}}, model)  # the control
    assert len(user.asked) == len(files()) == 4 and files(".git*")[0].read_text() == "*\n"
    found = trial({"a": {"nag": Nag}, "b": {"nag": Nag}, "c": {}}, model, 2)
    assert len(files("*_2_of_2_1.jsonl")) == 3 and "4 runs of own" in user.asked[4]
    assert "Looked at before with times=1, so these ways count for less." in repr(found)
    assert "2 comparisons: " in repr(found) and repr(found).count("in 6 of 6 ways") == 2
    assert "seed of the order: 1" in repr(found) and found["run 2", "c"].steps_done == 2


def test_practice_model_that_is_served_plays_each_run_alike_and_the_table_comes_again(user, capsys):
    for _ in range(2):
        found = evaluate(ONE, model=Server(max_lost_replies=4).connect(), times=3)
        assert len({result.rounds for result in found.results.values()}) == 1
        assert capsys.readouterr().out.count("all steps done") == 1


def test_thinking_that_a_server_binds_is_named_and_such_runs_are_not_compared(user, monkeypatch):
    monkeypatch.setattr(own_model, "WINDOW", 4)
    found = trial(ONE | {"all": {"window": "all"}}, Server(thinks=True).connect())
    assert own_model.THINKS in user.asked[0] and LEFT_OUT in found.draw()
    assert [found.results["run 1", one].more for one in found.agents] == [LEFT_OUT, "thinking sent"]
    assert "'a' and 'all' are not compared" in repr(found) and "chance would" not in repr(found)


def test_server_that_counts_more_is_asked_after_the_yes_and_the_question_comes_again(user, capsys):
    server = Server(count=100_000)
    assert trial(ONE, server.connect()).results and server.counted == 1
    first, second = [
        int(re.search("In all: .*?, ([0-9,]+)", one)[1].replace(",", "")) for one in user.asked
    ]
    [here] = re.findall("counts 100,000 tokens where ([0-9]+) were", capsys.readouterr().out)
    assert second == first * 100_000 // int(here)


def test_nobody_is_asked_in_copies_and_a_command_needs_the_sandbox(user, monkeypatch):
    monkeypatch.setattr(own_model, "sandbox_works", lambda: True)
    assert own_model.allow(approval.Question("bash", "ls")) == approval.ONCE
    trial(ONE, Server().connect())
    monkeypatch.setattr(own_model, "sandbox_works", lambda: False)
    assert own_model.allow(approval.Question("write_file", "x")) == approval.ONCE
    with pytest.raises(PermissionError, match="no sandbox"):
        own_model.allow(approval.Question("bash", "ls"))
    found = trial(ONE, Server().connect())
    assert "no command runs" in user.asked[-1] and "no command runs" in repr(found)
    asked = []
    trial(ONE, Server().connect(ask=lambda question: asked.append(question.tool) or "once"))
    assert asked and "decides about each call" in user.asked[2] and len(files()) == 3


def test_chance_is_counted_over_all_deals():
    every = [7, 8, 7, 7, 6, 6, 10]
    for ones in every[:1], every[:2], every[3:]:
        far = [abs(sum(one) * 7 - sum(every) * len(ones)) for one in combinations(every, len(ones))]
        seen = abs(sum(ones) * 7 - sum(every) * len(ones))
        others = [*(Counter(every) - Counter(ones)).elements()]
        assert deal(ones, others) == (sum(one >= seen for one in far), len(far))
