"""My coding agent. Run it with a prompt: in a notebook, `terminal("…")` prints the command.
Mine: agent_loop, read_file, MyTodo, MyNag, ask_at_the_stop, make_room, PriorityTodo, PriorityNag,
TimedTodo.
The other parts, and `main` at the end, come from the package planning-agent-lesson."""

# --- agent_loop --- dfb6dd11
from agentlib import call_tool


# The API remembers nothing, so each request sends all messages, and the loop only appends to them.
# A call that fails is answered as well: `call_tool` returns the error as text, and the model can
# correct its mistake. The reminder is inside the last result, because the API rejects text that
# comes before the results.
def agent_loop(client, messages, tools, remind=None, **settings):
    """Ask, act, remind, answer, until the reply has no tool call."""
    dispatch = {tool.name: tool for tool in tools}
    specs = [tool.spec for tool in tools]
    while True:
        # Ask: send the whole history. The API rejects a message without words: it is not kept.
        reply = client.messages.create(messages=messages, tools=specs, **settings)
        if any(block.type != "text" or block.text.strip() for block in reply.content):
            messages.append({"role": "assistant", "content": reply.content})

        # Act: run the tool of each call. Without a call, the run is over.
        uses = [block for block in reply.content if block.type == "tool_use"]
        if not uses:
            return
        results = []
        for use in uses:
            output = call_tool(dispatch, use.name, use.input).output
            results.append({"type": "tool_result", "tool_use_id": use.id, "content": output})

        # Remind: what the nag says is added to the last result, after a blank line.
        text = remind(uses) if remind else None
        if text:
            results[-1]["content"] += "\n\n" + text

        # Answer: send all results in one message.
        messages.append({"role": "user", "content": results})


# --- read_file --- f50fdfce
# Where a path leads is known only when `..` and links were followed, and not from its letters. An
# error names the path as the model has sent it, and what is there: the model reads it, and can ask
# again.
def read_file(folder, path):
    """Return the text of a file in `folder`, or raise an error that the model can use."""
    file = (folder / path).resolve()
    if not file.is_relative_to(folder):
        raise ValueError(f"{path} is outside of the folder: give a path inside it")
    if not file.is_file():
        names = ", ".join(one.name for one in folder.iterdir())
        raise ValueError(f"{path} is no file: here are {names}")
    return file.read_text(encoding="utf-8")


# --- MyTodo --- 1569590c
from agentlib import Tool
from lesson import Shown


# Every rule is checked before anything is stored, so a list that is rejected changes nothing. The
# error says which rule was broken and what is allowed, because the model is the one who reads it.
# `tool` makes its schema from `self.fields`, so that a list with more fields needs no other one.
class MyTodo(Shown):
    """A todo list that rejects what is not a plan."""

    fields = {
        "id": {"type": "string"},
        "text": {"type": "string"},
        "status": {"type": "string", "enum": ["pending", "in_progress", "completed"]},
        "activeForm": {"type": "string"},
    }

    def update(self, items):
        """Replace the list by `items` and return it rendered, or raise a ValueError."""
        if not isinstance(items, list):
            raise ValueError("items must be a list")
        checked = []
        for item in items:
            if not isinstance(item, dict) or not str(item.get("text") or "").strip():
                raise ValueError("each item must be a dict with a text that is not empty")
            # A clean copy: what was sent is in the history of the run, and stays as it is.
            text = str(item["text"]).strip()
            status = str(item.get("status", "pending")).strip().lower()
            checked.append({**item, "text": text, "status": status})

        allowed = self.fields["status"]["enum"]
        statuses = [item["status"] for item in checked]
        for status in statuses:
            if status not in allowed:
                raise ValueError(f"the status {status!r} must be one of {', '.join(allowed)}")
        if statuses.count("in_progress") > 1:
            raise ValueError("only one item can be in_progress at a time")
        if len(checked) > 20:
            raise ValueError(f"at most 20 items are allowed, and this list has {len(checked)}")
        texts = [item["text"] for item in checked]
        if len(set(texts)) < len(texts):
            raise ValueError("no two items may have the same text")

        self.items = checked
        return self.render()

    def tool(self):
        """Return the tool with which the model writes the list."""
        # Not `MyTodo.fields`: a list that extends this one can have more of them.
        item = {"type": "object", "properties": self.fields, "required": ["text"]}
        return Tool(
            name="todo",
            description="Write your plan for a job with several steps, and keep it up to date. "
            "Send the whole list each time. Mark an item in_progress before you start it, only "
            "one at a time, and completed as soon as it is done.",
            input_schema={
                "type": "object",
                "properties": {"items": {"type": "array", "items": item}},
                "required": ["items"],
            },
            run=self.update,
            asks=False,  # it changes only the list, so the user is not asked
        )


# --- MyNag --- c21a6ee6
# The count is in the object, so each run needs its own nag. Any use of the list sets it back to 0.
# The reminder contains the list, so that a plan that has left the window is in it again.
class MyNag:
    """Remind the model after so many rounds without a todo call."""

    def __init__(self, todo, after=3):
        self.todo = todo
        self.after = after
        self.rounds = 0  # the rounds since the last todo call

    def __call__(self, calls):
        """Count one round with these calls. Return the reminder if it is due, otherwise None."""
        if any(call.name == "todo" for call in calls):
            self.rounds = 0
            return None
        self.rounds += 1
        # Not ==: a reminder that the model ignores is repeated in each round.
        if self.rounds >= self.after:
            # The list is rendered only now: it changes during a run.
            return f"<reminder>Update your todos.\n{self.todo.render()}</reminder>"
        return None


# --- ask_at_the_stop --- b089f1c0
# A model that says it is done is not asked about itself: `missing` looks at the files, or runs a
# command that can say no. The number of questions is limited, because a model may never finish.
WHO = "The program asks, not the user: this is missing:"


def ask_at_the_stop(run, messages, missing):
    """Play the loop, and ask for what is missing each time that the model stops."""
    run()
    for _ in range(10):
        left = missing()
        if not left:
            return
        # The role of the message is "user", so its text says who really asks.
        messages.append({"role": "user", "content": f"{WHO} {'; '.join(left)}"})
        run()


# --- make_room --- 47a0d9dc
# The list is outside of the conversation, so the program can put it into a new one, and what the
# user has written is what the work is about. The newest messages begin with a reply, because the
# API rejects a result without its call.
def is_users(message):
    """Return whether the user has written a message: no result, list or question is the user's."""
    if message["role"] != "user":
        return False
    blocks = message["content"]
    if isinstance(blocks, str):
        blocks = [{"type": "text", "text": blocks}]
    texts = [block["text"] for block in blocks if block["type"] == "text"]
    return any(not text.startswith(("<reminder>", "The program asks")) for text in texts)


def make_room(messages, todo):
    """Return the messages of a new conversation: what the user wrote, the list, and the newest."""
    if len(messages) <= 7:
        return messages
    newest = messages[-6:]
    while newest[0]["role"] != "assistant":
        newest = newest[1:]
    older = messages[: len(messages) - len(newest)]
    prompts = [message for message in older if is_users(message)]
    note = f"<reminder>Earlier messages were left out. Your list:\n{todo.render()}</reminder>"
    return [*prompts, {"role": "user", "content": note}, *newest]


# --- PriorityTodo --- e35b4a63
# Only the new field is checked here, and `super().update` checks the rest: so this class works on
# any list that has `fields` and `update`.
class PriorityTodo(MyTodo):
    """A todo list whose items have a priority: high, medium or low."""

    # `|` makes a new dict, so that MyTodo keeps its own fields.
    fields = MyTodo.fields | {
        "priority": {
            "type": "string",
            "enum": ["high", "medium", "low"],
            "default": "medium",
            "description": "How much the task matters.",
        },
    }

    def update(self, items):
        """Check and fill in the priorities. The parent checks everything else."""
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            return super().update(items)  # MyTodo rejects what is no list of dicts
        items = [dict(item) for item in items]  # copies: what was sent stays as it is
        allowed = self.fields["priority"]["enum"]
        for item in items:
            priority = item.setdefault("priority", "medium")
            if priority not in allowed:
                raise ValueError(f"the priority {priority!r} must be one of {', '.join(allowed)}")
        return super().update(items)


# --- PriorityNag --- 0003a718
# The text of the reminder comes from the parent, so this class works on any nag. A list without
# priorities is not an error: all its tasks then count as medium.
class PriorityNag(MyNag):
    """A nag whose reminder ends with the next task: the pending one with the highest priority."""

    def __call__(self, calls):
        reminder = super().__call__(calls)
        pending = [item for item in self.todo.items if item["status"] == "pending"]
        if reminder is None or not pending:
            return reminder
        levels = ["high", "medium", "low"]
        # `min` returns the first of equal items, so the order of the list decides a tie.
        best = min(pending, key=lambda item: levels.index(item.get("priority", "medium")))
        return f"{reminder.removesuffix('</reminder>')}\nNext: {best['text']}.</reminder>"


# --- TimedTodo --- f5975825
import time


# The clock is an argument, so that a test can pass its own one and need not wait. The times are
# stored after `super().update`, because a list that is rejected must not change them.
class TimedTodo(PriorityTodo):
    """A todo list that also knows how long each task has taken."""

    def __init__(self, clock=time.monotonic):
        super().__init__()
        self.clock = clock
        self.made = clock()
        self.begun, self.ended = {}, {}  # when each task began and ended, by its text

    def update(self, items):
        """Replace the list, and store the times of the tasks that have begun or ended."""
        shown = super().update(items)  # it raises if the list is rejected
        now = self.clock()
        for item in self.items:
            if item["status"] == "in_progress":
                self.begun.setdefault(item["text"], now)
            elif item["status"] == "completed":
                self.ended.setdefault(item["text"], now)
        return shown

    def summary(self):
        """Return the seconds of each task by its text, and those of the whole "session"."""
        now = self.clock()
        times = {"session": now - self.made}
        for item in self.items:
            end = self.ended.get(item["text"], now)
            begin = self.begun.get(item["text"], end)
            times[item["text"]] = max(0, end - begin)
        return times


# --- main --- 9a9a8687
if __name__ == "__main__":
    from lesson.program.main import main

    main(agent_loop, TimedTodo, PriorityNag, ask_at_the_stop, make_room, read_file)
