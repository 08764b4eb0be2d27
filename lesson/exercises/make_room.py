"""The rules of `make_room`: with which messages a conversation goes on that was too long.

A story of a page is `@ [pi] w ww ask room`: the user's prompts are strings (or `blocks`, if it
begins so), a word in brackets writes the list, with a letter for the status of each task, `w` is a
round with one call and `ww` one with two, `t` a round whose result is the list, `stop` is a reply
without a call and a question of the program, `ask` a question after an empty reply, which is not
kept, `new` and `add` are the same with a new prompt of the user, `same` is `new` after a reply that
was there before, and at `room` the function is
called. The conversation goes on with what it has returned.
"""

from collections.abc import Iterator
from copy import deepcopy
from itertools import takewhile
from random import Random
from typing import Any, NamedTuple

from agentlib import first_message
from agentlib.at_the_stop import WHO
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

PAGE = Page("make_room", __file__, read_solutions())
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


def observe(make_room: Any, story: Story) -> Iterator[Observation]:
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
            text = f"Then do job {number}." + LONG * (word == "add")
            written.append(written[-1] if word == "again" else text)
            said = "Done." if word == "same" else f"Done {number}."
            reply = {"role": "assistant", "content": said}
            messages += [reply] * (word != "add") + [make_prompt(written[-1], kind)]
        elif word != "room":
            messages += make_round(word, number, todo.render() if word == "t" else "ok")
        else:
            names = name_all(messages, messages, written)
            lines += [f"# {len(messages)} messages: {names}", "make_room(messages, todo)"]
            before, items, ids = deepcopy(messages), deepcopy(todo.items), [*map(id, messages)]
            try:
                got: Any = make_room(messages, todo)
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
    found = []
    for one in got:
        text = "\n".join(texts_of(one))
        is_old = any(old in text for old in seen.old)
        has_prompt = any(prompt in text for prompt in seen.written)
        new = (has_prompt, seen.now in text, is_old, bool(find_reminders(one)))
        is_kept = one in seen.before and not (new[-1] and (new[1] or is_old))  # or it has a list
        place = seen.ids.index(id(one)) if id(one) in seen.ids else -1
        place = place if seen.before[place] == one else seen.before.index(one) if is_kept else -1
        found.append(place if is_kept else (one["role"], *new))
    return found


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
        isinstance(one, dict) and {"role", "content"} <= one.keys() for one in got
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


def require(one: Observation, is_right: bool, expected: str, got: str = "") -> None:
    """Raise Differs unless what was returned is right."""
    if not is_right:
        raise Differs(Words(got or name(one, one.got)), Words(expected))


def name(one: Observation, messages: Any) -> str:
    return name_all(messages, one.seen.before, one.seen.written)


def leaves_what_fits(one: Observation, our: Observation) -> None:
    """Raise Differs if a short conversation is changed, or if nothing like one is returned."""
    if not is_conversation(one.got):
        raise Differs(one.got, Words("a list of messages"))
    if our.got == one.seen.before:
        require(one, one.got == one.seen.before, name(one, our.got))


def keeps_the_prompts(one: Observation, our: Observation) -> None:
    """Raise Differs if what the user has written is not there once, in its order, and alone."""
    written = one.seen.written
    users = [message for message in one.got if message["role"] == "user"]
    found = [text for message in users for text in texts_of(message) if text in written]
    names = name(one, one.got).split(", ")[: len(one.got) - count_same(one)]
    head = [*takewhile(lambda word: word != "a new message", names)]
    more = {"question", "result"} & {*head}
    is_right = found == written and has_written(one.got[0], one) and not more
    lists = [place for place, word in enumerate(names) if word == "a new message"]
    late = one.got[lists[-1] : len(names)] if lists and lists[0] else []
    is_right = is_right and not any(m in one.seen.before and has_written(m, one) for m in late)
    numbers = [written.index(text) + 1 for text in written]
    prompts = ", ".join(f"prompt {n}" if n > 1 else "prompt" for n in numbers)
    require(one, is_right, f"{prompts}: each once, before the list")


def has_written(message: Any, one: Observation) -> bool:
    """Return whether a message has a text of the user."""
    return message["role"] == "user" and any(text in one.seen.written for text in texts_of(message))


def keeps_the_newest(one: Observation, our: Observation) -> None:
    """Raise Differs if the newest messages are not at the end, or older ones were kept."""
    older = one.got[: len(one.got) - count_newest(one, our)]
    replies = [message for message in older if message["role"] == "assistant"]
    wrong = [message for message in replies if has_call(message) or find_reminders(message)]
    newest = our.got[len(our.got) - count_same(our) :]
    is_right = count_newest(one, our) == len(newest) and not wrong
    require(one, is_right, f"at the end {name(our, newest)}")


def has_call(message: Any) -> bool:
    return any(block["type"] == "tool_use" for block in blocks_of(message))


def count_newest(one: Observation, our: Observation) -> int:
    """Return how many of the newest messages are at the end: more than ours only from a reply."""
    kept, right = count_same(one), count_same(our)
    while kept > right and not has_call(one.got[-kept]):
        kept -= 1
    return kept


def count_same(one: Observation) -> int:
    """Return how many messages at the end are as before. A list may be in one of the user's."""
    before, got, kept = one.seen.before, one.got, 0
    while kept < min(len(before), len(got)):
        old, new = before[-1 - kept], got[-1 - kept]
        is_extended = has_written(old, one) and list_texts(old) == list_texts(new)
        if not (is_extended and new["role"] == "user") and (old != new or find_reminders(new)):
            break  # a message with reminders is an earlier one with the list
        kept += 1
    return kept


def list_texts(message: Any) -> list[str]:
    """Return the texts of a message, without reminders."""
    return [text for text in texts_of(message) if not text.startswith("<")]


def is_accepted(one: Observation, our: Observation) -> None:
    """Raise Differs if the API rejects what was returned, or if no reply is first at its end."""
    said = find_error(one.got)
    require(one, not said, "the API accepts it", f"the API says: {said}")
    extra = one.got[len(one.got) - count_same(one) : len(one.got) - count_newest(one, our)]
    is_right = all(m["role"] == "assistant" or has_written(m, one) for m in extra)
    require(one, is_right, "a reply as the first of the last messages")


def shows_the_list(one: Observation, our: Observation) -> None:
    """Raise Differs if the list is not there once as it is now, in tags, or an old one is.

    Without an open task, it may be missing. A list that was changed is another rule's.
    """
    texts = [text for message in one.got for text in texts_of(message)]
    tagged = [text for message in one.got for text in find_reminders(message)]
    is_old = any(old in text for text in texts for old in one.seen.old)
    written = [m for m in one.got if m not in one.seen.before or find_reminders(m)]
    new = [text for message in written for text in texts_of(message)]
    expected = f"<reminder>…\n{one.seen.now}</reminder>"
    many = sum(text.count(one.seen.now) for text in tagged)
    is_right = many == 1 or not (many or is_open(one.seen)) or one.seen.changed == "list"
    require(one, is_right and not is_old, expected, "\n".join(new) or "no list")


def only_reads(one: Observation, our: Observation) -> None:
    """Raise Differs if a function has changed the messages or the list."""
    if changed := one.seen.changed:
        note = f"Your function has changed the {changed}"
        raise Differs(Words(f"other {changed}"), Words(f"the same {changed}"), note)


def make_random() -> list[Story]:
    """Return random stories, which are the same for everybody."""
    chance, stories = Random(1), []
    kinds = ["w", "w", "ww", "stop", "ask", "new", "add", "[cp]", "[cic]", "[cc]", "[]", "room"]
    for number in range(40):
        words = chance.choices(kinds, k=chance.randrange(1, 24))
        stories.append([*["blocks"] * (number % 2), "[pi]", *words, "room"])
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

    def check(one: Observation, our: Observation) -> None:
        try:
            leaves_what_fits(one, our)
            for title in titles:
                if title == "only_reads" or len(one.seen.before) > KEPT + 1:
                    CHECKS[title](one, our)
        except Differs as problem:  # what is missing may have been taken out of the messages
            if one.seen.changed == "messages" and not isinstance(one.got, Raised):
                problem.note = "Your function has changed the messages"
            raise

    return Trial(stories, check, text=lambda one, our: one.key)


PAGE.add_rules(
    observe,
    {"fits": [make_trial(PAGE.stories("fits"))]}
    | {title: [make_trial(PAGE.stories(title), title)] for title in CHECKS}
    | {"all_together": [make_trial(make_random(), *CHECKS)]},
)
