from agentlib import Nag as MyNag
