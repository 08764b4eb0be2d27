"""Ask when the model stops: run the loop again, and say what is missing, until nothing is.

`ask_at_the_stop(run, messages, missing)` calls `run()`, which plays the loop on `messages` until
the model stops. `missing()` returns texts: what the files, or a command that can fail, still lack.
To ask the model whether it is done would only repeat its mistake. Each question is appended to
`messages` as one of the user, and there are at most ten, one for each of ten steps. Nothing is
returned, and what `run` or `missing` raises is raised. The notebook s04b builds this.
"""

# A model that says it is done is not asked about itself: `missing` looks at the files, or runs a
# command that can fail. The number of questions is limited, because a model may never finish.
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
