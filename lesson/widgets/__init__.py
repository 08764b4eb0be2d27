"""Widgets that show an agent at work. What is shown never knows that it is shown."""

from .approval import Approval
from .board import Board
from .player import Player
from .runs import Runs
from .walkthrough import Walkthrough

__all__ = ["Approval", "Board", "Player", "Runs", "Walkthrough"]
