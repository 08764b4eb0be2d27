"""The practice model: the Messages API without a network, a key, or an intelligence.

`wire` holds the API's rules, `minds` decides what to say, `tasks` is what it knows how to do,
`model` puts them behind the real SDK. Nothing here knows the agent: it sees requests, no more.
"""

from .model import PracticeModel

__all__ = ["PracticeModel"]
