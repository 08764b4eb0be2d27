"""Widgets that show an agent at work. What is shown never knows that it is shown."""

from .approval import Approval
from .board import Board
from .player import Player
from .real_sessions import RealSessions
from .runs import Chart, NagSlider, Runs
from .walkthrough import Walkthrough

__all__ = [
    "Approval",
    "Board",
    "Chart",
    "NagSlider",
    "Player",
    "RealSessions",
    "Runs",
    "Walkthrough",
]
