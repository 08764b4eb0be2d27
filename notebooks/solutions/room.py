from agentlib import make_room
