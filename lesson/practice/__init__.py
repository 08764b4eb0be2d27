"""The practice model: the Messages API without a network, a key, or a language model.

How a reply is decided, in the order in which it happens and is best read:

1. `practice_model.PracticeModel` is the client. The real SDK sends it an HTTP request.
2. `api.server.respond` checks the request by the rules of the Messages API.
3. `policy.history.VisibleHistory` reads the request: the job, the tools, the calls, the reminders.
4. `policy.next_reply.work_on` has the seven rules that decide the reply.
5. `api.reply.make_message` makes the response.

Steps 3 and 4 are the policy. `starter`, `task_calls` and `faults` have other ones, and
`model_choice` lists them by name. `run_program` serves the practice model to any program.
"""
