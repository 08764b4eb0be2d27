"""`evaluate` with a real model: what it says before, sends, keeps and goes on with; and chance."""

import gc
import json
import random
import re
import resource
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import make_dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.play_loop import run

from agentlib import Nag, TodoManager
from agentlib.tasks import Tasks
from lesson import PracticeModel, connect, evaluate, play
from lesson.practice.api.errors import ApiError
from lesson.practice.policy.next_reply import practice_policy
from lesson.runs.settings import Settings
from lesson.tables import evaluate as evaluate_module
from lesson.tables import own_model
from lesson.tables.own_runs import LEFT_OUT, SENT, deal
from lesson.widgets import drawn
from safetylib.guard import approval
from safetylib.wire.server.limits import Limits

STEPS = [("Greet", "hello.txt", "Hi\n"), ("Part", "bye.txt", "Bye\n")]
ONE, TWO = {"a": {}}, {"a": {}, "b": {"todo": None}}
DOWN = ApiError(529, "overloaded_error", "Overloaded")
WRONG = ApiError(400, "invalid_request_error", "messages: this is wrong")
COPIES = "this server repeats itself"


class Server(PracticeModel):
    """A model's server. `answers` are by the number of a request, and replace its reply."""

    def __init__(self, answers=(), **more):
        super().__init__(self.reply, **more)
        self.sent, self.answers, self.paths = 0, dict(answers), []

    def reply(self, request):
        self.sent += 1
        answer = self.answers.get(self.sent) or self.decide(request)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def decide(self, request):
        return practice_policy(request)

    def respond(self, http):
        self.paths.append(http.url.path)
        return super().respond(http)

    def connect(self, **more):
        return connect("claude-x", client=self.client(), say=lambda words: None, **more)


class Varies(Server):
    """A server that stops at a random request, and never says the same words."""

    def __init__(self, seed, share=0.15):
        super().__init__()
        self.random, self.share = random.Random(seed), share

    def decide(self, request):
        reply = practice_policy(request)
        if self.random.random() < self.share:
            reply = {"content": [{"type": "text", "text": "Done."}]}
        words = {"type": "text", "text": f"Thought {self.random.random()}."}
        content = reply if isinstance(reply, list) else reply["content"]
        return {"content": [words, *content]}


@pytest.fixture
def user(tmp_path, monkeypatch, notebook_of):
    """Answer each question with `answer`, and note all of them, with what is shown before."""
    notebook_of()
    monkeypatch.chdir(tmp_path)
    seen = SimpleNamespace(asked=[], offered=[], answer="y")
    monkeypatch.setattr(approval, "someone_can_answer", lambda: True)
    monkeypatch.setattr(own_model, "display", lambda offer: seen.offered.append(repr(offer)))

    def read_line(prompt, text):
        seen.asked.append(f"{seen.offered[-1]}\n{prompt}")
        return seen.answer

    monkeypatch.setattr(approval, "read_line", read_line)
    return seen


def play_table(agents, model, times=1, **more):
    """Play with a model after the first round: the script does not know steps that are named."""
    return evaluate(agents, job=STEPS, model=model, times=times, **{"script_rounds": 1, **more})


def files(pattern="*.jsonl"):
    return sorted(Path("runs").glob(pattern))


def test_nothing_is_sent_without_a_model_a_yes_or_somebody_to_ask(user, monkeypatch, capsys):
    server = Server()
    assert play_table(TWO, None) is None
    assert "2 runs of own, after 1 round" in user.offered[0]
    assert "The last reply can exceed the number in “at most”" in user.offered[0]
    assert "The runs: 1 of 'a', 1 of 'b'. Each is a file in runs" in user.offered[0]
    assert "Nothing was sent. With a key, add" in capsys.readouterr().out
    user.answer = "no"
    assert play_table(TWO, server.connect(), None, prices=(3, 15), max_total_tokens=40_000) is None
    assert "Play 10 runs, for at most 40,000 tokens (0.60) and one reply more?" in user.asked[0]
    assert re.search(r"\n  requests +\d+ +600\n  tokens +\S+ +40,000\n  price", user.asked[0])
    assert "Your yes allows all calls" in user.asked[0]
    monkeypatch.setattr(approval, "someone_can_answer", lambda: False)
    assert play_table(TWO, server.connect()) is None
    assert "Nothing was sent. Nobody can be asked here." in capsys.readouterr().out
    assert not server.paths and not Path("runs").exists()
    for model, got in ("ticks", "'ticks'"), (connect("practice"), "the practice model"):
        with pytest.raises(TypeError, match=f"model is a real one, .* and not {got}."):
            play_table(ONE, model)
    with pytest.raises(ValueError, match="script_rounds=7, but the script plays 'own'"):
        play_table(ONE, None, script_rounds=7)
    with pytest.raises(ValueError, match="script_rounds=7, but after them, no step of 'hello' is"):
        evaluate(ONE, job="hello", times=1)
    with pytest.raises(ValueError, match="'b' has task tools, .* script_rounds=0"):
        play_table({"a": {}, "b": {"todo": Tasks}}, None)


def test_folder_of_runs_keeps_its_own_files_whatever_they_are_called(user):
    Path("runs").mkdir()
    Path("precious.txt").write_text("mine")
    for name, target in (".lock", "../precious.txt"), ("lock", "../gone"):
        Path("runs", name).symlink_to(target)
    assert play_table(ONE, Server().connect()).results
    assert Path("precious.txt").read_text() == "mine" and not Path("gone").exists()


def test_setting_that_play_gets_later_leaves_the_kept_runs_in_use(user, monkeypatch):
    play_table(ONE, Server().connect())
    later = make_dataclass("Later", [("title", str, "")], bases=(Settings,), frozen=True)
    monkeypatch.setattr(own_model, "Settings", later)
    monkeypatch.setattr(evaluate_module, "Settings", later)
    server = Server()
    assert play_table(ONE, server.connect()).results and not server.sent
    titled = {"a": {"title": "x"}}
    monkeypatch.setitem(evaluate_module.DEFAULTS, "title", "")
    user.answer = "no"
    assert play_table(titled, server.connect()) is None


NUMBERS = [
    *({"times": value} for value in (-1, 0, 2.5, 100_000, "5", True)),
    *({"prices": value} for value in (3, (3,), ("3", "15"), (-3, -15), (float("nan"), 1))),
    *({"max_total_tokens": value} for value in (0, -5, "x", 1.5)),
    *({"script_rounds": value} for value in (-1, 1.5, "7")),
    *(
        {"save": value}
        for value in (None, 5, "", "a.txt/x", "/dev/null", "x" * 300, "a\0", "~no one")
    ),
]


@pytest.mark.parametrize("wrong", NUMBERS, ids=str)
def test_wrong_argument_is_one_sentence_before_anything_is_played(user, wrong, monkeypatch):
    monkeypatch.setattr(own_model.PlayedRun, "play", None)
    Path("a.txt").write_text("mine")
    [name] = wrong
    with pytest.raises(ValueError, match=f"^{name} is (a|two|the) .*, not .*$"):
        play_table(ONE, Server().connect(), **{"times": 1, **wrong})


class Keeps:
    def loop(self, client, messages, tools, **settings):
        return run(client, messages, tools, **settings)

    __call__ = loop


@pytest.mark.parametrize("rest", [{}, {"model": Server}], ids=["script", "model"])
@pytest.mark.parametrize(
    ("agent", "says"),
    [
        ({"todo": TodoManager()}, "todo= got one list"),
        ({"nag": Nag(TodoManager(), 1)}, "nag= got one nag"),
        ({"loop": Keeps()}, "loop= got one object"),
        ({"loop": Keeps().loop}, "loop= got one object"),
    ],
)
def test_part_that_is_one_object_is_refused(user, agent, says, rest, monkeypatch):
    monkeypatch.setattr(own_model.PlayedRun, "play", None)
    with pytest.raises(TypeError, match=says):
        evaluate(ONE | {"b": agent}, job=STEPS, **{n: make().connect() for n, make in rest.items()})


def asks_raw(client, messages, tools, remind=None, **settings):
    client.messages.with_raw_response.create(messages=messages, **settings)


@pytest.mark.parametrize(
    ("loop", "says"), [(lambda *_: None, "without a request"), (asks_raw, "No round is drawn")]
)
def test_loop_that_asks_nothing_or_past_create_is_told_before_anything_is_paid(user, loop, says):
    agent = {"loop": loop} if loop is asks_raw else {"loop": lambda c, m, t, **more: None}
    for rounds in 0, 1:
        with pytest.raises(ValueError, match=f"'a' ends early with the script.*{says}"):
            play_table({"a": agent}, Server().connect(), script_rounds=rounds)
    assert not user.asked and says in play(STEPS).fork(1, **agent).problem


@pytest.mark.parametrize(
    ("job", "agent", "rounds"), [("style", {"nag": None}, 0), ("ten_steps", {"window": "all"}, 7)]
)
def test_announced_is_what_the_script_sends_and_the_limits_stay(user, job, agent, rounds):
    server = Server()
    model = server.connect()
    shown = evaluate({"a": agent}, job=job, model=model, times=1, script_rounds=rounds)
    [expected] = re.findall(r"\n  tokens +(\S+) ", user.asked[0])
    assert int(expected.replace(",", "")) == pytest.approx(model.limits.tokens_used, rel=0.01)
    assert shown.results["run 1", "a"].rounds == server.sent
    assert model.limits.max_requests - model.limits.requests_sent == 60
    assert model.limits.max_total_tokens - model.limits.tokens_used == 500_000


def test_steps_of_the_script_are_not_those_of_the_agent(user):
    stops = {"content": [{"type": "text", "text": "Done."}]}
    agents = {"a": {"nag": None}, "b": {"nag": Nag}}
    shown = evaluate(agents, model=Server(dict.fromkeys(range(1, 5), stops)).connect(), times=2)
    assert [result.states.count("script") for result in shown.results.values()] == [3] * 4
    assert "□□□·······  0 of 7, 1 round" in repr(shown)
    assert "'a' did 0 of the 14 steps that were left, 'b' 0 of 14." in repr(shown)
    assert "□ done by the script before" in repr(shown) and "✓" not in repr(shown).split("\n")[0]
    assert shown.draw().count("<g class='lp-script'") == 3 * 4 + 1


def test_step_of_the_script_that_is_undone_counts_as_neither(user):
    undo = {"path": "hello.txt", "content": "Other\n"}
    call = {"type": "tool_use", "id": "1", "name": "write_file", "input": undo}
    answers = {1: {"content": [call], "stop_reason": "tool_use"}, 2: {"content": []}}
    shown = play_table(ONE, Server(answers).connect(), script_rounds=2)
    result = shown.results["run 1", "a"]
    assert result.states[0] == "undone" and result.steps_left == 1 and not result.is_complete
    assert "×" in repr(shown)


def test_equal_runs_are_no_evidence(user):
    agents = {"a": {"nag": None}, "b": {"nag": Nag}}
    shown = play_table(agents, Server(max_lost_replies=4).connect(), 3)
    assert f"'a': 3 runs, all alike: {COPIES}" in repr(shown)
    assert "no chance is computed" in repr(shown) and "by chance in" not in repr(shown)
    other = play_table({"c": {"nag": None}, "d": {}}, Varies(1).connect(), 3)
    assert COPIES not in repr(other) and "by chance in" in repr(other)
    short = {"content": [{"type": "text", "text": "Done."}]}
    again = play_table({"e": {}, "f": {}}, Server(dict.fromkeys(range(1, 9), short)).connect(), 3)
    assert COPIES not in repr(again) and "in 100.0% of cases (20 of 20)" in repr(again)


def test_numbers_are_those_of_the_log_of_the_server(user):
    server = Varies(5, 0.3)
    agents = {"a": {"nag": None}, "b": {"nag": Nag}}
    table = play_table(agents, server.connect(), 5)
    replies = [line for path in files() for line in map(json.loads, path.open())]
    replies = [line for line in replies if line["type"] == "reply"]
    own = [line for line in replies if "Thought" in str(line["content"])]
    assert len(own) == server.sent == sum(one.rounds for one in table.results.values())
    sent = sum(line["usage"]["input_tokens"] for line in own)
    sent += sum(line["usage"]["cache_read_input_tokens"] or 0 for line in own)
    sent += sum(line["usage"]["cache_creation_input_tokens"] or 0 for line in own)
    written = sum(line["usage"]["output_tokens"] for line in own)
    assert f"Tokens: {sent:,} sent, and {written:,} written." in repr(table)
    assert "Paid as well" not in repr(table)


def test_run_that_has_sent_no_request_is_no_result(user):
    calls = []

    def asks_once(client, messages, tools, **settings):
        calls.append(1)
        if len(calls) < 2:  # with the script
            run(client, messages, tools, **settings)

    server = Server()
    shown = play_table({"a": {"loop": asks_once}}, server.connect(), 3)
    assert not shown.results and not server.sent and len(calls) == 3
    assert "without a request" in repr(shown) and "two runs in a row broke off" in repr(shown)


def catches(client, messages, tools, **settings):
    """A loop that ends quietly if a request fails."""
    with suppress(Exception):
        run(client, messages, tools, **settings)


def test_run_that_a_server_ends_is_no_result_and_the_same_call_plays_it_again(user):
    agents = {"a": {"nag": None, "loop": catches}}
    shown = play_table(agents, Server({6: DOWN}).connect(), 2)  # in the second run
    assert [*shown.results] == [("run 1", "a")] and "1 run of 'a' put aside" in repr(shown)
    assert "a  1 of 1" in repr(shown) and "Missing: 1 run." in repr(shown)
    assert json.loads(files("*_2_of_2_1.jsonl")[0].read_text().splitlines()[-1])["again"]
    whole = play_table(agents, Server().connect(), 2)
    assert "1 run of own, after" in user.asked[1] and "Kept: 1 run of 'a', 20" in user.asked[1]
    assert "1 run of 'a' put aside" in user.asked[1] and "Paid as well" in repr(whole)
    assert [result.steps_done for result in whole.results.values()] == [2, 2]
    again = play_table(agents, Server().connect(), 2)
    assert "Read from files." in repr(again) and len(user.asked) == 2
    gc.collect()
    assert not any(isinstance(one, own_model.OpenedRun) for one in gc.get_objects())
    assert again["run 2", "a"].steps_done == 2
    assert again.results.keys() == whole.results.keys() and again.head == whole.head


def test_interrupt_loses_no_run_that_has_ended_and_counts_none_that_has_not(user, monkeypatch):
    shown = []  # at the end, in which nothing is played any more, and what was paid is told
    monkeypatch.setattr(drawn, "display", lambda output: shown.append(output.shown.draw()))
    for at in 7, 2, 1:
        with pytest.raises(KeyboardInterrupt):
            play_table(ONE, Server({at: KeyboardInterrupt()}).connect(), 2)
    assert "Paid as well" in shown[0] and not any("plays run" in one for one in shown)
    assert ['"type": "end"' in path.read_text() for path in files()] == [True, *[False] * 3]
    shown = play_table(ONE, Server().connect(), 2)
    assert "1 run of own, after" in user.asked[-1] and "3 runs of 'a' put aside" in repr(shown)
    assert all(path.stat().st_mode & 0o77 == 0 for path in files())


def test_tokens_of_a_round_that_stop_has_cut_are_told(user):
    server = Server()

    class Stopped(Nag):
        def __call__(self, calls):
            if server.sent == 2:
                raise KeyboardInterrupt
            return super().__call__(calls)

    model = server.connect()
    with pytest.raises(KeyboardInterrupt):
        play_table({"a": {"nag": Stopped}}, model)
    server.sent, paid = 3, model.limits.tokens_used
    shown = play_table({"a": {"nag": Stopped}}, model)
    assert f"Paid as well, and counted nowhere above: {paid:,} tokens." in repr(shown) and paid


def test_two_errors_of_a_server_in_a_row_and_tokens_end_the_table(user):
    shown = play_table(TWO, Server(dict.fromkeys(range(6, 99), DOWN)).connect(), 4)
    assert "two runs in a row broke off" in shown.notes[0] and "529" in repr(shown)
    model = Server().connect()
    shown = play_table({"c": {}}, model, 9, max_total_tokens=6_000)
    assert 6_000 <= model.limits.tokens_used < 9_000 and len(shown.results) < 9
    assert "Stopped, because 6,000 tokens are used." in repr(shown)


def test_refusal_and_a_full_context_are_results(user):
    refused = {"content": [{"type": "text", "text": "No."}], "stop_reason": "refusal"}
    shown = play_table(ONE, Server({2: refused}, context_window=700).connect(), 2)
    assert "declined" in shown.ended["run 1", "a"] and "too long" in shown.ended["run 2", "a"]
    assert "a  0 of 2" in repr(shown)


def test_run_that_a_server_rejects_is_no_result_and_says_why(user):
    shown = play_table(ONE, Server({2: WRONG}).connect(), 2)
    assert [*shown.results] == [("run 2", "a")]
    assert "1 run of 'a' put aside. The last: BadRequestError" in repr(shown)
    assert "messages: this is wrong" in repr(shown)


def test_retries_are_not_counted_among_the_requests_of_a_run(user, monkeypatch):
    monkeypatch.setattr(Limits, "max_requests", 5)
    server = Server({2: DOWN, 4: DOWN, 6: DOWN})
    client = server.client().with_options(max_retries=2)
    model = connect("claude-x", client=client, say=lambda words: None)
    shown = play_table({"a": {"nag": None}}, model)
    assert shown.results["run 1", "a"].is_complete and server.sent > 5
    monkeypatch.setattr(Limits, "max_requests", 2)
    few = play_table({"b": {"nag": None}}, Server().connect())
    assert few.ended["run 1", "b"].startswith("The run was ended after 2 requests")


class Chooses(Nag):
    def __call__(self, calls):
        reminder = super().__call__(calls)
        return reminder and reminder.replace("</", f"{random.random()}</")


def test_runs_are_known_by_names_and_values_and_not_by_code(user):
    for nag in Nag, partial(Nag), Nag:
        play_table({"a": {"nag": nag}}, Server().connect())
    assert len(user.asked) == len(files()) == 2  # a part is known by its name
    play_table({"a": {"nag": Chooses}}, Server().connect())
    play_table({"a": {"nag": Chooses}}, Server().connect())  # another text each time
    assert len(user.asked) == 3
    for more in {"missing": "files"}, {"missing": "list"}, {"window": 8}, {"after": 2}:
        play_table({"a": {"nag": Chooses, **more}}, Server().connect())
        assert "Kept: " not in user.asked[-1]
    model = Server().connect()
    model.settings["thinking"] = {"type": "disabled"}
    play_table({"a": {"nag": Chooses}}, model)
    play_table({"b": {"nag": Chooses}}, model)  # the control
    assert len(user.asked) == len(files()) == 9 and files(".git*")[0].read_text() == "*\n"
    shown = play_table({"a": {"nag": Chooses}, "c": {}, "d": {}}, model)
    assert "Kept: 1 run of 'a', 20" in user.asked[9] and "2 runs of own" in user.asked[9]
    assert "Of 2 comparisons, " in repr(shown) and "give it another name" in user.asked[9]
    play_table({"a": {"nag": Chooses}}, model, 2)
    assert "2 runs of own" in user.asked[10]


@pytest.mark.parametrize("other", ["a b", "a 1_of_2", "a" * 40])
def test_agents_whose_files_have_similar_names_are_kept_apart(user, other):
    agents = {"a": {}, other: {"nag": None}, f"{other}+": {}}
    for _ in range(2):
        assert len(play_table(agents, Server().connect(), 2).results) == 6
    assert len(user.asked) == 1 and len(files()) == 6


def test_practice_model_that_is_served_plays_each_run_alike_and_the_table_comes_again(user, capsys):
    for _ in range(3):
        agent = {"a": {"nag": "plain"}}
        shown = evaluate(agent, model=Server(max_lost_replies=4).connect(), times=3)
        assert len({result.rounds for result in shown.results.values()}) == 1
        assert capsys.readouterr().out.count("all steps done") == 1
    assert len(user.asked) == 1


def test_thinking_that_a_server_binds_is_named_and_such_runs_are_not_compared(user, monkeypatch):
    monkeypatch.setattr(own_model, "WINDOW", 4)
    shown = play_table(ONE | {"all": {"window": "all"}}, Server(thinks=True).connect())
    assert LEFT_OUT in shown.draw()
    assert [shown.results["run 1", one].thinking for one in shown.agents] == [LEFT_OUT, SENT]
    assert "They are not compared" in repr(shown) and "by chance" not in repr(shown)


def test_file_names_that_are_taken_and_lines_that_were_changed_lose_no_run(user):
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            play_table(ONE, Server({2: KeyboardInterrupt()}).connect())
    files()[0].unlink()
    assert play_table(ONE, Server().connect()).results  # its name is free again
    [_, whole] = sorted(files(), key=lambda path: '"type": "end"' in path.read_text())
    text = whole.read_text()
    first, rest = text.split("\n", 1)
    user.answer = "no"
    for change, says in (
        ({"set": 5}, "1 run of own"),  # of another table
        ({"rounds_before": 99}, "Not used: "),
        ({"number": [1]}, f"Not used: {whole.name}: a number in it was changed."),
        ({"steps": 5}, f"Not used: {whole.name}, line 1: "),
    ):
        whole.write_text(f"{json.dumps(json.loads(first) | change)}\n{rest}")
        assert play_table(ONE, Server().connect()) is None
        assert says in user.asked[-1]
    whole.write_text(text)
    assert play_table(ONE, Server().connect()).results


LOCKS = """
import fcntl, os, sys
file = os.open(sys.argv[1], os.O_RDONLY)
fcntl.flock(file, fcntl.LOCK_EX)
print("locked", flush=True)
sys.stdin.read()
"""


def test_runs_that_another_program_is_playing_are_not_played_a_second_time(user):
    play_table(ONE, Server().connect())
    server = Server()
    command = [sys.executable, "-c", LOCKS, "runs"]
    with subprocess.Popen(command, stdin=-1, stdout=-1) as other:
        other.stdout.readline()
        assert play_table(ONE, server.connect()).results  # what is there can be read
        shown = play_table(TWO, server.connect())
        assert "Stopped: Another program is playing runs into" in repr(shown)
        assert not server.sent and len(shown.results) == 1
        other.stdin.close()
    assert len(play_table(TWO, server.connect()).results) == 2


def test_run_that_another_program_has_played_since_the_question_is_used(user, monkeypatch):
    def play_first(prompt, text):
        monkeypatch.setattr(approval, "read_line", lambda prompt, text: "y")
        play_table(ONE, Server().connect())
        return "y"

    monkeypatch.setattr(approval, "read_line", play_first)
    server = Server()
    assert play_table(ONE, server.connect()).results and not server.sent and len(files()) == 1


def test_tokens_of_a_reply_that_is_no_message_are_told(user):
    odd = {"role": "user", "content": [{"type": "text", "text": "I go on."}]}
    model = Server({3: odd}).connect()
    shown = play_table(ONE, model)
    paid = re.search("Paid as well, and counted nowhere above: ([0-9,]+) tokens", repr(shown))[1]
    assert int(paid.replace(",", "")) == model.limits.tokens_used and "NoMessageError" in repr(
        shown
    )
    whole = play_table(ONE, Server().connect())
    assert f" {paid} tokens" in repr(whole) and len(whole.results) == 1


def test_run_that_can_no_longer_be_written_ends_there(user, capsys):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    server = Server()
    play_table({"z": {}}, Server().connect())
    size = files()[0].stat().st_size
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size // 2, before[1]))
        shown = play_table(ONE, server.connect(), 3)
        assert server.sent < 6 and "two runs in a row broke off" in repr(shown)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
        shown = play_table({"b": {}}, server.connect(), 3)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "Stopped: " in repr(shown) and "too large" in repr(shown)
    assert not files("own_b*") and all(path.stat().st_size for path in files())


def test_nobody_is_asked_in_copies_and_a_command_needs_the_sandbox(user, monkeypatch):
    monkeypatch.setattr(own_model, "sandbox_works", lambda: True)
    assert own_model.allow(approval.Question("bash", "ls")) == approval.ONCE
    call = {"type": "tool_use", "id": "1", "name": "bash", "input": {"command": "ls"}}
    works = iter([True, False])
    monkeypatch.setattr(own_model, "sandbox_works", lambda: next(works, False))
    asks_bash = {1: {"content": [call], "stop_reason": "tool_use"}}
    shown = play_table(ONE, Server(asks_bash).connect())
    assert ", commands in the sandbox; played 20" in shown.head
    assert "Not run: there is no sandbox here" in files()[0].read_text()
    assert own_model.allow(approval.Question("write_file", "x")) == approval.ONCE
    with pytest.raises(PermissionError, match="no sandbox"):
        own_model.allow(approval.Question("bash", "ls"))
    shown = play_table(ONE, Server().connect())
    assert "so no command runs" in user.asked[-1] and "no command runs" in repr(shown)
    asked = []
    play_table(ONE, Server().connect(ask=lambda question: asked.append(question.tool) or "once"))
    assert asked and "decides about each call" in user.asked[2] and len(files()) == 3


def test_chance_is_counted_over_all_deals_and_once_for_a_table(user):
    every = [7, 8, 7, 7, 6, 6, 10]
    for some in every[:1], every[:2], every[3:]:
        far = [abs(sum(one) * 7 - sum(every) * len(some)) for one in combinations(every, len(some))]
        seen = abs(sum(some) * 7 - sum(every) * len(some))
        others = (*(Counter(every) - Counter(some)).elements(),)
        assert deal(tuple(some), others) == (sum(one >= seen for one in far), len(far))
    before = deal.cache_info()
    shown = play_table({"a": {}, "b": {}}, Varies(3).connect(), 3)
    assert "by chance in" in repr(shown) and "by chance in" in shown.draw()
    after = deal.cache_info()
    assert after.misses - before.misses <= 1 and "by chance" not in shown.draw_playing("…")
