from agentlib import read_file
