from agentlib import trim_messages
