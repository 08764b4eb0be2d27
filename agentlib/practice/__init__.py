"""The practice model: the Messages API without a network, a key, or an intelligence.

`wire` is the API: it checks a request by its rules (`shapes`, `rules`, `turns`) and answers.
`minds` decides what to say, from what `view` sees; `tasks` is what it knows how to do. `model`
puts them behind the real SDK. Nothing here knows the agent: it sees requests, no more.
"""

from .model import PracticeModel

__all__ = ["PracticeModel"]
