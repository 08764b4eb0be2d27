"""A model that thinks: a change before its thinking does not end a conversation."""

import anthropic
import pytest
from loopback import KEY, PROMPT, Server, error, http, message, reach
from support.blocks import result, text, use
from support.loop import SETTINGS
from support.practice_api import is_bound_elsewhere
from support.program import play_connected

from agentlib import CheckedClient, trim_messages
from lesson import open_run, play
from lesson.practice.api.thinking import sign_thinking
from lesson.practice.practice_model import THOUGHT, PracticeModel
from safetylib.wire.replies import list_blocks

BOUND = (  # opencode #48637
    "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a "
    "different conversation. Remove the block, or set `thinking.block_binding."
    'prefix_mismatch_behavior` to "drop_block". The `system` prompt differs from the one this block'
)
MODIFIED = (  # claude-code #63284
    "messages.3.content.8: `thinking` or `redacted_thinking` blocks in the latest assistant "
    "message cannot be modified. These blocks must remain as they were in the original response."
)
DEMANDED = "The `content[].thinking` in the thinking mode must be passed back to the API."
OTHERS = (
    "thinking is enabled but reasoning_content is missing in assistant tool call message",
    "messages.5.content.61: When providing `thinking` or `redacted_thinking` blocks, the blocks "
    "must match the parameters during the original request.",  # claude-code #2608
)


def find_thinking(message):
    return [block for block in list_blocks(message) if block["type"] == "thinking"]


def lacks_thinking(request):
    """Return the error of DeepSeek's server for a reply without its thinking, or ""."""
    replies = [one for one in request["messages"] if one["role"] == "assistant"]
    return "" if all(map(find_thinking, replies)) else DEMANDED


class Thinks(Server):
    """A server whose model thinks, and reads a file in each of so many rounds."""

    def __init__(self, refuses, rounds, longest=10**6):
        super().__init__()
        self.refuses, self.rounds, self.longest = refuses, rounds, longest
        self.rejected, self.replies = [], 0

    def answer(self, request):
        if refusal := self.refuses(request):
            self.rejected.append(refusal)
            return error(400, refusal)
        if len(request["messages"]) > self.longest:
            return error(400, "prompt is too long: 210000 tokens > 200000 maximum")
        self.replies += 1
        call = use("read_file", f"t{self.replies}", path="hello.py")
        last = call if self.replies % self.rounds else text("Done.")
        return message(*sign_thinking(request, [THOUGHT, last]))


SERVERS = {"checks": is_bound_elsewhere, "demands": lacks_thinking, "knows none": lambda _: ""}


def count_thinking(request):
    return sum(len(find_thinking(one)) for one in request["messages"])


@pytest.mark.parametrize("refuses", SERVERS.values(), ids=SERVERS)
@pytest.mark.parametrize("way", ["window", "room"])
def test_program_works_on_to_its_limit(refuses, way, frame, monkeypatch, capsys):
    (frame.project.root / "hello.py").write_text("print('Hello')\n")
    with Thinks(refuses, 10**6, longest=10**6 if way == "window" else 20) as server:
        window = {"MY_AGENT_WINDOW": "6"} if way == "window" else {}
        ended = play_connected(monkeypatch, server.url, **window)
    assert "The limit of a prompt is reached: 60 requests" in ended
    assert len(server.requests) == 60 and len(server.rejected) <= 3
    assert capsys.readouterr().out.count("The model's server rejects what") == bool(server.rejected)


def filed(client, messages, tools, remind=None, **settings):
    """A loop that changes its first message in each round, as with a plan in a file (s06)."""
    for number in range(100):
        first = {"role": "user", "content": f"{messages[0]['content']}\n\nRound {number}."}
        sent = [first, *messages[1:]]
        specs = [tool.spec for tool in tools]
        reply = client.messages.create(messages=sent, tools=specs, **settings)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason == "end_turn":
            return
        messages.append({"role": "user", "content": [result(reply.content[-1].id)]})


PLAYS = {
    "a window": {"window": 6},
    "all messages": {"window": "all"},
    "a plan in the first message": {"loop": filed, "todo": None, "nag": None},
}


@pytest.mark.parametrize("refuses", SERVERS.values(), ids=SERVERS)
@pytest.mark.parametrize("more", PLAYS.values(), ids=PLAYS)
def test_run_is_played_to_its_end_and_seen_as_it_was_sent(refuses, more, tmp_path):
    with Thinks(refuses, 15) as server:
        model, lines = reach(server, max_requests=200)
        for number in range(3):
            del server.requests[:]
            before = len(server.rejected)
            played = play("hello", model=model, save=tmp_path / f"{number}.jsonl", **more)
            assert not played.problem and len(played.rounds) == 15
            refused = len(server.rejected) - before
            assert refused <= 3  # a run counts anew, and says it once
            assert sum("rejects what the model thought" in line for line in lines) == bool(refused)
            del lines[:]
            assert len(server.requests) == len(played.rounds) + refused
            sent = [played.request(n + 1).sent["messages"] for n in range(len(played.rounds))]
            arrived = [one["messages"] for one in server.requests]
            assert [one for one in sent if one not in arrived] == []
            opened = open_run(tmp_path / f"{number}.jsonl")
            assert str(opened) == str(played)
            assert sent == [opened.request(n + 1).sent["messages"] for n in range(len(sent))]
    assert model.limits.requests_sent >= 45


WRONG = [
    *PROMPT,
    {"role": "assistant", "content": [{**THOUGHT, "signature": "s"}]},
    *PROMPT,
    {"role": "assistant", "content": [{**THOUGHT, "signature": "t"}, text("Hm.")]},
    *PROMPT,
]
PLACE = ["body", "messages", 1, "content", 0, "thinking", "signature"]
REJECTED = {
    "bound": error(400, BOUND),
    "modified": error(400, MODIFIED),
    "through a gateway": error(400, f'AnthropicException - {{"type":"error","message":"{BOUND}'),
    "far behind": error(400, "It failed. " * 40 + BOUND),
    "no place": error(400, MODIFIED.replace("messages.3.content.8", "content.5")),
    "OpenRouter": http(400, {"error": {"message": "It failed", "metadata": {"raw": BOUND}}}),
    "no signature": error(400, "messages.1.content.0.thinking.signature: Field required"),
    "FastAPI": http(422, {"detail": [{"loc": PLACE, "msg": "Field required", "input": {}}]}),
    "500": error(500, BOUND),
}


def reach_by(server, way):
    if way == "bare":
        bare = anthropic.Anthropic(api_key=KEY, base_url=server.url, max_retries=0)
        return CheckedClient(bare)
    own = anthropic.Anthropic(api_key=KEY, base_url=server.url) if way == "own" else None
    return reach(server, client=own)[0].client


ways = pytest.mark.parametrize("way", ["bare", "connect", "own"])


@ways
@pytest.mark.parametrize("answer", REJECTED.values(), ids=REJECTED)
def test_rejected_thinking_is_sent_no_more_and_leaves_no_empty_message(answer, way):
    with Server(answer) as server:
        client = reach_by(server, way)
        for _ in range(2):
            client.messages.create(messages=WRONG, **SETTINGS)
    assert [count_thinking(one) for one in server.requests] == [2, 0, 0]
    assert len(server.requests[-1]["messages"]) == 3 and count_thinking({"messages": WRONG}) == 2


def make_turn(sign):
    """Return messages of a conversation in which a model has thought once."""
    return [*PROMPT, {"role": "assistant", "content": [{**THOUGHT, "signature": sign}, text(".")]}]


class Rejects(Server):
    """A server that rejects all thinking. Another conversation asks while the first one waits."""

    def answer(self, request):
        if len(self.requests) == 1:
            self.client.messages.create(messages=[*make_turn("b"), *PROMPT], **SETTINGS)
        return error(400, BOUND) if count_thinking(request) else message(text("Done."))


@ways
def test_conversations_of_one_client_do_not_disturb_each_other_and_a_prompt_counts_anew(way):
    with Rejects() as server:
        server.client = reach_by(server, way)
        messages, call = [*PROMPT], {"role": "assistant", "content": [use("ls", "t")]}
        for sign in "acde":
            messages += make_turn(sign)[1:]
            sent = [*messages, call, {"role": "user", "content": [result("t")]}]
            server.client.messages.create(messages=sent, **SETTINGS)
        for history in messages, make_turn("x"):
            server.client.messages.create(messages=[*history, *PROMPT], **SETTINGS)
    counts = [count_thinking(request) for request in server.requests]
    assert counts == [1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0]  # after three, none until a prompt


@ways
@pytest.mark.parametrize(
    "answers", [[DEMANDED], [BOUND, DEMANDED], *([one, one] for one in OTHERS)]
)
def test_thinking_is_sent_on_if_it_was_not_rejected_or_is_demanded(answers, way):
    with Server(*[error(400, words) for words in answers]) as server:
        client = reach_by(server, way)
        with pytest.raises(anthropic.BadRequestError) as problem:
            client.messages.create(messages=WRONG, **SETTINGS)
        assert problem.value.response.json()["error"]["message"] == answers[0]
        client.messages.create(messages=WRONG, **SETTINGS)
    assert [count_thinking(one) for one in server.requests] == [2, *[0] * (len(answers) - 1), 2]


def test_refused_call_leaves_no_thinking_at_the_end_of_its_reply():
    thought, call = {**THOUGHT, "signature": "s"}, use("ls", "t")
    with Server(message(text("No."), thought, call, stop_reason="refusal")) as server:
        reply = reach_by(server, "bare").messages.create(messages=[*PROMPT], **SETTINGS)
    assert [block.type for block in reply.content] == ["text"]


@pytest.mark.parametrize(
    "more", [{"window": 12}, {"trim_messages": trim_messages}], ids=["window", "room"]
)
def test_practice_model_that_thinks_does_all_steps_in_each_run_and_after_going_on(more):
    ours = {"loop": "agentlib", "todo": "agentlib", "nag": "agentlib"}
    model = PracticeModel(thinks=True, context_window=2600 if "trim_messages" in more else None)
    played = play("ten_steps", model=model, **ours, **more)
    runs = [played, play("ten_steps", model=model, **ours, **more), played.fork(9, **ours)]
    assert [one.steps_done for one in runs] == [10, 10, 10]
    fits = [request for request in model.requests if not is_bound_elsewhere(request)]
    assert 1 <= len(model.requests) - len(fits) <= 3 * len(runs)
    parts = [part for part in played.request(7).parts if part.text == "(thinking)"]
    assert len(parts) == 7 and "signature" not in str(played.request(7))
