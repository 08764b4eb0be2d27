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
