"""The conversation: what a turn holds."""

from support.practice_wire import (
    ASK,
    CACHED,
    LINK,
    PDF,
    PNG,
    SAID,
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

EMPTY = {
    "messages.0: user messages must have non-empty content": turns({"role": "user", "content": ""}),
    "messages.2: user messages must have non-empty content": turns(ASK, SAID, user()),
    "messages.1: all messages must have non-empty content except for the optional final assistant "
    "message": turns(ASK, assistant(), user(text("Well?"))),
    "messages: text content blocks must be non-empty": turns(user(text("Hi"), text(""))),
    "messages: text content blocks must contain non-whitespace text": turns(user(text(" \n"))),
    "system: text content blocks must be non-empty": {"system": [text("")]},
    "system: text content blocks must contain non-whitespace text": {"system": " "},
    "messages.0.content.0.text: cache_control cannot be set for empty text blocks": turns(
        user(text("", **CACHED), text("Hi"))
    ),
    "system.1: cache_control cannot be set for empty text blocks": {
        "system": [text("Be brief."), text("", **CACHED)]
    },
}


@each_refusal(EMPTY)
def test_nothing_is_empty_or_blank(message, change):
    assert refusal(change) == invalid(message)


def test_an_empty_text_inside_a_result_is_refused():
    asked = [ASK, assistant(call("a")), user(result("a", content=[text("")]))]
    assert refusal(turns(*asked))[2] == "messages: text content blocks must be non-empty"


NEARLY_EMPTY = {
    "an empty user turn beside a full one": turns(user(), ASK),
    "an empty assistant turn at the end": turns(ASK, assistant()),
    "an empty assistant turn at the end, where there is no prefill": turns(
        ASK, assistant(), model="claude-opus-5"
    ),
    "a blank text beside a call": turns(ASK, assistant(text(" "), call("a")), user(result("a"))),
}


@each_accepted(NEARLY_EMPTY)
def test_what_is_empty_beside_something_or_last_is_taken(change):
    assert send(change).content[0].text == "Hello."


SOURCES = {
    "messages.0.content.0.image.source: Field required": turns(user({"type": "image"})),
    "messages.0.content.0.document.source: Input should be an object": turns(
        user({"type": "document", "source": "cat.pdf"})
    ),
}


@each_refusal(SOURCES)
def test_a_picture_or_a_document_has_a_source(message, change):
    assert refusal(change) == invalid(message)


SHOWN = {
    "a picture": turns(user(image(**PNG))),
    "a picture in the web": turns(user(image(**LINK))),
    "a document": turns(user(document(**PDF) | {"title": "On cats", "citations": {}})),
    "a picture in a result": turns(
        ASK, assistant(call("a")), user(result("a", [image(**PNG), document(**LINK)]))
    ),
}


@each_accepted(SHOWN)
def test_pictures_and_documents_are_taken(change):
    assert send(change).content[0].text == "Hello."


THOUGHTS = {
    "messages.1.content.0.thinking.signature: Field required": turns(
        ASK, assistant({"type": "thinking", "thinking": "Hm."}, text("Well."))
    ),
    "messages.1.content.0.thinking.cache_control: Extra inputs are not permitted": turns(
        ASK, assistant(thinking(**CACHED), text("Well."))
    ),
    "messages.1.content.0: Invalid `signature` in `thinking` block": turns(
        ASK, assistant(thinking(signature=""), text("Well.")), ASK
    ),
    "messages.0.content: thinking blocks may only be in `assistant` messages": turns(
        user(thinking(), text("Hi"))
    ),
    "messages.1: The final block in an assistant message cannot be `thinking`.": turns(
        ASK, assistant(text("Well."), thinking()), ASK
    ),
}


@each_refusal(THOUGHTS)
def test_thoughts_are_the_assistants_and_go_back_as_they_came(message, change):
    assert refusal(change) == invalid(message)


REMEMBERED = {
    "thinking in the history": turns(ASK, assistant(thinking(), text("Well.")), ASK),
    "redacted thinking in the history": turns(
        ASK, assistant({"type": "redacted_thinking", "data": "c2ln"}, text("Well.")), ASK
    ),
}


@each_accepted(REMEMBERED)
def test_thoughts_in_the_history_are_taken(change):
    assert send(change).content[0].text == "Hello."


LAST_WORDS = {
    "This model does not support assistant message prefill. The conversation must end with a user "
    "message.": turns(ASK, SAID, model="claude-opus-4-8"),
    "messages: final assistant content cannot end with trailing whitespace": turns(
        ASK, assistant(text("The answer is "))
    ),
}


@each_refusal(LAST_WORDS)
def test_the_last_word_is_the_users_or_a_beginning(message, change):
    assert refusal(change) == invalid(message)


def test_older_models_go_on_where_they_are_begun():
    begun = turns(ASK, assistant(text("The answer is")))
    assert send(begun).content[0].text == "Hello."
