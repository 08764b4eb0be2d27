"""The rules of `make_room`: with which messages a conversation goes on that was too long.

A story of a page is `@ text: [pi] w ww ask room`: the prompt is a string (or it has `blocks`), a
word in brackets writes the list (`rounds.py`), `w` is a round with one call and `ww` one with two,
`stop` is a reply without a call and a question, `ask` a question after an empty reply, which is not
kept, and at `room` the function is called. The conversation goes on with what it has returned.
"""

from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple

from agentlib import TodoManager, first_message
from lesson.common.learners_code import Raised
from lesson.common.message_blocks import blocks_of, find_reminders, texts_of
from lesson.common.pluralize import pluralize
from lesson.practice.api.errors import ApiError
from lesson.practice.api.server import check_request
from lesson.practice.api.version import VERSION
from lesson.real_model.connection import make_settings

from .kit.engine import Differs, Words
from .kit.page import Page, Step, Trial
from .kit.rounds import Written, read_event, write

PAGE = Page("make_room", __file__)
KEPT = 6  # messages at the end, or fewer
BASH = {"name": "bash", "input_schema": {"type": "object"}}
REQUEST = make_settings("practice", 1000) | {"tools": [BASH]}
A_LIST = Words("a list of messages")


class Seen(NamedTuple):
    """What is known of one call: the messages and the lists before it, and what it has changed."""

    before: list[dict[str, Any]]
    prompt: dict[str, Any]
    now: str
    old: list[str]
    changed: str


def play(make_room: Any, story: tuple[str, list[str]]) -> Iterator[Step]:
    """Play a story with a function, up to an error, and yield each of its calls."""
    head, words = story
    prompt = (
        first_message("Fix it.") if head == "blocks" else {"role": "user", "content": "Fix it."}
    )
    todo, messages, lines = TodoManager(), [deepcopy(prompt)], list[str]()
    lists: list[str] = []
    for number, word in enumerate(words):
        if word.startswith("["):
            written = read_event(word)
            assert isinstance(written, Written)
            items, _, line = write(written, "")
            todo.items = deepcopy(items)
            lines.append(line)
        elif word != "room":
            messages += make_round(word, number)
        else:
            shown = name_all(messages, messages)
            lines.append(f"# {pluralize(len(messages), 'message')}: {shown}")
            lines.append("make_room(messages, todo)")
            step = see(make_room, messages, todo, prompt, lists, lines[:])
            yield step
            if isinstance(step.got, Raised) or not is_conversation(step.got):
                return
            messages = list(step.got)
            lists.append(todo.render())


def make_round(word: str, number: int) -> list[dict[str, Any]]:
    """Return the messages of one word of a story."""
    question = {"role": "user", "content": f"Question {number}: is it done?"}
    if word in ("ask", "stop"):
        reply = {"role": "assistant", "content": [{"type": "text", "text": f"Done {number}."}]}
        return [reply, question] if word == "stop" else [question]
    ids = [f"toolu_{number}_{n}" for n in range(len(word))]
    uses = [{"type": "tool_use", "id": id_, "name": "bash", "input": {}} for id_ in ids]
    results = [{"type": "tool_result", "tool_use_id": id_, "content": "ok"} for id_ in ids]
    return [{"role": "assistant", "content": uses}, {"role": "user", "content": results}]


def see(
    make_room: Any, messages: list[Any], todo: Any, prompt: Any, lists: list[str], lines: list[str]
) -> Step:
    """Call the function, and return what can be seen of it."""
    before, items = deepcopy(messages), deepcopy(todo.items)
    try:
        got: Any = make_room(messages, todo)
    except Exception as problem:
        got = Raised(problem)
    changed = "messages" if messages != before else "list" if todo.items != items else ""
    now = todo.render()
    old = [one for one in lists if one != now]
    found = got if is_conversation(got) else []
    marks = [
        before.index(one)
        if one in before
        else (
            one["role"],
            now in str(texts_of(one)),
            any(text in str(texts_of(one)) for text in old),
            bool(find_reminders(one)),
        )
        for one in found
    ]
    key = (type(got).__name__, tuple(marks), find_error(found), changed)
    seen = Seen(before, prompt, now, old, changed)
    return Step(got, key, lambda: "\n".join(lines), seen, {"api": find_error(found)})


def is_conversation(got: Any) -> bool:
    """Return whether something is a list of dicts, each with a role and a content."""
    return isinstance(got, list | tuple) and all(
        isinstance(one, dict) and {"role", "content"} <= one.keys() for one in got
    )


def find_error(messages: list[Any]) -> str:
    """Return what the API says about a conversation, or ""."""
    try:
        check_request(REQUEST | {"messages": list(messages)}, None, VERSION)
    except ApiError as problem:
        return problem.message
    except (TypeError, ValueError, KeyError) as problem:
        return str(problem)
    return ""


def name_all(messages: list[Any], before: list[Any]) -> str:
    """Return messages in words: "prompt, reply, result"."""
    return ", ".join(name_one(one, before) for one in messages) or "none"


def name_one(message: Any, before: list[Any]) -> str:
    kinds = {block["type"] for block in blocks_of(message)}
    if message not in before:
        return "a new message"
    if message == before[0]:
        return "prompt"
    if message["role"] == "assistant":
        return "reply"
    return "result" if "tool_result" in kinds else "question"


def compare(one: Step, is_right: bool, expected: str) -> None:
    """Raise Differs unless a call is right."""
    if not is_conversation(one.got):
        raise Differs(one.got, A_LIST)
    if not is_right:
        raise Differs(Words(name_all(one.got, one.seen.before)), Words(expected))


def has_room(one: Step) -> bool:
    return len(one.seen.before) <= KEPT + 1


def leaves_what_fits(one: Step, our: Step) -> None:
    """Raise Differs if a short conversation is changed."""
    if has_room(one):
        compare(one, one.got == one.seen.before, name_all(one.seen.before, one.seen.before))


def keeps_the_prompt(one: Step, our: Step) -> None:
    """Raise Differs if the first message does not begin with the prompt, word for word."""
    given = blocks_of(one.seen.prompt)
    first = one.got[0] if is_conversation(one.got) and one.got else {}
    compare(one, blocks_of(first)[: len(given)] == given, "the prompt first, unchanged")


def keeps_the_newest(one: Step, our: Step) -> None:
    """Raise Differs if the newest messages are not at the end, or others were kept."""
    if has_room(one):
        return
    compare(one, True, "")
    before, got, kept = one.seen.before, [{}, *one.got], 0
    while kept < len(before) and got[-1 - kept] == before[-1 - kept]:
        if find_reminders(got[-1 - kept]):
            break  # an earlier message with the list, or the prompt
        kept += 1
    begin = got[: len(got) - kept]
    others = [one for one in begin if one in before and one["role"] == "assistant"]
    compare(one, 1 < kept <= KEPT and not others, "the last messages at the end, at most six")


def is_accepted(one: Step, our: Step) -> None:
    """Raise Differs if the API rejects the conversation."""
    compare(one, True, "")
    if said := find_error(list(one.got)):
        raise Differs(Words(f"the API says: {said}"), Words("the API accepts it"))


def shows_the_list(one: Step, our: Step) -> None:
    """Raise Differs if the list is not there as it is now, in tags, or an old one is."""
    if has_room(one):
        return
    compare(one, True, "")
    texts = [text for message in one.got for text in texts_of(message)]
    tagged = [text for message in one.got for text in find_reminders(message)]
    is_old = any(old in text for text in texts for old in one.seen.old)
    if is_old or not any(one.seen.now in text for text in tagged):
        new = [text for m in one.got if m not in one.seen.before for text in texts_of(m)]
        expected = f"<reminder>…\n{one.seen.now}</reminder>"
        raise Differs(Words("\n".join(new) or "no list"), Words(expected))


def only_reads(one: Step, our: Step) -> None:
    """Raise Differs if the function has changed what it was given."""
    if changed := one.seen.changed:
        raise Differs(Words(f"other {changed}"), Words(f"the same {changed}"))


def all_rules(one: Step, our: Step) -> None:
    for check in CHECKS.values():
        check(one, our)


def make_random() -> list[tuple[str, list[str]]]:
    """Return random stories, which are the same for everybody."""
    chance, stories = Random(1), []
    for number in range(40):
        words = ["[pi]"]
        for _ in range(chance.randrange(1, 14)):
            words.append(chance.choice(["w", "w", "ww", "stop", "ask", "[cp]", "[cic]", "room"]))
        stories.append(("blocks" if number % 2 else "text", [*words, "room"]))
    return sorted(stories, key=lambda story: len(story[1]))


CHECKS = {
    "fits": leaves_what_fits,
    "prompt": keeps_the_prompt,
    "newest": keeps_the_newest,
    "accepted": is_accepted,
    "list_now": shows_the_list,
    "only_reads": only_reads,
}
TRIALS = {name: [Trial(PAGE.stories(name), check)] for name, check in CHECKS.items()}
PAGE.add_rules(play, TRIALS | {"all_together": [Trial(make_random(), all_rules)]})
