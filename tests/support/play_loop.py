"""Play the package's loop, and return its rounds as the lesson records them."""

from agentlib import CheckedClient, agent_loop
from lesson.runs.one_by_one import play_one_by_one
from lesson.runs.watch import WatchedClient


def rounds(client, messages, tools=(), remind=None, **settings):
    """Yield the Round of each round after it. A client that is none of ours is checked."""
    played = []
    client = client if isinstance(client, CheckedClient) else CheckedClient(client)
    watched = WatchedClient(client, played.append)
    remind = remind and watched.note_reminders(remind)
    for _ in play_one_by_one(agent_loop, watched, messages, tools, remind, **settings):
        watched.finish(messages)
        yield played[-1]


def run(client, messages, tools=(), remind=None, **settings):
    """Return the Rounds of a run."""
    return [*rounds(client, messages, tools, remind, **settings)]
