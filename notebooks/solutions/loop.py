from agentlib import agent_loop
