"""The practice model: the Messages API without a network, a key, or an intelligence.

`api` is the Messages API: it checks each request by its rules, and answers. `policy` decides what
the answer says. `model` connects the two to the real SDK. Nothing here knows the agent: it sees
only requests.
"""

from .model import PracticeModel

__all__ = ["PracticeModel"]
