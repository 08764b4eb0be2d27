"""The seat: the reader reads what the model reads in one round, and writes the next message."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from ipywidgets import HTML, Box, Button, Checkbox, Textarea, VBox

from agentlib.defaults import REMINDER
from agentlib.prompts import system_prompt
from agentlib.todo import TodoManager
from agentlib.window import LEFT_OUT

from ..common.message_blocks import MESSAGES_PER_ROUND, WINDOW, blocks_of, texts_of
from ..drawing.marks import Line
from ..drawing.picture import draw_plan, escape
from ..drawing.request_view import draw_request
from ..runs.request_parts import PROGRAM, REPLY, YOU, Authors, Request, RequestPart, read_request
from ..runs.window import TodoList, View, last_round_in_window
from ..samples.copies import sample
from ..samples.jobs import load_job
from .drawn import Drawn, set_class

# The messages of ROUND. They are recorded, because to play the run takes two seconds of a new
# kernel. `make notebooks` plays it again.
RECORD = Path(__file__).with_suffix(".json")
ROUND = last_round_in_window(WINDOW) + 1  # the first one that does not see the plan
JOB = "ten_steps"
READ_AFTER = ROUND - 2  # the threshold whose reminder is read in this round
GIVEN = 3  # steps that the window shows as done; they are filled in for the reader
PROMPT, LOST = "the prompt", "visible nowhere"
# Where each step of the lost plan can still be seen, and in which words; the others cannot.
STILL_SEEN = {
    1: ("round 2", "Rename the cryptic names in books.py"),
    2: ("round 4", "Turn the magic numbers in pricing.py into constants"),
    3: ("round 6", "Merge the two copies of the loop in orders.py"),
    6: ("the result of round 2", "load_old"),
    7: (PROMPT, "documented"),
    9: (PROMPT, "tested"),
    10: (PROMPT, "documented"),
}
LEDE = (
    f"This is round {ROUND} of a job in ten steps. Below is all that the model sees: press a line "
    f"to read it. The last one says ▼ {REMINDER} Which steps are left?"
)
YOURS = "the next message is yours"
COMPARE, BACK = "Compare with the plan", "Back to the messages"
WRITE_FIRST = "Write your list first, or write that you do not know."
UNKNOWN = (
    "Of the seven steps that were left, three were only in the lost plan: no one in this seat can "
    "know them."
)
TICK = "Tick those that you have named."
NAMED = "Of the {seen} that can still be seen, you named {named}."
GUESSED = " Guessed, because nothing says so: {guesses}."

# Who wrote the parts of the request: nothing is the reader's yet, and no part has a name.
USER = "the user"
AUTHORS = Authors(todo=PROGRAM, nag=PROGRAM, ask="")


class LeftStep(NamedTuple):
    """A step that was left, and where it can still be seen."""

    text: str
    seen: str


class Seat(Drawn):
    """The model's seat in the round in which its plan has left the window.

    `answer` is the field for the reader's list, and `compare` the button that shows the lost plan.
    Then `boxes` has a box for each step that was left: the reader ticks those that the list names.
    """

    def __init__(self) -> None:
        """Read the recorded run up to the request of the round."""
        self.request = read_own_request(json.loads(RECORD.read_text(encoding="utf-8")))
        authors = [part.author for part in self.request.parts]
        self.prompt = authors.index(USER)  # the part that is shown at first
        self.step_texts = [step.text for step in load_job(JOB).steps]
        self.is_compared = False
        self.answer = Textarea(
            description="The steps that are left, one on each line",
            placeholder="Add …",
            tooltip="",
            rows=4,
        )
        self.compare = Button(description=COMPARE)
        self.boxes = VBox()  # empty until the click, so that nothing gives the plan away
        self.boxes.add_class("lp-boxes")
        self._top, self._said = HTML(), HTML()
        self._said.add_class("lp-said")  # keep_widgets.js makes it a polite live region
        group = self.answer.model_id or "seat"  # another seat of the notebook has its own
        messages = HTML(draw_request(self.request, group, chosen=self.prompt))
        right = VBox([HTML(self.draw_given()), self.answer, self.compare])
        box = Box([messages, self.boxes, right])
        super().__init__(self._top, self._said, box, css_class="lp-seat")
        self.compare.on_click(self.in_turn(self._turn_over))
        self._draw()

    def _turn_over(self, button: Any) -> None:
        """Show the lost plan in place of the messages, or the messages again."""
        if not self.is_compared and not self.answer.value.strip():
            self._said.value = f"<p>{WRITE_FIRST}</p>"
            return
        self.is_compared = not self.is_compared
        self.boxes.children = self.boxes.children or [*map(self._make_box, self.list_left())]
        set_class(self, "lp-compared", self.is_compared)
        self._draw()

    def _make_box(self, step: LeftStep) -> Checkbox:
        box = Checkbox(description=draw_step(step), description_allow_html=True, indent=False)
        set_class(box, "lp-lost", step.seen == LOST)
        box.observe(self.in_turn(self._draw), "value")
        return box

    def _draw(self, change: Any = None) -> None:
        self.compare.description = BACK if self.is_compared else COMPARE
        self._top.value = f"<p>{UNKNOWN if self.is_compared else escape(LEDE)}</p>"
        self._said.value = f"<p>{self.say_named()}</p>" if self.is_compared else ""

    def list_left(self) -> list[LeftStep]:
        """Return the steps of the lost plan that were left."""
        left = enumerate(self.step_texts[GIVEN:], GIVEN + 1)
        return [LeftStep(text, describe_place(number, text)) for number, text in left]

    def draw_given(self) -> str:
        """Return the end of what is sent, which asks for the list, and the list's beginning."""
        done = [Line(text, "shown") for text in self.step_texts[:GIVEN]]
        return f"<p class='lp-asked'>▼ {REMINDER}</p>{draw_plan(done)}"

    def say_named(self) -> str:
        """Return how many steps are ticked of those that can be seen, and how many others."""
        is_seen = [step.seen != LOST for step in self.list_left()]
        ticked = [seen for seen, box in zip(is_seen, self.boxes.children, strict=True) if box.value]
        named, guesses = ticked.count(True), ticked.count(False)
        sentence = NAMED.format(seen=is_seen.count(True), named=named) if ticked else TICK
        if guesses:
            sentence += GUESSED.format(guesses=guesses)
        return sentence

    def text(self) -> str:
        """Return the messages, and when the reader has compared, the plan with what is ticked."""
        parts = [LEDE, "", str(self.request)]
        if self.is_compared:
            boxes = zip(self.list_left(), self.boxes.children, strict=True)
            lines = [
                f"[{'x' if box.value else ' '}] {step.text}: {step.seen}" for step, box in boxes
            ]
            parts += ["", UNKNOWN, self.say_named(), *lines]
        if answer := self.answer.value.strip():
            parts += ["", "You wrote:", answer]
        return "\n".join(parts)


def read_own_request(recorded: dict[str, Any]) -> Request:
    """Return the request of the round, whose last message is the reader's, and still empty.

    `recorded` has its `messages` and those that are `left_out`.
    """
    left_out, tools = {1: recorded["left_out"]}, [*sample(JOB).tools(), TodoManager().tool()]
    sent = {"system": system_prompt(JOB), "tools": [tool.spec for tool in tools]}
    sent["messages"] = [prompt, *messages] = recorded["messages"]
    numbers = (0, *(2 + place // MESSAGES_PER_ROUND for place in range(len(messages))))
    opening = tuple(text for text in texts_of(prompt) if text != LEFT_OUT)
    view = View(ROUND, numbers, left_out, opening, TodoList(1, ()))
    calls = [block.get("id") for block in blocks_of(messages[-2])]
    reminders = dict.fromkeys(map(str, calls), f"<reminder>{REMINDER}</reminder>")
    request = read_request(sent, view, reminders, [], AUTHORS)
    seen = []
    for part in request.parts:
        if part.author == YOU:  # here, the reader is the model
            origin = part.origin.replace("You", "The user", 1)
            part = part._replace(author=USER, origin=origin)
        seen.append(part)
    yours = RequestPart(
        REPLY, "text", YOURS, YOU, "Write it at the side: it is what the model says next."
    )
    return replace(request, parts=(*seen, yours))


def describe_place(number: int, text: str) -> str:
    """Return where a step of the plan can still be seen, and in which words if they are others."""
    if number not in STILL_SEEN:
        return LOST
    place, words = STILL_SEEN[number]
    return f"visible in {place}" + ("" if words == text else f": “{words}”")


def draw_step(step: LeftStep) -> str:
    """Return a step and where it can still be seen, as the HTML of its box."""
    return f"<span>{escape(step.text)}:</span> <span>{escape(step.seen)}</span>"
