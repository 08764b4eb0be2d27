"""The cache marks, and the account that is kept of the cache: "Prompt caching"."""

import anthropic
import pytest
from support.practice_wire import (
    BASH,
    CACHED,
    CACHED_LONG,
    HELLO,
    PNG,
    assistant,
    call,
    document,
    each_accepted,
    each_refusal,
    image,
    invalid,
    refusal,
    result,
    send,
    text,
    thinking,
    turns,
    user,
)

from lesson.practice.api.models import find_model
from lesson.practice.model import PracticeModel

CACHE = {
    "A maximum of 4 blocks with cache_control may be provided. Found 5.": {
        "tools": [BASH | CACHED],
        "system": [text("Be brief.", **CACHED)],
        **turns(user(*[text("Hi", **CACHED)] * 3)),
    },
    "cache_control: Input should be an object": {"cache_control": "ephemeral"},
    "cache_control: Input tag 'for ever' found using 'type' does not match any of the expected "
    "tags: 'ephemeral'": {"cache_control": {"type": "for ever"}},
    "cache_control.ephemeral.ttl: Input should be '5m' or '1h'": {
        "cache_control": {"type": "ephemeral", "ttl": "1d"}
    },
    "system.0.cache_control.ephemeral.scope: Extra inputs are not permitted": {
        "system": [text("Be brief.", cache_control={"type": "ephemeral", "scope": "global"})]
    },
    "messages.0.content.0.cache_control.ttl: a ttl='1h' cache_control block must not come after a "
    "ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, "
    "`system`, `messages`.": {
        "system": [text("Be brief.", **CACHED)],
        **turns(user(text("Hi", **CACHED_LONG))),
    },
    "Top-level cache_control has ttl='5m' but the target block already has cache_control with "
    "ttl='1h'. When both are specified on the same block, they must have matching TTLs.": {
        **CACHED,
        **turns(user(text("Hi", **CACHED_LONG))),
    },
    "messages.1.content.0.thinking.cache_control: Extra inputs are not permitted": turns(
        user(text("Hi")), assistant(thinking(**CACHED), text("Hello.")), user(text("So?"))
    ),
}


@each_refusal(CACHE)
def test_cache_marks_are_few_and_the_long_ones_first(message, change):
    assert refusal(change) == invalid(message)


def test_the_request_s_own_mark_counts_as_one_of_the_four_and_comes_last():
    marked = turns(user(*[text("Hi", **CACHED)] * 4))
    assert "Found 5." in refusal(marked | CACHED)[2]
    early = {"system": [text("Be brief.", **CACHED)]} | CACHED_LONG
    assert "a ttl='1h' cache_control block must not come after" in refusal(early)[2]


MARKED = {
    "four cache marks": turns(user(*[text("Hi", **CACHED)] * 4)),
    "an hour before five minutes": turns(user(text("Hi", **CACHED_LONG), text("!", **CACHED))),
    "the cache switched on at the top": CACHED,
    "the same mark at the top and on the last block": CACHED | turns(user(text("Hi", **CACHED))),
}


@each_accepted(MARKED)
def test_the_cache_is_marked_or_switched_on_at_the_top(change):
    assert send(change).content[0].text == "Hello."


def post(client, body):
    """The answer to this body. `messages.create` would warn of the older models."""
    return client.post("/v1/messages", body=body, cast_to=anthropic.types.Message)


class Api:
    """A practice model with a clock that stands still until it is moved."""

    def __init__(self, model="claude-opus-5"):
        self.model, self.now = model, 0.0
        practice = PracticeModel(lambda request: HELLO, clock=lambda: self.now)
        self.client = practice.client()

    def send(self, *messages, **settings):
        """The tokens of a prompt that are read from the cache, written to it, or neither."""
        body = {"model": self.model, "max_tokens": 2_000, "messages": list(messages)} | settings
        usage = post(self.client, body).usage
        created = usage.cache_creation
        five, hour = created.ephemeral_5m_input_tokens, created.ephemeral_1h_input_tokens
        assert usage.cache_creation_input_tokens == five + hour
        counted = self.client.messages.count_tokens(
            **{name: body[name] for name in body if name != "max_tokens"}
        )
        assert counted.input_tokens == (
            usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens
        )
        written = (five, hour) if hour else five
        return usage.cache_read_input_tokens, written, usage.input_tokens


def said(words):
    """A turn of the user."""
    return user(text(words))


def words(tokens, label="x"):
    """A text of so many tokens, at four bytes each, that begins with the label."""
    return label.ljust(4 * tokens, ".")


def blocks(count, tokens=100, start=1):
    """Numbered text blocks."""
    return [text(words(tokens, f"block {n}")) for n in range(start, start + count)]


def mark(block, ttl=CACHED):
    return block | ttl


def test_a_prompt_without_a_mark_is_neither_read_nor_written():
    api = Api()
    assert api.send(*blocks_as_turns(9)) == (0, 0, 900)
    assert api.send(*blocks_as_turns(9)) == (0, 0, 900)


def blocks_as_turns(count, tokens=100):
    """Messages of one block each, the user's first."""
    return [
        user(block) if n % 2 == 0 else assistant(block)
        for n, block in enumerate(blocks(count, tokens))
    ]


def test_a_marked_book_is_written_once_and_then_read_whatever_is_asked_about_it():
    book = [text("You analyse books."), text(words(188_000, "Pride"), **CACHED)]
    api = Api()
    assert api.send(said("What is it about?"), system=book) == (0, 188_005, 4)
    assert api.send(said("And who is in it?"), system=book) == (188_005, 0, 4)


def test_with_the_cache_switched_on_each_request_reads_what_the_last_one_sent():
    api, turns = Api(), blocks_as_turns(9, tokens=200)
    assert api.send(*turns[:3], system=words(600), **CACHED) == (0, 1200, 0)
    assert api.send(*turns[:5], system=words(600), **CACHED) == (1200, 400, 0)
    assert api.send(*turns[:7], system=words(600), **CACHED) == (1600, 400, 0)


def test_the_automatic_mark_walks_back_to_a_block_that_can_have_one():
    hidden = {"type": "redacted_thinking", "data": words(10)}
    turns = [said(words(1100)), assistant(text(words(10)), hidden)]
    assert Api("claude-sonnet-4-5").send(*turns, **CACHED) == (0, 1110, 10)


def test_the_guide_s_growing_conversation():
    """10 blocks, then 15, then 35, with a mark on the last: the third finds nothing."""
    api = Api()

    def turn(count, *marked):
        row = blocks(count)
        for n in (*marked, count):
            row[n - 1] = mark(row[n - 1])
        return api.send(user(*row))

    assert turn(10) == (0, 1000, 0)
    assert turn(15) == (1000, 500, 0)
    assert turn(35) == (0, 3500, 0)
    assert turn(35, 15) == (3500, 0, 0)
    assert turn(60, 15) == (1500, 4500, 0)


def test_the_twentieth_position_is_searched_and_the_one_before_it_is_not():
    def second(count):
        api = Api()
        api.send(user(*blocks(9), mark(*blocks(1, start=10))))
        return api.send(user(*blocks(count - 1), mark(*blocks(1, start=count))))

    assert second(29) == (1000, 1900, 0)
    assert second(30) == (0, 3000, 0)


def test_a_run_of_calls_or_of_results_is_one_position():
    ids = [f"toolu_{n}" for n in range(30)]
    ask = user(text(words(600)))
    work = [
        assistant(*(call(id, input={"n": 1}) for id in ids)),
        user(*(result(id, words(10)) for id in ids)),
    ]
    api = Api()
    assert api.send(ask, tools=[BASH], **CACHED) == (0, 606, 0)
    read, written, rest = api.send(ask, *work, tools=[BASH], **CACHED)
    assert (read, rest) == (606, 0)
    assert written >= 300


def test_the_guide_s_common_mistake_a_mark_on_what_changes_is_written_and_never_read():
    api, static = Api(), blocks(5, tokens=200)

    def ask(time, *row):
        return api.send(user(*row, text(words(10, time), **CACHED)))

    assert ask("9:00", *static) == (0, 1010, 0)
    assert ask("9:01", *static) == (0, 1010, 0)
    marked = [*static[:4], mark(static[4])]
    assert ask("9:02", *marked) == (0, 1010, 0)
    assert ask("9:03", *marked) == (1000, 10, 0)


def test_what_comes_after_the_last_mark_is_plain_input():
    api = Api()
    assert api.send(user(text(words(600), **CACHED), text(words(50)))) == (0, 600, 50)
    assert api.send(user(text(words(600), **CACHED), text(words(70)))) == (600, 0, 70)


SHORTEST = {
    "practice": 1024,
    "claude-3-haiku-20240307": 2048,
    "claude-3-5-haiku-latest": 2048,
    "claude-3-7-sonnet-20250219": 1024,
    "claude-opus-4-20250514": 1024,
    "claude-opus-4-1": 1024,
    "claude-sonnet-4-5-20250929": 1024,
    "claude-haiku-4-5-20251001": 4096,
    "claude-opus-4-5-20251101": 4096,
    "claude-opus-4-6": 4096,
    "claude-sonnet-4-6": 1024,
    "claude-opus-4-7": 2048,
    "claude-mythos-preview": 2048,
    "claude-opus-4-8": 1024,
    "claude-sonnet-5": 1024,
    "claude-opus-5": 512,
    "claude-fable-5": 512,
    "claude-fable-5-1": 512,
    "claude-opus-5-5": 512,
    "claude-sonnet-5-5": 512,
    "claude-haiku-5-5": 512,
}


@pytest.mark.parametrize(("model", "shortest"), SHORTEST.items())
def test_a_prompt_that_is_too_short_is_not_cached_and_nobody_says_so(model, shortest):
    assert Api(model).send(said(words(shortest - 1)), **CACHED) == (0, 0, shortest - 1)
    assert Api(model).send(said(words(shortest)), **CACHED) == (0, shortest, 0)


def test_a_prompt_becomes_long_enough_as_it_grows():
    api, row = Api(), blocks_as_turns(9, tokens=200)
    assert api.send(*row[:1], **CACHED) == (0, 0, 200)
    assert api.send(*row[:3], **CACHED) == (0, 600, 0)
    assert api.send(*row[:5], **CACHED) == (600, 400, 0)


def test_an_entry_lives_for_five_minutes_from_the_start_of_its_last_use():
    api, long = Api(), said(words(600))
    assert api.send(long, **CACHED) == (0, 600, 0)
    api.now += 299
    assert api.send(long, **CACHED) == (600, 0, 0)
    api.now += 299
    assert api.send(long, **CACHED) == (600, 0, 0)
    api.now += 300
    assert api.send(long, **CACHED) == (0, 600, 0)


def test_the_time_that_a_reply_takes_counts():
    now = [0.0]

    def slow(request):
        now[0] += 240
        return HELLO

    client = PracticeModel(slow, clock=lambda: now[0]).client()
    body = {"model": "claude-opus-5", "max_tokens": 9, "messages": [said(words(600))], **CACHED}
    client.messages.create(**body)
    now[0] += 59
    assert client.messages.create(**body).usage.cache_read_input_tokens == 600
    now[0] += 60
    assert client.messages.create(**body).usage.cache_read_input_tokens == 0


def test_a_slow_request_does_not_shorten_what_a_later_one_has_refreshed():
    api = Api()
    body = {"model": api.model, "max_tokens": 9, "messages": [said(words(600))], **CACHED}

    def overtaken(request):
        if api.now == 0:
            api.now = 100
            api.client.messages.create(**body)
            api.now = 200
        return HELLO

    api.client = PracticeModel(overtaken, clock=lambda: api.now).client()
    api.client.messages.create(**body)
    api.now = 399  # 299 seconds after the request that began last
    assert api.client.messages.create(**body).usage.cache_read_input_tokens == 600


def test_an_entry_for_an_hour_lives_for_an_hour():
    api, long = Api(), said(words(600))
    assert api.send(long, **CACHED_LONG) == (0, (0, 600), 0)
    api.now += 3599
    assert api.send(long, **CACHED_LONG) == (600, 0, 0)
    api.now += 3600
    assert api.send(long, **CACHED_LONG) == (0, (0, 600), 0)


def test_a_mix_is_charged_up_to_the_hit_then_for_the_hour_then_for_five_minutes():
    a, b, c = blocks(3, tokens=600)
    api = Api()
    assert api.send(user(mark(a, CACHED_LONG), mark(b, CACHED_LONG), mark(c))) == (
        0,
        (600, 1200),
        0,
    )
    api = Api()
    api.send(user(mark(a, CACHED_LONG)))
    assert api.send(user(mark(a, CACHED_LONG), mark(b, CACHED_LONG), mark(c))) == (
        600,
        (600, 600),
        0,
    )
    api.now += 301
    assert api.send(user(mark(a, CACHED_LONG), mark(b, CACHED_LONG), mark(c))) == (1200, 600, 0)


def test_a_mark_before_the_hit_costs_nothing_and_is_kept_too():
    a, b, c = blocks(3, tokens=600)
    api = Api()
    assert api.send(user(a, mark(b))) == (0, 1200, 0)
    assert api.send(user(mark(a), mark(b), c)) == (1200, 0, 600)
    assert api.send(user(mark(a), c)) == (600, 0, 600)


SYSTEM = [text(words(600, "system"), **CACHED)]
TOOLS = [BASH | {"description": words(600, "tool")} | CACHED]
FIRST = {"tools": TOOLS, "system": SYSTEM, **turns(user(text(words(600), **CACHED)))}
SEARCH = {"type": "web_search_20250305", "name": "web_search"}
CITED = document(type="text", media_type="text/plain", data="x" * 40) | {
    "citations": {"enabled": True}
}
AS_JSON = {"type": "json_schema", "schema": {"type": "object"}}
# What is changed, and how many of the three parts of the prompt are still read.
CHANGES = {
    "nothing": ({}, 3),
    "the words of the last message": (turns(user(text(words(600, "y"), **CACHED))), 2),
    "the system prompt": ({"system": [text(words(600, "other"), **CACHED)]}, 1),
    "a tool's description": ({"tools": [TOOLS[0] | {"description": words(600, "too")}]}, 0),
    "one more tool, before": ({"tools": [BASH | {"name": "sh"}, *TOOLS]}, 0),
    "the model": ({"model": "claude-fable-5"}, 0),
    "tool_choice": ({"tool_choice": {"type": "none"}}, 2),
    "tool_choice as it is by default": ({"tool_choice": {"type": "auto"}}, 3),
    "no calls side by side": (
        {"tool_choice": {"type": "auto", "disable_parallel_tool_use": True}},
        2,
    ),
    "thinking": ({"thinking": {"type": "disabled"}}, 2),
    "thinking as it is by default": ({"thinking": {"type": "adaptive"}}, 3),
    "effort": ({"output_config": {"effort": "low"}}, 2),
    "effort as it is by default": ({"output_config": {"effort": "high"}}, 3),
    "a first image, at the end": (
        turns(user(text(words(600), **CACHED), image(**PNG))),
        2,
    ),
    "a first image, in a result": (
        turns(
            user(text(words(600), **CACHED)),
            assistant(call("toolu_1")),
            user(result("toolu_1", [image(**PNG)])),
        ),
        2,
    ),
    "speed": ({"speed": "fast"}, 1),
    "the form of the output": ({"output_config": {"format": AS_JSON}}, 1),
    "web search": ({"tools": [SEARCH, *TOOLS]}, 1),
    "citations": (turns(user(text(words(600), **CACHED), CITED)), 1),
    "max_tokens": ({"max_tokens": 20}, 3),
}


@pytest.mark.parametrize(("change", "parts"), CHANGES.values(), ids=CHANGES.keys())
def test_a_change_invalidates_its_part_of_the_prompt_and_those_behind_it(change, parts):
    api = Api()
    api.send(*FIRST["messages"], tools=TOOLS, system=SYSTEM)
    settings = {"tools": TOOLS, "system": SYSTEM, "messages": FIRST["messages"]} | change
    messages = settings.pop("messages")
    body = {"model": api.model, "max_tokens": 10, "messages": messages} | settings
    usage = post(api.client, body).usage
    assert usage.cache_read_input_tokens // 600 == parts


def test_a_second_image_leaves_what_comes_before_it_in_the_cache():
    api, start = Api(), [text(words(600)), image(**PNG)]
    assert api.send(user(*start), **CACHED) == (0, 2200, 0)
    assert api.send(user(*start, image(**PNG)), **CACHED) == (2200, 1600, 0)


def test_the_order_of_keys_in_a_call_counts_and_so_does_the_kind_of_a_value():
    def second(one, other):
        api = Api()

        def ask(input):
            turns = [said(words(600)), assistant(call("toolu_1", input=input))]
            return api.send(*turns, user(result("toolu_1")), tools=[BASH], **CACHED)

        ask(one)
        return ask(other)[0]

    assert second({"a": 1, "b": 2}, {"a": 1, "b": 2}) > 600
    assert second({"a": 1, "b": 2}, {"b": 2, "a": 1}) == 0
    assert second({"a": 1}, {"a": True}) == 0


def test_a_string_is_the_block_that_it_stands_for_and_a_mark_is_no_part_of_it():
    api = Api()
    assert api.send(user(text(words(600), **CACHED))) == (0, 600, 0)
    as_string = {"role": "user", "content": words(600)}
    assert api.send(as_string, **CACHED) == (600, 0, 0)
    assert api.send(as_string, assistant(text("So.")), said("Go on"), **CACHED) == (600, 2, 0)


def test_a_mark_inside_a_result_counts_as_one_on_the_result():
    api = Api()
    turns = [said(words(600)), assistant(call("toolu_1"))]
    inner = user(result("toolu_1", [text("done", **CACHED)]))
    read, written, rest = api.send(*turns, inner, tools=[BASH])
    assert (read, rest) == (0, 0)
    outer = user(result("toolu_1", "done", **CACHED))
    assert api.send(*turns, outer, tools=[BASH]) == (written, 0, 0)


def thought(*end):
    """A conversation in which the model thought, called a tool, and got its result."""
    thinks = assistant(thinking(words(100)), call("toolu_1"))
    return [said(words(600)), thinks, user(result("toolu_1", words(100))), *end]


def test_thinking_is_cached_with_what_stands_beside_it():
    api = Api()
    _, first, _ = api.send(*thought(), tools=[BASH], **CACHED)
    assert first == 807
    assert api.send(*thought(), tools=[BASH], **CACHED) == (807, 0, 0)


NEXT = assistant(text(words(100, "So."))), user(text(words(100, "And?")))


def test_newer_models_keep_their_thinking_when_the_user_speaks():
    api = Api("claude-opus-5")
    api.send(*thought(), tools=[BASH], **CACHED)
    assert api.send(*thought(*NEXT), tools=[BASH], **CACHED) == (807, 200, 0)


@pytest.mark.parametrize("model", ["claude-sonnet-4-5", "claude-opus-4-1", "practice"])
def test_earlier_models_forget_it_and_what_follows_it_leaves_the_cache(model):
    api = Api(model)
    long = [user(text(words(1100), **CACHED)), *thought()[1:]]
    assert api.send(*long, tools=[BASH], **CACHED) == (0, 1307, 0)
    assert api.send(*long, *NEXT, tools=[BASH], **CACHED) == (1106, 301, 0)


def test_a_request_that_is_refused_or_fails_or_is_only_counted_leaves_the_cache_as_it_was():
    fails = [True]

    def policy(request):
        return 7 if fails[0] else HELLO

    client = PracticeModel(policy).client()
    body = {"model": "claude-opus-5", "messages": [said(words(600))], **CACHED}
    with pytest.raises(anthropic.BadRequestError):
        client.messages.create(**body, max_tokens=-1)
    with pytest.raises(anthropic.InternalServerError):
        client.messages.create(**body, max_tokens=9)
    assert client.messages.count_tokens(**body).input_tokens == 600
    fails[0] = False
    assert client.messages.create(**body, max_tokens=9).usage.cache_creation_input_tokens == 600


def test_a_request_for_no_tokens_warms_the_cache_and_says_nothing():
    client = PracticeModel(lambda request: HELLO).client()
    body = {"model": "claude-opus-5", "system": [text(words(600), **CACHED)]}
    warm = client.messages.create(**body, messages=[said("warmup")], max_tokens=0)
    assert (warm.content, warm.stop_reason, warm.usage.output_tokens) == ([], "max_tokens", 0)
    assert warm.usage.cache_creation_input_tokens == 600
    first = client.messages.create(**body, messages=[said("Hi")], max_tokens=9)
    assert first.usage.cache_read_input_tokens == 600


NEEDS_TOKENS = {
    "stream": {"stream": True},
    "output_config.format": {"output_config": {"format": AS_JSON}},
    "a tool_choice that forces tool use": {"tools": [BASH], "tool_choice": {"type": "any"}},
}


@pytest.mark.parametrize(("what", "change"), NEEDS_TOKENS.items(), ids=NEEDS_TOKENS)
def test_a_request_for_no_tokens_asks_for_nothing_that_needs_them(what, change):
    assert refusal({"max_tokens": 0} | change) == invalid(
        f"max_tokens: 0 is not supported with {what}"
    )


def test_the_same_request_gets_the_same_content_whatever_is_in_the_cache():
    client = PracticeModel().client()
    body = {"model": "practice", "max_tokens": 99, "messages": [said(words(2000))], **CACHED}
    first, second = (client.messages.create(**body) for _ in range(2))
    assert first.usage != second.usage
    assert first.content == second.content
    assert first.id == second.id


def test_two_models_share_no_cache():
    body = {"model": "practice", "max_tokens": 9, "messages": [said(words(2000))], **CACHED}
    for model in (PracticeModel(), PracticeModel()):
        assert model.client().messages.create(**body).usage.cache_read_input_tokens == 0


def test_every_client_of_a_model_has_its_cache():
    model = PracticeModel()
    body = {"model": "practice", "max_tokens": 9, "messages": [said(words(2000))], **CACHED}
    model.client().messages.create(**body)
    other = model.client(max_retries=1)
    assert other.messages.create(**body).usage.cache_read_input_tokens == 2000


def test_two_conversations_in_turn_are_each_read_from_the_cache():
    api = Api()
    one, other = ([said(words(600, name))] for name in ("one", "other"))
    assert api.send(*one, **CACHED) == (0, 600, 0)
    assert api.send(*other, **CACHED) == (0, 600, 0)
    assert api.send(*one, **CACHED) == (600, 0, 0)
    assert api.send(*other, **CACHED) == (600, 0, 0)


def test_every_model_of_the_sdk_has_a_shortest_prompt():
    names = anthropic.types.Model.__args__[0].__args__
    assert {find_model(name).min_cached_tokens for name in names} <= {512, 1024, 2048, 4096}
