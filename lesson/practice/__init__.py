"""The practice model: the Messages API without a network, a key, or a language model.

`api` checks each request by the rules of the Messages API, and answers it. `policy` decides what
the answer is; `starter` is another policy, which begins everything at once, and `faults` has six
that go wrong in one way each. `practice_model` connects a policy to the real SDK.
"""
