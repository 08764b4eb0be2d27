#!/usr/bin/env bash
# semantic-kernel 1.45.0. Seen on 1 December 2026.
# A good guess: a history that is cut to six messages has about six.
# A ChatHistoryTruncationReducer for 6 messages gets the history of a run with eight tool calls and
# the next prompt, 20 messages. So that no call loses its result, it moves the cut back, over all
# calls that follow each other and no further: what is cut is the prompt of the run, and nothing
# else. 19 messages are sent, and the model reads what it has done, and not what for. While the run
# goes on, the history has the prompt no more as soon as it has more than 6 messages, and then grows.
# If the model says something between its calls, the cut is where it was asked for.
# Seen, messages kept of 20, and whether the prompt is one: 19, no; after each call of the run: 4, 6,
# 7, 9, 11, 13, 15, 17, with the prompt in the first two; with a text after each result: 6
# Took 241 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "semantic-kernel==1.45.0"
cd "$folder"
bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import asyncio
import sys

from semantic_kernel.contents import (
    ChatHistoryTruncationReducer,
    ChatMessageContent,
    FunctionCallContent,
    FunctionResultContent,
)

TARGET, CALLS = 6, 8


def start():
    history = ChatHistoryTruncationReducer(target_count=TARGET)
    history.add_system_message("You are a clerk.")
    history.add_user_message("Make the shop ready.")
    return history


def add_call(history, number):
    call = FunctionCallContent(id=str(number), name="shop-work", arguments="{}")
    result = FunctionResultContent(id=str(number), name="shop-work", result="done")
    history.add_message(ChatMessageContent(role="assistant", items=[call]))
    history.add_message(ChatMessageContent(role="tool", items=[result]))


def look(history):
    return len(history), "Make the shop ready." in [one.content for one in history]


async def next_prompt(text=""):
    history = start()
    for number in range(CALLS):
        add_call(history, number)
        if text:
            history.add_assistant_message(text)
    history.add_assistant_message("Done.")
    history.add_user_message("What next?")
    before = len(history)
    await history.reduce()
    return before, look(history)


async def within_the_run():
    history, seen = start(), []
    for number in range(CALLS):
        add_call(history, number)
        await history.reduce()
        seen.append(look(history))
    return seen


async def main():
    return {
        "next prompt": await next_prompt(),
        "within the run": await within_the_run(),
        "with texts": await next_prompt("One more."),
    }


seen = asyncio.run(main())
lengths = 4, 6, 7, 9, 11, 13, 15, 17
expected = {
    "next prompt": (20, (19, False)),
    "within the run": [(length, length <= TARGET) for length in lengths],
    "with texts": (28, (6, False)),
}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
