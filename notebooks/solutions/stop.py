from agentlib import ask_at_the_stop
