"""The rules of `trim_messages`: with which messages a conversation goes on that was too long.

A story of the page is `@ [pi] w ww ask trim`. These are its words:

    blocks      at the beginning: the user's prompts are blocks, and not strings
    [pi]        writes the list, with a letter for the status of each task
    w, ww       a round with one call, or with two
    t           a round whose result is the list
    stop        a reply without a call, and a question of the program
    ask         a question after an empty reply, which is not kept
    new         a reply, and a new prompt of the user; `same` has a reply that was there before
    add         a long prompt of the user without a reply before it
    again       a reply, and the last prompt again
    trim        calls the function, and goes on with what it has returned
"""

from collections.abc import Iterator
from copy import deepcopy
from itertools import takewhile
from random import Random
from typing import Any, NamedTuple

from agentlib import first_message
from agentlib.stop import WHO
from exerciselib.engine import Differs
from exerciselib.learners_code import Raised
from exerciselib.page import Observation, Page, Story, Trial
from exerciselib.show_value import Words
from lesson.common.message_blocks import blocks_of, find_reminders, texts_of
from lesson.common.solutions import read_solutions
from lesson.practice.api.errors import ApiError
from lesson.practice.api.server import check_request
from safetylib.wire.server.connect import make_settings

from .kit.tasks import Tasks
from .kit.updates import STATUS

PAGE = Page("trim_messages", __file__, read_solutions())
KEPT = 6  # messages at the end, or fewer
FIRST = "Fix it."  # the prompt
LONG = " It is one of many." * 60  # in a prompt: longer than what is cut
BASH = {"name": "bash", "input_schema": {"type": "object"}}
REQUEST = make_settings("practice", 1000) | {"tools": [BASH]}


class Seen(NamedTuple):
    """What is known of one call: the messages and lists before it, and what it has changed.

    `written` are the texts of the user, from the prompt on, and `now` is the list as a text.
    """

    before: list[dict[str, Any]]
    ids: list[int]  # of these, because two can be equal
    written: list[str]
    now: str
    old: list[str]
    changed: str
    statuses: str  # "pi" is a pending task and one in progress


def observe(trim_messages: Any, story: Story) -> Iterator[Observation]:
    """Play a story with a function, up to an error, and yield each of its calls."""
    kind, words = ("blocks", story[1:]) if story[0] == "blocks" else ("text", story)
    todo, written, lines, lists = Tasks(), [FIRST], list[str](), list[str]()
    messages = [make_prompt(FIRST, kind)]
    for number, word in enumerate(words):
        if word.startswith("["):
            statuses = [STATUS[letter] for letter in word.strip("[]")]
            todo.write(*statuses)
            lines.append(f"todo.write({', '.join(map(repr, statuses))})")
        elif word in ("new", "add", "again", "same"):
            text = f"Then do job {number}."
            if word == "add":
                text += LONG
            else:
                content = "Done." if word == "same" else f"Done {number}."
                messages.append({"role": "assistant", "content": content})
            written.append(written[-1] if word == "again" else text)
            messages.append(make_prompt(written[-1], kind))
        elif word != "trim":
            messages += make_round(word, number, todo.render() if word == "t" else "ok")
        else:
            names = name_all(messages, messages, written)
            lines += [f"# {len(messages)} messages: {names}", "trim_messages(messages, todo)"]
            before, items, ids = deepcopy(messages), deepcopy(todo.items), [*map(id, messages)]
            try:
                got: Any = trim_messages(messages, todo)
            except Exception as problem:
                got = Raised(problem)
            changed = "messages" if messages != before else "list" if todo.items != items else ""
            old = [one for one in lists if one != todo.render()]
            statuses = "".join(one["status"][0] for one in items)
            seen = Seen(before, ids, [*written], todo.render(), old, changed, statuses)
            tried = "\n".join(lines)
            yield Observation(got, describe(got, seen), lambda tried=tried: tried, seen)  # type: ignore[misc]
            if not is_conversation(got):
                return
            messages = list(got)
            lists.append(todo.render())


def make_prompt(text: str, kind: str) -> dict[str, Any]:
    """Return a message that the user has written."""
    return first_message(text) if kind == "blocks" else {"role": "user", "content": text}


def make_round(word: str, number: int, output: str) -> list[dict[str, Any]]:
    """Return the messages of one word of a story, with this output of its calls."""
    question = {"role": "user", "content": f"{WHO} step {number}"}
    if word in ("ask", "stop"):
        reply = {"role": "assistant", "content": [{"type": "text", "text": f"Done {number}."}]}
        return [reply, question] if word == "stop" else [question]
    ids = [f"toolu_{number}_{n}" for n in range(len(word))]
    uses = [{"type": "tool_use", "id": id_, "name": "bash", "input": {}} for id_ in ids]
    results = [{"type": "tool_result", "tool_use_id": id_, "content": output} for id_ in ids]
    return [{"role": "assistant", "content": uses}, {"role": "user", "content": results}]


def is_open(seen: Seen) -> bool:
    return seen.statuses.strip("c") != ""


def list_places(got: Any, seen: Seen) -> list[Any]:
    """Return the place of each message before, or of a new one its role and what is in it."""
    places = []
    for message in got:
        text = "\n".join(texts_of(message))
        is_old = any(old in text for old in seen.old)
        has_prompt = any(prompt in text for prompt in seen.written)
        new = (has_prompt, seen.now in text, is_old, bool(find_reminders(message)))
        has_list = new[-1] and (new[1] or is_old)
        if message not in seen.before or has_list:
            places.append((message["role"], *new))
            continue
        place = seen.ids.index(id(message)) if id(message) in seen.ids else -1
        # Two messages can be equal, and one that is kept can have changed since.
        places.append(place if seen.before[place] == message else seen.before.index(message))
    return places


def describe(got: Any, seen: Seen) -> str:
    """Return what was returned, in words that the patterns of the page look for.

    Messages are counted from the end of those before: "-6 reply, -5 result".
    """
    if not is_conversation(got):
        return "" if isinstance(got, Raised) else str(got)
    before, words = seen.before, []
    for message, place in zip(got, list_places(got, seen), strict=True):
        if isinstance(place, int):
            name = name_one(message, before, seen.written)
            words.append(name if "prompt" in name else f"{place - len(before)} {name}")
        else:
            signs = ("the prompt", "the list", "an old list", "tags")
            has = [sign for sign, is_in in zip(signs, place[1:], strict=True) if is_in]
            words.append(" with ".join([f"new {place[0]}", *has]))
    shows = any(seen.now in text for m in before[-KEPT:] for text in texts_of(m))
    state = "shown" if shows else "open" if is_open(seen) else "closed"
    kept = sum(word.startswith("prompt") for word in words)
    begin = "the same" if got == before else f"of {len(before)}"
    shown = f"{kept} of {len(seen.written)} prompts; list {state} {seen.statuses}"
    return f"{begin}: {', '.join(words)}; {shown}; API: {find_error(got)}"


def is_conversation(got: Any) -> bool:
    return isinstance(got, list | tuple) and all(
        isinstance(message, dict) and {"role", "content"} <= message.keys() for message in got
    )


def find_error(messages: Any) -> str:
    """Return what the API says about a conversation, or ""."""
    try:
        check_request(REQUEST | {"messages": list(messages)})
    except ApiError as problem:
        return problem.message
    return ""


def name_all(messages: Any, before: list[Any], written: list[str]) -> str:
    """Return messages in words: "prompt, reply, result, reply, prompt 2"."""
    return ", ".join(name_one(one, before, written) for one in messages) or "no messages"


def name_one(message: Any, before: list[Any], written: list[str]) -> str:
    if message not in before:
        return "a new message"
    if message["role"] == "assistant":
        return "reply"
    prompts = [place for place, text in enumerate(written) if text in texts_of(message)]
    if prompts:
        return f"prompt {prompts[0] + 1}" if prompts[0] else "prompt"
    if any(block["type"] == "tool_result" for block in blocks_of(message)):
        return "result"
    return "an older list" if find_reminders(message) else "question"


def require(step: Observation, is_right: bool, expected: str, got: str = "") -> None:
    """Raise Differs unless what was returned is right."""
    if not is_right:
        raise Differs(Words(got or name(step, step.got)), Words(expected))


def name(step: Observation, messages: Any) -> str:
    return name_all(messages, step.seen.before, step.seen.written)


def leaves_what_fits(step: Observation, our: Observation) -> None:
    """Raise Differs if a short conversation is changed, or if nothing like one is returned."""
    if not is_conversation(step.got):
        raise Differs(step.got, Words("a list of messages"))
    if our.got == step.seen.before:
        require(step, step.got == step.seen.before, name(step, our.got))


def keeps_the_prompts(step: Observation, our: Observation) -> None:
    """Raise Differs if what the user has written is not there once, in its order, and alone."""
    written = step.seen.written
    users = [message for message in step.got if message["role"] == "user"]
    texts = [text for message in users for text in texts_of(message) if text in written]
    names = name(step, step.got).split(", ")[: len(step.got) - count_same(step)]
    head = [*takewhile(lambda word: word != "a new message", names)]
    more = {"question", "result"} & {*head}
    is_right = texts == written and has_written(step.got[0], step) and not more
    lists = [place for place, word in enumerate(names) if word == "a new message"]
    late = step.got[lists[-1] : len(names)] if lists and lists[0] else []
    is_right = is_right and not any(m in step.seen.before and has_written(m, step) for m in late)
    numbers = [written.index(text) + 1 for text in written]
    prompts = ", ".join(f"prompt {n}" if n > 1 else "prompt" for n in numbers)
    require(step, is_right, f"{prompts}: each once, before the list")


def has_written(message: Any, step: Observation) -> bool:
    """Return whether a message has a text of the user."""
    texts = {*texts_of(message)}
    return message["role"] == "user" and not texts.isdisjoint(step.seen.written)


def keeps_the_newest(step: Observation, our: Observation) -> None:
    """Raise Differs if the newest messages are not at the end, or older ones were kept."""
    older = step.got[: len(step.got) - count_newest(step, our)]
    replies = [message for message in older if message["role"] == "assistant"]
    wrong = [message for message in replies if has_call(message) or find_reminders(message)]
    newest = our.got[len(our.got) - count_same(our) :]
    is_right = count_newest(step, our) == len(newest) and not wrong
    require(step, is_right, f"at the end {name(our, newest)}")


def has_call(message: Any) -> bool:
    return any(block["type"] == "tool_use" for block in blocks_of(message))


def count_newest(step: Observation, our: Observation) -> int:
    """Return how many of the newest messages are at the end: more than ours only from a reply."""
    kept, right = count_same(step), count_same(our)
    while kept > right and not has_call(step.got[-kept]):
        kept -= 1
    return kept


def count_same(step: Observation) -> int:
    """Return how many messages at the end are as before. A list may be in one of the user's."""
    before, got, kept = step.seen.before, step.got, 0
    while kept < min(len(before), len(got)):
        old, new = before[-1 - kept], got[-1 - kept]
        is_extended = has_written(old, step) and list_texts(old) == list_texts(new)
        if not (is_extended and new["role"] == "user") and (old != new or find_reminders(new)):
            break  # a message with reminders is an earlier one with the list
        kept += 1
    return kept


def list_texts(message: Any) -> list[str]:
    """Return the texts of a message, without reminders."""
    return [text for text in texts_of(message) if not text.startswith("<")]


def is_accepted(step: Observation, our: Observation) -> None:
    """Raise Differs if the API rejects what was returned, or if no reply is first at its end."""
    error = find_error(step.got)
    require(step, not error, "the API accepts it", f"the API says: {error}")
    extra = step.got[len(step.got) - count_same(step) : len(step.got) - count_newest(step, our)]
    is_right = all(m["role"] == "assistant" or has_written(m, step) for m in extra)
    require(step, is_right, "a reply as the first of the last messages")


def shows_the_list(step: Observation, our: Observation) -> None:
    """Raise Differs if the list is not there once as it is now, in tags, or an old one is.

    Without an open task, it may be missing. A list that was changed is another rule's.
    """
    texts = [text for message in step.got for text in texts_of(message)]
    tagged = [text for message in step.got for text in find_reminders(message)]
    is_old = any(old in text for text in texts for old in step.seen.old)
    written = [m for m in step.got if m not in step.seen.before or find_reminders(m)]
    new = [text for message in written for text in texts_of(message)]
    expected = f"<reminder>…\n{step.seen.now}</reminder>"
    many = sum(text.count(step.seen.now) for text in tagged)
    is_right = many == 1 or not (many or is_open(step.seen)) or step.seen.changed == "list"
    require(step, is_right and not is_old, expected, "\n".join(new) or "no list")


def only_reads(step: Observation, our: Observation) -> None:
    """Raise Differs if a function has changed the messages or the list."""
    if changed := step.seen.changed:
        note = f"Your function has changed the {changed}"
        raise Differs(Words(f"other {changed}"), Words(f"the same {changed}"), note)


def make_random() -> list[Story]:
    """Return random stories, which are the same for everybody."""
    chance, stories = Random(1), []
    kinds = ["w", "w", "ww", "stop", "ask", "new", "add", "[cp]", "[cic]", "[cc]", "[]", "trim"]
    for number in range(40):
        words = chance.choices(kinds, k=chance.randrange(1, 24))
        kind = ["blocks"] if number % 2 else []
        stories.append([*kind, "[pi]", *words, "trim"])
    return sorted(stories, key=lambda story: len(story) - (story[0] == "blocks"))


CHECKS = {
    "newest": keeps_the_newest,
    "prompts": keeps_the_prompts,
    "accepted": is_accepted,
    "list_now": shows_the_list,
    "only_reads": only_reads,
}


def make_trial(stories: list[Story], *titles: str) -> Trial:
    """Return the trial of these rules: a conversation that fits is the first one's."""

    def compare(step: Observation, our: Observation) -> None:
        try:
            leaves_what_fits(step, our)
            for title in titles:
                if title == "only_reads" or len(step.seen.before) > KEPT + 1:
                    CHECKS[title](step, our)
        except Differs as problem:  # what is missing may have been taken out of the messages
            if step.seen.changed == "messages" and not isinstance(step.got, Raised):
                problem.note = "Your function has changed the messages"
            raise

    return Trial(stories, compare, text=lambda step, our: step.key)


PAGE.add_rules(
    observe,
    {"fits": [make_trial(PAGE.stories("fits"))]}
    | {title: [make_trial(PAGE.stories(title), title)] for title in CHECKS}
    | {"all_together": [make_trial(make_random(), *CHECKS)]},
)
