"""The practice model: the Messages API without a network, a key, or an intelligence.

`api` is the Messages API: it checks a request by its rules, and answers. `mind` decides what to
say. `model` puts the two behind the real SDK. Nothing here knows the agent: it sees requests, no
more.
"""

from .model import PracticeModel

__all__ = ["PracticeModel"]
